import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { DiscoveryClient } from './discovery-client.ts';
import type { ServerResources } from './discovery-interface.ts';
import { TestDiscoveryServer } from './test-discovery-server.ts';
import { resource } from './test-resources.ts';

const served = {
  v1: [resource('pods'), resource('nodes', { namespaced: false })],
  'apps/v1': [resource('deployments')],
  'apps/v1beta1': [resource('deployments'), resource('legacies')],
};

const legacyOnly = { aggregates: { api: false, apis: false } };

function names({ resources }: ServerResources): Record<string, string[]> {
  return Object.fromEntries(
    resources.map((list) => [list.groupVersion, list.resources.map(({ name }) => name)]),
  );
}

const everything = {
  v1: ['pods', 'nodes'],
  'apps/v1': ['deployments'],
  'apps/v1beta1': ['deployments', 'legacies'],
};

describe('DiscoveryClient', () => {
  it('learns everything from two aggregated answers', async () => {
    const server = new TestDiscoveryServer(served);
    const found = await new DiscoveryClient(server.rest).serverResources();
    assert.deepEqual(names(found), everything);
    assert.deepEqual(
      found.groups.map(({ name }) => name),
      ['', 'apps'],
    );
    assert.equal(found.failures.size, 0);
    const [api, apis] = server.transport.requests;
    assert.equal(api?.path, '/api?timeout=32s');
    assert.equal(apis?.path, '/apis?timeout=32s');
    assert.match(String(api?.headers['accept']), /;v=v2;.*,.*;v=v2beta1;.*,application\/json$/);
    assert.equal(server.asked().length, 2);
  });

  for (const [which, aggregates] of [
    ['neither half is', { api: false, apis: false }],
    ['only the core group is', { api: true, apis: false }],
    ['only the other groups are', { api: false, apis: true }],
  ] as const) {
    it(`asks for each group-version if ${which} aggregated`, async () => {
      const server = new TestDiscoveryServer(served, { aggregates });
      assert.deepEqual(names(await new DiscoveryClient(server.rest).serverResources()), everything);
      assert.deepEqual(server.asked().sort(), [
        '/api',
        '/api/v1',
        '/apis',
        '/apis/apps/v1',
        '/apis/apps/v1beta1',
      ]);
    });
  }

  it('requests unaggregated discovery with legacy, and no peers with noPeer', async () => {
    const server = new TestDiscoveryServer(served);
    await new DiscoveryClient(server.rest, { legacy: true, timeoutMs: 5000 }).serverGroups();
    assert.equal(server.transport.requests[0]?.headers['accept'], 'application/json');
    assert.equal(server.transport.requests[0]?.path, '/api?timeout=5s');
    await new DiscoveryClient(server.rest, { noPeer: true }).serverGroups();
    assert.match(String(server.transport.last.headers['accept']), /^[^,]*;profile=nopeer,/);
  });

  it('limits the concurrent requests for group-versions', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`g${index}.example.com/v1`, [resource('things')]]),
    );
    let underWay = 0;
    let most = 0;
    const slowly = async (): Promise<object> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await nextTurn();
      underWay -= 1;
      return { body: { kind: 'APIResourceList', resources: [resource('things')] } };
    };
    const instead = Object.fromEntries(Object.keys(many).map((name) => [`/apis/${name}`, slowly]));
    const server = new TestDiscoveryServer(many, { ...legacyOnly, instead });
    const client = new DiscoveryClient(server.rest, { concurrency: 3 });
    const { resources } = await client.serverResources();
    assert.equal(resources.length, 12);
    assert.equal(most, 3);
  });

  it('returns stale versions as failures, beside what works', async () => {
    const server = new TestDiscoveryServer(served, { stale: ['apps/v1'] });
    const client = new DiscoveryClient(server.rest);
    const found = await client.serverResources();
    assert.deepEqual(Object.keys(names(found)), ['v1', 'apps/v1beta1']);
    assert.deepEqual([...found.failures.keys()], ['apps/v1']);
    assert.equal(found.groups[1]?.preferredVersion?.version, 'v1beta1');
    assert.equal(
      server.asked().length,
      2,
      'one document is consistent: asking again changes nothing',
    );
  });

  it('returns group-versions that fail as failures, after a second attempt', async () => {
    const down = { status: 503, body: 'no endpoints' };
    const server = new TestDiscoveryServer(served, {
      ...legacyOnly,
      instead: { '/apis/apps/v1': down },
    });
    const found = await new DiscoveryClient(server.rest).serverResources();
    assert.deepEqual(Object.keys(names(found)), ['v1', 'apps/v1beta1']);
    assert.deepEqual([...found.failures.keys()], ['apps/v1']);
    assert.match(String(found.failures.get('apps/v1')), /no endpoints/);
    assert.equal(server.asked().filter((path) => path === '/apis/apps/v1').length, 2);
  });

  it('does not report a group that went while it was asked for', async () => {
    const server = new TestDiscoveryServer(served, {
      ...legacyOnly,
      instead: {
        '/apis/apps/v1beta1': async () => {
          const { 'apps/v1beta1': _, ...rest } = served;
          server.served = rest;
          return { status: 404, body: '404 page not found' };
        },
      },
    });
    const found = await new DiscoveryClient(server.rest).serverResources();
    assert.deepEqual(Object.keys(names(found)), ['v1', 'apps/v1']);
    assert.equal(found.failures.size, 0);
  });

  it('does without a core group, but not without the list of groups', async () => {
    const missing = { status: 404, body: '404 page not found' };
    const extension = new TestDiscoveryServer(served, { instead: { '/api': missing } });
    const found = await new DiscoveryClient(extension.rest).serverResources();
    assert.deepEqual(Object.keys(names(found)), ['apps/v1', 'apps/v1beta1']);
    const broken = new TestDiscoveryServer(served, { instead: { '/apis': missing } });
    await assert.rejects(new DiscoveryClient(broken.rest).serverGroups(), {
      code: 'API_NOT_FOUND',
    });
    const refused = new TestDiscoveryServer(served, {
      instead: { '/api': { status: 403, body: 'forbidden' } },
    });
    await assert.rejects(new DiscoveryClient(refused.rest).serverGroups(), {
      code: 'API_FORBIDDEN',
    });
  });

  it('refuses a response that is not a discovery document', async () => {
    const instead = { '/apis': { body: { please: 'log in' } } };
    const server = new TestDiscoveryServer(served, { instead });
    await assert.rejects(new DiscoveryClient(server.rest).serverGroups(), {
      name: 'DiscoveryError',
      code: 'DISCOVERY_DOCUMENT_INVALID',
    });
  });

  it('has unchanged answers confirmed instead of sent again', async () => {
    const server = new TestDiscoveryServer(served, { tags: true });
    const client = new DiscoveryClient(server.rest);
    const first = await client.serverResources();
    assert.equal(server.transport.last.headers['if-none-match'], undefined);
    assert.deepEqual(await client.serverResources(), first);
    assert.notEqual(server.transport.last.headers['if-none-match'], undefined);
    server.served = { ...served, 'example.com/v1': [resource('widgets')] };
    const changed = await client.serverResources();
    assert.deepEqual(names(changed)['example.com/v1'], ['widgets']);
    assert.deepEqual(names(await client.serverResources()), names(changed));
  });

  it('forgets the tag when the server stops sending one', async () => {
    const server = new TestDiscoveryServer(served, { tags: true });
    const client = new DiscoveryClient(server.rest);
    await client.serverGroups();
    server.tags = false;
    await client.serverGroups();
    await client.serverGroups();
    assert.equal(server.transport.last.headers['if-none-match'], undefined);
  });

  it('chooses preferred versions, of namespaces only if asked', async () => {
    const client = new DiscoveryClient(new TestDiscoveryServer(served).rest);
    assert.deepEqual(names(await client.preferredResources()), {
      v1: ['pods', 'nodes'],
      'apps/v1': ['deployments'],
      'apps/v1beta1': ['legacies'],
    });
    assert.deepEqual(names(await client.preferredNamespacedResources()).v1, ['pods']);
  });

  it('returns the resources of a group-version, and the version of the server', async () => {
    const server = new TestDiscoveryServer(served, {
      instead: { '/version': { body: { major: '1', minor: '36', gitVersion: 'v1.36.4' } } },
    });
    const client = new DiscoveryClient(server.rest);
    const list = await client.resourcesForGroupVersion('apps/v1');
    assert.equal(list.groupVersion, 'apps/v1');
    assert.equal((await client.resourcesForGroupVersion('v1')).resources.length, 2);
    assert.deepEqual(server.asked(), ['/apis/apps/v1', '/api/v1']);
    await assert.rejects(client.resourcesForGroupVersion('nope/v1'), { code: 'API_NOT_FOUND' });
    await assert.rejects(client.resourcesForGroupVersion('../v1'), {
      code: 'REST_REQUEST_INVALID',
    });
    assert.equal((await client.serverVersion()).gitVersion, 'v1.36.4');
  });

  it('stops everything on an abort', async () => {
    const gate = new Deferred<object>();
    const signals: (AbortSignal | undefined)[] = [];
    const endless = async ({ signal }: { readonly signal?: AbortSignal }): Promise<object> => {
      signals.push(signal);
      signal?.addEventListener('abort', () => gate.reject(signal.reason));
      return gate.promise;
    };
    const server = new TestDiscoveryServer(served, {
      ...legacyOnly,
      instead: { '/apis/apps/v1': endless, '/api/v1': endless },
    });
    const stop = new AbortController();
    const reason = new Error('enough');
    const found = new DiscoveryClient(server.rest).serverResources({ signal: stop.signal });
    while (signals.length < 2) await nextTurn();
    stop.abort(reason);
    await assert.rejects(found, reason);
    assert.deepEqual(
      signals.map((signal) => signal?.aborted),
      [true, true],
    );
  });

  it('does not report an abort as a failure of a group-version', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    let attempts = 0;
    const server = new TestDiscoveryServer(served, {
      ...legacyOnly,
      instead: {
        '/apis/apps/v1beta1': async ({ signal }) => {
          attempts += 1;
          if (attempts === 1) return { status: 503 };
          stop.abort(reason);
          throw signal?.reason;
        },
      },
    });
    const found = new DiscoveryClient(server.rest).serverResources({ signal: stop.signal });
    await assert.rejects(found, reason);
    assert.equal(attempts, 2);
  });

  it('closes the connections that it made, and no others', async () => {
    const { transport, rest } = new TestDiscoveryServer(served);
    const own = new DiscoveryClient({ server: 'https://192.0.2.1', transport });
    await own[Symbol.asyncDispose]();
    await assert.rejects(own.serverGroups(), { code: 'TRANSPORT_CLOSED' });
    const borrowed = new DiscoveryClient(rest);
    await borrowed[Symbol.asyncDispose]();
    assert.equal((await borrowed.serverGroups()).length, 2);
  });
});
