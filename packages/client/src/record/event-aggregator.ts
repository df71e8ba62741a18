import type { Event } from '../api/core/v1.ts';
import type { Clock } from '../lib/clock.ts';
import { type AggregationKeys, eventKey } from './event-keys.ts';
import type { EventNames } from './event-names.ts';
import { LruCache } from './lru-cache.ts';

/** When an {@link EventAggregator} makes one event of many. */
export interface EventAggregatorOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly names: EventNames;
  /** How many groups of similar events are remembered. */
  readonly cacheSize: number;
  /** So many different messages in a group make it one event. */
  readonly maxEvents: number;
  /** A group that was quiet for longer starts anew. */
  readonly maxIntervalMs: number;
  readonly keyFunc: (event: Event) => AggregationKeys;
  readonly messageFunc: (event: Event) => string;
}

interface Group {
  readonly localKeys: Set<string>;
  lastSeenMs: number;
}

/** Makes one event of many that differ only in their messages. */
export class EventAggregator {
  readonly #options: EventAggregatorOptions;
  readonly #groups: LruCache<Group>;

  constructor(options: EventAggregatorOptions) {
    this.#options = options;
    this.#groups = new LruCache(options.cacheSize);
  }

  /** The event to go on with, itself or the one of its group, and the key under which to count it. */
  aggregate(event: Event): { readonly event: Event; readonly key: string } {
    const { maxEvents, keyFunc } = this.#options;
    const { aggregateKey, localKey } = keyFunc(event);
    const { localKeys } = this.#groupOf(aggregateKey);
    localKeys.add(localKey);
    if (localKeys.size < maxEvents) return { event, key: eventKey(event) };
    // It stays one short of the limit, so that a group which is combined does not grow.
    const [oldest] = localKeys;
    if (oldest !== undefined) localKeys.delete(oldest);
    return { event: this.#combined(event), key: aggregateKey };
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

  #combined(event: Event): Event {
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
