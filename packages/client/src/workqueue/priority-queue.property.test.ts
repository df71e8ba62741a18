import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { PriorityQueue } from './priority-queue.ts';

interface ModelItem {
  readonly key: string;
  readonly priority: number;
  readonly since: number;
  readonly readyAt: number;
}

/** A model of the queue with one list that is sorted for each `get`: correct, not fast. */
class ModelPriorityQueue {
  items: ModelItem[] = [];
  processing = new Map<string, number>();
  now = 0;
  #sequence = 0;

  add(key: string, priority: number, delayMs: number): void {
    const known = this.items.find((item) => item.key === key);
    this.items = this.items.filter((item) => item !== known);
    const readyAt = Math.min(this.now + delayMs, known?.readyAt ?? Infinity);
    const isNew =
      known === undefined || priority > known.priority || this.#becomesReady(known, readyAt);
    this.items.push({
      key,
      readyAt,
      priority: Math.max(priority, known?.priority ?? -Infinity),
      since: isNew ? this.#sequence++ : known.since,
    });
  }

  advance(ms: number): void {
    const before = this.now;
    this.now += ms;
    const due = this.items.filter(({ readyAt }) => readyAt > before && readyAt <= this.now);
    due.sort((left, right) => left.readyAt - right.readyAt);
    for (const item of due) {
      this.items = this.items.filter((other) => other !== item);
      this.items.push({ ...item, since: this.#sequence++ });
    }
  }

  ready(): ModelItem[] {
    return this.items
      .filter(({ key, readyAt }) => readyAt <= this.now && !this.processing.has(key))
      .toSorted((left, right) => right.priority - left.priority || left.since - right.since);
  }

  take(): string | undefined {
    const first = this.ready()[0];
    if (first === undefined) return undefined;
    this.items = this.items.filter((item) => item !== first);
    this.processing.set(first.key, first.priority);
    return first.key;
  }

  #becomesReady(known: ModelItem, readyAt: number): boolean {
    return known.readyAt > this.now && readyAt <= this.now;
  }
}

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const priorities = fc.constantFrom(-100, 0, 7);
const steps = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('add' as const), key: keys, priority: priorities }),
    fc.record({
      type: fc.constant('addAfter' as const),
      key: keys,
      priority: fc.option(priorities, { nil: undefined }),
      delayMs: fc.nat(20),
    }),
    fc.record({ type: fc.constant('get' as const) }),
    fc.record({ type: fc.constant('done' as const), key: keys }),
    fc.record({ type: fc.constant('advance' as const), ms: fc.nat(12) }),
  ),
  { maxLength: 80 },
);

it('a PriorityQueue behaves as the model with a sorted list', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const clock = new VirtualClock();
      const queue = new PriorityQueue<string>({ clock });
      const model = new ModelPriorityQueue();
      /** Delays that never end at the same time, so that the order of two due items is known. */
      let fraction = 0;
      for (const step of history) {
        if (step.type === 'add') {
          queue.add(step.key, { priority: step.priority });
          model.add(step.key, step.priority, 0);
        } else if (step.type === 'addAfter') {
          const delayMs = step.delayMs === 0 ? 0 : step.delayMs + (fraction += 1 / 1024);
          queue.addAfter(step.key, delayMs, { priority: step.priority });
          model.add(step.key, step.priority ?? model.processing.get(step.key) ?? 0, delayMs);
        } else if (step.type === 'done') {
          queue.done(step.key);
          model.processing.delete(step.key);
        } else if (step.type === 'advance') {
          await clock.advance(step.ms);
          model.advance(step.ms);
        } else if (queue.len > 0) {
          const { value } = await queue.get();
          assert.equal(value, model.take());
        } else assert.equal(model.take(), undefined);
        assert.equal(queue.len, model.ready().length);
        for (const { key, priority } of model.items) assert.equal(queue.priorityOf(key), priority);
        const delayed = model.items.filter(({ readyAt }) => readyAt > model.now);
        assert.equal(queue.waiting, delayed.length);
        assert.equal(clock.pending > 0, delayed.length > 0);
      }
      queue.shutDown();
      assert.equal(clock.pending, 0);
    }),
    { numRuns: 500 },
  );
});
