import { ClientError, defineErrors } from 'client-ts/internal';
import type { DeepReadonly, KubernetesObject } from 'client-ts/meta';

/** An object as stored: frozen, and only ever replaced as a whole. */
export type StoredObject = DeepReadonly<KubernetesObject>;

/**
 * One version of one object. `value.metadata.resourceVersion` is always `String(modRevision)`. The
 * entry of a version is always the same object, so encoders can cache bytes by it in a WeakMap.
 */
export interface Entry {
  readonly key: string;
  readonly value: StoredObject;
  readonly createRevision: number;
  readonly modRevision: number;
}

/**
 * One write. For a deletion, `previous` is the last version and `revision` is that of the deletion.
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
  /** The prefix of the keys; at least group and resource: `/apps/deployments/`. */
  readonly prefix: string;
  /**
   * Reads as of this revision. Throws {@link CompactedError} or {@link FutureRevisionError}.
   * Default: now.
   */
  readonly revision?: number | undefined;
  /** Returns only keys strictly after this one. */
  readonly after?: string | undefined;
}

/** The requested revision is compacted. */
export class CompactedError extends ClientError {
  readonly requested: number;
  readonly compacted: number;

  constructor(requested: number, compacted: number) {
    super(
      'APISERVER_REVISION_COMPACTED',
      `revision ${requested} has been compacted; the oldest retained is ${compacted}`,
    );
    this.requested = requested;
    this.compacted = compacted;
  }

  static {
    defineErrors(this, 'CompactedError', 'APISERVER', {
      APISERVER_REVISION_COMPACTED: { retry: 'never' },
    });
  }
}

/** The requested revision does not exist yet. */
export class FutureRevisionError extends ClientError {
  readonly requested: number;
  readonly current: number;

  constructor(requested: number, current: number) {
    super(
      'APISERVER_REVISION_IN_FUTURE',
      `revision ${requested} is in the future; the current one is ${current}`,
    );
    this.requested = requested;
    this.current = current;
  }

  static {
    defineErrors(this, 'FutureRevisionError', 'APISERVER', {
      APISERVER_REVISION_IN_FUTURE: { retry: 'never' },
    });
  }
}

/**
 * The only place with state. All writes are synchronous and serial: what a caller reads is still
 * true when it writes in the same turn of the event loop, so compare-and-set needs no transactions.
 * Writes become durable later, in order. Until then only the server itself sees them: whatever
 * leaves the process waits for {@link Store.durable}, or follows {@link Store.durableRevision}.
 */
export interface Store {
  /** The revision of the newest write. Starts above 1. */
  readonly revision: number;
  /** The newest revision that a crash cannot undo. */
  readonly durableRevision: number;
  /** The oldest revision at which keys with this prefix can be read or watched from. */
  compactedRevision(prefix: string): number;
  get(key: string): Entry | undefined;
  /**
   * Returns entries in byte order of their keys: a consistent snapshot that later writes do not
   * change.
   */
  range(options: RangeOptions): readonly Entry[];
  count(prefix: string): number;
  /**
   * Creates or replaces an object. `build` gets the new revision and returns the object to store.
   */
  put(key: string, build: (revision: number) => StoredObject): Entry;
  /**
   * Deletes an object; returns the revision of the deletion and the last entry, or undefined if
   * absent.
   */
  delete(key: string): { readonly revision: number; readonly previous: Entry } | undefined;
  /**
   * Returns the retained events after `afterRevision`, up to {@link durableRevision}, oldest first,
   * for keys with the prefix; at most `limit`. Throws {@link CompactedError}.
   */
  history(prefix: string, afterRevision: number, limit?: number): readonly StoreEvent[];
  /**
   * Calls `listener` synchronously with every later write, in order. `/` means all keys. If writes
   * cannot be made durable, they are undone, and each is reported as a write in the other direction:
   * a creation as a deletion, an update as one that restores the old entry.
   */
  subscribe(prefix: string, listener: (event: StoreEvent) => void): Disposable;
  /** Calls `listener` with every later write when it is durable, in order, for keys of one resource. */
  follow(prefix: string, listener: (event: StoreEvent) => void): Disposable;
  /** Calls `listener` with every write that is undone, newest first. */
  onUndone(listener: (event: StoreEvent) => void): Disposable;
  /** Returns all entries, bucket by bucket. */
  all(): Iterable<Entry>;
  /** Compacts the history up to `revision` (default: now), for one prefix (default: all). */
  compact(options?: { readonly revision?: number; readonly prefix?: string }): void;
  /**
   * Resolves when everything written so far survives a crash; undefined if it already does. Rejects
   * with a `DataError` if the writes were undone.
   */
  durable(): Promise<void> | undefined;
  /** Waits for {@link durable} and releases the data directory. */
  close(): Promise<void>;
}
