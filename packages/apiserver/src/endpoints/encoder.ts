import {
  encodeProtobuf,
  hasProtobuf,
  type ProtobufFrame,
  ProtobufItemEncoder,
  protobufItemFrame,
  protobufListFrame,
} from 'client-ts/codec';
import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { apiVersionOf, type ListMeta } from 'client-ts/meta';
import { writeYaml } from 'client-ts/yaml';

import type { ResourceInfo } from '../registry/resource.ts';
import type { StoredObject } from '../store/store.ts';
import { CHUNK_BYTES, EncodedItems, type ItemFormat } from './encoded-items.ts';
import { objectText } from './object-text.ts';
import type { Representation } from './negotiation.ts';

/** Encodes any object. Compact JSON ends with a newline, indented JSON does not. */
export function encode(object: object, { encoding, pretty }: Representation): Uint8Array {
  switch (encoding) {
    case 'json':
      return Buffer.from(
        pretty ? JSON.stringify(object, undefined, 2) : `${JSON.stringify(object)}\n`,
      );
    case 'yaml':
      return Buffer.from(formatYaml(object as JsonObject));
    case 'protobuf':
      return encodeProtobuf(object);
  }
}

/** The bytes of the objects of a resource in one version, which all its lists and watches share. */
export class EncodedObjects {
  /** As items of lists: built-in kinds omit kind and apiVersion there. */
  readonly json: EncodedItems;
  readonly protobufItems: EncodedItems;
  readonly #frame: ProtobufFrame | undefined;
  readonly #typeMeta: string;
  readonly #custom: boolean;

  constructor({ group, version, kind, crd }: ResourceInfo) {
    const apiVersion = apiVersionOf({ group, version });
    this.#custom = crd !== undefined;
    this.json = new EncodedItems(new JsonItems(this.#custom));
    this.protobufItems = new EncodedItems(new ProtobufItems());
    this.#frame = hasProtobuf({ group, version, kind })
      ? protobufItemFrame(apiVersion, kind)
      : undefined;
    this.#typeMeta = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  }

  /** Returns the JSON of the whole object, in parts to concatenate. */
  parts(object: StoredObject): readonly (Buffer | string)[] {
    const item = this.json.bytes(object);
    if (this.#custom) return [item];
    return item.length === 2 ? [`${this.#typeMeta}}`] : [`${this.#typeMeta},`, item.subarray(1)];
  }

  /** Returns the protobuf body of the whole object. */
  protobuf(object: StoredObject): Uint8Array {
    if (this.#frame === undefined) return encodeProtobuf(object);
    const { head, tail } = this.#frame;
    return Buffer.concat([head, this.protobufItems.bytes(object), tail]);
  }
}

class JsonItems implements ItemFormat {
  readonly separator: Uint8Array = Buffer.from(',');
  readonly #custom: boolean;
  #text = '';

  constructor(custom: boolean) {
    this.#custom = custom;
  }

  encode(object: StoredObject): number {
    this.#text = objectText(object, { typeMeta: this.#custom });
    return Buffer.byteLength(this.#text);
  }

  write(target: Buffer, start: number): void {
    target.write(this.#text, start, 'utf8');
    this.#text = '';
  }
}

class ProtobufItems implements ItemFormat {
  readonly separator: Uint8Array = new Uint8Array();
  readonly #encoder = new ProtobufItemEncoder();

  encode(object: StoredObject): number {
    return this.#encoder.encode(object);
  }

  write(target: Buffer, start: number): void {
    this.#encoder.copyTo(target, start);
  }
}

/** Returns the PartialObjectMetadata of an object. */
export function partialMetadata(object: StoredObject, version: 'v1' | 'v1beta1'): object {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object.metadata ?? {},
  };
}

export function partialMetadataList(
  objects: readonly StoredObject[],
  metadata: ListMeta,
  version: 'v1' | 'v1beta1',
): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: objects.length === 0 ? null : objects.map((object) => partialMetadata(object, version)),
  };
}

/** A list to encode. */
export interface EncodableList {
  readonly info: ResourceInfo;
  readonly objects: readonly StoredObject[];
  readonly metadata: ListMeta;
  readonly encoded: EncodedObjects;
  /** Lets other requests have their turn. */
  readonly pause: () => Promise<void>;
}

/**
 * Encodes a list as compact JSON without holding the whole text: a small list as one chunk, a large
 * one as a stream that yields to the event loop.
 */
export function encodeJsonList(list: EncodableList): Uint8Array | AsyncIterable<Uint8Array> {
  return stream(jsonChunks(list), list.pause);
}

/**
 * Encodes a list as protobuf, which starts with its size: so all items are encoded first, a chunk of
 * them for each turn of the event loop. Rejects if an object cannot be encoded.
 */
export async function encodeProtobufItems({
  info,
  objects,
  metadata,
  encoded,
  pause,
}: EncodableList): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const items: Uint8Array[] = [];
  let size = 0;
  for (const chunk of encoded.protobufItems.chunks(objects)) {
    items.push(chunk);
    size += chunk.length;
    await pause();
  }
  const list = { kind: info.listKind, apiVersion: apiVersionOf(info), metadata };
  const { head, tail } = protobufListFrame(list, size);
  return stream([head, ...items, tail], pause);
}

/** Joins a small list to one chunk; the chunks of a large one are sent as they are. */
function stream(
  chunks: Iterable<Uint8Array>,
  pause: () => Promise<void>,
): Uint8Array | AsyncIterable<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  const first: Uint8Array[] = [];
  for (let size = 0; size < CHUNK_BYTES;) {
    const { value, done } = iterator.next() as IteratorResult<Uint8Array, undefined>;
    if (done === true) return Buffer.concat(first, size);
    first.push(value);
    size += value.length;
  }
  return (async function* paused() {
    yield* first;
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      yield next.value;
      await pause();
    }
  })();
}

function* jsonChunks({ info, objects, metadata, encoded }: EncodableList): Generator<Uint8Array> {
  const { listKind, crd } = info;
  const apiVersion = apiVersionOf(info);
  // Fields of custom resources are in alphabetical order, those of built-in kinds in Go's order.
  const head = JSON.stringify(
    crd === undefined ? { kind: listKind, apiVersion, metadata } : { apiVersion },
  );
  yield Buffer.from(`${head.slice(0, -1)},"items":[`);
  yield* encoded.json.chunks(objects);
  const tail =
    crd === undefined
      ? ']}\n'
      : `],"kind":${JSON.stringify(listKind)},"metadata":${JSON.stringify(metadata)}}\n`;
  yield Buffer.from(tail);
}

/** Formats YAML like a real server: sorted keys, lists not indented. */
function formatYaml(object: JsonValue): string {
  return writeYaml(sortKeys(object));
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) {
    const child = value[key];
    if (child !== undefined) setKey(sorted, key, sortKeys(child));
  }
  return sorted;
}
