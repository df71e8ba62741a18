import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../lib/clock.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { DeltaFIFO } from './delta-fifo.ts';
import { FIFO } from './fifo.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { ProcessorListener } from './shared-processor.ts';
import type { Queue } from './queue.ts';
import { RealFIFO } from './real-fifo.ts';
import { type TestObject, testObject } from './test-objects.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns true if the object was collected. Reading a reference keeps the object for a turn. */
async function isGone(reference: WeakRef<object>): Promise<boolean> {
  await nextTurn();
  collectGarbage();
  await nextTurn();
  return reference.deref() === undefined;
}

const keyFunc = metaNamespaceKeyFunc;
const queues: Readonly<Record<string, () => Queue<TestObject, unknown>>> = {
  DeltaFIFO: () => new DeltaFIFO<TestObject>({ keyFunc }),
  FIFO: () => new FIFO<TestObject>({ keyFunc }),
  RealFIFO: () => new RealFIFO<TestObject>({ keyFunc }),
};

describe('popped objects can be garbage-collected', () => {
  for (const [name, makeQueue] of Object.entries(queues)) {
    it(`from a ${name}, while others are queued`, async () => {
      const queue = makeQueue();
      const write = (key: string): WeakRef<object> => {
        const object = testObject(key, '1');
        queue.add(object);
        return new WeakRef(object);
      };
      const list = (): WeakRef<object> => {
        const object = testObject('listed', '2');
        queue.replace([object], '3');
        return new WeakRef(object);
      };
      const references = [write('first'), list()];
      while (queue.size > 0) void queue.tryPop(() => undefined);
      queue.add(testObject('last', '4'));
      for (const reference of references) assert.ok(await isGone(reference));
      assert.equal(queue.size, 1);
    });
  }

  it('from the buffer of a handler', async () => {
    let calls = 0;
    const listener = new ProcessorListener<TestObject>({
      name: 'test',
      handler: { onAdd: () => void (calls += 1) },
      clock: systemClock,
      gracePeriodMs: Infinity,
      onError: (error) => assert.fail(error),
    });
    const tell = (): WeakRef<object> => {
      const object = testObject('told', '1');
      listener.add({ type: 'replay', items: [object] });
      listener.add({ type: 'add', object, isInInitialList: false });
      return new WeakRef(object);
    };
    const reference = tell();
    await listener.idle();
    assert.equal(calls, 2);
    assert.ok(await isGone(reference));
  });
});
