import { Backoff, type Clock, onAbort, type Random, SingleFlight, sleep } from 'client-ts/internal';
import { Backlog, type SegmentHold, type Waiting } from './backlog.ts';
import type { CollectedEvent } from './collected-event.ts';
import { CollectorError } from './collector-error.ts';
import type { CollectorSink, Gap, Position, Rejection } from './collector-sink.ts';
import { GapLedger } from './gap-ledger.ts';
import { Grace } from './grace.ts';
import { type Passage, Progress } from './progress.ts';
import type { SinkFiles } from './sink-state.ts';
import { openSinkState, type SinkState } from './sink-state.ts';
import type { Segment, Spool } from './spool.ts';

/** Options of a {@link SinkPipeline}. */
export interface PipelineOptions {
  readonly sink: CollectorSink;
  /** The directory for queued and rejected events and the position. */
  readonly directory: string;
  /** Events per write. */
  readonly batchSize: number;
  /** Events queued in memory. */
  readonly maxQueued: number;
  /** Bytes of queued events on disk. */
  readonly maxSpoolBytes: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with every error that the pipeline recovers from. */
  readonly onError: (error: unknown) => void;
}

/** Statistics of the way into one sink. */
export interface PipelineStats {
  readonly sink: string;
  /** Events that the sink has accepted, counting each state. */
  readonly written: number;
  /** Failed writes that were retried. */
  readonly retries: number;
  /** Events that were spilled to disk. */
  readonly spilled: number;
  /** Events that were lost because the spool was full. */
  readonly dropped: number;
  /** Events that the sink rejected; they are in `dead-letters.ndjson`. */
  readonly rejected: number;
  /** Events queued in memory, and bytes queued on disk. */
  readonly queued: number;
  readonly spoolBytes: number;
}

/** Events that may wait for the disk before the source is blocked. */
const MAX_SPILLING = 5000;
const SPILL_CHUNK = 1000;
const TICK_MS = 10_000;
const LINGER_MS = 100;
const RETRY = { initialMs: 500, maxMs: 30_000, jitter: 0.5 };

/**
 * Delivers events to one sink, at the pace of that sink. Events are queued in memory up to a limit,
 * then on disk up to another; beyond that they are dropped, which is recorded as a gap. While the
 * disk fails, the source is blocked.
 *
 * The position never claims more than what is in the sink, on disk, or recorded as a gap. A segment
 * on disk stays until all of its events are in the sink, over any number of restarts.
 */
export class SinkPipeline implements AsyncDisposable {
  readonly #options: PipelineOptions;
  readonly #files: SinkFiles;
  readonly #spool: Spool;
  readonly #gaps: GapLedger;
  readonly #backlog: Backlog;
  readonly #progress: Progress;
  readonly #refilling = new SingleFlight<void>();
  readonly #spilling = new SingleFlight<void>();
  readonly #grace: Grace;
  #spillBuffer: { readonly event: CollectedEvent; readonly passage: Passage }[] = [];
  #savedVersion: string | undefined;
  #isReadingBack = false;
  /** Only read while stopping. */
  #isSinkDown = false;
  #ticking: Promise<void> = Promise.resolve();
  #counts = { written: 0, retries: 0, spilled: 0, dropped: 0, rejected: 0 };

  private constructor(options: PipelineOptions, state: SinkState) {
    this.#options = options;
    this.#backlog = new Backlog(`events to ${options.sink.name}`);
    this.#grace = new Grace(options.clock);
    this.#files = state.files;
    this.#spool = state.spool;
    this.#progress = new Progress(state.start);
    this.#gaps = new GapLedger({
      known: state.losses,
      save: (gaps) => state.files.writeLosses(gaps),
      record: (gap) => options.sink.recordGap(gap),
    });
  }

  /** Opens the directory and restores the position of an earlier process. */
  static async open(options: PipelineOptions): Promise<SinkPipeline> {
    return new SinkPipeline(options, await openSinkState(options));
  }

  /** The position from which the source continues for this sink; undefined for the beginning. */
  get position(): Position | undefined {
    return this.#progress.safe;
  }

  /** True if the sink has everything before {@link position}, and nothing of it is only on disk. */
  get hasDelivered(): boolean {
    return this.#spool.isEmpty && this.#spillBuffer.length === 0 && !this.#isReadingBack;
  }

  get stats(): PipelineStats {
    return {
      sink: this.#options.sink.name,
      ...this.#counts,
      queued: this.#backlog.size,
      spoolBytes: this.#spool.bytes,
    };
  }

  /**
   * Accepts an event with the position of the source; the position is undefined while the source
   * lists.
   */
  add(event: CollectedEvent, position: Position | undefined): void {
    const passage = this.#progress.depart();
    if (position !== undefined) this.#progress.reach(position);
    // A new event must not overtake those on disk.
    const isBehind = this.#spillBuffer.length > 0 || !this.#spool.isEmpty || this.#isReadingBack;
    if (!isBehind && this.#backlog.size < this.#options.maxQueued) {
      this.#backlog.add({ event, passage });
      return;
    }
    this.#spillBuffer.push({ event, passage });
    void this.#spill();
  }

  reach(position: Position): void {
    this.#progress.reach(position);
  }

  /** Goes back to an earlier position of the source; undefined for the beginning. */
  rewind(position: Position | undefined): void {
    this.#progress.rewind(position);
  }

  recordGap(gap: Gap): void {
    this.#gaps.add(gap, this.#progress.depart());
  }

  /** Returns a promise while the source must wait for the disk. */
  room(): Promise<void> | undefined {
    return this.#spillBuffer.length > MAX_SPILLING ? this.#spill() : undefined;
  }

  /**
   * Writes until the signal aborts, then drains. Does not wait for a sink that fails by then: the
   * rest goes to disk.
   */
  async run(signal: AbortSignal): Promise<void> {
    using _stop = onAbort(signal, () => {
      this.#grace.stop();
      this.#backlog.close();
    });
    {
      using _ticks = this.#everyTick();
      await this.#refill();
      for (;;) {
        const batch = await this.#nextBatch();
        if (batch.length === 0) break;
        if (await this.#deliver(batch)) this.#backlog.finish(batch);
        else this.#leave(batch);
        if (!this.#grace.isStopping) void this.#refill();
      }
    }
    await this.#spill();
    await this.#gaps.close();
    await this.#ticking;
    if (this.#isSinkDown) await this.#savePosition(this.#progress.safe);
    else await this.#tick();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#spool[Symbol.asyncDispose]();
      await this.#files[Symbol.asyncDispose]();
    } finally {
      await this.#options.sink[Symbol.asyncDispose]();
    }
  }

  /** Waits for an event, then briefly for more: each write has a fixed cost. */
  async #nextBatch(): Promise<Waiting[]> {
    const { batchSize } = this.#options;
    const batch = await this.#backlog.take(1);
    if (batch.length === 0) return [];
    const rest = batchSize - 1;
    if (this.#backlog.size < rest) await this.#grace.pause(LINGER_MS);
    if (this.#backlog.size > 0 && rest > 0) batch.push(...(await this.#backlog.take(rest)));
    return batch;
  }

  /** Resolves to true when the sink has the batch, to false if this process stops first. */
  async #deliver(batch: readonly Waiting[]): Promise<boolean> {
    const events = batch.map(({ event }) => event);
    const passages = new Set(batch.flatMap(({ passage }) => passage ?? []));
    const backoff = this.#backoff();
    while (!this.#grace.isStopping || !this.#isSinkDown) {
      const position = this.#progress.safeOnce(passages);
      try {
        const rejections = await this.#within(this.#write(events, position));
        this.#counts.rejected += rejections.length;
        this.#counts.written += events.length - rejections.length;
        await this.#savePosition(position);
        return true;
      } catch (error) {
        this.#counts.retries += 1;
        this.#isSinkDown = this.#grace.isStopping;
        this.#options.onError(error);
        await this.#grace.pause(Math.max(backoff.next(), requestedPauseMs(error)));
      }
    }
    return false;
  }

  async #write(
    events: readonly CollectedEvent[],
    position: Position | undefined,
  ): Promise<readonly Rejection[]> {
    await this.#gaps.flush();
    const rejections = await this.#options.sink.write(events, position);
    if (rejections.length > 0) await this.#files.addDeadLetters(rejections);
    return rejections;
  }

  /** Moves to disk what only memory has: the process stops without the sink. */
  #leave(batch: readonly Waiting[]): void {
    for (const { event, passage } of batch) {
      if (passage !== undefined) this.#spillBuffer.push({ event, passage });
    }
    this.#backlog.giveUp(batch);
  }

  /** Loads events from disk while there is room in memory. */
  async #refill(): Promise<void> {
    await this.#refilling.run(async () => {
      try {
        while (!this.#spool.isEmpty && !this.#grace.isStopping) {
          if (this.#backlog.size >= this.#options.maxQueued / 2) return;
          this.#isReadingBack = true;
          const segment = await this.#spool.take();
          if (segment !== undefined) await this.#accept(segment);
        }
      } catch (error) {
        // The segment is kept; the next batch or tick tries again.
        this.#options.onError(error);
      } finally {
        this.#isReadingBack = false;
      }
    });
  }

  /** Queues the events of a segment, after recording its losses. */
  async #accept(segment: Segment): Promise<void> {
    const { damage, events } = segment;
    if (damage !== undefined) {
      const { writtenAt: to, error } = damage;
      this.#options.onError(error);
      const reason = 'a segment of the spool could not be read';
      const gap: Gap = { from: undefined, to, reason };
      if (!(await this.#onDisk(() => this.#gaps.addLasting([gap])))) return;
    }
    const hold = this.#holdOf(segment);
    hold.retain();
    for (const event of events) {
      hold.retain();
      this.#backlog.add({ event, segments: new Set([hold]) });
    }
    hold.release();
  }

  #holdOf(segment: Segment): SegmentHold {
    let holders = 0;
    return {
      retain: () => void (holders += 1),
      release: () => {
        holders -= 1;
        if (holders === 0) segment.remove().catch(this.#options.onError);
      },
    };
  }

  /** Spills to disk what does not fit into memory. Retries while the disk fails. */
  #spill(): Promise<void> {
    return this.#spilling.run(async () => {
      while (this.#spillBuffer.length > 0) {
        // What is neither on disk nor recorded stays ahead of the position, and is read again.
        if (!(await this.#onDisk(() => this.#spillChunk()))) return;
        await this.#savePosition(this.#progress.safe);
      }
      if (!this.#grace.isStopping) void this.#refill();
    });
  }

  async #spillChunk(): Promise<void> {
    const chunk = this.#spillBuffer.slice(0, SPILL_CHUNK).map(({ event }) => event);
    const kept = await this.#spool.append(chunk);
    this.#counts.spilled += kept;
    this.#spilled(kept);
    const dropped = chunk.slice(kept);
    if (dropped.length === 0) return await this.#gaps.close();
    await this.#gaps.drop(dropped, this.#now());
    this.#counts.dropped += dropped.length;
    this.#spilled(dropped.length);
  }

  #spilled(count: number): void {
    for (const { passage } of this.#spillBuffer.splice(0, count)) passage.arrived();
  }

  /** Repeats work until the disk accepts it. Resolves to false if this process stops first. */
  async #onDisk(work: () => Promise<void>): Promise<boolean> {
    const backoff = this.#backoff();
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        this.#options.onError(error);
        if (this.#grace.isStopping) return false;
        await this.#grace.pause(backoff.next());
      }
    }
  }

  /**
   * Writes the position to disk, for sinks that cannot store it with the data and while events are
   * on disk. An old position is safe: a failure only costs time after a crash.
   */
  async #savePosition(position: Position | undefined): Promise<void> {
    if (position === undefined || position.resourceVersion === this.#savedVersion) return;
    const isWithData = this.#options.sink.position !== undefined && this.#spool.bytes === 0;
    try {
      if (!isWithData) await this.#files.writePosition(position);
      this.#savedVersion = position.resourceVersion;
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Regular work, also without events. */
  async #tick(): Promise<void> {
    const { sink, clock } = this.#options;
    if (!this.#grace.isStopping) void this.#refill();
    const work = async (): Promise<void> => {
      if (this.#spillBuffer.length === 0 && this.#spool.bytes === 0) await this.#gaps.close();
      await this.#gaps.flush();
      const position = this.#progress.safe;
      if (position !== undefined && position.resourceVersion !== this.#savedVersion) {
        await sink.write([], position);
        await this.#savePosition(position);
      }
      await sink.maintain?.(clock.now());
    };
    await this.#within(work()).catch(this.#options.onError);
  }

  #everyTick(): Disposable {
    const over = new AbortController();
    this.#ticking = (async () => {
      for (;;) {
        await sleep(this.#options.clock, TICK_MS, { signal: over.signal }).catch(() => undefined);
        if (over.signal.aborted) return;
        await this.#tick();
      }
    })();
    return { [Symbol.dispose]: () => over.abort() };
  }

  #within<T>(work: Promise<T>): Promise<T> {
    return this.#grace.within(work, this.#options.sink.name);
  }

  #backoff(): Backoff {
    const { clock, random } = this.#options;
    return new Backoff({ ...RETRY, clock, random });
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

function requestedPauseMs(error: unknown): number {
  return (error instanceof CollectorError ? error.retryAfterMs : undefined) ?? 0;
}
