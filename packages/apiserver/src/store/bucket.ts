import { CompactedError, type Entry, type StoreEvent } from './store.ts';

interface Subscription {
  readonly prefix: string;
  readonly listener: (event: StoreEvent) => void;
}

/**
 * All objects of one resource, with their recent history.
 *
 * Current entries live in a map. The sorted array of their keys is updated when it is read, because
 * writes come in bursts and lists are rare. Past states are not stored: a snapshot at an older
 * revision is the current state with the retained events undone.
 */
export class Bucket {
  readonly #entries = new Map<string, Entry>();
  /** The sorted keys of `#entries`, without the pending changes in `#added` and `#removed`. */
  #keys: readonly string[] = [];
  #added: string[] = [];
  readonly #removed = new Set<string>();
  /** The entries in the order of their keys; undefined after a change. */
  #sorted: readonly Entry[] | undefined;
  /** Events in order of revision. The first ones may already be compacted. */
  #events: StoreEvent[] = [];
  #compacted: number;
  readonly #listeners = new Set<Subscription>();
  readonly #followers = new Set<Subscription>();

  readonly #onListenerError: (error: unknown) => void;

  constructor(compactedRevision: number, onListenerError: (error: unknown) => void) {
    this.#compacted = compactedRevision;
    this.#onListenerError = onListenerError;
  }

  get compactedRevision(): number {
    return this.#compacted;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Stores an entry. The caller notifies the listeners. */
  put(entry: Entry): StoreEvent {
    const previous = this.#set(entry);
    return this.#append({ type: 'put', revision: entry.modRevision, entry, previous });
  }

  /** Deletes an entry, which must exist. The caller notifies the listeners. */
  delete(key: string, revision: number): StoreEvent & { readonly type: 'delete' } {
    const previous = this.#unset(key);
    return this.#append({ type: 'delete', revision, entry: undefined, previous });
  }

  /** Undoes the newest write. Returns it as a write in the other direction. */
  undo(event: StoreEvent): StoreEvent {
    const { entry, previous, revision } = event;
    if (this.#events.at(-1) === event) this.#events.pop();
    this.#compacted = Math.min(this.#compacted, revision - 1);
    if (previous !== undefined) {
      this.#set(previous);
      return { type: 'put', revision: previous.modRevision, entry: previous, previous: entry };
    }
    return {
      type: 'delete',
      revision,
      entry: undefined,
      previous: this.#unset(keyOf(event)),
    };
  }

  /** Returns how many keys have this prefix. */
  count(prefix: string): number {
    const keys = this.#sortedKeys();
    return lowerBound(keys, `${prefix}\uffff`) - lowerBound(keys, prefix);
  }

  /** Returns how many keys there are, without sorting them. */
  get size(): number {
    return this.#entries.size;
  }

  range(prefix: string, after = ''): readonly Entry[] {
    const keys = this.#sortedKeys();
    // `key\0` is the smallest key after `key`.
    const start = lowerBound(keys, after < prefix ? prefix : `${after}\0`);
    const end = lowerBound(keys, `${prefix}\uffff`);
    // Large lists come in pages, which would look up the rest of the list each time.
    if (this.#sorted === undefined && (end - start) * 2 < keys.length) {
      return keys.slice(start, end).map((key) => this.#entries.get(key) as Entry);
    }
    this.#sorted ??= keys.map((key) => this.#entries.get(key) as Entry);
    return this.#sorted.slice(start, end);
  }

  /** Returns the state right after `revision`. */
  rangeAt(prefix: string, revision: number, after = ''): readonly Entry[] {
    // The first change after the revision holds the state before it.
    const past = new Map<string, Entry | undefined>();
    for (const event of this.history(prefix, revision)) {
      const key = keyOf(event);
      if (!past.has(key)) past.set(key, event.previous);
    }
    const current = this.range(prefix, after);
    if (past.size === 0) return current;
    const entries = current.filter(({ key }) => !past.has(key));
    for (const entry of past.values()) {
      if (entry !== undefined && entry.key > after) entries.push(entry);
    }
    return entries.sort((left, right) => (left.key < right.key ? -1 : 1));
  }

  history(
    prefix: string,
    afterRevision: number,
    limit: number = Infinity,
    lastRevision: number = Infinity,
  ): StoreEvent[] {
    if (afterRevision < this.#compacted) throw new CompactedError(afterRevision, this.#compacted);
    const found: StoreEvent[] = [];
    let index = this.#firstAfter(afterRevision);
    for (; index < this.#events.length && found.length < limit; index++) {
      const event = this.#events[index] as StoreEvent;
      if (event.revision > lastRevision) break;
      if (keyOf(event).startsWith(prefix)) found.push(event);
    }
    return found;
  }

  subscribe(prefix: string, listener: (event: StoreEvent) => void): Disposable {
    return addTo(this.#listeners, { prefix, listener });
  }

  follow(prefix: string, listener: (event: StoreEvent) => void): Disposable {
    return addTo(this.#followers, { prefix, listener });
  }

  /** Calls the subscribers. */
  notify(event: StoreEvent): void {
    this.#call(this.#listeners, event);
  }

  /** Calls the followers. */
  announce(event: StoreEvent): void {
    this.#call(this.#followers, event);
  }

  /** Drops the events up to and including `revision`. */
  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
    const forgotten = this.#firstAfter(this.#compacted);
    // Slicing a long array is linear, so this waits until enough events are compacted.
    if (forgotten * 8 >= this.#events.length) this.#events = this.#events.slice(forgotten);
  }

  #append<E extends StoreEvent>(event: E): E {
    this.#events.push(event);
    return event;
  }

  /** Returns the entry that is replaced. */
  #set(entry: Entry): Entry | undefined {
    const previous = this.#entries.get(entry.key);
    this.#sorted = undefined;
    this.#entries.set(entry.key, entry);
    if (previous === undefined && !this.#removed.delete(entry.key)) this.#added.push(entry.key);
    return previous;
  }

  /** Returns the entry that is removed. */
  #unset(key: string): Entry {
    const previous = this.#entries.get(key) as Entry;
    this.#sorted = undefined;
    this.#entries.delete(key);
    this.#removed.add(key);
    return previous;
  }

  #call(subscriptions: ReadonlySet<Subscription>, event: StoreEvent): void {
    if (subscriptions.size === 0) return;
    const key = keyOf(event);
    for (const { prefix, listener } of subscriptions) {
      if (key.startsWith(prefix)) callListener(listener, event, this.#onListenerError);
    }
  }

  /** Returns the index of the first event after a revision. */
  #firstAfter(revision: number): number {
    return partitionPoint(this.#events, (event) => event.revision <= revision);
  }

  #sortedKeys(): readonly string[] {
    if (this.#added.length === 0 && this.#removed.size === 0) return this.#keys;
    // Keys are ASCII, so UTF-16 order is the byte order that the API promises. The known keys are
    // one sorted run, which makes the sort linear.
    this.#keys = [...this.#keys, ...this.#added].filter((key) => !this.#removed.has(key)).sort();
    this.#added = [];
    this.#removed.clear();
    return this.#keys;
  }
}

/** Calls a listener about a write, which is stored already and cannot fail any more. */
export function callListener(
  listener: (event: StoreEvent) => void,
  event: StoreEvent,
  onError: (error: unknown) => void,
): void {
  try {
    listener(event);
  } catch (error) {
    onError(error);
  }
}

function addTo(subscriptions: Set<Subscription>, subscription: Subscription): Disposable {
  subscriptions.add(subscription);
  return { [Symbol.dispose]: () => void subscriptions.delete(subscription) };
}

export function keyOf({ entry, previous }: StoreEvent): string {
  return (entry ?? previous).key;
}

/** Returns the index of the first key that is not smaller. */
function lowerBound(keys: readonly string[], key: string): number {
  return partitionPoint(keys, (other) => other < key);
}

/** Returns the index of the first item outside the front part. */
function partitionPoint<T>(items: readonly T[], isInFront: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isInFront(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
