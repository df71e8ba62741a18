import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import type { Status } from 'client-ts/meta';

import type { FaultOptions } from './fault.ts';
import { setUp } from './test-faults.ts';

describe('Faults', () => {
  it('does not affect requests without faults or that do not match', async () => {
    const { faults, get } = setUp();
    assert.equal(await text((await get()).body), '{"fine":true}');
    faults.add({ match: { resource: 'nodes' }, fault: { kind: 'status', code: 500 } });
    assert.equal((await get()).status, 200);
  });

  it('matches by every part of a request', async () => {
    const { faults, get } = setUp({ identify: () => 'jane' });
    const path = '/apis/apps/v1/namespaces/n/deployments/d/scale';
    const fitting: FaultOptions['match'][] = [
      {},
      { verb: 'get' },
      { verb: ['list', 'get'], group: 'apps', resource: 'deployments' },
      { namespace: 'n', name: 'd', subresource: 'scale' },
      { path },
      { path: /deployments/g },
      { user: 'jane' },
      { where: ({ version }) => version === 'v1' },
    ];
    for (const match of fitting) {
      using rule = faults.add({ match: match ?? {}, fault: { kind: 'status', code: 503 } });
      assert.equal((await get(path)).status, 503, JSON.stringify(match));
      assert.equal((await get(path)).status, 503, 'the second time');
      assert.equal(rule.hits, 2);
    }
    const others: FaultOptions['match'][] = [
      { verb: 'list' },
      { group: '' },
      { resource: ['pods', 'nodes'] },
      { namespace: 'other' },
      { name: '' },
      { subresource: 'status' },
      { path: '/' },
      { path: /^pods/ },
      { user: 'bob' },
      { where: () => false },
    ];
    for (const match of others) {
      using rule = faults.add({ match: match ?? {}, fault: { kind: 'status', code: 503 } });
      assert.equal((await get(path)).status, 200, JSON.stringify(match));
      assert.equal(rule.matched, 0);
    }
  });

  it('matches no user for a request without valid credentials', async () => {
    const { faults, get } = setUp({
      identify: () => {
        throw new Error('401');
      },
    });
    faults.add({ match: { user: 'jane' }, fault: { kind: 'status', code: 503 } });
    assert.equal((await get()).status, 200);
  });

  it('skips `after` requests, then hits `count`', async () => {
    const { faults, get } = setUp();
    const rule = faults.add({ fault: { kind: 'status', code: 500 }, after: 2, count: 3 });
    const statuses: number[] = [];
    for (let round = 0; round < 7; round += 1) statuses.push((await get()).status);
    assert.deepEqual(statuses, [200, 200, 500, 500, 500, 200, 200]);
    assert.deepEqual([rule.matched, rule.hits], [7, 3]);
  });

  it('draws by probability, repeatably with a seed', async () => {
    const draw = async (seed: number): Promise<string> => {
      const { faults, get } = setUp();
      faults.add({ fault: { kind: 'status', code: 500 }, probability: 0.5, seed });
      let drawn = '';
      for (let round = 0; round < 40; round += 1) drawn += (await get()).status === 500 ? 'x' : '.';
      return drawn;
    };
    const first = await draw(1);
    assert.equal(await draw(1), first);
    assert.notEqual(await draw(2), first);
    assert.match(first, /x.*\.|\..*x/);
  });

  it('is removed by dispose, remove and clear', async () => {
    const { faults, get } = setUp();
    const options: FaultOptions = { fault: { kind: 'status', code: 500 } };
    {
      using _ = faults.add(options);
      assert.equal((await get()).status, 500);
    }
    assert.equal((await get()).status, 200);
    faults.add(options).remove();
    assert.equal((await get()).status, 200);
    faults.add(options);
    faults.clear();
    assert.equal((await get()).status, 200);
  });

  it('rejects numbers out of range', () => {
    const { faults } = setUp();
    const fault = { kind: 'status', code: 500 } as const;
    const nonsense: FaultOptions[] = [
      { fault, probability: 1.5 },
      { fault, probability: Number.NaN },
      { fault, count: -1 },
      { fault, after: -1 },
      { fault: { kind: 'latency', ms: -5 } },
      { fault: { kind: 'reset', afterBytes: -1 } },
    ];
    for (const options of nonsense) {
      assert.throws(() => faults.add(options), { code: 'OPTION_INVALID' });
    }
  });
});

describe('latency', () => {
  it("waits on the server's clock, and adds up", async () => {
    const { faults, get, clock, handled } = setUp();
    faults.add({ fault: { kind: 'latency', ms: 100 } });
    faults.add({ fault: { kind: 'latency', ms: [10, 20] } });
    assert.equal((await get()).status, 200);
    assert.equal(clock.waits[0], 100);
    assert.ok((clock.waits[1] ?? 0) >= 10 && (clock.waits[1] ?? 0) < 20);
    assert.equal(handled.length, 1);
  });

  it('ends when the client disconnects', async () => {
    const { faults, get, handled } = setUp();
    faults.add({ fault: { kind: 'latency', ms: 100 } });
    await assert.rejects(get(undefined, AbortSignal.abort(new Error('enough'))), /enough/);
    assert.deepEqual(handled, []);
  });
});

describe('status', () => {
  it('answers instead of the server', async () => {
    const { faults, get, handled } = setUp();
    faults.add({ fault: { kind: 'status', code: 429, retryAfterSeconds: 3 } });
    const response = await get();
    assert.equal(response.headers['retry-after'], '3');
    const status = JSON.parse(await text(response.body)) as Status;
    assert.deepEqual(
      [status.kind, status.code, status.reason, status.details],
      ['Status', 429, 'TooManyRequests', { retryAfterSeconds: 3 }],
    );
    assert.deepEqual(handled, []);
  });

  it('uses the given reason and message', async () => {
    const { faults, get } = setUp();
    faults.add({
      fault: { kind: 'status', code: 418, reason: 'Teapot', message: 'short and stout' },
    });
    const status = JSON.parse(await text((await get()).body)) as Status;
    assert.deepEqual([status.reason, status.message], ['Teapot', 'short and stout']);
  });

  it('can hide the effect of a request', async () => {
    let left = false;
    const { faults, get, handled } = setUp({
      handler: async () => ({
        status: 200,
        headers: {},
        body: {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: true, value: undefined }),
            return: async () => {
              left = true;
              return { done: true, value: undefined };
            },
          }),
        },
      }),
    });
    faults.add({ fault: { kind: 'status', code: 504, takesEffect: true } });
    assert.equal((await get()).status, 504);
    assert.equal(handled.length, 1);
    assert.ok(left);
  });

  it('ends a request, so that later faults do not count it', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'status', code: 500 } });
    const later = faults.add({ fault: { kind: 'status', code: 503 } });
    assert.equal((await get()).status, 500);
    assert.deepEqual([later.matched, later.hits], [0, 0]);
  });
});
