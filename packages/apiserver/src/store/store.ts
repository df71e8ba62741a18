import type { DeepReadonly, KubernetesObject } from 'client-ts/meta';

/** An object as stored: frozen, never changed, replaced as a whole. */
export type StoredObject = DeepReadonly<KubernetesObject>;

/**
 * One version of one object. `value.metadata.resourceVersion` is always `String(modRevision)`.
 * Encoders may attach cached bytes to the entry (a WeakMap keyed by it), so entries are kept
 * identical as long as the version is the same.
 */
export interface Entry {
  readonly key: string;
  readonly value: StoredObject;
  readonly createRevision: number;
  readonly modRevision: number;
}

/**
 * One write. For a deletion `previous` is the last version; the deletion itself has a revision of
 * its own.
 */
export type StoreEvent =
  | {
      readonly type: 'put';
      readonly revision: number;
      readonly entry: Entry;
      readonly previous: Entry | undefined;
    }
  | {
      readonly type: 'delete';
      readonly revision: number;
      readonly entry: undefined;
      readonly previous: Entry;
    };

export interface RangeOptions {
  /** Keys start with this; it names at least the bucket: `/apps/deployments/`. */
  readonly prefix: string;
  /** Read as of this revision instead of now. Throws {@link CompactedError} or {@link FutureRevisionError}. */
  readonly revision?: number;
  /** Only keys strictly after this one. */
  readonly after?: string;
}

/** The revision asked for is no longer retained. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError';
  readonly requested: number;
  readonly compacted: number;

  constructor(requested: number, compacted: number) {
    super(`revision ${requested} has been compacted; the oldest retained is ${compacted}`);
    this.requested = requested;
    this.compacted = compacted;
  }
}

/** The revision asked for has not happened yet. */
export class FutureRevisionError extends Error {
  override readonly name = 'FutureRevisionError';
  readonly requested: number;
  readonly current: number;

  constructor(requested: number, current: number) {
    super(`revision ${requested} is in the future; the current one is ${current}`);
    this.requested = requested;
    this.current = current;
  }
}

/**
 * The one place where state lives. All writes are synchronous and serial: what a caller read
 * before its write, in the same turn of the event loop, is still true when it writes. So
 * compare-and-set needs no transaction language; a durable backend journals inside `put`/`delete`
 * and acknowledges through {@link Store.durable}.
 */
export interface Store {
  /** The revision of the newest write. Starts above 1. */
  readonly revision: number;
  /** The oldest revision that keys with this prefix can still be read at or watched from. */
  compactedRevision(prefix: string): number;
  get(key: string): Entry | undefined;
  /** Entries in byte order of their keys: one consistent snapshot, later writes do not change it. */
  range(options: RangeOptions): readonly Entry[];
  count(prefix: string): number;
  /** Creates or replaces. `build` gets the new revision and returns the object to freeze and keep. */
  put(key: string, build: (revision: number) => StoredObject): Entry;
  /** Removes; returns the revision of the deletion and the last entry, or undefined if absent. */
  delete(key: string): { readonly revision: number; readonly previous: Entry } | undefined;
  /**
   * Retained events after `afterRevision`, oldest first, for keys with the prefix; no more than
   * `limit`. Throws {@link CompactedError}.
   */
  history(prefix: string, afterRevision: number, limit?: number): readonly StoreEvent[];
  /** Calls `listener` with every later write, in order, synchronously. `/` means all keys. */
  subscribe(prefix: string, listener: (event: StoreEvent) => void): Disposable;
  /** Every entry there is, bucket by bucket. */
  all(): Iterable<Entry>;
  /** Forgets history up to `revision` (default: now), for one prefix or for everything. */
  compact(options?: { readonly revision?: number; readonly prefix?: string }): void;
  /** Resolves when everything written so far would survive a restart; at once for memory. */
  durable(): Promise<void>;
}
