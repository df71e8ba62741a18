import { OptionError } from 'client-ts/internal';

import { Bucket, callListener } from './bucket.ts';
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
}

/** The revision before the first write: revisions 1 and 2 are always too old. */
const firstRevision = 1000;

/** A {@link Store} in memory. */
export class MemoryStore implements Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #subscribers = new Set<{ readonly listener: (event: StoreEvent) => void }>();
  readonly #historyLimit: number;
  readonly #onListenerError: (error: unknown) => void;
  #revision = firstRevision;
  /** The compacted revision of all resources, including those not used yet. */
  #compacted = firstRevision;
  /** The bucket of each of the last `#historyLimit` events, at its revision modulo the limit. */
  readonly #log: Bucket[] = [];

  constructor({ historyLimit = 50_000, onListenerError = throwLater }: MemoryStoreOptions = {}) {
    if (!Number.isInteger(historyLimit) || historyLimit < 1) {
      throw new OptionError('historyLimit', `${historyLimit} is not a whole number above 0`);
    }
    this.#historyLimit = historyLimit;
    this.#onListenerError = onListenerError;
  }

  get revision(): number {
    return this.#revision;
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
    const value = freezeDeep(build(revision));
    this.#revision = revision;
    const createRevision = bucket.get(key)?.createRevision ?? revision;
    const entry: Entry = Object.freeze({ key, value, createRevision, modRevision: revision });
    this.#remember(bucket, revision);
    this.#tell(bucket.put(entry));
    return entry;
  }

  delete(key: string): { readonly revision: number; readonly previous: Entry } | undefined {
    const bucket = this.#bucket(key);
    if (bucket.get(key) === undefined) return undefined;
    const revision = ++this.#revision;
    this.#remember(bucket, revision);
    const event = bucket.delete(key, revision);
    this.#tell(event);
    return { revision, previous: event.previous };
  }

  history(prefix: string, afterRevision: number, limit: number = Infinity): readonly StoreEvent[] {
    return this.#bucket(prefix).history(prefix, afterRevision, limit);
  }

  subscribe(prefix: string, listener: (event: StoreEvent) => void): Disposable {
    if (prefix !== ALL_KEYS) return this.#bucket(prefix).subscribe(prefix, listener);
    // Wrapped, so that the same function can subscribe twice.
    const subscriber = { listener };
    this.#subscribers.add(subscriber);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) };
  }

  *all(): Iterable<Entry> {
    for (const [name, bucket] of this.#buckets) yield* bucket.range(name);
  }

  compact(options: { readonly revision?: number; readonly prefix?: string } = {}): void {
    const revision = Math.min(options.revision ?? this.#revision, this.#revision);
    if (options.prefix !== undefined) {
      this.#bucket(options.prefix).compact(revision);
      return;
    }
    this.#compacted = Math.max(this.#compacted, revision);
    for (const bucket of this.#buckets.values()) bucket.compact(revision);
  }

  durable(): Promise<void> {
    return Promise.resolve();
  }

  #tell(event: StoreEvent): void {
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

/** `/apps/deployments/default/web` → `/apps/deployments/`. */
function bucketName(key: string): string {
  const name = /^\/[^/]*\/[^/]+\//.exec(key)?.[0];
  if (name === undefined) {
    throw new RangeError(`store key ${JSON.stringify(key)} must start with /group/resource/`);
  }
  return name;
}

/** A frozen value is already part of a stored object, or a primitive. */
function freezeDeep<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value as object)) freezeDeep(child);
  return value;
}
