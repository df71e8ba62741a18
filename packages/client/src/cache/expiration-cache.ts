import type { Clock } from '../lib/clock.ts';
import { checkNumber } from '../lib/option-error.ts';
import { DeletedFinalStateUnknown, type KeyFunc, type Store, versionOf } from './store.ts';

/** An object with the monotonic time of its last write. */
export interface TimestampedEntry<T extends object> {
  readonly key: string;
  readonly object: T;
  readonly writtenAt: number;
}

/** Returns true for entries that have expired. */
export type ExpirationPolicy<T extends object> = (entry: TimestampedEntry<T>) => boolean;

/** Options of {@link ExpirationCache}. */
export interface ExpirationCacheOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly isExpired: ExpirationPolicy<T>;
}

/**
 * A store whose objects expire. An expired object is removed when it is read; until then it takes
 * memory, and `size` and `listKeys` include it. Every write restarts the time of its object.
 */
export class ExpirationCache<T extends object> implements Store<T> {
  readonly #entries = new Map<string, TimestampedEntry<T>>();
  readonly #keyFunc: KeyFunc<T>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #isExpired: ExpirationPolicy<T>;
  #resourceVersion = '';

  constructor({ keyFunc, clock, isExpired }: ExpirationCacheOptions<T>) {
    this.#keyFunc = keyFunc;
    this.#clock = clock;
    this.#isExpired = isExpired;
  }

  get size(): number {
    return this.#entries.size;
  }

  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  add(object: T): void {
    this.#write(object);
    this.bookmark(versionOf(object) ?? '');
  }

  update(object: T): void {
    this.add(object);
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    this.#entries.delete(this.#keyOf(object));
    if (!(object instanceof DeletedFinalStateUnknown)) this.bookmark(versionOf(object) ?? '');
  }

  replace(objects: Iterable<T>, resourceVersion: string): void {
    // A key function that throws must not cost the stored objects.
    const keyed = Array.from(objects, (object) => [this.#keyFunc(object), object] as const);
    const writtenAt = this.#clock.monotonic();
    this.#entries.clear();
    for (const [key, object] of keyed) this.#entries.set(key, { key, object, writtenAt });
    this.#resourceVersion = resourceVersion;
  }

  get(object: DeletedFinalStateUnknown<T> | T): T | undefined {
    return this.getByKey(this.#keyOf(object));
  }

  getByKey(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : this.#unlessExpired(entry);
  }

  has(key: string): boolean {
    return this.getByKey(key) !== undefined;
  }

  list(): T[] {
    return [...this.values()];
  }

  /** Includes the keys of expired objects that were not read since. */
  listKeys(): string[] {
    return [...this.#entries.keys()];
  }

  *values(): Generator<T, undefined, undefined> {
    for (const entry of this.#entries.values()) {
      const object = this.#unlessExpired(entry);
      if (object !== undefined) yield object;
    }
    return undefined;
  }

  /** Does nothing: a store has no handlers. */
  resync(): void {}

  bookmark(resourceVersion: string): void {
    if (resourceVersion !== '') this.#resourceVersion = resourceVersion;
  }

  #write(object: T): void {
    const key = this.#keyFunc(object);
    this.#entries.set(key, { key, object, writtenAt: this.#clock.monotonic() });
  }

  #keyOf(object: DeletedFinalStateUnknown<T> | T): string {
    return object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);
  }

  #unlessExpired(entry: TimestampedEntry<T>): T | undefined {
    if (!this.#isExpired(entry)) return entry.object;
    this.#entries.delete(entry.key);
    return undefined;
  }
}

/** Options of {@link ttlStore}. */
export interface TtlStoreOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Older objects have expired; 0 keeps them forever. */
  readonly ttlMs: number;
}

/** Returns an {@link ExpirationCache} whose objects expire a fixed time after their last write. */
export function ttlStore<T extends object>({
  keyFunc,
  clock,
  ttlMs,
}: TtlStoreOptions<T>): ExpirationCache<T> {
  checkNumber('ttlMs', ttlMs, 'period');
  const isExpired: ExpirationPolicy<T> = ({ writtenAt }) =>
    ttlMs > 0 && clock.monotonic() - writtenAt > ttlMs;
  return new ExpirationCache({ keyFunc, clock, isExpired });
}
