import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { ScheduledCall } from '../lib/clock.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { DelayingQueue } from './delaying-queue.ts';
import { PriorityQueue } from './priority-queue.ts';

function makeQueue(): { queue: DelayingQueue<string>; clock: VirtualClock } {
  const clock = new VirtualClock();
  return { clock, queue: new DelayingQueue<string>({ clock }) };
}

async function takeAll<T>(queue: DelayingQueue<T>): Promise<T[]> {
  const items: T[] = [];
  while (queue.len > 0) {
    const next = await queue.get();
    if (next.done === true) break;
    items.push(next.value);
    queue.done(next.value);
  }
  return items;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('DelayingQueue', () => {
  it('adds an item once, when it is due', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 50);
    assert.equal(queue.waiting, 1);
    await clock.advance(49);
    assert.equal(queue.len, 0);
    await clock.advance(1);
    assert.deepEqual(await takeAll(queue), ['a']);
    assert.equal(queue.waiting, 0);
    await clock.advance(60_000);
    assert.equal(queue.len, 0);
    assert.equal(clock.pending, 0);
  });

  for (const delayMs of [0, -1, NaN]) {
    it(`adds immediately with a delay of ${delayMs}`, () => {
      const { queue, clock } = makeQueue();
      queue.addAfter('a', delayMs);
      assert.equal(queue.len, 1);
      assert.equal(clock.pending, 0);
    });
  }

  it('keeps the earlier of two times', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 50);
    queue.addAfter('a', 70);
    await clock.advance(60);
    assert.deepEqual(await takeAll(queue), ['a']);
    await clock.advance(20);
    assert.equal(queue.len, 0);

    queue.addAfter('a', 50);
    queue.addAfter('a', 30);
    assert.equal(queue.waiting, 1);
    await clock.advance(40);
    assert.deepEqual(await takeAll(queue), ['a']);
    await clock.advance(20);
    assert.equal(queue.len, 0);
  });

  it('wakes for an item that is due before the waiting ones', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 1000);
    queue.addAfter('b', 50);
    await clock.advance(60);
    assert.deepEqual(await takeAll(queue), ['b']);
    queue.addAfter('c', 2000);
    await clock.advance(1000);
    assert.deepEqual(await takeAll(queue), ['a']);
    await clock.advance(2000);
    assert.deepEqual(await takeAll(queue), ['c']);
  });

  it('adds items in the order of their times, then of adding', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 1000);
    queue.addAfter('b', 500);
    queue.addAfter('c', 250);
    queue.addAfter('d', 500);
    await clock.advance(2000);
    assert.deepEqual(await takeAll(queue), ['c', 'b', 'd', 'a']);
  });

  it('uses one timer for any number of waiting items', async () => {
    const { queue, clock } = makeQueue();
    for (let index = 0; index < 100; index += 1) queue.addAfter(String(index), 1000 - index);
    assert.equal(clock.pending, 1);
    assert.equal(clock.untilNext, 901);
  });

  it('keeps an item waiting that is added directly', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 50);
    queue.add('a');
    assert.deepEqual(await takeAll(queue), ['a']);
    await clock.advance(50);
    assert.deepEqual(await takeAll(queue), ['a']);
  });

  it('runs an item once more that is due while it is processed', async () => {
    const { queue, clock } = makeQueue();
    queue.add('a');
    await queue.get();
    queue.addAfter('a', 50);
    await clock.advance(50);
    assert.equal(queue.len, 0);
    queue.done('a');
    assert.deepEqual(await takeAll(queue), ['a']);
  });

  it('distinguishes items by key and adds the newest', async () => {
    const clock = new VirtualClock();
    const queue = new DelayingQueue<{ name: string; attempt: number }>({
      clock,
      keyFunc: ({ name }) => name,
    });
    queue.addAfter({ name: 'a', attempt: 1 }, 50);
    queue.addAfter({ name: 'a', attempt: 2 }, 70);
    await clock.advance(50);
    assert.deepEqual(await takeAll(queue), [{ name: 'a', attempt: 2 }]);
  });

  it('yields to the event loop while many items become due', async () => {
    const becameReady: number[] = [];
    class CountingClock extends VirtualClock {
      override schedule(delayMs: number, callback: () => void): ScheduledCall {
        return super.schedule(delayMs, () => {
          const before = queue.len;
          callback();
          becameReady.push(queue.len - before);
        });
      }
    }
    const clock = new CountingClock();
    const queue = new DelayingQueue<number>({ clock });
    for (let index = 0; index < 20_000; index += 1) queue.addAfter(index, 10);
    await clock.advance(10);
    assert.equal(queue.len, 20_000);
    assert.ok(Math.max(...becameReady) <= 5000, `due per turn: ${becameReady.join(', ')}`);
  });

  it('does not depend on the wall clock', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 50);
    clock.jump(-3_600_000);
    await clock.advance(50);
    assert.deepEqual(await takeAll(queue), ['a']);
  });

  for (const shutDown of ['shutDown', 'shutDownWithDrain'] as const) {
    it(`drops the waiting items and the timer on ${shutDown}`, async () => {
      const { queue, clock } = makeQueue();
      queue.addAfter('a', 50);
      await queue[shutDown]();
      assert.equal(queue.waiting, 0);
      assert.equal(clock.pending, 0);
      queue.addAfter('b', 50);
      queue.addAfter('c', 0);
      assert.equal(clock.pending, 0);
      await clock.advance(100);
      assert.equal(queue.len, 0);
      assert.deepEqual(await queue.get(), { done: true, value: undefined });
    });
  }

  it('adds each item at the earliest of its times', async () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      delayMs: fc.integer({ min: 1, max: 40 }),
      pauseMs: fc.nat(15),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (history) => {
        const { queue, clock } = makeQueue();
        const expected: string[] = [];
        const actual: string[] = [];
        const due = new Map<string, number>();
        /** Advances one millisecond at a time, so that each item is observed when it is added. */
        const pass = async (ms: number): Promise<void> => {
          for (let passed = 0; passed < ms; passed += 1) {
            await clock.advance(1);
            const now = clock.monotonic();
            for (const item of await takeAll(queue)) actual.push(`${item} at ${now}`);
            for (const [key, readyAt] of due) {
              if (readyAt !== now) continue;
              expected.push(`${key} at ${now}`);
              due.delete(key);
            }
          }
        };
        for (const { key, delayMs, pauseMs } of history) {
          queue.addAfter(key, delayMs);
          due.set(key, Math.min(due.get(key) ?? Infinity, clock.monotonic() + delayMs));
          await pass(pauseMs);
        }
        await pass(40);
        assert.deepEqual(actual.sort(), expected.sort());
        assert.equal(clock.pending, 0);
      }),
      { numRuns: 50 },
    );
  });
});

for (const Queue of [DelayingQueue, PriorityQueue]) {
  it(`a ${Queue.name} keeps no reference to items that are done or dropped`, async () => {
    const clock = new VirtualClock();
    const queue = new Queue<object>({ clock });
    const addAndFinish = async (): Promise<WeakRef<object>> => {
      queue.add({ is: 'done' });
      const { value } = await queue.get();
      assert.ok(value !== undefined);
      queue.done(value);
      return new WeakRef(value);
    };
    const addAndDrop = (): WeakRef<object> => {
      const item = { is: 'dropped' };
      queue.addAfter(item, 1000);
      queue.shutDown();
      return new WeakRef(item);
    };
    const references = [await addAndFinish(), addAndDrop()];
    await nextTurn();
    collectGarbage();
    assert.deepEqual(
      references.map((reference) => reference.deref()),
      [undefined, undefined],
    );
    // Uses the queue after the collection, so that the queue itself is not collected.
    assert.equal(queue.len, 0);
  });
}
