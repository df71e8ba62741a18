import type { Event } from '../api/core/v1.ts';
import type { Event as EventV1 } from '../api/events/v1.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import { messageOf, retryOf } from '../lib/errors.ts';
import { hasStatusCause, isAlreadyExists, isNotFound } from '../meta/error-guards.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { CanCreate, CanPatch } from '../rest/client-methods.ts';
import type { ConsumerSignals, EventCounters } from './broadcaster.ts';
import type { EventCountPatch } from './event-correlator.ts';
import { RecordError, type RecordErrorCode } from './record-error.ts';

/** Options of the methods of a {@link Sink}. */
export interface SinkOptions {
  /** Aborts when the time for the shutdown is over. */
  readonly signal: AbortSignal;
}

/**
 * Stores events. Errors are classified as those of a client: an `ApiError` that cannot be retried
 * drops the event, any other error is retried.
 */
export interface Sink<E, P> {
  create(event: E, options: SinkOptions): Promise<E>;
  /** Rejects with an error for which `isNotFound` is true if the event has expired. */
  patch(event: E, patch: P, options: SinkOptions): Promise<E>;
}

/** Stores events of `core/v1`. */
export type EventSink = Sink<Event, EventCountPatch>;

/** The patch of a repeated event of `events.k8s.io/v1`: a strategic merge patch. */
export type EventSeriesPatch = Required<Pick<EventV1, 'series'>>;

/** Stores events of `events.k8s.io/v1`. */
export type EventsV1Sink = Sink<EventV1, EventSeriesPatch>;

type EventClient<E extends Event | EventV1> = CanCreate<E> & CanPatch<E>;

/** The part of a `Clientset` that {@link coreV1Sink} uses. */
export interface CoreV1EventsClient {
  readonly coreV1: { events(namespace: string): EventClient<Event> };
}

/** The part of a `Clientset` that {@link eventsV1Sink} uses. */
export interface EventsV1EventsClient {
  readonly eventsV1: { events(namespace: string): EventClient<EventV1> };
}

/** Returns a sink that writes events to the API server as `core/v1`. */
export function coreV1Sink({ coreV1 }: CoreV1EventsClient): EventSink {
  const clientFor = ({ metadata }: Event) => coreV1.events(metadata.namespace ?? 'default');
  return {
    create: (event, options) => clientFor(event).create(event, options),
    patch: (event, patch, options) =>
      clientFor(event).patch<'strategic'>(event.metadata.name ?? '', patch, {
        type: 'strategic',
        ...options,
      }),
  };
}

/** Returns a sink that writes events to the API server as `events.k8s.io/v1`. */
export function eventsV1Sink({ eventsV1 }: EventsV1EventsClient): EventsV1Sink {
  const clientFor = ({ metadata }: EventV1) => eventsV1.events(metadata?.namespace ?? 'default');
  return {
    create: (event, options) => clientFor(event).create(event, options),
    patch: (event, { series }, options) =>
      clientFor(event).patch<'strategic'>(
        event.metadata?.name ?? '',
        { series: { ...series } },
        { type: 'strategic', ...options },
      ),
  };
}

/** Options of {@link EventWriter}. */
export interface EventWriterOptions<E, P> {
  readonly sink: Sink<E, P>;
  readonly clock: Clock;
  readonly signals: ConsumerSignals;
  readonly maxTries: number;
  /** Returns the delay in milliseconds after this number of attempts. */
  readonly delayAfter: (tries: number) => number;
  readonly counters: EventCounters;
  readonly onError: (error: RecordError) => void;
}

/**
 * Writes events one at a time, with retries. While the server is unreachable, later events wait:
 * they would fail as well.
 */
export class EventWriter<E extends KubernetesObject, P> {
  readonly #options: EventWriterOptions<E, P>;

  constructor(options: EventWriterOptions<E, P>) {
    this.#options = options;
  }

  /**
   * Creates the event, or patches it if there is a patch; an event that has expired is created again.
   * Returns the stored event, or undefined if it is lost; never throws.
   */
  async write(event: E, patch?: P): Promise<E | undefined> {
    const { clock, counters, delayAfter, maxTries, signals } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        const stored = await this.#attempt(event, patch);
        counters.written += 1;
        return stored;
      } catch (error) {
        if (isFinal(error, patch !== undefined)) return this.#refuse(event, error);
        if (tries >= maxTries) return this.#abandon('RECORD_GAVE_UP', event, error);
        if (signals.draining.aborted) return this.#abandon('RECORD_SHUT_DOWN', event, error);
      }
      // A shutdown ends the delay, and the last attempt follows immediately.
      await sleep(clock, delayAfter(tries), { signal: signals.draining }).catch(() => undefined);
    }
  }

  async #attempt(event: E, patch: P | undefined): Promise<E> {
    const { sink, signals } = this.#options;
    const options = { signal: signals.stop };
    options.signal.throwIfAborted();
    if (patch !== undefined) {
      try {
        return await sink.patch(event, patch, options);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return await sink.create(withoutResourceVersion(event), options);
  }

  #refuse(event: E, cause: unknown): undefined {
    this.#options.counters.refused += 1;
    // Not worth a report: an earlier attempt took effect, or the namespace is being deleted.
    if (isAlreadyExists(cause) || hasStatusCause(cause, 'NamespaceTerminating')) return;
    this.#report('RECORD_REFUSED', event, cause);
  }

  #abandon(code: RecordErrorCode, event: E, cause: unknown): undefined {
    this.#options.counters.abandoned += 1;
    this.#report(code, event, cause);
  }

  #report(code: RecordErrorCode, { metadata }: E, cause: unknown): void {
    const name = `${metadata?.namespace}/${metadata?.name}`;
    const message = `event ${name} was not written: ${messageOf(cause)}`;
    this.#options.onError(new RecordError(code, message, { cause }));
  }
}

/**
 * Returns true if a retry cannot help. Unsafe errors are retried, because a second create only finds
 * the first. An event that was missing in the patch and exists in the create was created
 * concurrently: the next patch works.
 */
function isFinal(error: unknown, isPatch: boolean): boolean {
  if (isPatch && isAlreadyExists(error)) return false;
  return retryOf(error, 'unsafe') === 'never';
}

function withoutResourceVersion<E extends KubernetesObject>(event: E): E {
  const { resourceVersion: _dropped, ...metadata } = event.metadata ?? {};
  return { ...event, metadata };
}
