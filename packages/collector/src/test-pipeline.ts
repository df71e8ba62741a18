import assert from 'node:assert/strict';
import { seededRandom } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import type { CollectorSink } from './collector-sink.ts';
import { type PipelineOptions, SinkPipeline } from './sink-pipeline.ts';
import { anEvent, at } from './test-events.ts';

/** For tests: a pipeline on a virtual clock and a real disk. */
export class Bench {
  readonly clock: VirtualClock = new VirtualClock();
  readonly errors: unknown[] = [];
  readonly #stop = new AbortController();
  readonly #directory: string;
  #running: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async open(sink: CollectorSink, options: Partial<PipelineOptions> = {}): Promise<SinkPipeline> {
    const pipeline = await SinkPipeline.open({
      sink,
      directory: this.#directory,
      batchSize: 10,
      maxQueued: 20,
      maxSpoolBytes: 1e9,
      clock: this.clock,
      random: seededRandom(1),
      onError: (error) => void this.errors.push(error),
      ...options,
    });
    this.#running = pipeline.run(this.#stop.signal);
    return pipeline;
  }

  async stop(pipeline: SinkPipeline): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await pipeline[Symbol.asyncDispose]();
    assert.equal(this.clock.pending, 0);
  }

  /** Advances the clock until the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    for (let step = 0; !condition(); step += 1) {
      assert.ok(step < 20_000, 'it never comes to it');
      await this.clock.advance(100);
    }
  }
}

/** For tests: adds events, each with its position. */
export function feed(pipeline: SinkPipeline, from: number, to: number): void {
  for (let number = from; number <= to; number += 1) pipeline.add(anEvent(number), at(number));
}

/** For tests: the uids of events. */
export const uids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `uid-${from + index}`);
