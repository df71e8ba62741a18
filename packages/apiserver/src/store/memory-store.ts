import { Bucket } from './bucket.ts';
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
   * How many events are kept for watches and snapshots before the oldest are compacted away.
   * A watcher that falls further behind gets a 410 and lists again. Default 50,000.
   */
  readonly historyLimit?: number;
  /** The revision before the first write. Default 1000, so that 1 and 2 are always too old. */
  readonly firstRevision?: number;
}

/** The {@link Store} that forgets everything when the process ends. */
export class MemoryStore implements Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #subscribers = new Set<{ readonly listener: (event: StoreEvent) => void }>();
  readonly #historyLimit: number;
  readonly #firstRevision: number;
  #revision: number;
  /** Which bucket each retained event is in, oldest first, to find what to compact next. */
  #log: { readonly bucket: Bucket; readonly revision: number }[] = [];
  #logStart = 0;

  constructor({ historyLimit = 50_000, firstRevision = 1000 }: MemoryStoreOptions = {}) {
    if (!Number.isInteger(historyLimit) || historyLimit < 1) {
      throw new RangeError(`historyLimit must be a whole number above 0, not ${historyLimit}`);
    }
    this.#historyLimit = historyLimit;
    this.#firstRevision = firstRevision;
    this.#revision = firstRevision;
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

  range({ prefix, revision, after }: RangeOptions): readonly Entry[] {
    const bucket = this.#bucket(prefix);
    if (revision === undefined || revision === this.#revision) return bucket.range(prefix, after);
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    return bucket.rangeAt(prefix, after, revision);
  }

  count(prefix: string): number {
    return this.#bucket(prefix).count(prefix, prefix === bucketName(prefix));
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
    // Wrapped, so that the same function can be subscribed twice.
    const subscriber = { listener };
    this.#subscribers.add(subscriber);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) };
  }

  *all(): Iterable<Entry> {
    for (const [name, bucket] of this.#buckets) yield* bucket.range(name, undefined);
  }

  compact(options: { readonly revision?: number; readonly prefix?: string } = {}): void {
    const revision = Math.min(options.revision ?? this.#revision, this.#revision);
    if (options.prefix !== undefined) {
      this.#bucket(options.prefix).compact(revision);
      return;
    }
    for (const bucket of this.#buckets.values()) bucket.compact(revision);
    this.#forgetUpTo(revision);
  }

  durable(): Promise<void> {
    return Promise.resolve();
  }

  #tell(event: StoreEvent): void {
    for (const { listener } of this.#subscribers) listener(event);
  }

  /** Called before the event reaches listeners, so that they never see more than the limit. */
  #remember(bucket: Bucket, revision: number): void {
    this.#log.push({ bucket, revision });
    while (this.#log.length - this.#logStart > this.#historyLimit) {
      const oldest = this.#log[this.#logStart++];
      oldest?.bucket.compact(oldest.revision);
    }
    this.#trimLog();
  }

  #forgetUpTo(revision: number): void {
    while ((this.#log[this.#logStart]?.revision ?? Infinity) <= revision) this.#logStart++;
    this.#trimLog();
  }

  #trimLog(): void {
    if (this.#logStart < 4096 || this.#logStart * 2 < this.#log.length) return;
    this.#log = this.#log.slice(this.#logStart);
    this.#logStart = 0;
  }

  #bucket(key: string): Bucket {
    const name = bucketName(key);
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = new Bucket(this.#firstRevision);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }
}

const ALL_KEYS = '/';

/** `/apps/deployments/default/web` → `/apps/deployments/`. */
function bucketName(key: string): string {
  const end = key.indexOf('/', key.indexOf('/', 1) + 1);
  if (!key.startsWith('/') || end === -1) {
    throw new RangeError(`store key ${JSON.stringify(key)} must start with /group/resource/`);
  }
  return key.slice(0, end + 1);
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) freezeDeep(child);
  return value;
}
