import { hostname } from 'node:os';

import type { Event, EventSeries } from '../api/events/v1.ts';
import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { formatMicroTime } from '../meta/time.ts';
import {
  Broadcaster,
  type BroadcasterOptions,
  type EventConsumer,
  type EventCounters,
  type EventWatcher,
} from './broadcaster.ts';
import { joinKey } from './event-correlator.ts';
import {
  eventKeyFor,
  EventNames,
  type EventOptions,
  type EventType,
  isEventType,
  type RecorderContext,
  tryGetReference,
  noteEvent,
} from './event-recorder.ts';
import { type EventSeriesPatch, type EventsV1Sink, EventWriter } from './event-sink.ts';
import type { EventSubject } from './reference.ts';

/** Options of the series of repeated events. */
export interface SeriesOptions {
  /** The time without a repetition after which a series ends. Default 6 minutes. */
  readonly finishTimeMs?: number | undefined;
  /** The period in which the count of a running series is written. Default 30 minutes. */
  readonly refreshTimeMs?: number | undefined;
  /** The maximum number of remembered events; the least recent is evicted. Default 4096. */
  readonly cacheSize?: number | undefined;
}

/** Options of {@link EventsV1Broadcaster}. */
export interface EventsV1BroadcasterOptions extends BroadcasterOptions {
  readonly series?: SeriesOptions | undefined;
}

/** An event of `events.k8s.io/v1` to record. */
export interface EventV1Details extends EventOptions {
  readonly type: EventType;
  /** Why it happened: a short constant in UpperCamelCase. */
  readonly reason: string;
  /** What was done or failed, in UpperCamelCase: `Binding`. */
  readonly action: string;
  /** A message for people; at most 1024 bytes. */
  readonly note: string;
  /** A second object of the event, such as the node that a pod was bound to. */
  readonly related?: EventSubject | undefined;
}

/** Records events about objects for one controller. */
export interface EventsV1Recorder {
  /**
   * Records an event about an object. Returns immediately and never throws: lost events are reported
   * to `onError` of the broadcaster and counted in its statistics.
   */
  event(regarding: EventSubject, details: EventV1Details): void;
}

/** The source of events of `events.k8s.io/v1`. */
export interface EventsV1Source {
  /** The name of the controller: `example.com/widget-controller`. */
  readonly reportingController: string;
  /** The name of this replica. Default: the name of the controller, a dash and the host name. */
  readonly reportingInstance?: string | undefined;
}

/** The maximum random addition to a retry delay, as a fraction of it. */
const RETRY_JITTER = 0.25;

/**
 * Writes events of `events.k8s.io/v1` from recorders to the server, repeated ones as series. Prefer
 * it to `EventBroadcaster` in new programs; queues, retries and losses are the same.
 *
 * The first event of its kind is created; the second one makes it a series. From then on repetitions
 * are counted in memory, and the count is written every half hour and when the series ends: after six
 * minutes without a repetition, or at the shutdown.
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

  /** Returns a recorder for one source. */
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

  /** Writes each event from now on to a sink, with its own series. */
  startRecordingToSink(sink: EventsV1Sink): EventWatcher {
    const { clock, counters, maxTries, onError, random, retryDelayMs } = this;
    return this.startConsumer((signals) => {
      const writer = new EventWriter<Event, EventSeriesPatch>({
        sink,
        clock,
        signals,
        maxTries,
        delayAfter: () => retryDelayMs * (1 + RETRY_JITTER * random.next()),
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
  reporting: { readonly reportingController: string; readonly reportingInstance: string },
  { clock, names, onError, publish }: RecorderContext<Event>,
): void {
  const { action, annotations, note, reason, type } = details;
  const regarding = tryGetReference(subject, onError);
  if (regarding === undefined || !isEventType(type, onError)) return;
  noteEvent(regarding, { type, reason, note, component: reporting.reportingController });
  // Optional: without it the event is still complete.
  const related = details.related && tryGetReference(details.related, onError);
  publish({
    metadata: {
      ...eventKeyFor(regarding, names),
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

function checkSeriesNumbers(options: SeriesOptions): void {
  checkNumbers(options, {
    finishTimeMs: 'duration',
    refreshTimeMs: 'duration',
    cacheSize: 'count',
  });
}

/** Options of {@link SeriesRecorder}. */
export interface SeriesRecorderOptions extends SeriesOptions {
  readonly clock: Clock;
  readonly counters: EventCounters;
  readonly writer: Pick<EventWriter<Event, EventSeriesPatch>, 'write'>;
}

interface Entry {
  readonly event: Event;
  /** Undefined until the event is repeated. */
  series: EventSeries | undefined;
  /** The count of the series on the server. */
  writtenCount: number;
  lastSeenMs: number;
}

/** Turns repeated events into series; see {@link EventsV1Broadcaster}. */
export class SeriesRecorder implements EventConsumer<Event> {
  readonly #writer: SeriesRecorderOptions['writer'];
  readonly #clock: Clock;
  readonly #counters: EventCounters;
  readonly #finishTimeMs: number;
  readonly #refreshTimeMs: number;
  readonly #cacheSize: number;
  /** In the order of the last occurrence, the least recent first. */
  readonly #entries = new Map<string, Entry>();
  #finishing: ScheduledCall | undefined;
  #refreshing: ScheduledCall | undefined;
  #work: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(options: SeriesRecorderOptions) {
    checkSeriesNumbers(options);
    this.#writer = options.writer;
    this.#clock = options.clock;
    this.#counters = options.counters;
    this.#finishTimeMs = options.finishTimeMs ?? 360_000;
    this.#refreshTimeMs = options.refreshTimeMs ?? 1_800_000;
    this.#cacheSize = options.cacheSize ?? 4096;
  }

  /** The number of remembered events. */
  get size(): number {
    return this.#entries.size;
  }

  handle(event: Event): Promise<void> {
    return this.#serially(() => this.#observe(event));
  }

  finish(): Promise<void> {
    return this.#serially(async () => {
      for (const key of this.#entries.keys()) await this.#close(key);
    });
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#finishing?.cancel();
    this.#refreshing?.cancel();
  }

  /** Timers fire while an event is being written; without an order, counts could go backwards. */
  #serially(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #observe(event: Event): Promise<void> {
    const key = getIsomorphicKey(event);
    const known = this.#entries.get(key);
    const entry = known ?? { event, series: undefined, writtenCount: 0, lastSeenMs: 0 };
    entry.lastSeenMs = this.#clock.monotonic();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#armFinishing();
    if (known === undefined) {
      await this.#evict();
      await this.#writer.write(event);
      return;
    }
    const count = (entry.series?.count ?? 1) + 1;
    entry.series = { count, lastObservedTime: event.eventTime };
    this.#armRefreshing();
    if (count === 2) await this.#write(entry);
    else this.#counters.condensed += 1;
  }

  async #evict(): Promise<void> {
    if (this.#entries.size <= this.#cacheSize) return;
    const [leastRecent] = this.#entries.keys();
    if (leastRecent !== undefined) await this.#close(leastRecent);
  }

  async #close(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry?.series !== undefined && entry.series.count > entry.writtenCount) {
      await this.#write(entry);
    }
  }

  async #write(entry: Entry): Promise<void> {
    const { event, series } = entry;
    if (series === undefined) return;
    await this.#writer.write({ ...event, series }, { series });
    entry.writtenCount = series.count;
  }

  #armFinishing(): void {
    const [leastRecent] = this.#entries.values();
    if (this.#finishing !== undefined || leastRecent === undefined || this.#isDisposed) return;
    const wait = leastRecent.lastSeenMs + this.#finishTimeMs - this.#clock.monotonic();
    const finish = (): void => void this.#serially(() => this.#finishQuiet());
    this.#finishing = this.#clock.schedule(wait, finish, { background: true });
  }

  async #finishQuiet(): Promise<void> {
    this.#finishing = undefined;
    for (const [key, { lastSeenMs }] of this.#entries) {
      if (this.#clock.monotonic() - lastSeenMs < this.#finishTimeMs) break;
      await this.#close(key);
    }
    this.#armFinishing();
  }

  #armRefreshing(): void {
    if (this.#refreshing !== undefined || this.#isDisposed) return;
    const refresh = (): void => void this.#serially(() => this.#refresh());
    this.#refreshing = this.#clock.schedule(this.#refreshTimeMs, refresh, { background: true });
  }

  /** Writes all running series: the server deletes events that are not written for an hour. */
  async #refresh(): Promise<void> {
    this.#refreshing = undefined;
    for (const entry of this.#entries.values()) await this.#write(entry);
  }
}

/**
 * Returns the key by which repetitions of an event are recognised. The note is not part of it, and
 * neither is the resourceVersion of the object: an update between two events makes no new series.
 */
export function getIsomorphicKey(event: Event): string {
  const { regarding = {}, related = {} } = event;
  const references = [regarding, related].flatMap((reference) => [
    reference.apiVersion,
    reference.kind,
    reference.namespace,
    reference.name,
    reference.uid,
    reference.fieldPath,
  ]);
  const { action, reason, reportingController, reportingInstance, type } = event;
  return joinKey([type, action, reason, reportingController, reportingInstance, ...references]);
}
