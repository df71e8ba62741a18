import { encodeProtobuf, encodeWatchFrame, watchFrameOf } from 'client-ts/codec';
import type { Status } from 'client-ts/meta';
import type { ServedResource } from '../registry/served-resource.ts';
import { viewOf } from '../registry/served-resource.ts';
import type { StoredObject, StoreEvent } from '../store/store.ts';
import { type JsonCache, partialMetadata } from './encoder.ts';
import type { Representation } from './negotiation.ts';

export type WatchType = 'ADDED' | 'BOOKMARK' | 'DELETED' | 'ERROR' | 'MODIFIED';

/** Turns objects into Table rows; absent on a server without tables. */
export type TableFrame = (object: StoredObject, first: boolean) => object;

/**
 * Writes the frames of one watch. The bytes of an object are shared between all watches of a
 * resource, so a thousand watchers cost one encoding and a thousand copies.
 */
export class FrameWriter {
  readonly #served: ServedResource;
  readonly #representation: Representation;
  readonly #json: JsonCache;
  readonly #protobuf: WeakMap<StoredObject, Uint8Array>;
  readonly #table: TableFrame | undefined;
  #isFirst = true;

  constructor(
    served: ServedResource,
    representation: Representation,
    caches: { readonly json: JsonCache; readonly protobuf: WeakMap<StoredObject, Uint8Array> },
    table?: TableFrame,
  ) {
    this.#served = served;
    this.#representation = representation;
    this.#json = caches.json;
    this.#protobuf = caches.protobuf;
    this.#table = table;
  }

  /** A stored object that was added, changed or removed. */
  object(type: WatchType, stored: StoredObject): Uint8Array {
    const view = viewOf(this.#served, stored) as StoredObject;
    const { projection, projectionVersion = 'v1', encoding } = this.#representation;
    if (projection === 'Table' && this.#table !== undefined) {
      const first = this.#isFirst;
      this.#isFirst = false;
      return this.#plain(type, this.#table(view, first));
    }
    if (projection === 'PartialObjectMetadata') {
      return this.#plain(type, partialMetadata(view, projectionVersion));
    }
    if (encoding === 'protobuf') return watchFrameOf(type, this.#protobufOf(view));
    const parts = this.#json.parts(view).map(toBuffer);
    return Buffer.concat([HEADS[type], ...parts, TAIL]);
  }

  /** Something that is not a stored object: an error's Status, a bookmark. */
  other(type: WatchType, object: object | Status): Uint8Array {
    const { projection, projectionVersion = 'v1' } = this.#representation;
    if (type === 'BOOKMARK' && projection === 'PartialObjectMetadata') {
      return this.#plain(type, partialMetadata(object, projectionVersion));
    }
    if (type === 'BOOKMARK' && projection === 'Table' && this.#table !== undefined) {
      const first = this.#isFirst;
      this.#isFirst = false;
      return this.#plain(type, this.#table(object, first));
    }
    return this.#plain(type, object);
  }

  #plain(type: WatchType, object: object): Uint8Array {
    return this.#representation.encoding === 'protobuf'
      ? encodeWatchFrame({ type, object })
      : Buffer.concat([HEADS[type], Buffer.from(JSON.stringify(object)), TAIL]);
  }

  #protobufOf(view: StoredObject): Uint8Array {
    let bytes = this.#protobuf.get(view);
    if (bytes === undefined) this.#protobuf.set(view, (bytes = encodeProtobuf(view)));
    return bytes;
  }
}

const head = (type: WatchType): Buffer => Buffer.from(`{"type":"${type}","object":`);
const HEADS: Readonly<Record<WatchType, Buffer>> = {
  ADDED: head('ADDED'),
  BOOKMARK: head('BOOKMARK'),
  DELETED: head('DELETED'),
  ERROR: head('ERROR'),
  MODIFIED: head('MODIFIED'),
};
const TAIL = Buffer.from('}\n');

function toBuffer(part: Buffer | string): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part;
}

const lastSeen = new WeakMap<StoreEvent, StoredObject>();

/**
 * What a watcher gets to see last of an object that was deleted or left its selector: the old
 * content with the version of the change.
 */
export function lastState(event: StoreEvent, previous: StoredObject): StoredObject {
  let object = lastSeen.get(event);
  if (object === undefined) {
    object = {
      ...previous,
      metadata: { ...previous.metadata, resourceVersion: String(event.revision) },
    };
    lastSeen.set(event, object);
  }
  return object;
}
