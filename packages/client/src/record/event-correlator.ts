import type { Event } from '../api/core/v1.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { EventAggregator } from './event-aggregator.ts';
import { type CountedEvent, EventCounter } from './event-counter.ts';
import { aggregateByReason, type AggregationKeys, spamKey } from './event-keys.ts';
import { EventNames } from './event-names.ts';
import { EventSourceObjectSpamFilter } from './spam-filter.ts';

/** How events are put together before they go to the server. */
export interface CorrelatorOptions {
  /** How many events, groups and budgets are remembered, each. Default 4096. */
  readonly lruCacheSize?: number;
  /** So many different messages make similar events one. Default 10. */
  readonly maxEvents?: number;
  /** Similar events that are further apart are not put together. Default 10 minutes. */
  readonly maxIntervalMs?: number;
  /** What similar means. Default: {@link aggregateByReason}. */
  readonly keyFunc?: (event: Event) => AggregationKeys;
  /** What the event for all of them says. Default: that it is combined, and the newest message. */
  readonly messageFunc?: (event: Event) => string;
  /** How many events one source may write about one object at once. Default 25. */
  readonly burst?: number;
  /** How many more each second. Default: one in five minutes. */
  readonly qps?: number;
  /** Which events share a budget. Default: those of a source about an object, of one type. */
  readonly spamKeyFunc?: (event: Event) => string;
}

/** Throws an `OptionError` for numbers that a correlator cannot work with. */
export function checkCorrelatorNumbers(options: CorrelatorOptions): void {
  checkNumbers(options, {
    lruCacheSize: 'count',
    maxEvents: 'count',
    maxIntervalMs: 'duration',
    burst: 'countOrNone',
    qps: 'rate',
  });
}

/** What an {@link EventCorrelator} needs from outside. */
export interface CorrelatorContext {
  readonly clock?: Pick<Clock, 'monotonic' | 'now'>;
  readonly random?: Random;
}

/** What to do about an event: nothing, or write it and count on under `key`. */
export type EventCorrelateResult =
  | { readonly isSkipped: true }
  | ({ readonly isSkipped: false; readonly key: string } & CountedEvent);

/** What the event for all similar ones says unless told otherwise. */
export function combinedMessage({ message = '' }: Event): string {
  return `(combined from similar events): ${message}`;
}

/**
 * Keeps repeated news short. In this order:
 *
 * - Ten similar events, each within ten minutes of the one before, become one.
 * - An event that happened before becomes a patch of its count.
 * - What is over the budget of its source and object is left out; it has been counted, so that the
 *   next one that passes tells of it.
 *
 * It remembers a limited number of each, and forgets those that have been quiet for longest.
 */
export class EventCorrelator {
  readonly #aggregator: EventAggregator;
  readonly #counter: EventCounter;
  readonly #spamFilter: EventSourceObjectSpamFilter;

  constructor(
    options: CorrelatorOptions = {},
    { clock = systemClock, random = systemRandom }: CorrelatorContext = {},
  ) {
    checkCorrelatorNumbers(options);
    const { lruCacheSize: cacheSize = 4096 } = options;
    this.#aggregator = new EventAggregator({
      clock,
      names: new EventNames({ clock, random }),
      cacheSize,
      maxEvents: options.maxEvents ?? 10,
      maxIntervalMs: options.maxIntervalMs ?? 600_000,
      keyFunc: options.keyFunc ?? aggregateByReason,
      messageFunc: options.messageFunc ?? combinedMessage,
    });
    this.#counter = new EventCounter(cacheSize);
    this.#spamFilter = new EventSourceObjectSpamFilter({
      clock,
      cacheSize,
      burst: options.burst ?? 25,
      qps: options.qps ?? 1 / 300,
      spamKeyFunc: options.spamKeyFunc ?? spamKey,
    });
  }

  correlate(newEvent: Event): EventCorrelateResult {
    const { event, key } = this.#aggregator.aggregate(newEvent);
    const counted = this.#counter.observe(event, key);
    return this.#spamFilter.filter(counted.event)
      ? { isSkipped: true }
      : { isSkipped: false, key, ...counted };
  }

  /** Takes over what the server made of an event that was to be counted under `key`. */
  updateState(event: Event, key: string): void {
    this.#counter.update(event, key);
  }
}
