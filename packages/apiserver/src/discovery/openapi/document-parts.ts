import type { JsonObject } from 'client-ts/internal';

import type { Model } from '../../schema/model.ts';
import { type ApiPath, TEXT } from './operation.ts';
import type { FieldWriter } from './protobuf/message-fields.ts';
import { ProtobufWriter } from './protobuf/protobuf-writer.ts';

/** The `info` of both versions of OpenAPI documents. */
export function documentInfo({ kubernetes }: Model): JsonObject {
  return { title: 'Kubernetes', version: kubernetes.split('.').slice(0, 2).join('.') };
}

/** Returns the names of all types that paths mention. */
export function typesOf(paths: readonly ApiPath[]): Set<string> {
  const names = new Set<string>();
  for (const { operations } of paths) {
    for (const { body, responses } of Object.values(operations)) {
      if (body !== undefined) names.add(body.type);
      for (const type of Object.values(responses)) names.add(type);
    }
  }
  names.delete(TEXT);
  return names;
}

/** The security scheme of the API. */
export const BEARER_TOKEN: JsonObject = {
  type: 'apiKey',
  description: 'Bearer Token authentication',
  name: 'authorization',
  in: 'header',
};

/** The descriptions of response statuses. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
};

export function byName<T>([left]: readonly [string, T], [right]: readonly [string, T]): number {
  return left < right ? -1 : Number(left > right);
}

/**
 * One path or one type of a large document, serialized once: when a custom resource is added or
 * removed, the fragments of the others are reused.
 */
export class Fragment {
  readonly name: string;
  readonly json: string;
  readonly #value: JsonObject;
  readonly #write: FieldWriter;
  #protobuf: Uint8Array | undefined;

  constructor(name: string, value: JsonObject, write: FieldWriter) {
    this.name = name;
    this.json = JSON.stringify(value);
    this.#value = value;
    this.#write = write;
  }

  /** Returns a message of name and value. Made on first use: most clients read JSON. */
  protobuf(): Uint8Array {
    return (this.#protobuf ??= this.#encode());
  }

  #encode(): Uint8Array {
    const writer = new ProtobufWriter();
    writer.string(1, this.name);
    this.#write(writer, 2, this.#value);
    return writer.finish();
  }
}

/** Caches the result of `make` for each key, as long as the key lives. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = make(key)));
    return value;
  };
}
