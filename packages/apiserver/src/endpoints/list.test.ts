import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Answer, TestServer } from '../testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

async function given(server: TestServer, ...names: string[]): Promise<void> {
  for (const name of names) {
    await server.given('post', MAPS, { metadata: { name, labels: { name } } });
  }
}

function names({ body }: Answer): string[] {
  return (body.items ?? []).map(({ metadata }) => metadata.name ?? '');
}

function cause({ body }: Answer): string | undefined {
  return body.details?.causes?.[0]?.reason;
}

describe('a list', () => {
  it('is sorted by key and has the version of the whole store', async () => {
    using server = new TestServer();
    await given(server, 'b', 'a');
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'default-2' } });
    const other = '/api/v1/namespaces/default-2/configmaps';
    await server.given('post', other, { metadata: { name: 'c' } });
    const all = await server.get('/api/v1/configmaps');
    // A dash sorts before the slash that ends the name of a namespace.
    assert.deepEqual(names(all), ['c', 'a', 'b']);
    assert.equal(all.body.metadata.resourceVersion, String(server.revision));
    assert.equal(all.body.kind, 'ConfigMapList');
    assert.ok(all.body.items?.every(({ kind, apiVersion }) => !kind && !apiVersion));
    assert.deepEqual((await server.get(`${other}?limit=5`)).body.metadata, {
      resourceVersion: String(server.revision),
    });
  });

  it('has an empty list of items if there are none', async () => {
    using server = new TestServer();
    assert.deepEqual((await server.get(MAPS)).body.items, []);
    assert.deepEqual(names(await server.get(`${MAPS}?labelSelector=a%3Db`)), []);
  });

  it('is filtered by labels and fields', async () => {
    using server = new TestServer();
    await given(server, 'a', 'b', 'c');
    assert.deepEqual(names(await server.get(`${MAPS}?labelSelector=name+in+(a,c)`)), ['a', 'c']);
    assert.deepEqual(names(await server.get(`${MAPS}?fieldSelector=metadata.name!%3Db`)), [
      'a',
      'c',
    ]);
    const both = `${MAPS}?labelSelector=name!%3Da&fieldSelector=metadata.namespace%3Ddefault`;
    assert.deepEqual(names(await server.get(both)), ['b', 'c']);
    const unknown = await server.get(`${MAPS}?fieldSelector=spec.x%3Dy`);
    assert.equal(unknown.status, 400);
  });
});

describe('pages', () => {
  it('belong to one snapshot, whatever is written meanwhile', async () => {
    using server = new TestServer();
    await given(server, 'a', 'b', 'c', 'd', 'e');
    const first = await server.get(`${MAPS}?limit=2`);
    const { metadata } = first.body;
    assert.deepEqual(names(first), ['a', 'b']);
    assert.equal(metadata.remainingItemCount, 3);

    await server.delete(`${MAPS}/c`);
    await server.patch('merge', `${MAPS}/d`, { data: { changed: 'yes' } });
    await given(server, 'bb', 'f');
    const next = (token: string | undefined): Promise<Answer> =>
      server.get(`${MAPS}?limit=2&continue=${token}`);
    const second = await next(metadata.continue);
    assert.deepEqual(names(second), ['c', 'd']);
    assert.equal(second.body.items?.[1]?.['data'], undefined);
    assert.equal(second.body.metadata.resourceVersion, metadata.resourceVersion);
    assert.equal(second.body.metadata.remainingItemCount, 1);
    const third = await next(second.body.metadata.continue);
    assert.deepEqual(names(third), ['e']);
    assert.deepEqual(third.body.metadata, { resourceVersion: metadata.resourceVersion });
  });

  it('can be filtered by a selector, without a count of the rest', async () => {
    using server = new TestServer();
    await given(server, 'a', 'b', 'c', 'd');
    const path = `${MAPS}?limit=1&labelSelector=name+in+(b,d)`;
    const first = await server.get(path);
    assert.deepEqual(names(first), ['b']);
    assert.equal(first.body.metadata.remainingItemCount, undefined);
    const second = await server.get(`${path}&continue=${first.body.metadata.continue}`);
    assert.deepEqual(names(second), ['d']);
    assert.equal(second.body.metadata.continue, undefined);
  });

  it('expire with their snapshot, with a token to continue inconsistently', async () => {
    using server = new TestServer();
    await given(server, 'a', 'b', 'c');
    const first = await server.get(`${MAPS}?limit=1`);
    await server.delete(`${MAPS}/b`);
    await given(server, 'd');
    server.backend.core.store.compact();
    const expired = await server.get(`${MAPS}?limit=1&continue=${first.body.metadata.continue}`);
    assert.equal(expired.status, 410);
    assert.equal(expired.body.reason, 'Expired');
    const token = expired.body.metadata.continue;
    const rest = await server.get(`${MAPS}?limit=5&continue=${token}`);
    assert.deepEqual(names(rest), ['c', 'd']);
    assert.equal(rest.body.metadata.resourceVersion, String(server.revision));
  });

  it('cannot be combined with a version', async () => {
    using server = new TestServer();
    await given(server, 'a', 'b');
    const { body } = await server.get(`${MAPS}?limit=1`);
    const path = `${MAPS}?limit=1&continue=${body.metadata.continue}`;
    const refused = await server.get(`${path}&resourceVersion=${server.revision}`);
    assert.equal(refused.status, 400);
    assert.deepEqual(names(await server.get(`${path}&resourceVersion=0`)), ['b']);
  });
});

describe('the version of a list', () => {
  async function withHistory(): Promise<{ server: TestServer; old: number }> {
    const server = new TestServer();
    await given(server, 'a');
    const old = server.revision;
    await given(server, 'b');
    return { server, old };
  }

  for (const [query, expected] of [
    ['', ['a', 'b']],
    ['resourceVersion=0', ['a', 'b']],
    ['resourceVersion=0&limit=1', ['a', 'b']],
    ['resourceVersion=OLD', ['a', 'b']],
    ['resourceVersion=OLD&resourceVersionMatch=NotOlderThan', ['a', 'b']],
    ['resourceVersion=OLD&resourceVersionMatch=NotOlderThan&limit=1', ['a']],
    ['resourceVersion=OLD&resourceVersionMatch=Exact', ['a']],
    // A limit with a version, without a match, means exactly that version.
    ['resourceVersion=OLD&limit=5', ['a']],
    ['resourceVersion=NOW&resourceVersionMatch=Exact', ['a', 'b']],
  ] as const) {
    it(`${query} returns ${expected.join()}`, async () => {
      const { server, old } = await withHistory();
      using _ = server;
      const concrete = query.replace('OLD', String(old)).replace('NOW', String(server.revision));
      assert.deepEqual(names(await server.get(`${MAPS}?${concrete}`)), expected);
    });
  }

  it('fails with 410 if it is compacted', async () => {
    const { server, old } = await withHistory();
    using _ = server;
    server.backend.core.store.compact();
    const query = `resourceVersion=${old}&resourceVersionMatch`;
    assert.equal((await server.get(`${MAPS}?${query}=Exact`)).status, 410);
    assert.equal((await server.get(`${MAPS}?${query}=NotOlderThan`)).status, 200);
  });

  it('is awaited for at most three seconds', async () => {
    const { server } = await withHistory();
    using _ = server;
    for (const path of [MAPS, `${MAPS}/a`]) {
      const future = `${path}?resourceVersion=${server.revision + 1}`;
      const answer = server.get(future);
      await server.clock.advance(2999);
      // Any write counts: all resources share one counter.
      await server.given('post', '/api/v1/namespaces', { metadata: { generateName: 'n-' } });
      assert.equal((await answer).status, 200);
      await server.settle();

      const late = server.get(`${path}?resourceVersion=${server.revision + 1}`);
      await server.clock.advance(3000);
      const refused = await late;
      assert.equal(refused.status, 504);
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal(cause(refused), 'ResourceVersionTooLarge');
      assert.equal(
        refused.body.message,
        `Timeout: Too large resource version: ${server.revision + 1}, current: ${server.revision}`,
      );
    }
    assert.equal(server.clock.pending, 0);
  });

  it('is not awaited for resources without a watch cache', async () => {
    using server = new TestServer();
    const path = `/api/v1/namespaces/default/events?resourceVersion=${server.revision + 1}`;
    const refused = await server.get(path);
    assert.equal(refused.status, 504);
    assert.equal(refused.headers['retry-after'], undefined);
  });

  it('leaves nothing behind when the client disconnects', async () => {
    using server = new TestServer();
    await server.settle();
    const abort = new AbortController();
    const future = `${MAPS}?resourceVersion=${server.revision + 1}`;
    const answer = server.get(future, { signal: abort.signal });
    await server.settle();
    assert.equal(server.clock.pending, 1);
    abort.abort();
    await assert.rejects(answer);
    assert.equal(server.clock.pending, 0);
  });
});

describe('a large list', () => {
  it('is sent in chunks, with turns for other requests in between', async () => {
    using server = new TestServer();
    const data = { text: 'x'.repeat(100_000) };
    for (let index = 0; index < 20; index += 1) {
      await server.given('post', MAPS, { metadata: { name: `m-${index}` }, data });
    }
    const { body } = await server.open(MAPS);
    const chunks: Buffer[] = [];
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    count();
    for await (const chunk of body) chunks.push(Buffer.from(chunk));
    isDone = true;
    assert.ok(chunks.length >= 4, `${chunks.length} chunks`);
    assert.ok(turns > 1, `${turns} turns`);
    const list = JSON.parse(Buffer.concat(chunks).toString()) as { items: unknown[] };
    assert.equal(list.items.length, 20);
    // The same bytes as for a client that reads without pauses.
    const { text } = await server.get(MAPS);
    assert.equal(Buffer.concat(chunks).toString(), text);
  });
});
