import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readAll } from './engine.ts';

const MIB = 1024 * 1024;
const noLimit = { maxBytes: Infinity };

async function* bodyOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe('readAll', () => {
  it('returns all bytes in one array', async () => {
    assert.deepEqual(await readAll(bodyOf(), noLimit), new Uint8Array());
    const one = Buffer.from('one');
    assert.equal(await readAll(bodyOf(one), noLimit), one, 'a single chunk is not copied');
    const both = await readAll(bodyOf(one, Buffer.from(' two')), noLimit);
    assert.equal(Buffer.from(both).toString(), 'one two');
  });

  it('takes what has arrived without a promise', async () => {
    const arrived = [Buffer.from('one'), Buffer.from(' two')];
    let calls = 0;
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      calls += 1;
      return calls === 1
        ? { done: false, value: Buffer.from(' three') }
        : { done: true, value: undefined };
    };
    const body = { [Symbol.asyncIterator]: () => ({ ready: () => arrived.shift(), next }) };
    const all = await readAll(body, noLimit);
    assert.equal(Buffer.from(all).toString(), 'one two three');
    assert.equal(calls, 2);
  });

  it('stops reading beyond the limit, and returns what it has', async () => {
    const body = bodyOf(Buffer.alloc(10, 'a'), Buffer.alloc(10, 'b'), Buffer.alloc(10, 'c'));
    const read = await readAll(body, { maxBytes: 15 });
    assert.equal(Buffer.from(read).toString(), 'a'.repeat(10) + 'b'.repeat(10));
  });

  it('accepts a body of exactly the limit, and rejects a longer one', async () => {
    const limit = { maxBytes: 20, tooLarge: () => new Error('too large') };
    const whole = await readAll(bodyOf(Buffer.alloc(10), Buffer.alloc(10)), limit);
    assert.equal(whole.length, 20);
    let isLeft = false;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.alloc(7);
      } finally {
        isLeft = true;
      }
    };
    await assert.rejects(readAll(endless(), limit), /too large/);
    assert.ok(isLeft);
  });

  it('assembles a long body without blocking the event loop', async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => Buffer.alloc(MIB, index));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const whole = await readAll(bodyOf(...chunks), noLimit);
    clearImmediate(timer);
    assert.ok(Buffer.concat(chunks).equals(whole));
    assert.equal(turns, 4);
  });
});
