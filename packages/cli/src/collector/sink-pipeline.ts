import { Backoff, type Clock, onAbort, type Random, SingleFlight, sleep } from 'client-ts/lib';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import { Backlog, type Waiting } from './backlog.ts';
import type { CollectedEvent } from './collected-event.ts';
import type { EventSink, Gap, Position } from './event-sink.ts';
import { type Passage, Progress } from './progress.ts';
import { SinkFiles } from './sink-files.ts';
import { Spool } from './spool.ts';

/** How a {@link SinkPipeline} is made. */
export interface PipelineOptions {
  readonly sink: EventSink;
  /** For what waits on disk, what was refused, and how far it has come. */
  readonly directory: string;
  /** Events per write. */
  readonly batchSize: number;
  /** Events that wait in memory. */
  readonly maxQueued: number;
  /** What events that wait may take of the disk. */
  readonly maxSpoolBytes: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Hears of everything that is got over. */
  readonly onError: (error: unknown) => void;
}

/** What a pipeline has done so far. */
export interface PipelineStats {
  readonly sink: string;
  /** Events that the sink has taken, each of their states counted. */
  readonly written: number;
  /** Writes that failed and were tried again. */
  readonly retries: number;
  /** Events that took the way over the disk. */
  readonly spilled: number;
  /** Events that are lost because the disk was full of others. */
  readonly dropped: number;
  /** Events that the sink refused; they are in `dead-letters.ndjson`. */
  readonly rejected: number;
  /** Events that wait in memory, and bytes that wait on disk. */
  readonly queued: number;
  readonly spoolBytes: number;
}

/** So many events may wait for the disk before the source has to. */
const MAX_SPILLING = 5000;
const SPILL_CHUNK = 1000;
const TICK_MS = 10_000;
const LINGER_MS = 100;

/**
 * The way of events into one sink, at that sink's own pace. They wait in memory up to a limit, on disk
 * up to another, and are lost, and counted, beyond that. The position is kept so that it never
 * claims more than what is in the sink or on disk.
 */
export class SinkPipeline implements AsyncDisposable {
  readonly #options: PipelineOptions;
  readonly #files: SinkFiles;
  readonly #spool: Spool;
  readonly #backlog = new Backlog();
  readonly #progress: Progress;
  readonly #refilling = new SingleFlight<void>();
  readonly #spilling = new SingleFlight<void>();
  #spillBuffer: { readonly event: CollectedEvent; readonly passage: Passage }[] = [];
  #gaps: { readonly gap: Gap; readonly passage: Passage }[] = [];
  #dropping: { readonly from: string; count: number } | undefined;
  #savedVersion: string | undefined;
  #isStopping = false;
  #isReadingBack = false;
  /** Only looked at while stopping. */
  #isSinkDown = false;
  #ticking: Promise<void> = Promise.resolve();
  #counts = { written: 0, retries: 0, spilled: 0, dropped: 0, rejected: 0 };

  private constructor(options: PipelineOptions, parts: OpenedParts) {
    this.#options = options;
    this.#files = parts.files;
    this.#spool = parts.spool;
    this.#progress = new Progress(parts.start);
  }

  /** Opens its folder, and finds out how far an earlier process has come. */
  static async open(options: PipelineOptions): Promise<SinkPipeline> {
    const { sink, maxSpoolBytes: maxBytes } = options;
    const files = new SinkFiles(options.directory);
    await files.create();
    const spool = await Spool.open({ directory: files.spool, maxBytes });
    const inFile = await files.readPosition();
    // What the data says counts, unless there is more on disk that the data does not know of.
    const start =
      sink.position === undefined
        ? inFile
        : newer(await sink.position(), spool.isEmpty ? undefined : inFile);
    const pipeline = new SinkPipeline(options, { files, spool, start });
    for (const gap of await files.readLosses()) pipeline.recordGap(gap);
    return pipeline;
  }

  /** From where the source has to go on for this sink; undefined for the beginning. */
  get position(): Position | undefined {
    return this.#progress.safe;
  }

  get stats(): PipelineStats {
    return {
      sink: this.#options.sink.name,
      ...this.#counts,
      queued: this.#backlog.size,
      spoolBytes: this.#spool.bytes,
    };
  }

  /** Takes an event. The position is where the source is with it; undefined while it lists. */
  add(event: CollectedEvent, position: Position | undefined): void {
    const passage = this.#progress.depart();
    if (position !== undefined) this.#progress.reach(position);
    // What comes now must not overtake what is on disk.
    const isBehind = this.#spillBuffer.length > 0 || !this.#spool.isEmpty || this.#isReadingBack;
    if (!isBehind && this.#backlog.size < this.#options.maxQueued) {
      this.#backlog.add({ event, passage, settle: () => passage.arrived() });
      return;
    }
    this.#spillBuffer.push({ event, passage });
    void this.#spill();
  }

  reach(position: Position): void {
    this.#progress.reach(position);
  }

  recordGap(gap: Gap): void {
    this.#gaps.push({ gap, passage: this.#progress.depart() });
  }

  /** A promise if the source should wait for the disk. */
  room(): Promise<void> | undefined {
    return this.#spillBuffer.length > MAX_SPILLING ? this.#spill() : undefined;
  }

  /**
   * Writes until the signal aborts, then what is left; a sink that fails by then is not waited for,
   * and what is left goes to disk.
   */
  async run(signal: AbortSignal): Promise<void> {
    using _stop = onAbort(signal, () => {
      this.#isStopping = true;
      this.#backlog.close();
    });
    {
      using _ticks = this.#everyTick();
      await this.#refill();
      for (;;) {
        const batch = await this.#nextBatch(signal);
        if (batch.length === 0) break;
        await this.#deliver(batch, signal);
        this.#backlog.finish(batch);
        if (!this.#isStopping) void this.#refill();
      }
    }
    await this.#spill();
    this.#endDropping();
    await this.#ticking;
    if (this.#isSinkDown)
      await this.#savePosition(this.#progress.safe).catch(this.#options.onError);
    else await this.#tick();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spool[Symbol.asyncDispose]();
    await this.#options.sink[Symbol.asyncDispose]();
  }

  /** Waits for an event, and then a moment for others: each write has a price of its own. */
  async #nextBatch(signal: AbortSignal): Promise<Waiting[]> {
    const { batchSize, clock } = this.#options;
    const batch = await this.#backlog.take(1);
    if (batch.length === 0) return [];
    const rest = batchSize - 1;
    if (this.#backlog.size < rest) await sleep(clock, LINGER_MS, signal).catch(() => undefined);
    if (this.#backlog.size > 0 && rest > 0) batch.push(...(await this.#backlog.take(rest)));
    return batch;
  }

  async #deliver(batch: readonly Waiting[], signal: AbortSignal): Promise<void> {
    const { sink, clock, random } = this.#options;
    const events = batch.map(({ event }) => event);
    const passages = new Set(
      batch.flatMap(({ passage }) => (passage === undefined ? [] : passage)),
    );
    const backoff = new Backoff({ initialMs: 500, maxMs: 30_000, jitter: 0.5, clock, random });
    for (;;) {
      if (this.#isStopping && this.#isSinkDown) return await this.#putOnDisk(events);
      const position = this.#progress.safeOnce(passages);
      try {
        await this.#flushGaps();
        const rejections = await sink.write(events, position);
        if (rejections.length > 0) await this.#files.addDeadLetters(rejections);
        this.#counts.rejected += rejections.length;
        this.#counts.written += events.length - rejections.length;
        await this.#savePosition(position);
        return;
      } catch (error) {
        this.#counts.retries += 1;
        this.#isSinkDown = this.#isStopping;
        this.#options.onError(error);
        if (!this.#isStopping) await sleep(clock, backoff.next(), signal).catch(() => undefined);
      }
    }
  }

  /** Brings events back from disk while there is room in memory. */
  #refill(): Promise<void> {
    return this.#refilling.run(async () => {
      while (!this.#spool.isEmpty && !this.#isStopping) {
        if (this.#backlog.size >= this.#options.maxQueued / 2) return;
        this.#isReadingBack = true;
        const segment = await this.#spool.take().finally(() => (this.#isReadingBack = false));
        if (segment === undefined) return;
        let left = segment.events.length;
        const settle = (): void => {
          left -= 1;
          if (left <= 0) segment.remove().catch(this.#options.onError);
        };
        if (left === 0) settle();
        for (const event of segment.events) this.#backlog.add({ event, settle });
      }
    });
  }

  /** Puts on disk what has no place in memory. */
  #spill(): Promise<void> {
    return this.#spilling.run(async () => {
      while (this.#spillBuffer.length > 0) {
        const chunk = this.#spillBuffer.slice(0, SPILL_CHUNK);
        await this.#putOnDisk(chunk.map(({ event }) => event));
        this.#spillBuffer.splice(0, chunk.length);
        for (const { passage } of chunk) passage.arrived();
        await this.#savePosition(this.#progress.safe).catch(this.#options.onError);
      }
      if (!this.#isStopping) void this.#refill();
    });
  }

  async #putOnDisk(events: readonly CollectedEvent[]): Promise<void> {
    let kept = 0;
    try {
      kept = await this.#spool.append(events);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#counts.spilled += kept;
    this.#counts.dropped += events.length - kept;
    if (kept < events.length) {
      this.#dropping ??= { from: this.#now(), count: 0 };
      this.#dropping.count += events.length - kept;
      await this.#saveLosses();
    } else this.#endDropping();
  }

  /** Room again, or the end of the process: what was dropped until now is one gap. */
  #endDropping(): void {
    const gap = this.#dropGap();
    this.#dropping = undefined;
    if (gap !== undefined) this.recordGap(gap);
  }

  #dropGap(): Gap | undefined {
    if (this.#dropping === undefined) return undefined;
    const { from, count: dropped } = this.#dropping;
    return { from, to: this.#now(), reason: 'the spool was full', dropped };
  }

  /** The sink may be away until this process ends, and nobody could find these again. */
  async #saveLosses(): Promise<void> {
    const waiting = this.#gaps.flatMap(({ gap }) => (gap.dropped === undefined ? [] : gap));
    const losses = [...waiting, this.#dropGap() ?? []].flat();
    await this.#files.writeLosses(losses).catch(this.#options.onError);
  }

  async #flushGaps(): Promise<void> {
    for (let next = this.#gaps.shift(); next !== undefined; next = this.#gaps.shift()) {
      try {
        await this.#options.sink.recordGap(next.gap);
      } catch (error) {
        this.#gaps.unshift(next);
        throw error;
      }
      next.passage.arrived();
      if (next.gap.dropped !== undefined) await this.#saveLosses();
    }
  }

  /** Beside the data for sinks that cannot keep it with them, and while events wait on disk. */
  async #savePosition(position: Position | undefined): Promise<void> {
    if (position === undefined || position.resourceVersion === this.#savedVersion) return;
    const isWithData = this.#options.sink.position !== undefined && this.#spool.bytes === 0;
    if (!isWithData) await this.#files.writePosition(position);
    this.#savedVersion = position.resourceVersion;
  }

  /** What has to be done also when no events come. */
  async #tick(): Promise<void> {
    const { sink, clock } = this.#options;
    try {
      await this.#flushGaps();
      const position = this.#progress.safe;
      if (position !== undefined && position.resourceVersion !== this.#savedVersion) {
        await sink.write([], position);
        await this.#savePosition(position);
      }
      await sink.maintain?.(clock.now());
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #everyTick(): Disposable {
    const over = new AbortController();
    this.#ticking = (async () => {
      for (;;) {
        await sleep(this.#options.clock, TICK_MS, over.signal).catch(() => undefined);
        if (over.signal.aborted) return;
        await this.#tick();
      }
    })();
    return { [Symbol.dispose]: () => over.abort() };
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

interface OpenedParts {
  readonly files: SinkFiles;
  readonly spool: Spool;
  readonly start: Position | undefined;
}

/** Of two positions that are both safe, the one that is further. */
function newer(left: Position | undefined, right: Position | undefined): Position | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const [one, other] = [left.resourceVersion, right.resourceVersion];
  if (left.source !== right.source || !isResourceVersion(one) || !isResourceVersion(other)) {
    return left;
  }
  return compareResourceVersions(one, other) < 0 ? right : left;
}
