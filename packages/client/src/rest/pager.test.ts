import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { ApiError } from '../meta/api-error.ts';
import { newGone, newResourceExpired } from '../meta/error-factories.ts';
import type { ResourceList } from './object-types.ts';
import type { ListOptions } from './options.ts';
import { type ListPage, PagedList } from './pager.ts';

/** Serves the numbers from 1 to `count` in pages; the token is the last number of the previous page. */
function server(
  count: number,
  refuse: (options: ListOptions) => Error | undefined = () => undefined,
) {
  const requests: ListOptions[] = [];
  const list: ListPage<number> = async (options) => {
    requests.push(options);
    const error = refuse(options);
    if (error !== undefined) throw error;
    const { limit = Infinity } = options;
    const after = Number((options.continue ?? '0').replace('late:', ''));
    const last = Math.min(count, after + limit);
    const items = Array.from({ length: last - after }, (_, index) => after + index + 1);
    const more = last < count ? { continue: String(last), remainingItemCount: count - last } : {};
    return { ...emptyList, metadata: { resourceVersion: `1${after}`, ...more }, items };
  };
  return { requests, list };
}

const emptyList: Omit<ResourceList<number>, 'items' | 'metadata'> = {
  apiVersion: 'v1',
  kind: 'List',
};

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const tooOld = newResourceExpired('too old');

describe('PagedList', () => {
  it('rejects a list whose continue tokens form a cycle', async () => {
    for (const read of [collect, (paged: PagedList<number>) => paged.toList()]) {
      let requests = 0;
      const paged = new PagedList<number>(async () => {
        requests += 1;
        const metadata = { resourceVersion: '1', continue: `token ${requests % 2}` };
        return { ...emptyList, metadata, items: [requests] };
      }, {});
      await assert.rejects(read(paged), { name: 'RestError', code: 'REST_LIST_ENDLESS' });
      assert.ok(requests < 10, `${requests} requests`);
    }
  });

  it('yields every item once, in order, for every page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 50 }), async (count, pageSize) => {
        const everything = Array.from({ length: count }, (_, index) => index + 1);
        const paged = new PagedList(server(count).list, { pageSize });
        assert.deepEqual(await collect(paged), everything);
        const list = await paged.toList();
        assert.deepEqual(list, {
          ...emptyList,
          metadata: { resourceVersion: '10' },
          items: everything,
        });
      }),
    );
  });

  it('requests pages of 500, each only when it is needed', async () => {
    const { requests, list } = server(2000);
    const paged = new PagedList(list, {});
    assert.equal(requests.length, 0);
    for await (const item of paged) if (item === 501) break;
    assert.deepEqual(
      requests.map(({ limit }) => limit),
      [500, 500],
    );
  });

  it('requests everything without a limit if pageSize is 0', async () => {
    const { requests, list } = server(501);
    const { items } = await new PagedList(list, { pageSize: 0 }).toList();
    assert.equal(items.length, 501);
    assert.deepEqual(requests, [{}]);
  });

  it('makes no further request after an abort', async () => {
    const stop = new AbortController();
    const { requests, list } = server(25);
    const stopping: ListPage<number> = (options) => {
      stop.abort(new Error('enough'));
      return list(options);
    };
    const paged = new PagedList(stopping, { pageSize: 10, signal: stop.signal });
    await assert.rejects(paged.toList(), /enough/);
    assert.equal(requests.length, 1);
  });

  it('lists everything in one request when a server answers 410 Gone', async () => {
    const gone = newGone('gone');
    const refuse = (options: ListOptions) => (options.continue === undefined ? undefined : gone);
    const { requests, list } = server(25, refuse);
    const { items } = await new PagedList(list, { pageSize: 10 }).toList();
    assert.equal(items.length, 25);
    assert.deepEqual(requests.at(-1), {});
  });

  it('starts again with every loop', async () => {
    const paged = new PagedList(server(3).list, { pageSize: 2 });
    assert.deepEqual(await collect(paged), [1, 2, 3]);
    assert.deepEqual(await collect(paged), [1, 2, 3]);
  });

  it('sends the version with the first page only, and all other options with every page', async () => {
    const options = { resourceVersion: '7', resourceVersionMatch: 'Exact', labelSelector: 'a=b' };
    for (const read of [collect, (paged: PagedList<number>) => paged.toList()]) {
      const { requests, list } = server(5);
      await read(new PagedList(list, { ...options, pageSize: 2 }));
      assert.deepEqual(requests, [
        { ...options, limit: 2 },
        { labelSelector: 'a=b', limit: 2, continue: '2' },
        { labelSelector: 'a=b', limit: 2, continue: '4' },
      ]);
    }
  });

  it('continues from the same position when a page has expired', async () => {
    const withToken = newResourceExpired('too old', 'late:2');
    const { requests, list } = server(5, (page) => (page.continue === '2' ? withToken : undefined));
    assert.deepEqual(await collect(new PagedList(list, { pageSize: 2 })), [1, 2, 3, 4, 5]);
    assert.deepEqual(
      requests.map((page) => page.continue),
      [undefined, '2', 'late:2', '4'],
    );
  });

  it('rejects when it cannot continue', async () => {
    const { list } = server(5, (page) => (page.continue === '2' ? tooOld : undefined));
    const seen: number[] = [];
    await assert.rejects(
      async () => {
        for await (const item of new PagedList(list, { pageSize: 2 })) seen.push(item);
      },
      { code: 'API_EXPIRED' },
    );
    assert.deepEqual(seen, [1, 2]);
  });

  it('uses the token of an Expired status only', async () => {
    const { status } = newResourceExpired('odd', 'late:2');
    const odd = new ApiError({ ...status, reason: 'InternalError', code: 500 });
    const { list } = server(5, (page) => (page.continue === '2' ? odd : undefined));
    await assert.rejects(collect(new PagedList(list, { pageSize: 2 })), odd);
  });

  it('repeats the request without pages when a token of a whole list has expired', async () => {
    const { requests, list } = server(5, (page) => (page.continue === '4' ? tooOld : undefined));
    const paged = new PagedList(list, { pageSize: 2, resourceVersion: '7' });
    assert.deepEqual((await paged.toList()).items, [1, 2, 3, 4, 5]);
    assert.deepEqual(requests.at(-1), { resourceVersion: '7' });
  });

  it('does not retry a failure of the first page, or one for another reason', async () => {
    for (const [refused, error] of [
      [undefined, tooOld],
      ['2', new Error('broken')],
    ] as const) {
      const { requests, list } = server(5, (page) =>
        page.continue === refused ? error : undefined,
      );
      await assert.rejects(new PagedList(list, { pageSize: 2 }).toList(), error);
      assert.equal(requests.at(-1)?.continue, refused);
      await assert.rejects(collect(new PagedList(list, { pageSize: 2 })), error);
    }
  });

  it('yields pages too', async () => {
    const pages = await collect(new PagedList(server(3).list, { pageSize: 2 }).pages());
    assert.deepEqual(
      pages.map(({ items }) => items),
      [[1, 2], [3]],
    );
  });
});
