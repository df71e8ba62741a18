import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { sleep } from '../lib/clock.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { RateLimiter } from './rate-limiters.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';
import { type ReconcileResult, requeueAfter } from './reconcile.ts';
import { runWorkers } from './run-workers.ts';
import { terminal } from './reconcile.ts';

type Outcome = 'fail' | 'look again' | 'succeed' | 'terminal';

/**
 * A model of the reasons to run a key: an add after which no run has started, or the time of a retry
 * or a requeueAfter. A run without a reason is an error, and so is a reason without a run.
 */
class ModelReasons implements RateLimiter<string> {
  readonly #clock: VirtualClock;
  readonly #failures = new Map<string, number>();
  #delays = 0;
  readonly added = new Set<string>();
  readonly due = new Map<string, number>();
  readonly running = new Set<string>();
  readonly faults: string[] = [];

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  begin(key: string, attempt: number): void {
    this.#passTime();
    const now = this.#clock.monotonic();
    if (this.running.has(key)) this.faults.push(`${key} is with two workers at ${now}`);
    this.running.add(key);
    if (!this.added.delete(key)) this.faults.push(`${key} runs at ${now} for nothing`);
    const expected = this.numRequeues(key) + 1;
    if (attempt !== expected) this.faults.push(`${key}: attempt ${attempt}, not ${expected}`);
  }

  end(key: string): void {
    this.running.delete(key);
  }

  /** The key is due after a delay that ends at the same time as no other. */
  comeBack(key: string, delayMs: number): number {
    this.#passTime();
    this.#delays += 1;
    const delay = delayMs + (Math.sqrt(7 * this.#delays + 3) % 1);
    const dueAt = this.#clock.monotonic() + delay;
    this.due.set(key, Math.min(dueAt, this.due.get(key) ?? Infinity));
    return delay;
  }

  when(key: string): number {
    const failures = this.numRequeues(key);
    this.#failures.set(key, failures + 1);
    return this.comeBack(key, 5 * 2 ** Math.min(failures, 8));
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  numRequeues(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  #passTime(): void {
    for (const [key, dueAt] of this.due) {
      if (dueAt > this.#clock.monotonic()) continue;
      this.due.delete(key);
      this.added.add(key);
    }
  }
}

const keys = fc.constantFrom('a', 'b', 'c', 'd');
const scripts = fc.record({
  workers: fc.integer({ min: 1, max: 4 }),
  adds: fc.array(fc.record({ key: keys, pauseMs: fc.nat(12) }), { maxLength: 30 }),
  /** The outcomes of the runs in order; all later runs succeed without a delay. */
  runs: fc.array(
    fc.record({
      workMs: fc.nat(9),
      outcome: fc.constantFrom<Outcome>('fail', 'look again', 'succeed', 'terminal'),
    }),
    { maxLength: 60 },
  ),
  /** When the workers are stopped and new ones start on the same queue. */
  stopAfter: fc.nat(29),
});

it('workers run each key exactly when there is a reason, never two at a time', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async ({ workers, adds, runs, stopAfter }) => {
      const clock = new VirtualClock();
      const model = new ModelReasons(clock);
      const queue = new RateLimitingQueue<string>({ clock, rateLimiter: model });
      const left = [...runs];
      let reported = 0;
      let failed = 0;

      const work = (signal: AbortSignal): Promise<void> =>
        runWorkers(
          queue,
          { workers, signal, clock, onError: () => (reported += 1) },
          async (key, { attempt }): Promise<ReconcileResult> => {
            if (signal.aborted) model.faults.push(`${key} begins after the stop`);
            model.begin(key, attempt);
            const { workMs, outcome } = left.shift() ?? { workMs: 0, outcome: 'succeed' };
            if (workMs > 0) await sleep(clock, workMs);
            model.end(key);
            if (outcome === 'fail' || outcome === 'terminal') failed += 1;
            if (outcome === 'fail') throw new Error('no');
            if (outcome === 'terminal') throw terminal('never');
            return outcome === 'look again' ? requeueAfter(model.comeBack(key, 50)) : undefined;
          },
        );

      let stop = new AbortController();
      let ended = work(stop.signal);
      for (const [index, { key, pauseMs }] of adds.entries()) {
        model.added.add(key);
        queue.add(key);
        if (index === stopAfter) {
          stop.abort();
          await clock.advance(10);
          await ended;
          assert.deepEqual([...model.running], []);
          stop = new AbortController();
          ended = work(stop.signal);
        }
        await clock.advance(pauseMs);
      }
      // Repeats until every run has succeeded.
      await clock.advance(1e9);
      assert.deepEqual(model.faults, []);
      assert.deepEqual([...model.added], []);
      assert.deepEqual([...model.due.keys()], []);
      assert.equal(reported, failed);
      stop.abort();
      await ended;
      assert.equal(queue.len, 0);
      assert.equal(clock.pending, 0);
    }),
    { numRuns: 300 },
  );
});
