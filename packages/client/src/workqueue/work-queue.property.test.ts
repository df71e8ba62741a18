import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { nextTurn } from '../lib/next-turn.ts';
import { WorkQueue } from './work-queue.ts';

/** The outcome of one `get`. */
type Outcome = string | 'over' | 'stopped' | 'waits';

/** A model of the queue with plain lists: obviously correct, not fast. */
class ModelQueue {
  queue: string[] = [];
  processing: string[] = [];
  again: string[] = [];
  outcomes: Outcome[] = [];
  shuttingDown = false;
  forced = false;
  /** After 1000 items nothing is handed out until the next turn. */
  taken = 0;
  isPausing = false;

  add(key: string): void {
    if (this.shuttingDown || this.queue.includes(key) || this.again.includes(key)) return;
    (this.processing.includes(key) ? this.again : this.queue).push(key);
  }

  get(): void {
    if (this.queue.length > 0) this.outcomes.push(this.isPausing ? 'waits' : this.#take());
    else this.outcomes.push(this.shuttingDown ? 'over' : 'waits');
  }

  done(key: string): void {
    if (!this.processing.includes(key)) return;
    this.processing = this.processing.filter((other) => other !== key);
    if (this.again.includes(key)) this.queue.push(key);
    this.again = this.again.filter((other) => other !== key);
  }

  stopWaiting(): void {
    const waiter = this.outcomes.indexOf('waits');
    if (waiter !== -1) this.outcomes[waiter] = 'stopped';
  }

  shutDown(forced: boolean): void {
    this.shuttingDown = true;
    this.forced ||= forced;
    this.serve();
  }

  turn(): void {
    this.isPausing = false;
    this.serve();
  }

  serve(): void {
    for (const [waiter, outcome] of this.outcomes.entries()) {
      if (outcome !== 'waits') continue;
      if (this.queue.length > 0 && this.isPausing) return;
      if (this.queue.length > 0) this.outcomes[waiter] = this.#take();
      else if (this.shuttingDown) this.outcomes[waiter] = 'over';
    }
  }

  get isDrained(): boolean {
    const isEmpty = this.queue.length === 0 && this.processing.length === 0;
    return this.forced || (this.shuttingDown && isEmpty);
  }

  #take(): string {
    const key = this.queue.shift() as string;
    this.processing.push(key);
    this.taken += 1;
    if (this.taken % 1000 === 0) this.isPausing = true;
    return key;
  }
}

const keys = fc.constantFrom('a', 'b', 'c', 'd');
const always = <T>(type: T): fc.Arbitrary<{ type: T }> => fc.record({ type: fc.constant(type) });
const steps = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: fc.record({ type: fc.constant('add' as const), key: keys }) },
    { weight: 25, arbitrary: always('get' as const) },
    { weight: 20, arbitrary: fc.record({ type: fc.constant('done' as const), key: keys }) },
    { weight: 10, arbitrary: fc.record({ type: fc.constant('resync' as const), from: fc.nat(3) }) },
    { weight: 15, arbitrary: always('turn' as const) },
    { weight: 5, arbitrary: always('stop waiting' as const) },
    { weight: 1, arbitrary: always('shutDown' as const) },
    { weight: 1, arbitrary: always('shutDownWithDrain' as const) },
  ),
  { maxLength: 60 },
);

it('a WorkQueue behaves as the model with plain lists', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 980, max: 1000 }), async (history, takenBefore) => {
      const queue = new WorkQueue<string>();
      const model = new ModelQueue();
      for (model.taken = 0; model.taken < takenBefore - 1; model.taken += 1) {
        queue.add('before');
        void queue.get();
        queue.done('before');
      }
      const outcomes: Outcome[] = [];
      const stops: AbortController[] = [];
      const drains: boolean[] = [];

      const get = (): void => {
        const index = outcomes.push('waits') - 1;
        const stop = new AbortController();
        stops.push(stop);
        queue.get({ signal: stop.signal }).then(
          (next) => (outcomes[index] = next.done === true ? 'over' : next.value),
          () => (outcomes[index] = 'stopped'),
        );
        model.get();
      };
      const drain = (): void => {
        const index = drains.push(false) - 1;
        void queue.shutDownWithDrain().then(() => (drains[index] = true));
        model.shutDown(false);
      };
      const compare = async (): Promise<void> => {
        await nextTurn();
        model.turn();
        assert.deepEqual(outcomes, model.outcomes);
        assert.equal(queue.len, model.queue.length);
        assert.equal(queue.shuttingDown, model.shuttingDown);
        assert.ok(drains.every((isDrained) => isDrained === model.isDrained));
      };

      for (const step of history) {
        if (step.type === 'add' || step.type === 'done') {
          queue[step.type](step.key);
          model[step.type](step.key);
        } else if (step.type === 'resync') {
          // Again in the order in which they wait, beginning anywhere and around the end.
          const waiting = [...model.queue, ...model.queue].slice(step.from);
          for (const key of waiting) queue.add(key);
        } else if (step.type === 'get') get();
        else if (step.type === 'turn') await compare();
        else if (step.type === 'shutDown') {
          queue.shutDown();
          model.shutDown(true);
        } else if (step.type === 'shutDownWithDrain') drain();
        else {
          stops[model.outcomes.indexOf('waits')]?.abort();
          model.stopWaiting();
        }
      }

      // After any sequence of operations the remaining workers end and nothing is left.
      drain();
      while (!model.isDrained || model.queue.length > 0 || model.processing.length > 0) {
        for (const key of model.processing) {
          queue.done(key);
          model.done(key);
        }
        get();
        await compare();
      }
      await compare();
      assert.equal(queue.len, 0);
    }),
    { numRuns: 300 },
  );
});

it('one worker has a key at a time, and processes it after every add', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ key: keys, pause: fc.nat(2) }), { maxLength: 40 }),
      fc.infiniteStream(fc.nat(3)),
      async (workerCount, adds, workTimes) => {
        const queue = new WorkQueue<string>();
        const held = new Set<string>();
        const heldTwice: string[] = [];
        /** Keys that no worker has started to process since they were added. */
        const unseen = new Set<string>();
        const turns = async (count: number): Promise<void> => {
          for (let turn = 0; turn < count; turn += 1) await nextTurn();
        };
        const worker = async (): Promise<void> => {
          for await (const key of queue) {
            if (held.has(key)) heldTwice.push(key);
            unseen.delete(key);
            held.add(key);
            await turns(workTimes.next().value ?? 0);
            held.delete(key);
          }
        };
        const workers = Array.from({ length: workerCount }, worker);
        for (const { key, pause } of adds) {
          unseen.add(key);
          queue.add(key);
          await turns(pause);
        }
        await queue.shutDownWithDrain();
        await Promise.all(workers);
        assert.deepEqual(heldTwice, []);
        assert.deepEqual([...unseen], []);
      },
    ),
    { numRuns: 100 },
  );
});
