import { CompactedError, type Entry, type StoreEvent } from './store.ts';

/**
 * All objects of one resource, with their recent history.
 *
 * Current entries live in a map; their sorted order is an array that is repaired lazily, because
 * writes come in bursts and lists are rare. Past states are not stored at all: a snapshot at an
 * older revision is the current state with the retained events undone.
 */
export class Bucket {
  readonly #entries = new Map<string, Entry>();
  /** Every key of `#entries`, and the keys in `#removed`; sorted only if `#sorted`. */
  #keys: string[] = [];
  #sorted = true;
  /** Keys that stand in `#keys` but no longer in `#entries`. */
  readonly #removed = new Set<string>();
  /** Events in order of revision. The first `#forgotten` are compacted and wait to be cut off. */
  #events: StoreEvent[] = [];
  #forgotten = 0;
  #compacted: number;
  readonly #listeners = new Set<{ prefix: string; listener: (event: StoreEvent) => void }>();

  constructor(compactedRevision: number) {
    this.#compacted = compactedRevision;
  }

  get compactedRevision(): number {
    return this.#compacted;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  put(entry: Entry): StoreEvent {
    const previous = this.#entries.get(entry.key);
    this.#entries.set(entry.key, entry);
    if (previous === undefined && !this.#removed.delete(entry.key)) {
      const last = this.#keys.at(-1);
      if (last !== undefined && last > entry.key) this.#sorted = false;
      this.#keys.push(entry.key);
    }
    return this.#append({ type: 'put', revision: entry.modRevision, entry, previous });
  }

  /** The key must be there. */
  delete(key: string, revision: number): StoreEvent & { readonly type: 'delete' } {
    const previous = this.#entries.get(key) as Entry;
    this.#entries.delete(key);
    this.#removed.add(key);
    return this.#append({ type: 'delete', revision, entry: undefined, previous });
  }

  /** How many keys there are with this prefix; cheap for the whole bucket. */
  count(prefix: string, isWholeBucket: boolean): number {
    if (isWholeBucket) return this.#entries.size;
    const keys = this.#sortedKeys();
    return firstIndexWithoutPrefix(keys, prefix) - lowerBound(keys, prefix);
  }

  range(prefix: string, after: string | undefined): Entry[] {
    const keys = this.#sortedKeys();
    const entries: Entry[] = [];
    let index = lowerBound(keys, after === undefined || after < prefix ? prefix : after);
    if (after !== undefined && keys[index] === after) index++;
    for (; index < keys.length; index++) {
      const key = keys[index] as string;
      if (!key.startsWith(prefix)) break;
      entries.push(this.#entries.get(key) as Entry);
    }
    return entries;
  }

  /** The state as it was right after `revision`. */
  rangeAt(prefix: string, after: string | undefined, revision: number): Entry[] {
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    // The first change after the revision tells what was there before it.
    const past = new Map<string, Entry | undefined>();
    for (const event of this.history(prefix, revision)) {
      const key = (event.entry ?? event.previous).key;
      if (!past.has(key)) past.set(key, event.previous);
    }
    const current = this.range(prefix, after);
    if (past.size === 0) return current;
    const entries: Entry[] = [];
    for (const entry of current) {
      if (!past.has(entry.key)) entries.push(entry);
    }
    for (const [key, entry] of past) {
      if (entry !== undefined && (after === undefined || key > after)) entries.push(entry);
    }
    return entries.sort((left, right) => (left.key < right.key ? -1 : 1));
  }

  history(prefix: string, afterRevision: number, limit: number = Infinity): StoreEvent[] {
    if (afterRevision < this.#compacted) throw new CompactedError(afterRevision, this.#compacted);
    let low = this.#forgotten;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle] as StoreEvent).revision <= afterRevision) low = middle + 1;
      else high = middle;
    }
    const found: StoreEvent[] = [];
    for (let index = low; index < this.#events.length && found.length < limit; index++) {
      const event = this.#events[index] as StoreEvent;
      if ((event.entry ?? event.previous).key.startsWith(prefix)) found.push(event);
    }
    return found;
  }

  subscribe(prefix: string, listener: (event: StoreEvent) => void): Disposable {
    const subscription = { prefix, listener };
    this.#listeners.add(subscription);
    return { [Symbol.dispose]: () => void this.#listeners.delete(subscription) };
  }

  /** Forgets the events up to and including `revision`. Returns how many that were. */
  compact(revision: number): number {
    if (revision <= this.#compacted) return 0;
    this.#compacted = revision;
    const before = this.#forgotten;
    while ((this.#events[this.#forgotten]?.revision ?? Infinity) <= revision) this.#forgotten++;
    const dropped = this.#forgotten - before;
    // Cutting off the front of a long array is linear, so it waits until it pays.
    if (this.#forgotten > 1024 || this.#forgotten * 2 >= this.#events.length) {
      this.#events = this.#events.slice(this.#forgotten);
      this.#forgotten = 0;
    }
    return dropped;
  }

  #append<E extends StoreEvent>(event: E): E {
    this.#events.push(event);
    const key = (event.entry ?? event.previous).key;
    for (const { prefix, listener } of this.#listeners) {
      if (key.startsWith(prefix)) listener(event);
    }
    return event;
  }

  #sortedKeys(): readonly string[] {
    if (this.#removed.size > 0) {
      this.#keys = this.#keys.filter((key) => !this.#removed.has(key));
      this.#removed.clear();
    }
    if (!this.#sorted) {
      // Keys are ASCII, so the order of UTF-16 units is the byte order that the API promises.
      this.#keys.sort();
      this.#sorted = true;
    }
    return this.#keys;
  }
}

/** Index of the first key that is not smaller. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstIndexWithoutPrefix(keys: readonly string[], prefix: string): number {
  return lowerBound(keys, `${prefix}\uffff`);
}
