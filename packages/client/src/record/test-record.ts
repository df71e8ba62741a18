import type { Event, ObjectReference } from '../api/core/v1.ts';
import type { Event as EventV1 } from '../api/events/v1.ts';
import { metaNamespaceKeyFunc } from '../cache/store.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { seededRandom } from '../lib/random.ts';
import { newNotFound } from '../meta/error-factories.ts';
import { formatTime } from '../meta/time.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { EventBroadcaster, type EventBroadcasterOptions } from './event-broadcaster.ts';
import type { EventCountPatch } from './event-correlator.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { EventSeriesPatch, Sink, SinkOptions } from './event-sink.ts';
import {
  EventsV1Broadcaster,
  type EventsV1BroadcasterOptions,
  type EventsV1Recorder,
  type EventV1Details,
} from './events-v1-broadcaster.ts';
import type { RecordError } from './record-error.ts';
import type { EventSubject } from './reference.ts';

export const podReference: ObjectReference = {
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'web',
  namespace: 'shop',
  uid: 'u1',
};

let made = 0;

/** Returns an event as a recorder makes it. */
export function makeEvent(clock: VirtualClock, parts: Partial<Event> = {}): Event {
  const time = formatTime(clock.now());
  made += 1;
  return {
    metadata: { name: `web.${made.toString(16)}`, namespace: 'shop' },
    involvedObject: podReference,
    reason: 'Started',
    message: 'it started',
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Normal',
    source: { component: 'test' },
    reportingComponent: 'test',
    ...parts,
  };
}

type Call<E, P> =
  | { readonly verb: 'create'; readonly event: E }
  | { readonly verb: 'patch'; readonly event: E; readonly patch: P };

/** Stores events in memory, and fails on demand. */
class MemorySink<E extends KubernetesObject, P extends object> implements Sink<E, P> {
  readonly calls: Call<E, P>[] = [];
  readonly stored: Map<string, E> = new Map();
  /** Called before each write; the client gets what it throws. */
  onWrite: (call: Call<E, P>, options: SinkOptions) => Promise<void> | void = () => undefined;
  #version = 0;

  async create(event: E, options: SinkOptions): Promise<E> {
    return await this.#write({ verb: 'create', event }, event, options);
  }

  async patch(event: E, patch: P, options: SinkOptions): Promise<E> {
    const call = { verb: 'patch', event, patch } as const;
    return await this.#write(call, this.stored.get(metaNamespaceKeyFunc(event)), options, patch);
  }

  /** The verbs of all calls. */
  get verbs(): string[] {
    return this.calls.map(({ verb }) => verb);
  }

  async #write(call: Call<E, P>, base: E | undefined, options: SinkOptions, patch?: P): Promise<E> {
    this.calls.push(call);
    await this.onWrite(call, options);
    const name = call.event.metadata?.name ?? '';
    if (base === undefined) throw newNotFound({ group: '', resource: 'events' }, name);
    this.#version += 1;
    const resourceVersion = `${this.#version}`;
    const stored = { ...base, ...patch, metadata: { ...base.metadata, resourceVersion } };
    this.stored.set(metaNamespaceKeyFunc(stored), stored);
    return stored;
  }
}

/** A sink for events of `core/v1`. */
export class MemoryEventSink extends MemorySink<Event, EventCountPatch> {}

/** A sink for events of `events.k8s.io/v1`. */
export class MemoryEventsV1Sink extends MemorySink<EventV1, EventSeriesPatch> {}

/** An `EventBroadcaster` on a virtual clock; the sink is not started yet. */
export class Trial {
  readonly clock: VirtualClock = new VirtualClock();
  readonly sink: MemoryEventSink = new MemoryEventSink();
  readonly errors: RecordError[] = [];
  readonly broadcaster: EventBroadcaster;
  readonly recorder: EventRecorder;

  constructor(options: EventBroadcasterOptions = {}) {
    this.broadcaster = new EventBroadcaster({
      clock: this.clock,
      random: seededRandom(1),
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.recorder = this.broadcaster.newRecorder({ component: 'eventTest' });
  }

  /** Records an event for each message. */
  record(...messages: string[]): void {
    for (const message of messages) {
      this.recorder.event(podReference, 'Normal', 'Started', message);
    }
  }

  /** The messages of the stored events. */
  get written(): (string | undefined)[] {
    return [...this.sink.stored.values()].map(({ message }) => message);
  }

  /** The codes of the reported errors. */
  get codes(): string[] {
    return this.errors.map(({ code }) => code);
  }
}

const details: EventV1Details = {
  type: 'Normal',
  reason: 'Scheduled',
  action: 'Binding',
  note: 'assigned',
};

/** An `EventsV1Broadcaster` on a virtual clock that writes to a sink in memory. */
export class EventsV1Trial {
  readonly clock: VirtualClock = new VirtualClock();
  readonly sink: MemoryEventsV1Sink = new MemoryEventsV1Sink();
  readonly errors: RecordError[] = [];
  readonly broadcaster: EventsV1Broadcaster;
  readonly recorder: EventsV1Recorder;

  constructor(options: EventsV1BroadcasterOptions = {}) {
    this.broadcaster = new EventsV1Broadcaster({
      clock: this.clock,
      random: seededRandom(1),
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.broadcaster.startRecordingToSink(this.sink);
    this.recorder = this.broadcaster.newRecorder({ reportingController: 'example.com/c1' });
  }

  /** Records an event and waits until it is written. */
  async record(
    parts: Partial<EventV1Details> = {},
    object: EventSubject = podReference,
  ): Promise<void> {
    this.recorder.event(object, { ...details, ...parts });
    await nextTurn();
  }

  /** The events on the server. */
  get stored(): EventV1[] {
    return [...this.sink.stored.values()];
  }

  /** The counts of the series on the server. */
  get counts(): (number | undefined)[] {
    return this.stored.map(({ series }) => series?.count);
  }
}
