import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { parallelizeUntil } from './parallelize.ts';

describe('parallelizeUntil', () => {
  for (const { pieces, workers, chunkSize } of [
    { pieces: 1000, workers: 10, chunkSize: 1 },
    { pieces: 1000, workers: 10, chunkSize: 10 },
    { pieces: 1000, workers: 10, chunkSize: 100 },
    { pieces: 1000, workers: 10, chunkSize: 999 },
    { pieces: 999, workers: 10, chunkSize: 13 },
    { pieces: 3, workers: 10, chunkSize: 0 },
    { pieces: 0, workers: 10, chunkSize: 1 },
  ]) {
    it(`runs each of ${pieces} pieces once: ${workers} workers, chunks of ${chunkSize}`, async () => {
      const seen = Array.from({ length: pieces }, () => 0);
      await parallelizeUntil({ workers, pieces, chunkSize }, async (piece) => {
        seen[piece] = (seen[piece] ?? 0) + 1;
        if (piece % 50 === 0) await nextTurn();
      });
      assert.equal(seen.length, pieces);
      assert.ok(seen.every((count) => count === 1));
    });
  }

  it('runs one piece per worker at a time', async () => {
    let inProgress = 0;
    let most = 0;
    await parallelizeUntil({ workers: 3, pieces: 20 }, async () => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      await nextTurn();
      inProgress -= 1;
    });
    assert.equal(most, 3);
  });

  it('runs the pieces of a chunk in one worker, in order', async () => {
    const order: number[] = [];
    await parallelizeUntil({ workers: 2, pieces: 6, chunkSize: 3 }, async (piece) => {
      order.push(piece);
      await nextTurn();
    });
    assert.deepEqual(order, [0, 3, 1, 4, 2, 5]);
  });

  it('starts no piece after an abort, waits for those in progress and does not reject', async () => {
    const stop = new AbortController();
    const begun: number[] = [];
    const ended: number[] = [];
    const options = { workers: 2, pieces: 100, chunkSize: 10, signal: stop.signal };
    await parallelizeUntil(options, async (piece) => {
      begun.push(piece);
      if (piece === 1) stop.abort();
      await nextTurn();
      ended.push(piece);
    });
    assert.deepEqual(begun, [0, 10, 1, 11].slice(0, begun.length));
    assert.ok(begun.length <= 4);
    assert.deepEqual(ended, begun);
  });

  it('does nothing with an aborted signal', async () => {
    const options = { workers: 2, pieces: 2, signal: AbortSignal.abort() };
    await parallelizeUntil(options, () => assert.fail('no piece may begin'));
    assert.ok(options.signal.aborted);
  });

  it('starts no piece after a failure, waits for those in progress and rejects with the first error', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = parallelizeUntil({ workers: 3, pieces: 100 }, async (piece) => {
      begun.push(piece);
      await nextTurn();
      if (piece === 0) throw new Error('piece 0');
      await nextTurn();
      ended.push(piece);
      if (piece === 1) throw new Error('piece 1');
    });
    await assert.rejects(work, /piece 0/);
    assert.deepEqual(begun, [0, 1, 2]);
    assert.deepEqual(ended, [1, 2]);
  });

  it('treats a synchronous throw as a rejection', async () => {
    const work = parallelizeUntil({ workers: 1, pieces: 2 }, (piece) => {
      throw new Error(`piece ${piece}`);
    });
    await assert.rejects(work, /piece 0/);
  });
});
