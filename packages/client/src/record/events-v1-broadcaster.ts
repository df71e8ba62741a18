import { hostname } from 'node:os';

import type { Event } from '../api/events/v1.ts';
import { formatMicroTime } from '../meta/time.ts';
import { Broadcaster, type BroadcasterOptions } from './broadcaster.ts';
import { EventNames } from './event-names.ts';
import {
  eventPlace,
  type EventOptions,
  type EventType,
  isEventType,
  type RecorderContext,
  tryReference,
} from './event-recorder.ts';
import type { EventSeriesPatch, EventsV1Sink } from './event-sink.ts';
import type { EventWatcher } from './event-watcher.ts';
import { EventWriter } from './event-writer.ts';
import type { EventSubject } from './reference.ts';
import { checkSeriesNumbers, type SeriesOptions, SeriesRecorder } from './series-recorder.ts';

/** How an {@link EventsV1Broadcaster} works. */
export interface EventsV1BroadcasterOptions extends BroadcasterOptions {
  /** When events that happen again become series. */
  readonly series?: SeriesOptions;
}

/** An event of `events.k8s.io/v1` as a recorder is told. */
export interface EventV1Details extends EventOptions {
  readonly type: EventType;
  /** Why, in one word in UpperCamelCase, always the same. */
  readonly reason: string;
  /** What was done or failed, in UpperCamelCase: `Binding`. */
  readonly action: string;
  /** For people; at most 1024 bytes. */
  readonly note: string;
  /** Another object that has to do with it: the node that a pod is bound to. */
  readonly related?: EventSubject;
}

/** Records what happens to objects, on behalf of one controller. */
export interface EventsV1Recorder {
  /**
   * Tells that something happened to an object. It returns at once, never throws, and what becomes
   * of the event is told in the statistics and to `onError` of the broadcaster.
   */
  event(regarding: EventSubject, details: EventV1Details): void;
}

/** Who records events of `events.k8s.io/v1`. */
export interface EventsV1Source {
  /** The name of the controller: `example.com/widget-controller`. */
  readonly reportingController: string;
  /** Which one of several. Default: the name of the controller, a dash, and that of the machine. */
  readonly reportingInstance?: string;
}

/** Waits are longer than asked for by up to this share. */
const retryJitter = 0.25;

/**
 * Takes events of `events.k8s.io/v1` from recorders and writes them to the server, those that
 * happen again as series: see {@link SeriesRecorder}. New programs should use it rather than
 * `EventBroadcaster`; everything that is said there about waiting and losing holds here too.
 *
 * ```ts
 * await using broadcaster = new EventsV1Broadcaster();
 * broadcaster.startRecordingToSink(eventsV1Sink(client));
 * const recorder = broadcaster.newRecorder({ reportingController: 'example.com/scheduler' });
 * recorder.event(pod, {
 *   type: 'Normal',
 *   reason: 'Scheduled',
 *   action: 'Binding',
 *   note: `Successfully assigned ${key} to ${node.metadata.name}`,
 *   related: node,
 * });
 * ```
 */
export class EventsV1Broadcaster extends Broadcaster<Event> {
  readonly #series: SeriesOptions;
  readonly #names: EventNames;

  constructor(options: EventsV1BroadcasterOptions = {}) {
    super(options);
    this.#series = options.series ?? {};
    checkSeriesNumbers(this.#series);
    this.#names = new EventNames({ clock: this.clock, random: this.random });
  }

  newRecorder(source: EventsV1Source): EventsV1Recorder {
    const { reportingController } = source;
    const { reportingInstance = `${reportingController}-${hostname()}` } = source;
    const { clock, onError } = this;
    const publish = (event: Event): void => this.publish(event);
    const context = { clock, names: this.#names, onError, publish };
    return {
      event: (regarding, details) =>
        recordEvent(regarding, details, { reportingController, reportingInstance }, context),
    };
  }

  /** Writes every event from now on to a sink, with memory of its own of what happened before. */
  startRecordingToSink(sink: EventsV1Sink): EventWatcher {
    const { clock, counters, maxTries, onError, random, retryDelayMs } = this;
    return this.startConsumer((pace) => {
      const writer = new EventWriter<Event, EventSeriesPatch>({
        sink,
        clock,
        pace,
        maxTries,
        delayAfter: () => retryDelayMs * (1 + retryJitter * random.next()),
        counters,
        onError,
      });
      return new SeriesRecorder({ ...this.#series, clock, counters, writer });
    });
  }
}

function recordEvent(
  subject: EventSubject,
  details: EventV1Details,
  reporting: Required<EventsV1Source>,
  { clock, names, onError, publish }: RecorderContext<Event>,
): void {
  const { action, annotations, note, reason, type } = details;
  const regarding = tryReference(subject, onError);
  if (regarding === undefined || !isEventType(type, onError)) return;
  // Without it the event still says what happened to whom.
  const related = details.related && tryReference(details.related, onError);
  publish({
    metadata: {
      ...eventPlace(regarding, names),
      ...(annotations !== undefined && { annotations: { ...annotations } }),
    },
    eventTime: formatMicroTime(clock.now()),
    ...reporting,
    type,
    action,
    reason,
    note,
    regarding,
    ...(related !== undefined && { related }),
  });
}
