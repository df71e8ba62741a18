import type { ListerWatcher, ReflectorFailure } from 'client-ts/cache';
import { type Clock, onAbort, type Random, systemClock, systemRandom } from 'client-ts/lib';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import { join } from 'node:path';
import type { CollectedEvent, ServerEvent } from './collected-event.ts';
import type { EventSink, Gap, Position } from './event-sink.ts';
import { type EventFeed, followEvents } from './event-source.ts';
import { type PipelineStats, SinkPipeline } from './sink-pipeline.ts';

/** How an {@link EventCollector} is made. */
export interface CollectorOptions {
  /** Where events come from: see `eventsOf`. */
  readonly events: ListerWatcher<ServerEvent>;
  /** Which server that is: versions of one mean nothing on another. */
  readonly source: string;
  /** At least one. They belong to the collector, which disposes them. */
  readonly sinks: readonly EventSink[];
  /** For what waits on disk, a folder for each sink. */
  readonly directory: string;
  /** Events per write. Default 1,000. */
  readonly batchSize?: number | undefined;
  /** Events that wait in memory, for each sink. Default 10,000. */
  readonly maxQueued?: number | undefined;
  /** What events that wait may take of the disk, for each sink. Default 1 GiB. */
  readonly maxSpoolBytes?: number | undefined;
  /** Hears of everything that is got over. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** What a collector has done so far. */
export interface CollectorStats {
  /** Events that came from the server, each of their states counted. */
  readonly received: number;
  /** Times that the server could not go on, and events were listed anew. */
  readonly gaps: number;
  readonly sinks: readonly PipelineStats[];
}

/**
 * Copies the events of a server into sinks, for as long as it runs. From its first start on every event is
 * in every sink at least once, also over restarts and crashes, as long as the server still has what
 * happened meanwhile; where it has not, that is recorded as a gap.
 */
export class EventCollector {
  readonly #options: CollectorOptions;
  readonly #clock: Clock;
  #pipelines: readonly SinkPipeline[] = [];
  #received = 0;
  #gaps = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get stats(): CollectorStats {
    return {
      received: this.#received,
      gaps: this.#gaps,
      sinks: this.#pipelines.map(({ stats }) => stats),
    };
  }

  /**
   * Collects until the signal aborts; resolves when everything that came is in the sinks or on disk and
   * the sinks are closed. Can be called once.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { sinks, onError = () => undefined, random = systemRandom } = this.#options;
    const pipelines = await Promise.all(
      sinks.map((sink) =>
        SinkPipeline.open({
          sink,
          directory: join(this.#options.directory, sink.name),
          batchSize: this.#options.batchSize ?? 1000,
          maxQueued: this.#options.maxQueued ?? 10_000,
          maxSpoolBytes: this.#options.maxSpoolBytes ?? 2 ** 30,
          clock: this.#clock,
          random,
          onError,
        }),
      ),
    );
    this.#pipelines = pipelines;
    const writing = new AbortController();
    const reading = new AbortController();
    using _stop = onAbort(signal, () => reading.abort());
    const writers = Promise.all(pipelines.map((pipeline) => pipeline.run(writing.signal)));
    // Nobody could take what is read any more.
    writers.catch(() => reading.abort());
    const start = oldest(
      pipelines.map(({ position }) => position),
      this.#options.source,
    );
    try {
      await followEvents(
        {
          events: this.#options.events,
          feed: this.#feed(start),
          resourceVersion: start?.resourceVersion,
          onFailure: ({ error }: ReflectorFailure) => onError(error),
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
        for (const pipeline of pipelines) await pipeline[Symbol.asyncDispose]();
      }
    }
  }

  #feed(start: Position | undefined): EventFeed {
    let last = start;
    const at = (resourceVersion: string): Position => {
      const time = new Date(this.#clock.now()).toISOString();
      last = { source: this.#options.source, resourceVersion, time };
      return last;
    };
    return {
      event: (event: CollectedEvent, resourceVersion) => {
        this.#received += 1;
        const position = resourceVersion === undefined ? undefined : at(resourceVersion);
        for (const pipeline of this.#pipelines) pipeline.add(event, position);
      },
      reached: (resourceVersion) => {
        const position = at(resourceVersion);
        for (const pipeline of this.#pipelines) pipeline.reach(position);
      },
      interrupted: () => {
        this.#gaps += 1;
        const gap: Gap = {
          from: last?.time,
          to: new Date(this.#clock.now()).toISOString(),
          reason: `the server could not go on from version ${last?.resourceVersion ?? '?'}`,
        };
        for (const pipeline of this.#pipelines) pipeline.recordGap(gap);
      },
      room: () => {
        const waits = this.#pipelines.flatMap((pipeline) => pipeline.room() ?? []);
        return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
      },
    };
  }
}

/** Where all sinks can go on: the position that is the least far. None if one has none. */
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
