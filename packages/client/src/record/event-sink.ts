import type { Event } from '../api/core/v1.ts';
import type { Event as EventV1 } from '../api/events/v1.ts';
import type { CanCreate, CanPatch } from '../rest/client-methods.ts';
import type { EventCountPatch } from './event-counter.ts';

/** How a sink is called. */
export interface SinkOptions {
  /** Aborts when the time for shutting down is over. */
  readonly signal: AbortSignal;
}

/**
 * Where events are kept. Errors are taken as those of a client are: what the server refuses
 * (`ApiError`) stays refused, and anything else is tried again.
 */
export interface Sink<E, P> {
  create(event: E, options: SinkOptions): Promise<E>;
  /** Rejects with an error that `isNotFound` knows if the event has expired. */
  patch(event: E, patch: P, options: SinkOptions): Promise<E>;
}

/** Where events of `core/v1` are kept. */
export type EventSink = Sink<Event, EventCountPatch>;

/** What changes when an event of `events.k8s.io/v1` happens again: a strategic merge patch. */
export type EventSeriesPatch = Required<Pick<EventV1, 'series'>>;

/** Where events of `events.k8s.io/v1` are kept. */
export type EventsV1Sink = Sink<EventV1, EventSeriesPatch>;

type EventClient<E extends Event | EventV1> = CanCreate<E> & CanPatch<E>;

/** What {@link coreV1Sink} needs of a `Clientset`. */
export interface CoreV1EventsClient {
  readonly coreV1: { events(namespace: string): EventClient<Event> };
}

/** What {@link eventsV1Sink} needs of a `Clientset`. */
export interface EventsV1EventsClient {
  readonly eventsV1: { events(namespace: string): EventClient<EventV1> };
}

/** Writes events to the API server, as `core/v1`. */
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

/** Writes events to the API server, as `events.k8s.io/v1`. */
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
