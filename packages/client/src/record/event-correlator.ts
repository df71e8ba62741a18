import type { Event, ObjectReference } from '../api/core/v1.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { TokenBucket } from '../lib/token-bucket.ts';
import { EventNames } from './event-recorder.ts';

/** Cannot be part of a field of an event, so that `ab`, `c` and `a`, `bc` make different keys. */
const SEPARATOR = '\0';

/** Joins fields into a key; missing fields count as empty. */
export function joinKey(parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '').join(SEPARATOR);
}

/** Returns the key by which occurrences of one event are counted. */
export function getEventKey(event: Event): string {
  return joinKey([
    ...sourceOf(event),
    ...objectOf(event.involvedObject),
    event.involvedObject.fieldPath,
    event.type,
    event.reason,
    event.message,
  ]);
}

/**
 * Returns the key by which events share a rate limit: source, object and type. Normal and Warning
 * events are separate, so that a flood of Normal events hides no Warning.
 */
export function getSpamKey(event: Event): string {
  return joinKey([...sourceOf(event), ...objectOf(event.involvedObject), event.type]);
}

/** The keys by which events are aggregated. */
export interface AggregationKeys {
  /** Equal for similar events. */
  readonly aggregateKey: string;
  /** Different for each event of a group that counts towards `maxEvents`. */
  readonly localKey: string;
}

/** Groups events that differ only in their message or field path. */
export function eventAggregatorByReasonFunc(event: Event): AggregationKeys {
  const aggregateKey = joinKey([
    ...sourceOf(event),
    ...objectOf(event.involvedObject),
    event.type,
    event.reason,
    event.reportingComponent,
    event.reportingInstance,
  ]);
  return { aggregateKey, localKey: event.message ?? '' };
}

/** Returns the default message of an aggregated event. */
export function eventAggregatorByReasonMessageFunc({ message = '' }: Event): string {
  return `(combined from similar events): ${message}`;
}

function sourceOf({ source = {} }: Event): (string | undefined)[] {
  return [source.component, source.host];
}

function objectOf(object: ObjectReference): (string | undefined)[] {
  return [object.kind, object.namespace, object.name, object.uid, object.apiVersion];
}

/** Options of {@link EventCorrelator}. */
export interface CorrelatorOptions {
  /** The capacity of each of the three caches: events, groups, token buckets. Default 4096. */
  readonly lruCacheSize?: number | undefined;
  /** The number of different messages from which similar events are aggregated. Default 10. */
  readonly maxEvents?: number | undefined;
  /** The time after which a group of similar events starts over. Default 10 minutes. */
  readonly maxIntervalMs?: number | undefined;
  /** Decides which events are similar. Default {@link eventAggregatorByReasonFunc}. */
  readonly keyFunc?: ((event: Event) => AggregationKeys) | undefined;
  /** The message of aggregated events. Default {@link eventAggregatorByReasonMessageFunc}. */
  readonly messageFunc?: ((event: Event) => string) | undefined;
  /** The number of events that one source may write about one object in a burst. Default 25. */
  readonly burstSize?: number | undefined;
  /** The refill rate of the burst, per second. Default 1/300: one event in five minutes. */
  readonly qps?: number | undefined;
  /** Decides which events share a rate limit. Default {@link getSpamKey}. */
  readonly spamKeyFunc?: ((event: Event) => string) | undefined;
  readonly clock?: Pick<Clock, 'monotonic' | 'now'> | undefined;
  readonly random?: Random | undefined;
}

/** Throws an `OptionError` for invalid numbers. */
export function checkCorrelatorNumbers(options: CorrelatorOptions): void {
  checkNumbers(options, {
    lruCacheSize: 'count',
    maxEvents: 'count',
    maxIntervalMs: 'duration',
    burstSize: 'countOrNone',
    qps: 'rate',
  });
}

/** The patch of a repeated event: a strategic merge patch. */
export type EventCountPatch = Pick<Event, 'count' | 'lastTimestamp' | 'message'>;

/** An event to write: created the first time, patched after that. */
export interface CountedEvent {
  readonly event: Event;
  readonly patch: EventCountPatch | undefined;
}

/** The decision about an event: skip it, or write it and call `updateState` with `key`. */
export type EventCorrelateResult =
  | { readonly isSkipped: true }
  | ({ readonly isSkipped: false; readonly key: string } & CountedEvent);

/**
 * Reduces repeated events, in this order:
 *
 * 1. Aggregates similar events: from the tenth different message on they become one event, as long
 *    as each follows within ten minutes of the previous one.
 * 2. Turns a repeated event into a patch of its count.
 * 3. Skips events over the rate limit of their source and object. They are counted, so the next one
 *    that passes has the right count.
 *
 * Each step has an LRU cache of limited size.
 */
export class EventCorrelator {
  readonly #aggregator: EventAggregator;
  readonly #counter: EventCounter;
  readonly #spamFilter: EventSourceObjectSpamFilter;

  constructor(options: CorrelatorOptions = {}) {
    checkCorrelatorNumbers(options);
    const { lruCacheSize: cacheSize = 4096, clock = systemClock, random = systemRandom } = options;
    this.#aggregator = new EventAggregator({
      clock,
      names: new EventNames({ clock, random }),
      cacheSize,
      maxEvents: options.maxEvents ?? 10,
      maxIntervalMs: options.maxIntervalMs ?? 600_000,
      keyFunc: options.keyFunc ?? eventAggregatorByReasonFunc,
      messageFunc: options.messageFunc ?? eventAggregatorByReasonMessageFunc,
    });
    this.#counter = new EventCounter(cacheSize);
    this.#spamFilter = new EventSourceObjectSpamFilter({
      clock,
      cacheSize,
      burst: options.burstSize ?? 25,
      qps: options.qps ?? 1 / 300,
      spamKeyFunc: options.spamKeyFunc ?? getSpamKey,
    });
  }

  /** Decides what to do with a new event. */
  eventCorrelate(newEvent: Event): EventCorrelateResult {
    const { event, key } = this.#aggregator.aggregate(newEvent);
    const counted = this.#counter.observe(event, key);
    return this.#spamFilter.filter(counted.event)
      ? { isSkipped: true }
      : { isSkipped: false, key, ...counted };
  }

  /** Remembers the event as the server stored it. */
  updateState(event: Event, key: string): void {
    this.#counter.update(event, key);
  }
}

interface EventAggregatorOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly names: EventNames;
  readonly cacheSize: number;
  readonly maxEvents: number;
  readonly maxIntervalMs: number;
  readonly keyFunc: (event: Event) => AggregationKeys;
  readonly messageFunc: (event: Event) => string;
}

interface Group {
  readonly localKeys: Set<string>;
  lastSeenMs: number;
}

class EventAggregator {
  readonly #options: EventAggregatorOptions;
  readonly #groups: LruCache<Group>;

  constructor(options: EventAggregatorOptions) {
    this.#options = options;
    this.#groups = new LruCache(options.cacheSize);
  }

  /** Returns the event, or the aggregated event of its group, with the key to count it by. */
  aggregate(event: Event): { readonly event: Event; readonly key: string } {
    const { maxEvents, keyFunc } = this.#options;
    const { aggregateKey, localKey } = keyFunc(event);
    const { localKeys } = this.#groupOf(aggregateKey);
    localKeys.add(localKey);
    if (localKeys.size < maxEvents) return { event, key: getEventKey(event) };
    // Stays one below the limit, so that an aggregated group does not grow.
    const [oldest] = localKeys;
    if (oldest !== undefined) localKeys.delete(oldest);
    return { event: this.#aggregated(event), key: aggregateKey };
  }

  #groupOf(aggregateKey: string): Group {
    const { clock, maxIntervalMs } = this.#options;
    const now = clock.monotonic();
    let group = this.#groups.get(aggregateKey);
    if (group === undefined || now - group.lastSeenMs > maxIntervalMs) {
      group = { localKeys: new Set(), lastSeenMs: now };
      this.#groups.set(aggregateKey, group);
    }
    group.lastSeenMs = now;
    return group;
  }

  #aggregated(event: Event): Event {
    const { names, messageFunc } = this.#options;
    const { namespace } = event.metadata;
    return {
      ...event,
      metadata: {
        name: names.next(event.involvedObject.name ?? ''),
        ...(namespace !== undefined && { namespace }),
      },
      message: messageFunc(event),
      count: 1,
    };
  }
}

type Observation = Pick<Event, 'firstTimestamp'> & {
  readonly count: number;
  readonly name: string;
  readonly resourceVersion: string | undefined;
};

/** Counts occurrences, and remembers under which name an event is stored: client-go's eventLogger. */
class EventCounter {
  readonly #observations: LruCache<Observation>;

  constructor(cacheSize: number) {
    this.#observations = new LruCache(cacheSize);
  }

  observe(event: Event, key: string): CountedEvent {
    const last = this.#observations.get(key);
    const counted = last === undefined ? { event, patch: undefined } : repeated(event, last);
    this.update(counted.event, key);
    return counted;
  }

  update({ count = 1, firstTimestamp, metadata }: Event, key: string): void {
    const { name = '', resourceVersion } = metadata;
    this.#observations.set(key, {
      count,
      name,
      resourceVersion,
      ...(firstTimestamp !== undefined && { firstTimestamp }),
    });
  }
}

function repeated(event: Event, last: Observation): CountedEvent {
  const { lastTimestamp, message } = event;
  const { firstTimestamp = event.firstTimestamp, name, resourceVersion } = last;
  const count = last.count + 1;
  return {
    event: {
      ...event,
      metadata: {
        ...event.metadata,
        name,
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
      ...(firstTimestamp !== undefined && { firstTimestamp }),
      count,
    },
    patch: {
      count,
      ...(lastTimestamp !== undefined && { lastTimestamp }),
      ...(message !== undefined && { message }),
    },
  };
}

interface SpamFilterOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly cacheSize: number;
  readonly burst: number;
  readonly qps: number;
  readonly spamKeyFunc: (event: Event) => string;
}

/** Limits the rate of events of one source about one object. */
class EventSourceObjectSpamFilter {
  readonly #options: SpamFilterOptions;
  readonly #buckets: LruCache<TokenBucket>;

  constructor(options: SpamFilterOptions) {
    this.#options = options;
    this.#buckets = new LruCache(options.cacheSize);
  }

  /** Returns true if the event is over the limit; otherwise spends a token. */
  filter(event: Event): boolean {
    const key = this.#options.spamKeyFunc(event);
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#options);
      this.#buckets.set(key, bucket);
    }
    if (bucket.take() === 0) return false;
    bucket.giveBack();
    return true;
  }
}

/** A map of limited size that evicts the least recently used entry. */
export class LruCache<V> {
  readonly #capacity: number;
  /** Least recently used first: a Map iterates in insertion order, and each use inserts again. */
  readonly #entries = new Map<string, V>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
