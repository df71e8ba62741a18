import { encodeProtobuf, encodeProtobufList } from 'client-ts/codec';
import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { apiVersionOf, type ListMeta } from 'client-ts/meta';
import { writeYaml } from 'client-ts/yaml';

import type { ResourceInfo } from '../registry/resource.ts';
import type { StoredObject } from '../store/store.ts';
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

/**
 * Caches the bytes of stored objects, made once per version and shared by all lists and watches.
 * Stored objects never change, so they can be the keys of a WeakMap.
 */
export class EncodedObjects {
  readonly #items = new WeakMap<StoredObject, Buffer>();
  readonly #protobuf = new WeakMap<StoredObject, Uint8Array>();
  readonly #typeMeta: string;
  readonly #custom: boolean;

  constructor({ group, version, kind, crd }: ResourceInfo) {
    this.#custom = crd !== undefined;
    this.#typeMeta = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersionOf({ group, version }))}`;
  }

  /** Returns the JSON of a list item: built-in kinds omit kind and apiVersion there. */
  item(object: StoredObject): Buffer {
    let bytes = this.#items.get(object);
    if (bytes === undefined) {
      bytes = Buffer.from(
        JSON.stringify(
          this.#custom ? object : { ...object, kind: undefined, apiVersion: undefined },
        ),
      );
      this.#items.set(object, bytes);
    }
    return bytes;
  }

  /** Returns the JSON of the whole object, in parts to concatenate. */
  parts(object: StoredObject): readonly (Buffer | string)[] {
    const item = this.item(object);
    if (this.#custom) return [item];
    return item.length === 2 ? [`${this.#typeMeta}}`] : [`${this.#typeMeta},`, item.subarray(1)];
  }

  /** Returns the protobuf body of the whole object. */
  protobuf(object: StoredObject): Uint8Array {
    let bytes = this.#protobuf.get(object);
    if (bytes === undefined) {
      bytes = encodeProtobuf(object);
      this.#protobuf.set(object, bytes);
    }
    return bytes;
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

/** Lists above this size are sent in chunks, with a pause between them for other requests. */
const CHUNK_BYTES = 512 * 1024;

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
  return stream(jsonParts(list), list.pause);
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
  for (const object of objects) {
    const item = encoded.protobuf(object);
    items.push(item);
    size += item.length;
    if (size < CHUNK_BYTES) continue;
    await pause();
    size = 0;
  }
  const list = { kind: info.listKind, apiVersion: apiVersionOf(info), metadata };
  return stream(encodeProtobufList(list, items), pause);
}

/** Joins parts to chunks; a single one is returned as it is. */
function stream(
  parts: Iterable<Uint8Array>,
  pause: () => Promise<void>,
): Uint8Array | AsyncIterable<Uint8Array> {
  const chunks = join(parts);
  const first = chunks.next();
  if (first.done === true) return new Uint8Array();
  const second = chunks.next();
  if (second.done === true) return first.value;
  return (async function* paused() {
    yield first.value;
    yield second.value;
    for (const chunk of chunks) {
      await pause();
      yield chunk;
    }
  })();
}

function* join(parts: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  let joined: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    joined.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(joined, size);
    joined = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(joined, size);
}

function* jsonParts({ info, objects, metadata, encoded }: EncodableList): Generator<Uint8Array> {
  const { listKind, crd } = info;
  const apiVersion = apiVersionOf(info);
  // Fields of custom resources are in alphabetical order, those of built-in kinds in Go's order.
  const head = JSON.stringify(
    crd === undefined ? { kind: listKind, apiVersion, metadata } : { apiVersion },
  );
  yield Buffer.from(`${head.slice(0, -1)},"items":[`);
  let isFirst = true;
  for (const object of objects) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield encoded.item(object);
  }
  const tail =
    crd === undefined
      ? ']}\n'
      : `],"kind":${JSON.stringify(listKind)},"metadata":${JSON.stringify(metadata)}}\n`;
  yield Buffer.from(tail);
}

const COMMA = Buffer.from(',');

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
