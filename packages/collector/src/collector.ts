import type { ReflectorFailure } from 'client-ts/cache';
import {
  abortable,
  anySignal,
  type Clock,
  onAbort,
  type Random,
  systemClock,
  systemRandom,
} from 'client-ts/internal';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import { join } from 'node:path';
import { type CollectedEvent, collectedEvent } from './collected-event.ts';
import type { CollectorSink, Gap, Position } from './collector-sink.ts';
import { type CollectorSharding, CollectorShards } from './collector-shards.ts';
import { type EventFeed, type EventSource, followEvents } from './event-source.ts';
import { DirectoryLock } from './directory-lock.ts';
import { type PipelineStats, SinkPipeline } from './sink-pipeline.ts';

/**
 * Opens a sink. Called after the directory is locked, so that no other collector has the same files
 * open.
 */
export type SinkOpener = () => CollectorSink | Promise<CollectorSink>;

/** Options of an {@link EventCollector}. */
export interface CollectorOptions {
  /** Where events come from: see {@link eventSource}. */
  readonly source: EventSource;
  /** At least one. The collector opens and closes them. */
  readonly sinks: readonly SinkOpener[];
  /**
   * The directory for queued events and positions, with a subdirectory per sink. Locked: one
   * collector uses it at a time.
   */
  readonly directory: string;
  /**
   * Shares the events with other replicas, each of which has a directory of its own. For sinks that all
   * replicas write to, such as `SearchSink`, which store an event under its uid. Default: this process
   * collects all events.
   */
  readonly sharding?: CollectorSharding | undefined;
  /** Events per write. Default 1,000. */
  readonly batchSize?: number | undefined;
  /** Events queued in memory, per sink. Default 10,000. */
  readonly maxQueued?: number | undefined;
  /** Bytes of queued events on disk, per sink. Default 1 GiB. */
  readonly maxSpoolBytes?: number | undefined;
  /** Called with every error that the collector recovers from. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Cancels opening, in particular the wait for the lock of another host. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Statistics of a collector. */
export interface CollectorStats {
  /** Events received from the server, counting each state. */
  readonly received: number;
  /** The resource version up to which every sink, or its disk, has everything. */
  readonly resourceVersion: string | undefined;
  /** How often the watch could not be resumed, and events were listed again. */
  readonly gaps: number;
  /** The shards that this replica collects; undefined if it collects all events. */
  readonly shards?: readonly number[] | undefined;
  readonly sinks: readonly PipelineStats[];
}

/**
 * Copies the events of a server into sinks, at least once. After its first start no event is missed
 * over restarts and crashes, as long as the server still has the history; where it does not, the
 * sinks get a gap.
 *
 * ```ts
 * await using collector = await EventCollector.open({
 *   source: await eventSource(client, { server: config.server }),
 *   sinks: [() => new SqliteSink({ path: 'events.db' })],
 *   directory: 'events.spool',
 * });
 * await collector.run({ signal });
 * ```
 */
export class EventCollector implements AsyncDisposable {
  readonly #options: CollectorOptions;
  readonly #clock: Clock;
  readonly #lock: DirectoryLock;
  readonly #pipelines: readonly SinkPipeline[];
  readonly #shards: CollectorShards | undefined;
  #received = 0;
  #gaps = 0;
  #isClosed = false;

  private constructor(
    options: CollectorOptions,
    lock: DirectoryLock,
    pipelines: readonly SinkPipeline[],
  ) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#lock = lock;
    this.#pipelines = pipelines;
    const { sharding, source, onError = () => undefined } = options;
    if (sharding === undefined) return;
    this.#shards = new CollectorShards({
      sharding,
      source: source.id,
      delivered: () => (pipelines.every((one) => one.hasDelivered) ? this.#position() : undefined),
      onError,
      clock: this.#clock,
    });
  }

  /**
   * Locks the directory and opens the sinks. Rejects with `COLLECTOR_LOCKED` if another process
   * uses the directory. On failure, everything already opened is closed.
   */
  static async open(options: CollectorOptions): Promise<EventCollector> {
    const { sinks, directory, signal, onError = () => undefined } = options;
    const { clock = systemClock, random = systemRandom } = options;
    const lock = await DirectoryLock.take({ directory, clock, signal });
    // Closed in reverse order, the lock last.
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
      ...(this.#shards !== undefined && { shards: this.#shards.held }),
      sinks: this.#pipelines.map(({ stats }) => stats),
    };
  }

  /**
   * Collects until the signal aborts. Resolves when every received event is in the sinks or on
   * disk, and the sinks are closed. Can be called once.
   */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const writing = new AbortController();
    using reading = anySignal([signal, this.#lock.lost, writing.signal]);
    const writers = Promise.all(
      this.#pipelines.map((pipeline) => pipeline.run(writing.signal)),
    ).finally(() => writing.abort());
    writers.catch(() => undefined);
    try {
      if (this.#shards === undefined) await this.#follow(this.#start(), reading.signal);
      else await this.#share(this.#shards, reading.signal);
    } finally {
      writing.abort();
      try {
        await writers;
      } finally {
        await this.close();
      }
    }
    if (!signal.aborted) this.#lock.lost.throwIfAborted();
  }

  async #follow(start: Position | undefined, signal: AbortSignal): Promise<void> {
    const { onError = () => undefined, random = systemRandom, source } = this.#options;
    await followEvents(
      {
        events: source.events,
        feed: this.#feed(start, signal),
        resourceVersion: start?.resourceVersion,
        onWatchError: ({ error }: ReflectorFailure) => onError(error),
        clock: this.#clock,
        random,
      },
      signal,
    );
  }

  /** Follows the events of the held shards, from the oldest position again after each that is acquired. */
  async #share(shards: CollectorShards, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    using either = anySignal([signal, over.signal]);
    const sharing = shards.run(either.signal).finally(() => over.abort());
    sharing.catch(() => undefined);
    let isFirst = true;
    while (!either.signal.aborted) {
      const start = shards.begin(isFirst ? undefined : this.#position());
      using round = anySignal([either.signal, shards.changed]);
      if (shards.held.length === 0) {
        await new Promise<void>((resolve) => void onAbort(round.signal, resolve));
        continue;
      }
      isFirst = false;
      for (const pipeline of this.#pipelines) pipeline.rewind(start);
      await this.#follow(start, round.signal);
    }
    await sharing;
  }

  /**
   * Closes the sinks and releases the directory. {@link EventCollector.run} does this at its end. A
   * second call does nothing.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await disposeAll([this.#lock, ...this.#pipelines]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * The position from which all sinks can continue. A sink that was further gets a gap, because
   * events are listed again.
   */
  #start(): Position | undefined {
    const { id: source } = this.#options.source;
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
    return oldest(positions, this.#options.source.id);
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  #feed(start: Position | undefined, signal: AbortSignal): EventFeed {
    const { id: source } = this.#options.source;
    const lag = new Lag(this.#clock);
    let last = start;
    const reached = (resourceVersion: string): void => {
      const { bound } = lag;
      const time = last !== undefined && last.time > bound ? last.time : bound;
      last = { source, resourceVersion, time };
      for (const pipeline of this.#pipelines) pipeline.reach(last);
    };
    return {
      event: (serverEvent, resourceVersion) => {
        if (this.#shards?.has(serverEvent) === false) {
          if (resourceVersion !== undefined) reached(resourceVersion);
          return;
        }
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
      reached,
      interrupted: () => {
        this.#gaps += 1;
        const gap: Gap = {
          from: last?.time,
          to: this.#now(),
          reason: `the server could not resume from version ${last?.resourceVersion ?? '?'}`,
        };
        for (const pipeline of this.#pipelines) pipeline.recordGap(gap);
      },
      room: () => {
        const waits = this.#pipelines.flatMap((pipeline) => pipeline.room() ?? []);
        if (waits.length === 0) return undefined;
        // A failing disk blocks the source, but not the stop.
        const all = Promise.all(waits).then(() => undefined);
        return lag.during(abortable(all, signal).catch(() => undefined));
      },
    };
  }
}

/**
 * The time of the position at an event, at which a gap may have to begin. The arrival may be long
 * after the event, which would be too late; so the author's time counts, limited to the range from
 * the first storage to the arrival.
 */
function happenedAt({ createdAt, lastSeen, receivedAt }: CollectedEvent): string {
  const claimed = lastSeen > createdAt ? lastSeen : createdAt;
  return claimed < receivedAt ? claimed : receivedAt;
}

/**
 * Events are read within this time after they are sent, unless the source waits for the disk or
 * lists.
 */
const LAG_MS = 60_000;

/**
 * An upper bound for the age of what the source reads. A bookmark has no time of its own; a gap
 * that begins there must not begin too late.
 */
class Lag {
  readonly #clock: Clock;
  #since: number | undefined;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The source lists: what it reads next happened after the list began. */
  list(): void {
    this.#since ??= this.#clock.now();
    this.#until = this.#clock.now();
  }

  /** The source is blocked: what it reads next happened after that began. */
  async during(wait: Promise<void>): Promise<void> {
    this.list();
    await wait;
    this.list();
  }

  /** The time before which nothing is left to read. */
  get bound(): string {
    const now = this.#clock.now();
    if (now - this.#until > LAG_MS) this.#since = undefined;
    return new Date((this.#since ?? now) - LAG_MS).toISOString();
  }
}

/** Disposes in reverse order. Throws the first error after all attempts. */
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

/** The oldest of the positions; undefined if a sink has none. */
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
