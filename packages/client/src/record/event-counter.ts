import type { Event } from '../api/core/v1.ts';
import { LruCache } from './lru-cache.ts';

/** What changes when an event happens again: a strategic merge patch. */
export type EventCountPatch = Pick<Event, 'count' | 'lastTimestamp' | 'message'>;

/** An event as it goes to the server: the whole for the first time, and a patch after that. */
export interface CountedEvent {
  readonly event: Event;
  readonly patch: EventCountPatch | undefined;
}

type Observation = Pick<Event, 'firstTimestamp'> & {
  readonly count: number;
  readonly name: string;
  readonly resourceVersion: string | undefined;
};

/** Counts how often events happen, and remembers what they are called on the server. */
export class EventCounter {
  readonly #observations: LruCache<Observation>;

  constructor(cacheSize: number) {
    this.#observations = new LruCache(cacheSize);
  }

  observe(event: Event, key: string): CountedEvent {
    const last = this.#observations.get(key);
    const counted = last === undefined ? { event, patch: undefined } : again(event, last);
    this.update(counted.event, key);
    return counted;
  }

  /** Takes over what the server made of an event. */
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

function again(event: Event, last: Observation): CountedEvent {
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
