import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { DelayingQueue } from './delaying-queue.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a queue lets go of what is done, and of what was dropped', async () => {
  const clock = new VirtualClock();
  const queue = new DelayingQueue<object>({ clock });
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
  // The queue itself lives on: it is asked after the collection.
  assert.equal(queue.len, 0);
});
