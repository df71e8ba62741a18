import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { ownBytes, TurnBatch } from './turn-batch.ts';

/** A batch whose receiver keeps what it gets. */
function collecting(): { readonly batch: TurnBatch; readonly got: string[] } {
  const got: string[] = [];
  const batch = new TurnBatch((bytes, release) => got.push(String(ownBytes(bytes, release))));
  return { batch, got };
}

describe('TurnBatch', () => {
  it('delivers the bytes of a turn together, and does not keep what it is given', async () => {
    const { batch, got } = collecting();
    const memory = Buffer.from('one');
    batch.add(memory);
    memory.write('two');
    batch.add(memory);
    assert.deepEqual(got, []);
    await nextTurn();
    assert.deepEqual(got, ['onetwo']);
    batch.add(memory);
    await nextTurn();
    assert.deepEqual(got, ['onetwo', 'two']);
  });

  it('delivers 64 KiB immediately, in order with the rest', async () => {
    const { batch, got } = collecting();
    batch.add(Buffer.from('a'));
    batch.add(Buffer.alloc(150_000, 'b'));
    assert.deepEqual(
      got.map(({ length }) => length),
      [65_536, 65_536],
    );
    await nextTurn();
    assert.equal(got.join(''), `a${'b'.repeat(150_000)}`);
  });

  it('uses memory again only after it was released', () => {
    const kept: { readonly bytes: Buffer; readonly release: () => void }[] = [];
    const batch = new TurnBatch((bytes, release) => kept.push({ bytes, release }));
    batch.add(Buffer.from('first'));
    batch.flush();
    batch.add(Buffer.from('other'));
    batch.flush();
    assert.deepEqual(
      kept.map(({ bytes }) => String(bytes)),
      ['first', 'other'],
    );
    kept[0]?.release();
    batch.add(Buffer.from('third'));
    batch.flush();
    assert.equal(String(kept[0]?.bytes), 'third');
    assert.equal(String(kept[1]?.bytes), 'other');
  });

  it('drops what is cleared, and delivers nothing if nothing was added', async () => {
    const { batch, got } = collecting();
    batch.add(Buffer.from('one'));
    batch.clear();
    batch.flush();
    await nextTurn();
    assert.deepEqual(got, []);
  });
});
