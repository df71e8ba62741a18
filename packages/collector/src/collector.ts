import type { ListerWatcher, ReflectorFailure } from 'client-ts/cache';
import {
  abortable,
  anySignal,
  type Clock,
  type Random,
  systemClock,
  systemRandom,
} from 'client-ts/internal';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import { join } from 'node:path';
import { type CollectedEvent, collectedEvent, type ServerEvent } from './collected-event.ts';
import type { EventSink, Gap, Position } from './event-sink.ts';
import { type EventFeed, followEvents } from './event-source.ts';
import { DirectoryLock } from './directory-lock.ts';
import { type PipelineStats, SinkPipeline } from './sink-pipeline.ts';

/** Opens a sink. Called when the folder is locked, so that no other collector writes to the same files. */
export type SinkOpener = () => EventSink | Promise<EventSink>;

/** How an {@link EventCollector} is made. */
export interface CollectorOptions {
  /** Where events come from: see `eventsOf`. */
  readonly events: ListerWatcher<ServerEvent>;
  /** Which server that is: versions of one mean nothing on another. */
  readonly source: string;
  /** At least one. The collector opens and disposes them. */
  readonly sinks: readonly SinkOpener[];
  /** For what waits on disk, a folder for each sink. One collector at a time uses it. */
  readonly directory: string;
  /** Events per write. Default 1,000. */
  readonly batchSize?: number | undefined;
  /** Events that wait in memory, for each sink. Default 10,000. */
  readonly maxQueued?: number | undefined;
  /** How many bytes of the disk waiting events may use, for each sink. Default 1 GiB. */
  readonly maxSpoolBytes?: number | undefined;
  /** Called with every failure that the collector recovers from. */
  readonly onError?: (error: unknown) => void;
  /** Ends the wait for the lock of another host. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** What a collector has done so far. */
export interface CollectorStats {
  /** Events that came from the server, each of their states counted. */
  readonly received: number;
  /** The version of the server that everything is safe up to, for all sinks. */
  readonly resourceVersion: string | undefined;
  /** How often the server could not continue, and events were listed again. */
  readonly gaps: number;
  readonly sinks: readonly PipelineStats[];
}

/**
 * Copies the events of a server into sinks, for as long as it runs. From its first start on every event is
 * in every sink at least once, also over restarts and crashes, as long as the server still has what
 * happened meanwhile; where it has not, that is recorded as a gap.
 */
export class EventCollector implements AsyncDisposable {
  readonly #options: CollectorOptions;
  readonly #clock: Clock;
  readonly #lock: DirectoryLock;
  readonly #pipelines: readonly SinkPipeline[];
  #received = 0;
  #gaps = 0;
  #isDisposed = false;

  private constructor(
    options: CollectorOptions,
    lock: DirectoryLock,
    pipelines: readonly SinkPipeline[],
  ) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#lock = lock;
    this.#pipelines = pipelines;
  }

  /**
   * Locks the folder and opens the sinks. Rejects with `COLLECTOR_LOCKED` if another collector uses the folder.
   * If anything fails, what is open already is closed again.
   */
  static async open(options: CollectorOptions): Promise<EventCollector> {
    const { sinks, directory, signal, onError = () => undefined } = options;
    const { clock = systemClock, random = systemRandom } = options;
    const lock = await DirectoryLock.take({ directory, clock, signal });
    // Closed from the last to the first, the lock at the end.
    const opened: AsyncDisposable[] = [lock];
    const pipelines: SinkPipeline[] = [];
    try {
      for (const open of sinks) {
        const sink = await open();
        opened.push(sink);
        const pipeline = await SinkPipeline.open({
          sink,
          directory: join(directory, sink.name),
          batchSize: options.batchSize ?? 1000,
          maxQueued: options.maxQueued ?? 10_000,
          maxSpoolBytes: options.maxSpoolBytes ?? 2 ** 30,
          clock,
          random,
          onError,
        });
        pipelines.push(pipeline);
      }
      return new EventCollector(options, lock, pipelines);
    } catch (error) {
      await disposeAll(opened);
      throw error;
    }
  }

  get stats(): CollectorStats {
    return {
      received: this.#received,
      resourceVersion: this.#position()?.resourceVersion,
      gaps: this.#gaps,
      sinks: this.#pipelines.map(({ stats }) => stats),
    };
  }

  /**
   * Collects until the signal aborts; resolves when everything that came is in the sinks or on disk and
   * the sinks are closed. Can be called once.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { onError = () => undefined, random = systemRandom } = this.#options;
    const writing = new AbortController();
    using reading = anySignal([signal, this.#lock.lost, writing.signal]);
    const writers = Promise.all(
      this.#pipelines.map((pipeline) => pipeline.run(writing.signal)),
    ).finally(() => writing.abort());
    writers.catch(() => undefined);
    const start = this.#start();
    try {
      await followEvents(
        {
          events: this.#options.events,
          feed: this.#feed(start, reading.signal),
          resourceVersion: start?.resourceVersion,
          onWatchError: ({ error }: ReflectorFailure) => onError(error),
          clock: this.#clock,
          random,
        },
        reading.signal,
      );
    } finally {
      writing.abort();
      try {
        await writers;
      } finally {
        await this[Symbol.asyncDispose]();
      }
    }
    if (!signal.aborted) this.#lock.lost.throwIfAborted();
  }

  /** Closes the sinks and releases the folder. {@link EventCollector.run} does so by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await disposeAll([this.#lock, ...this.#pipelines]);
  }

  /** Where all sinks can continue. A sink that was further is told that events are listed again. */
  #start(): Position | undefined {
    const { source } = this.#options;
    const start = this.#position();
    if (start !== undefined) return start;
    for (const pipeline of this.#pipelines) {
      const { position } = pipeline;
      if (position === undefined || position.source !== source) continue;
      pipeline.recordGap({
        from: position.time,
        to: this.#now(),
        reason: 'events were listed again, because another sink had no position',
      });
    }
    return undefined;
  }

  #position(): Position | undefined {
    const positions = this.#pipelines.map(({ position }) => position);
    return oldest(positions, this.#options.source);
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  #feed(start: Position | undefined, signal: AbortSignal): EventFeed {
    const { source } = this.#options;
    const lag = new Lag(this.#clock);
    let last = start;
    return {
      event: (serverEvent, resourceVersion) => {
        const event = collectedEvent(serverEvent, this.#clock.now());
        if (event === undefined) return;
        this.#received += 1;
        const position =
          resourceVersion === undefined
            ? undefined
            : { source, resourceVersion, time: happenedAt(event) };
        if (position === undefined) lag.list();
        last = position ?? last;
        for (const pipeline of this.#pipelines) pipeline.add(event, position);
      },
      reached: (resourceVersion) => {
        const { bound } = lag;
        const time = last !== undefined && last.time > bound ? last.time : bound;
        last = { source, resourceVersion, time };
        for (const pipeline of this.#pipelines) pipeline.reach(last);
      },
      interrupted: () => {
        this.#gaps += 1;
        const gap: Gap = {
          from: last?.time,
          to: this.#now(),
          reason: `the server could not go on from version ${last?.resourceVersion ?? '?'}`,
        };
        for (const pipeline of this.#pipelines) pipeline.recordGap(gap);
      },
      room: () => {
        const waits = this.#pipelines.flatMap((pipeline) => pipeline.room() ?? []);
        if (waits.length === 0) return undefined;
        // A disk that fails keeps the source waiting, but not from stopping.
        const all = Promise.all(waits).then(() => undefined);
        return lag.during(abortable(all, signal).catch(() => undefined));
      },
    };
  }
}

/**
 * The time of a position at an event, from which a gap may have to begin. An event may arrive long after it
 * happened, so the arrival would be too late; the author's claim counts between the time at which the
 * server stored the event first and the arrival.
 */
function happenedAt({ createdAt, lastSeen, receivedAt }: CollectedEvent): string {
  const claimed = lastSeen > createdAt ? lastSeen : createdAt;
  return claimed < receivedAt ? claimed : receivedAt;
}

/** What a server sends is read within this time, unless the source waits for the disk or lists. */
const LAG_MS = 60_000;

/**
 * Bounds how old the news are that the source reads. A version without an event says nothing about when it
 * was reached on the server; a gap that begins there must not begin too late.
 */
class Lag {
  readonly #clock: Clock;
  #since: number | undefined;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The source lists: what it reads next happened since the list began. */
  list(): void {
    this.#since ??= this.#clock.now();
    this.#until = this.#clock.now();
  }

  /** The source waits: what it reads next happened since then. */
  async during(wait: Promise<void>): Promise<void> {
    this.list();
    await wait;
    this.list();
  }

  /** A time, in the form of events, before which nothing is left to read. */
  get bound(): string {
    const now = this.#clock.now();
    if (now - this.#until > LAG_MS) this.#since = undefined;
    return new Date((this.#since ?? now) - LAG_MS).toISOString();
  }
}

/** Disposes all, from the last to the first. Throws the first error after the last attempt. */
async function disposeAll(parts: readonly AsyncDisposable[]): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts.toReversed()) {
    try {
      await part[Symbol.asyncDispose]();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** The position that is the least far. Undefined if one sink has none. */
function oldest(
  positions: readonly (Position | undefined)[],
  source: string,
): Position | undefined {
  let least: Position | undefined;
  for (const position of positions) {
    if (position === undefined || position.source !== source) return undefined;
    if (!isResourceVersion(position.resourceVersion)) return undefined;
    const isLess =
      least === undefined ||
      compareResourceVersions(position.resourceVersion, least.resourceVersion) < 0;
    if (isLess) least = position;
  }
  return least;
}
