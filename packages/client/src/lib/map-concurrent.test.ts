import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from './deferred.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { nextTurn } from './next-turn.ts';

describe('mapConcurrent', () => {
  it('returns results in the order of the items', async () => {
    const gates = [new Deferred(), new Deferred(), new Deferred()];
    const results = mapConcurrent([0, 1, 2], { limit: 3 }, async (item) => {
      await gates[item]?.promise;
      return item * 10;
    });
    for (const gate of gates.toReversed()) gate.resolve();
    assert.deepEqual(await results, [0, 10, 20]);
  });

  it('never exceeds the limit', async () => {
    let underWay = 0;
    let most = 0;
    await mapConcurrent(Array.from({ length: 20 }), { limit: 4 }, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await nextTurn();
      underWay -= 1;
    });
    assert.equal(most, 4);
  });

  it('does nothing for no items', async () => {
    assert.deepEqual(await mapConcurrent([], { limit: 4 }, async (item) => item), []);
  });

  it('aborts the others on a failure and throws it when they have settled', async () => {
    const failure = new Error('no');
    const settled: string[] = [];
    const started: string[] = [];
    const all = mapConcurrent(['fails', 'waits', 'late'], { limit: 2 }, async (item, signal) => {
      started.push(item);
      if (item === 'fails') throw failure;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await nextTurn();
      settled.push(item);
    });
    await assert.rejects(all, failure);
    assert.deepEqual(settled, ['waits']);
    assert.deepEqual(started, ['fails', 'waits'], 'nothing is begun after a failure');
  });

  it("throws the reason of the caller's signal", async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const all = mapConcurrent([1], { limit: 1, signal: stop.signal }, async (_item, signal) => {
      stop.abort(reason);
      signal.throwIfAborted();
    });
    await assert.rejects(all, reason);
    const stopAgain = new AbortController();
    const swallowed = mapConcurrent([1], { limit: 1, signal: stopAgain.signal }, async () => {
      stopAgain.abort(reason);
    });
    await assert.rejects(swallowed, reason);
    const early = mapConcurrent([1], { limit: 1, signal: stop.signal }, () =>
      assert.fail('aborted before it began'),
    );
    await assert.rejects(early, reason);
  });
});
