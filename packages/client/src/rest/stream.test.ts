import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';

import { Deferred } from '../lib/deferred.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Stream } from './stream.ts';

/** A source that yields numbers, then waits for its signal; it logs what happens to it. */
function numbers(count: number) {
  const log: string[] = [];
  const open = async (signal: AbortSignal): Promise<AsyncIterable<number>> => {
    log.push('open');
    return (async function* () {
      try {
        for (let number = 1; number <= count; number += 1) {
          log.push(`give ${number}`);
          yield number;
        }
        const aborted = new Deferred<never>();
        signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
        if (signal.aborted) throw signal.reason;
        await aborted.promise;
      } finally {
        log.push('free');
      }
    })();
  };
  return { log, open };
}

describe('Stream', () => {
  it('requests nothing before it is read, and then one item at a time', async () => {
    const { log, open } = numbers(3);
    const stream = new Stream(open);
    assert.deepEqual(log, []);
    assert.deepEqual(await stream.next(), { done: false, value: 1 });
    assert.deepEqual(log, ['open', 'give 1']);
    await stream.return();
    assert.deepEqual(log, ['open', 'give 1', 'free']);
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
  });

  it('closes its source when the loop ends early', async () => {
    const { log, open } = numbers(3);
    for await (const number of new Stream(open)) if (number === 2) break;
    assert.equal(log.at(-1), 'free');
  });

  it('frees its source when it is disposed, also during a pending read', async () => {
    const { log, open } = numbers(0);
    let waiting: Promise<unknown>;
    {
      await using stream = new Stream(open);
      waiting = stream.next();
      await stream.open();
    }
    assert.deepEqual(await waiting, { done: true, value: undefined });
    assert.deepEqual(log, ['open', 'free']);
  });

  it('ends without an error on abort', async () => {
    const { log, open } = numbers(1);
    const stop = new AbortController();
    const seen: number[] = [];
    for await (const number of new Stream(open, { signal: stop.signal })) {
      seen.push(number);
      stop.abort();
    }
    assert.deepEqual(seen, [1]);
    assert.equal(log.at(-1), 'free');
  });

  it('does not open under an aborted signal', async () => {
    const { log, open } = numbers(1);
    const stream = new Stream(open, { signal: AbortSignal.abort() });
    await stream.open();
    for await (const _number of stream) assert.fail('an item');
    assert.deepEqual(log, []);
  });

  it('ends on abort while it opens', async () => {
    const stop = new AbortController();
    const { signal } = stop;
    const abortWhileOpening = async (streamSignal: AbortSignal): Promise<never> => {
      stop.abort(new Error('enough'));
      throw streamSignal.reason;
    };
    const stream = new Stream<number>(abortWhileOpening, { signal });
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
    await new Stream<number>(() => Promise.reject(new Error('opened')), { signal }).open();
  });

  it('rejects open and next if it cannot be opened', async () => {
    const stream = new Stream<number>(() => Promise.reject(new Error('refused')));
    await assert.rejects(stream.open(), /refused/);
    await assert.rejects(stream.next(), /refused/);
    await stream.return();
  });

  it('throws errors of its source', async () => {
    const stream = new Stream(async () =>
      (async function* () {
        yield 1;
        throw new Error('broken');
      })(),
    );
    await stream.next();
    await assert.rejects(stream.next(), /broken/);
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
  });

  it('keeps items in order for concurrent reads', async () => {
    const { open } = numbers(3);
    const stream = new Stream(open);
    const results = await Promise.all([stream.next(), stream.next(), stream.next()]);
    assert.deepEqual(
      results.map(({ value }) => value),
      [1, 2, 3],
    );
    await stream.return();
  });

  it('leaves no listeners on a long-lived signal', async () => {
    const stop = new AbortController();
    const count = (): number => getEventListeners(stop.signal, 'abort').length;
    const idle = new Stream(numbers(1).open, { signal: stop.signal });
    assert.equal(count(), 0);
    await idle.return();
    for await (const _number of new Stream(numbers(2).open, { signal: stop.signal })) break;
    assert.equal(count(), 0);
    async function* one(): AsyncGenerator<number> {
      yield 1;
    }
    const ended = new Stream(one, { signal: stop.signal });
    await ended.next();
    assert.equal(count(), 1);
    await ended.next();
    assert.equal(count(), 0);
    const refused = new Stream(() => Promise.reject(new Error('no')), { signal: stop.signal });
    await assert.rejects(refused.next());
    assert.equal(count(), 0);
  });

  it('returns only what has arrived, without waiting', async () => {
    const arrived = [1, 2];
    const items = {
      next: async () => ({ done: false as const, value: 3 }),
      ready: () => arrived.shift(),
      [Symbol.asyncIterator]: () => items,
    };
    const stream = new Stream<number>(async () => items);
    assert.equal(stream.ready(), undefined, 'nothing has been asked for');
    await stream.open();
    assert.deepEqual([stream.ready(), stream.ready(), stream.ready()], [1, 2, undefined]);
    assert.deepEqual(await stream.next(), { done: false, value: 3 });
    arrived.push(4);
    await stream.return();
    assert.equal(stream.ready(), undefined, 'nothing is wanted any more');
  });

  it('announces that something may have arrived only while it can be read', async () => {
    const arrival = Promise.resolve();
    const items = {
      next: () => new Promise<IteratorResult<number>>(() => undefined),
      arrival: () => arrival,
      [Symbol.asyncIterator]: () => items,
    };
    const stream = new Stream<number>(async () => items);
    assert.equal(stream.arrival(), undefined, 'it is not open');
    await stream.open();
    assert.equal(stream.arrival(), arrival);
    void stream.next();
    assert.equal(stream.arrival(), undefined, 'a call of next waits');
    await stream.close();
    assert.equal(stream.arrival(), undefined, 'it is closed');
  });

  it('returns nothing from ready if its source has no ready', async () => {
    const stream = new Stream(numbers(1).open);
    await stream.open();
    assert.equal(stream.ready(), undefined);
    assert.deepEqual(await stream.next(), { done: false, value: 1 });
    await stream.return();
  });

  it('ignores errors of its source after the reader has stopped', async () => {
    const items = {
      next: async () => ({ done: false, value: 1 }),
      return: () => Promise.reject(new Error('in the end')),
      [Symbol.asyncIterator]: () => items,
    };
    const stream = new Stream<number>(async () => items);
    await stream.next();
    assert.deepEqual(await stream.return(), { done: true, value: undefined });
  });

  it('ends with the error of its deadline, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const deadline = { clock, timeoutMs: 1000, reason: () => new Error('too late') };
    const stream = new Stream(numbers(1).open, { deadline });
    assert.equal(clock.pending, 0, 'the deadline starts with the request');
    await stream.next();
    const pending = assert.rejects(stream.next(), /too late/);
    await clock.advance(1000);
    await pending;
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
    const closed = new Stream(numbers(1).open, { deadline });
    await closed.open();
    await closed.close();
    assert.equal(clock.pending, 0);
  });

  it('throws an error from ready on the following next, then ends', async () => {
    const log: string[] = [];
    const items = {
      next: async () => ({ done: false as const, value: 1 }),
      ready: () => {
        throw new Error('damaged');
      },
      return: async () => {
        log.push('free');
        return { done: true as const, value: undefined };
      },
      [Symbol.asyncIterator]: () => items,
    };
    const stream = new Stream<number>(() => items, {
      translateError: (cause) => new Error('GET /x', { cause }),
    });
    await stream.next();
    assert.equal(stream.ready(), undefined);
    await assert.rejects(stream.next(), { message: 'GET /x' });
    assert.deepEqual(log, ['free']);
    assert.equal(stream.ready(), undefined);
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
  });

  it('returns nothing from ready while a call of next is waiting', async () => {
    const first = new Deferred<IteratorResult<number>>();
    const items = {
      next: () => first.promise,
      ready: () => 2,
      [Symbol.asyncIterator]: () => items,
    };
    const stream = new Stream<number>(() => items);
    await stream.open();
    const waiting = stream.next();
    assert.equal(stream.ready(), undefined);
    first.resolve({ done: false, value: 1 });
    assert.deepEqual(await waiting, { done: false, value: 1 });
    assert.equal(stream.ready(), 2);
  });

  it('maps items, those that are ready included, and closes its source', async () => {
    const { log, open } = numbers(2);
    const doubled = new Stream(open).map((number) => number * 2);
    assert.deepEqual(await doubled.next(), { done: false, value: 2 });
    await doubled.close();
    assert.equal(log.at(-1), 'free');
    const arrived = [1, 2];
    const items = {
      next: async () => ({ done: true as const, value: undefined }),
      ready: () => arrived.shift(),
      [Symbol.asyncIterator]: () => items,
    };
    const ready = new Stream<number>(() => items).map((number) => {
      if (number === 2) throw new Error('no 2');
      return String(number);
    });
    await ready.open();
    assert.equal(ready.ready(), '1');
    assert.equal(ready.ready(), undefined);
    await assert.rejects(ready.next(), /no 2/);
  });

  it('closes a mapped stream that is still opening', async () => {
    const source = new Stream<number>(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const mapped = source.map(String);
    const waiting = mapped.next();
    await mapped.close();
    assert.deepEqual(await waiting, { done: true, value: undefined });
    assert.equal(source.isClosed, true);
  });
});
