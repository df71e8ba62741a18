import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { ProcessorListener, resyncPeriodFor, SharedProcessor } from './shared-processor.ts';
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
  it('notifies all listeners, and none that was removed', async () => {
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

  it('finds all listeners that are due, not only the first', async () => {
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

  it('adapts periods when the check period changes', () => {
    const processor = new SharedProcessor<TestObject>();
    processor.add(makeListener().listener, 3000, 5000, 0);
    processor.add(makeListener().listener, 0, 0, 0);
    processor.checkPeriodChanged(2000, 100);
    assert.equal(processor.shouldResync(3099), false);
    assert.equal(processor.shouldResync(3100), true);
  });

  it('returns the promise of a listener that must be waited for', () => {
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

describe('SharedProcessor, draining', () => {
  it('schedules nothing if the grace period is Infinity, or nothing is pending', async () => {
    const clock = new VirtualClock();
    const processor = new SharedProcessor<TestObject>();
    const { listener } = makeListener();
    processor.add(listener, 0, 0, 0);
    await processor.drain(1000, clock);
    assert.equal(clock.pending, 0);
    listener.add({ type: 'delete', object: testObject('a', '1') });
    const endless = processor.drain(Infinity, clock);
    assert.equal(clock.pending, 0);
    const limited = processor.drain(1000, clock);
    assert.equal(clock.pending, 1);
    await Promise.all([endless, limited]);
    assert.equal(clock.pending, 0);
  });
});

it('resyncPeriodFor returns the longer of the two periods, and 0 if either is 0', () => {
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
