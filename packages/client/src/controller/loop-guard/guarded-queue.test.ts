import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { GuardedQueue } from './guarded-queue.ts';

describe('GuardedQueue', () => {
  for (const take of ['get', 'tryGet'] as const) {
    it(`${take} hands out a key that is slowed down when its time has come`, async () => {
      const clock = new VirtualClock();
      const due = new Map([['slow', 1000]]);
      const waitMs = (key: string): number => (due.get(key) ?? 0) - clock.monotonic();
      const queue = new GuardedQueue({ clock, waitMs });
      for (const key of ['slow', 'other']) queue.add(key);
      assert.deepEqual(await queue[take](), { done: false, value: 'other' });
      assert.deepEqual([queue.len, queue.waiting, queue.tryGet()], [0, 1, undefined]);
      await clock.advance(1000);
      assert.deepEqual(await queue[take](), { done: false, value: 'slow' });
      queue.shutDown();
    });
  }

  it('serves workers that wait with other keys until then', async () => {
    const clock = new VirtualClock();
    const waitMs = (key: string): number => (key === 'slow' ? 1000 - clock.monotonic() : 0);
    const queue = new GuardedQueue({ clock, waitMs });
    const taken: string[] = [];
    const work = async (): Promise<void> => {
      const { value } = await queue.get();
      taken.push(String(value));
    };
    const working = [work(), work()];
    queue.add('slow');
    await clock.advance(10);
    assert.deepEqual(taken, []);
    queue.add('other');
    await clock.advance(10);
    assert.deepEqual(taken, ['other']);
    await clock.advance(1000);
    await Promise.all(working);
    assert.deepEqual(taken, ['other', 'slow']);
    queue.shutDown();
  });
});
