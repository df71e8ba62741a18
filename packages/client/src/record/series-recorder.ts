import type { Event, EventSeries } from '../api/events/v1.ts';
import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { joinKey } from './event-keys.ts';
import type { EventSeriesPatch } from './event-sink.ts';
import type { EventCounters } from './event-statistics.ts';
import type { EventConsumer } from './event-watcher.ts';
import type { EventWriter } from './event-writer.ts';

/** When series begin and end. */
export interface SeriesOptions {
  /** A series that was quiet for so long has ended. Default 6 minutes. */
  readonly finishTimeMs?: number;
  /** So often the count of a series is written while it goes on. Default 30 minutes. */
  readonly refreshTimeMs?: number;
  /** How many events are remembered; the quietest are forgotten first. Default 4096. */
  readonly cacheSize?: number;
}

/** Throws an `OptionError` for numbers that series cannot work with. */
export function checkSeriesNumbers(options: SeriesOptions): void {
  checkNumbers(options, {
    finishTimeMs: 'duration',
    refreshTimeMs: 'duration',
    cacheSize: 'count',
  });
}

/** How a {@link SeriesRecorder} is made. */
export interface SeriesRecorderOptions extends SeriesOptions {
  readonly clock: Clock;
  readonly counters: EventCounters;
  readonly writer: Pick<EventWriter<Event, EventSeriesPatch>, 'write'>;
}

interface Entry {
  readonly event: Event;
  /** Undefined while it happened once. */
  series: EventSeries | undefined;
  /** The count of the series that the server knows. */
  writtenCount: number;
  lastSeenMs: number;
}

/**
 * Writes events of `events.k8s.io/v1`. The first of its kind is created; the second makes it a
 * series; from then on they are counted here, and the count is written every half hour and when the
 * series ends: after six minutes of silence, or when the broadcaster shuts down.
 */
export class SeriesRecorder implements EventConsumer<Event> {
  readonly #options: Required<SeriesRecorderOptions>;
  /** In the order of the last time, the quietest first. */
  readonly #entries = new Map<string, Entry>();
  #finishing: ScheduledCall | undefined;
  #refreshing: ScheduledCall | undefined;
  #work: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(options: SeriesRecorderOptions) {
    checkSeriesNumbers(options);
    this.#options = {
      finishTimeMs: 360_000,
      refreshTimeMs: 1_800_000,
      cacheSize: 4096,
      ...options,
    };
  }

  /** How many events are remembered. */
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

  /** Timers fire while an event is being written: one after the other, or counts would go back. */
  #serially(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #observe(event: Event): Promise<void> {
    const key = isomorphicKey(event);
    const entry = this.#entries.get(key) ?? {
      event,
      series: undefined,
      writtenCount: 0,
      lastSeenMs: 0,
    };
    const isNew = !this.#entries.has(key);
    entry.lastSeenMs = this.#options.clock.monotonic();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#armFinishing();
    if (isNew) {
      await this.#makeRoom();
      await this.#options.writer.write(event);
      return;
    }
    const count = (entry.series?.count ?? 1) + 1;
    entry.series = { count, lastObservedTime: event.eventTime };
    this.#armRefreshing();
    if (count === 2) await this.#write(entry);
    else this.#options.counters.condensed += 1;
  }

  async #makeRoom(): Promise<void> {
    if (this.#entries.size <= this.#options.cacheSize) return;
    const [quietest] = this.#entries.keys();
    if (quietest !== undefined) await this.#close(quietest);
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
    await this.#options.writer.write({ ...event, series }, { series });
    entry.writtenCount = series.count;
  }

  #armFinishing(): void {
    const { clock, finishTimeMs } = this.#options;
    const [quietest] = this.#entries.values();
    if (this.#finishing !== undefined || quietest === undefined || this.#isDisposed) return;
    const wait = quietest.lastSeenMs + finishTimeMs - clock.monotonic();
    const finish = (): void => void this.#serially(() => this.#finishQuiet());
    this.#finishing = clock.schedule(wait, finish, { background: true });
  }

  async #finishQuiet(): Promise<void> {
    const { clock, finishTimeMs } = this.#options;
    this.#finishing = undefined;
    for (const [key, { lastSeenMs }] of this.#entries) {
      if (clock.monotonic() - lastSeenMs < finishTimeMs) break;
      await this.#close(key);
    }
    this.#armFinishing();
  }

  #armRefreshing(): void {
    if (this.#refreshing !== undefined || this.#isDisposed) return;
    const { clock, refreshTimeMs } = this.#options;
    const refresh = (): void => void this.#serially(() => this.#refresh());
    this.#refreshing = clock.schedule(refreshTimeMs, refresh, { background: true });
  }

  /** Keeps events from expiring while they go on: the server forgets what nobody writes for long. */
  async #refresh(): Promise<void> {
    this.#refreshing = undefined;
    for (const entry of this.#entries.values()) await this.#write(entry);
  }
}

/**
 * Events with the same key are one that happens again, whatever their notes say. The version of the
 * object is not part of it: an object that is written between two events is still the same object.
 */
export function isomorphicKey(event: Event): string {
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
