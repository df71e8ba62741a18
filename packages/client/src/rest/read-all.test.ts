import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readAll } from './read-all.ts';

const MIB = 1024 * 1024;

async function* bodyOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe('readAll', () => {
  it('gives all bytes in one piece', async () => {
    assert.deepEqual(await readAll(bodyOf()), new Uint8Array());
    const one = Buffer.from('one');
    assert.equal(await readAll(bodyOf(one)), one, 'a single chunk is not copied');
    const both = await readAll(bodyOf(one, Buffer.from(' two')));
    assert.equal(Buffer.from(both).toString(), 'one two');
  });

  it('stops when there is more than enough, with what it has', async () => {
    const body = bodyOf(Buffer.alloc(10, 'a'), Buffer.alloc(10, 'b'), Buffer.alloc(10, 'c'));
    assert.equal(Buffer.from(await readAll(body, 15)).toString(), 'a'.repeat(10) + 'b'.repeat(10));
  });

  it('puts a long body together right, and lets others have their turns', async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => Buffer.alloc(MIB, index));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const whole = await readAll(bodyOf(...chunks));
    clearImmediate(timer);
    assert.ok(Buffer.concat(chunks).equals(whole));
    assert.equal(turns, 4);
  });
});
