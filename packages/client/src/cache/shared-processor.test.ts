import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { ProcessorListener } from './shared-processor.ts';
import { resyncPeriodFor, SharedProcessor } from './shared-processor.ts';
import { RecordingHandler } from './test-informer.ts';
import { type TestObject, testObject } from './test-objects.ts';

function makeListener() {
  const handler = new RecordingHandler();
  const listener = new ProcessorListener<TestObject>({
    name: 'test',
    handler,
    clock: new VirtualClock(),
    gracePeriodMs: Infinity,
    onError: assert.ifError,
  });
  return { handler, listener };
}

describe('SharedProcessor', () => {
  it('tells everybody, and nobody who was removed', async () => {
    const processor = new SharedProcessor<TestObject>();
    const first = makeListener();
    const second = makeListener();
    for (const { listener } of [first, second]) processor.add(listener, 0, 0, 0);
    processor.distribute({ type: 'delete', object: testObject('a', '1') });
    processor.remove(second.listener);
    processor.remove(second.listener);
    processor.distribute({ type: 'replay', items: [testObject('b', '2')] });
    processor.upstreamSynced();
    await processor.idle();
    await second.listener.idle();
    assert.deepEqual(first.handler.calls, ['-a@1', '+b@2 first']);
    assert.deepEqual(second.handler.calls, ['-a@1']);
    assert.deepEqual([first.listener.hasSynced, second.listener.hasSynced], [true, false]);
  });

  it('finds all who are due in one go, not only the first', async () => {
    const processor = new SharedProcessor<TestObject>();
    const listeners = [makeListener(), makeListener(), makeListener()];
    for (const [index, period] of [1000, 1000, 3000].entries()) {
      processor.add(
        (listeners[index] as ReturnType<typeof makeListener>).listener,
        period,
        period,
        0,
      );
    }
    assert.equal(processor.shouldResync(999), false);
    assert.equal(processor.shouldResync(1000), true);
    processor.resync([testObject('a', '1')]);
    assert.equal(processor.shouldResync(1500), false);
    processor.resync([testObject('a', '1')]);
    await processor.idle();
    assert.deepEqual(
      listeners.map(({ handler }) => handler.calls.length),
      [1, 1, 0],
    );
  });

  it('derives periods anew when the rhythm changes', () => {
    const processor = new SharedProcessor<TestObject>();
    processor.add(makeListener().listener, 3000, 5000, 0);
    processor.add(makeListener().listener, 0, 0, 0);
    processor.checkPeriodChanged(2000, 100);
    assert.equal(processor.shouldResync(3099), false);
    assert.equal(processor.shouldResync(3100), true);
  });

  it('says who must be waited for', () => {
    const processor = new SharedProcessor<TestObject>();
    assert.equal(processor.room(), undefined);
    const { listener } = makeListener();
    processor.add(listener, 0, 0, 0);
    assert.equal(processor.room(), undefined);
    const room = Promise.resolve();
    listener.room = () => room;
    assert.equal(processor.room(), room);
  });
});

it('resyncPeriodFor takes the slower of the two, and never if one is never', () => {
  assert.deepEqual(
    [
      resyncPeriodFor(0, 1000),
      resyncPeriodFor(1000, 0),
      resyncPeriodFor(500, 1000),
      resyncPeriodFor(1500, 1000),
    ],
    [0, 0, 1000, 1500],
  );
});
