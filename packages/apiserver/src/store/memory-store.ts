import { type Clock, deepFreeze, OptionError, systemClock } from 'client-ts/internal';

import { Bucket, callListener, keyOf } from './bucket.ts';
import { CommitQueue } from './commit-queue.ts';
import { DataError } from './data-error.ts';
import type { DurableStore, StoredRevision, StoredState } from './durable-store.ts';
import {
  type Entry,
  FutureRevisionError,
  type RangeOptions,
  type Store,
  type StoredObject,
  type StoreEvent,
} from './store.ts';

export interface MemoryStoreOptions {
  /**
   * How many events are kept for watches and snapshots. Older ones are compacted, and a watcher
   * that falls further behind gets a 410 and must list again. Default: 50,000.
   */
  readonly historyLimit?: number | undefined;
  /**
   * Called with the error of a listener that threw. The write it was called about is stored, and
   * other listeners are called all the same. Default: the error is thrown outside of the write.
   */
  readonly onListenerError?: ((error: unknown) => void) | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** The revision before the first write: revisions 1 and 2 are always too old. */
const firstRevision = 1000;

/** How many revisions a durable store keeps beyond the history, so that it rarely compacts. */
const COMPACTION_STEP = 1000;

/** A {@link Store} in memory, which writes through to a {@link DurableStore} if it has one. */
export class MemoryStore implements Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #subscribers = new Set<{ readonly listener: (event: StoreEvent) => void }>();
  readonly #undoListeners = new Set<(event: StoreEvent) => void>();
  readonly #historyLimit: number;
  readonly #onListenerError: (error: unknown) => void;
  readonly #clock: Clock;
  /** Undefined: everything is durable immediately, because nothing outlives the process. */
  #commits: CommitQueue | undefined;
  #durableRevision = firstRevision;
  #revision = firstRevision;
  /** The compacted revision of all resources, including those not used yet. */
  #compacted = firstRevision;
  /** The bucket of each of the last `#historyLimit` events, at its revision modulo the limit. */
  readonly #log: (Bucket | undefined)[] = [];
  /** The newest compaction that was written through. */
  #storedCompaction = 0;

  constructor({
    historyLimit = 50_000,
    onListenerError = throwLater,
    clock = systemClock,
  }: MemoryStoreOptions = {}) {
    if (!Number.isInteger(historyLimit) || historyLimit < 1) {
      throw new OptionError('historyLimit', `${historyLimit} is not a whole number above 0`);
    }
    this.#historyLimit = historyLimit;
    this.#onListenerError = onListenerError;
    this.#clock = clock;
  }

  /** Returns a store with what `durable` had when it was opened, and which writes through to it. */
  static async open(
    durable: DurableStore,
    state: StoredState,
    options: MemoryStoreOptions = {},
  ): Promise<MemoryStore> {
    const store = new MemoryStore(options);
    await store.#load(state);
    store.#commits = new CommitQueue({
      store: durable,
      clock: store.#clock,
      onCommitted: (events) => store.#announce(events),
      onFailed: (events) => store.#undo(events),
      onError: store.#onListenerError,
    });
    return store;
  }

  get revision(): number {
    return this.#revision;
  }

  get durableRevision(): number {
    return this.#commits === undefined ? this.#revision : this.#durableRevision;
  }

  compactedRevision(prefix: string): number {
    return this.#bucket(prefix).compactedRevision;
  }

  get(key: string): Entry | undefined {
    return this.#bucket(key).get(key);
  }

  range({ prefix, revision = this.#revision, after }: RangeOptions): readonly Entry[] {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    const bucket = this.#bucket(prefix);
    return revision === this.#revision
      ? bucket.range(prefix, after)
      : bucket.rangeAt(prefix, revision, after);
  }

  count(prefix: string): number {
    const bucket = this.#bucket(prefix);
    return prefix === bucketName(prefix) ? bucket.size : bucket.count(prefix);
  }

  put(key: string, build: (revision: number) => StoredObject): Entry {
    const bucket = this.#bucket(key);
    const revision = this.#revision + 1;
    const value = deepFreeze(build(revision));
    this.#revision = revision;
    const createRevision = bucket.get(key)?.createRevision ?? revision;
    const entry: Entry = Object.freeze({ key, value, createRevision, modRevision: revision });
    this.#remember(bucket, revision);
    this.#written(bucket, bucket.put(entry));
    return entry;
  }

  delete(key: string): { readonly revision: number; readonly previous: Entry } | undefined {
    const bucket = this.#bucket(key);
    if (bucket.get(key) === undefined) return undefined;
    const revision = ++this.#revision;
    this.#remember(bucket, revision);
    const event = bucket.delete(key, revision);
    this.#written(bucket, event);
    return { revision, previous: event.previous };
  }

  history(prefix: string, afterRevision: number, limit: number = Infinity): readonly StoreEvent[] {
    return this.#bucket(prefix).history(prefix, afterRevision, limit, this.durableRevision);
  }

  subscribe(prefix: string, listener: (event: StoreEvent) => void): Disposable {
    if (prefix !== ALL_KEYS) return this.#bucket(prefix).subscribe(prefix, listener);
    // Wrapped, so that the same function can subscribe twice.
    const subscriber = { listener };
    this.#subscribers.add(subscriber);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) };
  }

  follow(prefix: string, listener: (event: StoreEvent) => void): Disposable {
    const bucket = this.#bucket(prefix);
    return this.#commits === undefined
      ? bucket.subscribe(prefix, listener)
      : bucket.follow(prefix, listener);
  }

  onUndone(listener: (event: StoreEvent) => void): Disposable {
    this.#undoListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#undoListeners.delete(listener) };
  }

  *all(): Iterable<Entry> {
    for (const [name, bucket] of this.#buckets) yield* bucket.range(name);
  }

  compact(options: { readonly revision?: number; readonly prefix?: string } = {}): void {
    // Events that may have to be undone are kept.
    const revision = Math.min(options.revision ?? this.#revision, this.durableRevision);
    this.#commits?.compact({ prefix: options.prefix ?? ALL_KEYS, revision });
    if (options.prefix !== undefined) {
      this.#bucket(options.prefix).compact(revision);
      return;
    }
    this.#compactAll(revision);
  }

  durable(): Promise<void> | undefined {
    return this.#commits?.pending();
  }

  async close(): Promise<void> {
    await this.#commits?.close();
  }

  #compactAll(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
    for (const bucket of this.#buckets.values()) bucket.compact(revision);
  }

  /** The only place where a write leaves the store. */
  #written(bucket: Bucket, event: StoreEvent): void {
    // First of all: a listener may write too.
    if (this.#commits !== undefined) this.#writeThrough(this.#commits, event);
    bucket.notify(event);
    this.#notify(event);
  }

  #writeThrough(commits: CommitQueue, event: StoreEvent): void {
    commits.add(event);
    const revision = event.revision - this.#historyLimit;
    if (revision < this.#storedCompaction + COMPACTION_STEP) return;
    this.#storedCompaction = revision;
    commits.compact({ prefix: ALL_KEYS, revision });
  }

  #announce(events: readonly StoreEvent[]): void {
    this.#durableRevision = events.at(-1)?.revision ?? this.#durableRevision;
    for (const event of events) this.#bucket(keyOf(event)).announce(event);
  }

  #undo(events: readonly StoreEvent[]): void {
    for (const event of events.toReversed()) {
      const bucket = this.#bucket(keyOf(event));
      const undone = bucket.undo(event);
      this.#log[event.revision % this.#historyLimit] = undefined;
      this.#revision = event.revision - 1;
      for (const listener of this.#undoListeners) {
        callListener(listener, event, this.#onListenerError);
      }
      bucket.notify(undone);
      this.#notify(undone);
    }
  }

  async #load({ revision = firstRevision, compactions, revisions }: StoredState): Promise<void> {
    const compacted = compactions.find(({ prefix }) => prefix === ALL_KEYS)?.revision ?? 0;
    const limited = revision - this.#historyLimit;
    this.#compacted = Math.max(this.#compacted, compacted, limited);
    this.#storedCompaction = compacted;
    for await (const stored of revisions) this.#restore(stored, limited);
    this.#revision = revision;
    this.#durableRevision = revision;
    this.#compactAll(this.#compacted);
    for (const { prefix, revision: upTo } of compactions) {
      if (prefix !== ALL_KEYS) this.#bucket(prefix).compact(upTo);
    }
  }

  #restore({ revision, key, value, createRevision }: StoredRevision, limited: number): void {
    const bucket = this.#bucket(key);
    if (value !== undefined) {
      const entry = { key, value: parseStored(key, value), createRevision, modRevision: revision };
      bucket.put(Object.freeze(entry));
    } else if (bucket.get(key) !== undefined) {
      bucket.delete(key, revision);
    }
    if (revision > limited) this.#remember(bucket, revision);
  }

  #notify(event: StoreEvent): void {
    for (const { listener } of this.#subscribers)
      callListener(listener, event, this.#onListenerError);
  }

  /**
   * Compacts the oldest event to make room for a new one. Runs before listeners see the event, so
   * that they never see more than the limit.
   */
  #remember(bucket: Bucket, revision: number): void {
    // Revisions have no gaps, so the oldest event is always this far behind.
    const slot = revision % this.#historyLimit;
    this.#log[slot]?.compact(revision - this.#historyLimit);
    this.#log[slot] = bucket;
  }

  #bucket(key: string): Bucket {
    const name = bucketName(key);
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = new Bucket(this.#compacted, this.#onListenerError);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

const ALL_KEYS = '/';

function parseStored(key: string, text: string): StoredObject {
  try {
    return deepFreeze(JSON.parse(text) as StoredObject);
  } catch (cause) {
    const message = `the stored object ${JSON.stringify(key)} is damaged`;
    throw new DataError('APISERVER_DATA_CORRUPT', message, { cause });
  }
}

/** `/apps/deployments/default/web` → `/apps/deployments/`. */
function bucketName(key: string): string {
  const group = key.indexOf('/', 1);
  const resource = key.indexOf('/', group + 1);
  if (!key.startsWith('/') || group === -1 || resource <= group + 1) {
    throw new RangeError(`store key ${JSON.stringify(key)} must start with /group/resource/`);
  }
  return key.slice(0, resource + 1);
}
