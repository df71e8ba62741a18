import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';

import { nextTurn } from 'client-ts/internal';

import type { PollableStream } from '../http.ts';
import { pump, type PumpTarget } from './pump.ts';

/** A stream that the test feeds, and which is polled. */
class Feed implements PollableStream {
  readonly results: (Error | IteratorResult<Uint8Array>)[] = [];
  isReturned = false;
  #wake: (() => void) | undefined;

  feed(...texts: readonly string[]): void {
    this.results.push(...texts.map((text) => ({ done: false, value: Buffer.from(text) })));
    this.wake();
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  poll(wake: () => void): IteratorResult<Uint8Array> | undefined {
    const next = this.results.shift();
    if (next instanceof Error) throw next;
    if (next === undefined) this.#wake = wake;
    return next;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    throw new Error('is polled');
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.isReturned = true;
    this.wake();
    return { done: true, value: undefined };
  }

  onEnd(): void {}

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** A sink for two bytes, until the test takes them. */
class Sink extends Writable {
  readonly texts: string[] = [];
  readonly #taken: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 2 });
  }

  override _write(chunk: Buffer, _: BufferEncoding, taken: () => void): void {
    this.texts.push(chunk.toString());
    this.#taken.push(taken);
  }

  take(): void {
    for (let taken = this.#taken.shift(); taken !== undefined; taken = this.#taken.shift()) taken();
  }

  get target(): PumpTarget {
    return { sink: this, write: (chunk, written) => this.write(chunk, written) };
  }
}

describe('pump, of a stream that can be polled', () => {
  it('writes what is ready in the same turn', async () => {
    const feed = new Feed();
    const sink = new Sink();
    feed.feed('a');
    const result = pump(feed, sink.target, new AbortController().signal);
    assert.deepEqual(sink.texts, ['a']);
    sink.take();
    feed.feed('b');
    assert.deepEqual(sink.texts, ['a', 'b']);
    feed.results.push({ done: true, value: undefined });
    feed.wake();
    assert.equal(await result, 'done');
  });

  it('does not ask for more while the sink is full', async () => {
    const feed = new Feed();
    const sink = new Sink();
    const abort = new AbortController();
    const result = pump(feed, sink.target, abort.signal);
    feed.feed('a', 'b', 'c');
    assert.equal(feed.results.length, 1);
    sink.take();
    await nextTurn();
    assert.equal(feed.results.length, 0);
    abort.abort();
    assert.equal(await result, 'stopped');
    assert.ok(feed.isReturned);
  });

  it('rejects with the error of the stream after everything before it is written', async () => {
    const feed = new Feed();
    const sink = new Sink();
    const order: string[] = [];
    const result = pump(feed, sink.target, new AbortController().signal).catch((error: Error) =>
      order.push(error.message),
    );
    feed.results.push({ done: false, value: Buffer.from('a') }, new Error('broken'));
    feed.wake();
    await nextTurn();
    order.push('taken');
    sink.take();
    await result;
    assert.deepEqual(order, ['taken', 'broken']);
  });

  it('rejects with the error of a write, and releases the stream', async () => {
    const feed = new Feed();
    const sink = new Sink();
    let writes = 0;
    const write: PumpTarget['write'] = (chunk, written) => {
      writes += 1;
      if (writes === 2) throw new Error('closed');
      return sink.write(chunk, written);
    };
    const result = pump(feed, { sink, write }, new AbortController().signal);
    const order: string[] = [];
    const failed = result.catch((error: Error) => order.push(error.message));
    feed.feed('a', 'b', 'c');
    assert.ok(feed.isReturned);
    await nextTurn();
    order.push('taken');
    sink.take();
    await failed;
    assert.deepEqual(order, ['taken', 'closed']);
    assert.equal(writes, 2);
  });
});

describe('pump, of any other stream', () => {
  it('rejects with the error of a write, and releases the stream', async () => {
    let isReleased = false;
    const source = (async function* () {
      try {
        yield Buffer.from('a');
      } finally {
        isReleased = true;
      }
    })();
    const write = (): boolean => {
      throw new Error('closed');
    };
    const result = pump(source, { sink: new Sink(), write }, new AbortController().signal);
    await assert.rejects(result, /closed/);
    assert.ok(isReleased);
  });
});
