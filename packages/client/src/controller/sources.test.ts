import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { OptionError } from '../lib/option-error.ts';
import { seededRandom } from '../lib/random.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { ControllerError } from './controller-error.ts';
import { ALL_OBJECTS, runSource, type Source, timer } from './sources.ts';

class SourceTest {
  readonly clock = new VirtualClock();
  readonly stop = new AbortController();
  readonly enqueued: string[] = [];
  readonly errors: ControllerError[] = [];

  run(source: Source): Promise<void> {
    return runSource(source, {
      enqueue: (key) => this.enqueued.push(key),
      enqueueAll: () => this.enqueued.push('all'),
      onError: (error) => this.errors.push(error),
      signal: this.stop.signal,
      clock: this.clock,
      random: seededRandom(1),
    });
  }
}

describe('runSource', () => {
  it('enqueues what an iterable yields and resolves at its end', async () => {
    const test = new SourceTest();
    async function* requests(): AsyncGenerator<{ namespace?: string; name: string }> {
      yield { namespace: 'ns', name: 'a' };
      yield { name: 'cluster-wide' };
    }
    await test.run(requests());
    assert.deepEqual(test.enqueued, ['ns/a', 'cluster-wide']);
    assert.deepEqual(test.errors, []);
  });

  it('reports an iterable that fails, which has ended', async () => {
    const test = new SourceTest();
    async function* failing(): AsyncGenerator<{ name: string }> {
      yield { name: 'a' };
      throw new Error('queue is gone');
    }
    await test.run(failing());
    assert.deepEqual(test.enqueued, ['a']);
    assert.equal(test.errors[0]?.code, 'CONTROLLER_SOURCE_FAILED');
    assert.match(test.errors[0]?.message ?? '', /queue is gone/);
    assert.equal(test.clock.pending, 0);
  });

  it('calls a function again, with back-off, when it or its iterable fails', async () => {
    const test = new SourceTest();
    let calls = 0;
    const running = test.run(() => {
      calls += 1;
      if (calls === 1) throw new Error('no connection');
      return (async function* requests() {
        yield { name: `call-${calls}` };
        if (calls === 2) throw new Error('connection lost');
      })();
    });
    await test.clock.advance(0);
    assert.equal(calls, 1);
    await test.clock.advance(1500);
    assert.equal(calls, 2);
    await test.clock.advance(1500);
    assert.equal(calls, 2, 'the second delay is longer than the first');
    await test.clock.advance(1500);
    await running;
    assert.deepEqual(test.enqueued, ['call-2', 'call-3']);
    assert.equal(test.errors.length, 2);
  });

  it('reports a request without a name and closes the iterable', async () => {
    const test = new SourceTest();
    let isClosed = false;
    async function* unnamed(): AsyncGenerator<{ name: string }> {
      try {
        yield { name: '' };
        yield { name: 'never' };
      } finally {
        isClosed = true;
      }
    }
    await test.run(unnamed());
    await nextTurn();
    assert.deepEqual(test.enqueued, []);
    assert.equal(isClosed, true);
    assert.match(test.errors[0]?.message ?? '', /has no name/);
  });

  it('ends at the stop although the source waits, and ignores what it does later', async () => {
    const test = new SourceTest();
    let fail: ((error: Error) => void) | undefined;
    const source: Source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((_resolve, reject) => (fail = reject)),
      }),
    };
    const running = test.run(source);
    test.stop.abort();
    await running;
    fail?.(new Error('too late'));
    await nextTurn();
    assert.deepEqual(test.errors, []);
  });

  it('stops while it waits to start a source again', async () => {
    const test = new SourceTest();
    const running = test.run(() => {
      throw new Error('no connection');
    });
    await test.clock.advance(0);
    test.stop.abort();
    await running;
    assert.equal(test.clock.pending, 0);
  });
});

describe('timer', () => {
  it('asks for all objects at every interval until the stop', async () => {
    const test = new SourceTest();
    const running = test.run(timer(1000));
    await test.clock.advance(999);
    assert.deepEqual(test.enqueued, []);
    await test.clock.advance(2001);
    assert.deepEqual(test.enqueued, ['all', 'all', 'all']);
    test.stop.abort();
    await running;
    assert.equal(test.clock.pending, 0);
    assert.deepEqual(test.errors, []);
  });

  it('asks for the objects that its function returns', async () => {
    const test = new SourceTest();
    const running = test.run(timer(1000, () => [{ name: 'a' }, { namespace: 'ns', name: 'b' }]));
    await test.clock.advance(1000);
    assert.deepEqual(test.enqueued, ['a', 'ns/b']);
    test.stop.abort();
    await running;
  });

  it('can be one of several requests of a source', async () => {
    const test = new SourceTest();
    await test.run(async function* both() {
      yield { name: 'a' };
      yield ALL_OBJECTS;
    });
    assert.deepEqual(test.enqueued, ['a', 'all']);
  });

  for (const everyMs of [0, -1, NaN]) {
    it(`refuses an interval of ${everyMs}`, () => assert.throws(() => timer(everyMs), OptionError));
  }
});
