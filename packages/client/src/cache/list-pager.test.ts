import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ListPager } from './list-pager.ts';
import type { ListAnswer, ListRequest } from './list-watch.ts';
import { failures } from './test-failures.ts';

interface Item {
  readonly id: number;
}

/** Serves `total` items in pages, with failures on demand. */
function makeServer(total: number, failAt: Readonly<Record<string, unknown>> = {}) {
  const requests: ListRequest[] = [];
  const list = async (request: ListRequest): Promise<ListAnswer<Item>> => {
    const { signal: _, ...rest } = request;
    requests.push(rest);
    const from = Number(request.continue ?? 0);
    const failure = failAt[request.continue ?? ''];
    if (failure !== undefined && !(request.limit === undefined && from === 0))
      throw failure as Error;
    const to = Math.min(total, from + (request.limit ?? total));
    const items = Array.from({ length: to - from }, (_, index) => ({ id: from + index }));
    const version = String(100 + requests.length);
    return {
      items,
      metadata: { resourceVersion: version, ...(to < total ? { continue: String(to) } : {}) },
    };
  };
  return { list, requests };
}

const ids = (items: readonly Item[]): number[] => items.map(({ id }) => id);

describe('ListPager', () => {
  it('rejects a list whose continue token repeats', async () => {
    let requests = 0;
    const list = async (): Promise<ListAnswer<Item>> => {
      requests += 1;
      return { items: [{ id: 1 }], metadata: { resourceVersion: '1', continue: 'same' } };
    };
    await assert.rejects(new ListPager({ list }).list(), { code: 'REST_LIST_ENDLESS' });
    assert.equal(requests, 2);
  });

  it('reads lists of every length', async () => {
    for (const total of [0, 1, 9, 10, 11, 20, 25]) {
      const server = makeServer(total);
      const { items, resourceVersion, isPaginated } = await new ListPager(server, {
        pageSize: 10,
      }).list();
      assert.deepEqual(
        ids(items),
        Array.from({ length: total }, (_, index) => index),
      );
      assert.equal(resourceVersion, '101', 'the version of the first page');
      assert.equal(isPaginated, total > 10);
      assert.equal(server.requests.length, Math.max(1, Math.ceil(total / 10)));
    }
  });

  it('requests 500 objects at a time, or everything', async () => {
    const server = makeServer(501);
    await new ListPager(server).list();
    assert.deepEqual(server.requests, [{ limit: 500 }, { limit: 500, continue: '500' }]);
    const whole = makeServer(501);
    await new ListPager(whole, { pageSize: 0 }).list();
    assert.deepEqual(whole.requests, [{}]);
  });

  it('requests a version with the first page only', async () => {
    const server = makeServer(15);
    await new ListPager(server, { pageSize: 10 }).list({
      resourceVersion: '7',
      resourceVersionMatch: 'NotOlderThan',
    });
    assert.deepEqual(server.requests, [
      { resourceVersion: '7', resourceVersionMatch: 'NotOlderThan', limit: 10 },
      { limit: 10, continue: '10' },
    ]);
  });

  it('lists everything in one request when a later page has expired', async () => {
    const server = makeServer(25, { 20: failures.expired });
    const answer = await new ListPager(server, { pageSize: 10 }).list({ resourceVersion: '7' });
    assert.equal(answer.items.length, 25);
    assert.equal(answer.resourceVersion, '104');
    assert.equal(answer.isPaginated, true);
    assert.deepEqual(server.requests.at(-1), { resourceVersion: '7' });
  });

  it('rejects without fullListIfExpired, and if the first page has expired', async () => {
    const later = makeServer(25, { 10: failures.expired });
    const strict = new ListPager(later, { pageSize: 10, fullListIfExpired: false });
    await assert.rejects(strict.list(), (error) => error === failures.expired);
    const first = makeServer(25, { '': failures.expired });
    await assert.rejects(new ListPager(first).list(), (error) => error === failures.expired);
    const other = makeServer(25, { 10: failures.internal });
    await assert.rejects(
      new ListPager(other, { pageSize: 10 }).list(),
      (error) => error === failures.internal,
    );
  });

  it('stops between pages', async () => {
    const stop = new AbortController();
    const server = makeServer(25);
    const pager = new ListPager<Item>(
      {
        list: (request) => {
          stop.abort(new Error('enough'));
          return server.list(request);
        },
      },
      { pageSize: 10 },
    );
    await assert.rejects(pager.list({ signal: stop.signal }), /enough/);
    assert.equal(server.requests.length, 1);
  });

  it('rejects an answer that is not a list', async () => {
    const table = { kind: 'Table', rows: [] } as unknown as ListAnswer<Item>;
    const pager = new ListPager<Item>({ list: async () => table });
    await assert.rejects(pager.list(), { code: 'CACHE_LIST_INVALID', message: /Table/ });
  });
});
