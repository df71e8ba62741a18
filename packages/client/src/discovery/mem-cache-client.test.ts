import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { DiscoveryClient } from './discovery-client.ts';
import { MemCacheClient } from './mem-cache-client.ts';
import { TestDiscoveryServer } from './test-discovery-server.ts';
import { resource } from './test-resources.ts';

const served = { v1: [resource('pods')], 'apps/v1': [resource('deployments')] };
const legacyOnly = { aggregates: { api: false, apis: false } };

function cacheOver(server: TestDiscoveryServer): MemCacheClient {
  return new MemCacheClient(new DiscoveryClient(server.rest));
}

describe('MemCacheClient', () => {
  it('sends one request for concurrent callers', async () => {
    const server = new TestDiscoveryServer(served);
    const cache = cacheOver(server);
    const [first, second, groups] = await Promise.all([
      cache.serverResources(),
      cache.serverResources(),
      cache.serverGroups(),
    ]);
    assert.equal(first, second);
    assert.equal(groups, first.groups);
    assert.equal((await cache.resourcesForGroupVersion('apps/v1')).resources.length, 1);
    assert.equal((await cache.preferredResources()).resources.length, 2);
    assert.equal(server.asked().length, 2);
  });

  it('returns changes after it was invalidated, and not before', async () => {
    const server = new TestDiscoveryServer(served);
    const cache = cacheOver(server);
    await cache.serverGroups();
    server.served = { ...served, 'example.com/v1': [resource('widgets')] };
    await assert.rejects(cache.resourcesForGroupVersion('example.com/v1'), {
      code: 'DISCOVERY_UNKNOWN_GROUP_VERSION',
    });
    cache.invalidate();
    assert.equal((await cache.resourcesForGroupVersion('example.com/v1')).resources.length, 1);
  });

  it('keeps no failure to read the groups', async () => {
    const server = new TestDiscoveryServer(served, { instead: { '/apis': { status: 500 } } });
    const cache = cacheOver(server);
    await assert.rejects(cache.serverResources(), { code: 'API_INTERNAL_ERROR' });
    server.instead = {};
    assert.equal((await cache.serverResources()).resources.length, 2);
  });

  for (const [which, status] of [
    ['a server error', 503],
    ['too many requests', 429],
  ] as const) {
    it(`asks again for what failed with ${which}, and for nothing else`, async () => {
      const down = { status, body: 'later' };
      const server = new TestDiscoveryServer(served, {
        ...legacyOnly,
        instead: { '/apis/apps/v1': down },
      });
      const cache = cacheOver(server);
      assert.deepEqual([...(await cache.serverResources()).failures.keys()], ['apps/v1']);
      server.asked();
      assert.equal((await cache.resourcesForGroupVersion('v1')).resources.length, 1);
      assert.deepEqual(server.asked(), [], 'what is known is not asked for');
      await assert.rejects(cache.resourcesForGroupVersion('apps/v1'), /later/);
      assert.deepEqual(server.asked(), ['/apis/apps/v1']);
      server.instead = {};
      const healed = await cache.serverResources();
      assert.equal(healed.failures.size, 0);
      assert.deepEqual(
        healed.resources.map(({ groupVersion }) => groupVersion),
        ['v1', 'apps/v1'],
      );
      assert.deepEqual(server.asked(), ['/apis/apps/v1']);
      await cache.serverResources();
      assert.deepEqual(server.asked(), []);
    });
  }

  it('keeps failures that will not pass', async () => {
    const refused = { status: 403, body: 'forbidden' };
    const server = new TestDiscoveryServer(served, {
      ...legacyOnly,
      instead: { '/apis/apps/v1': refused, '/api/v1': { status: 503 } },
    });
    const cache = cacheOver(server);
    await cache.serverResources();
    server.asked();
    await assert.rejects(cache.resourcesForGroupVersion('apps/v1'), { code: 'API_FORBIDDEN' });
    assert.deepEqual(server.asked(), []);
    assert.equal((await cache.serverResources()).failures.size, 2);
    assert.deepEqual(server.asked(), ['/api/v1']);

    const stale = new TestDiscoveryServer(served, { stale: ['apps/v1'] });
    const other = cacheOver(stale);
    await assert.rejects(other.resourcesForGroupVersion('apps/v1'), { code: 'DISCOVERY_STALE' });
    await other.serverResources();
    assert.equal(stale.asked().length, 2);
  });

  it('does not keep what was asked for before it was invalidated', async () => {
    const gate = new Deferred<object>();
    const server = new TestDiscoveryServer(served, { instead: { '/apis': () => gate.promise } });
    const cache = cacheOver(server);
    const early = cache.serverGroups();
    while (server.transport.requests.length < 2) await nextTurn();
    cache.invalidate();
    server.instead = {};
    server.served = { ...served, 'example.com/v1': [resource('widgets')] };
    assert.equal((await cache.serverGroups()).length, 3);
    gate.resolve({ body: { kind: 'APIGroupList', groups: [] } });
    assert.equal((await early).length, 1);
    assert.equal((await cache.serverGroups()).length, 3);
  });

  it('passes an invalidation on, and requests the version every time', async () => {
    const server = new TestDiscoveryServer(served, {
      instead: { '/version': { body: { gitVersion: 'v1.36.4' } } },
    });
    const outer = new MemCacheClient(cacheOver(server));
    await outer.serverGroups();
    outer.invalidate();
    await outer.serverGroups();
    assert.equal(server.asked().length, 4);
    await outer.serverVersion();
    await outer.serverVersion();
    assert.deepEqual(server.asked(), ['/version', '/version']);
  });
});
