import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { deployments } from 'client-ts/api/apps/v1';
import { configMaps, namespaces, pods } from 'client-ts/api/core/v1';
import { cached, ControllerError, type ControllerErrorCode } from 'client-ts/controller';
import { DynamicClient } from 'client-ts/dynamic';
import { isGone, isNotFound } from 'client-ts/meta';
import { MetadataClient } from 'client-ts/metadata';

import { LATE_MS, LateCluster } from './test-late-cluster.ts';

const web = { namespace: 'default', name: 'web' };
const container = { name: 'c', image: 'i' };

function failsWith(wanted: ControllerErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ControllerError && error.code === wanted;
}

describe('a write whose answer is lost', () => {
  for (const takesEffect of [true, false]) {
    it(`is settled by reading the server: it was ${takesEffect ? '' : 'not '}done`, async () => {
      await using cluster = await LateCluster.start([configMaps]);
      const { cache, server } = cluster;
      const maps = cache.client.coreV1.configMaps('default');
      server.faults.add({
        match: { verb: 'create', resource: 'configmaps' },
        fault: { kind: 'status', code: 504, takesEffect },
        count: 1,
      });
      await assert.rejects(maps.create({ metadata: { name: 'web' } }));
      assert.equal(cache.isSettled, false);
      assert.throws(() => cache.get(configMaps, web), failsWith('CONTROLLER_WRITE_UNSETTLED'));
      assert.throws(() => cache.list(configMaps), failsWith('CONTROLLER_WRITE_UNSETTLED'));
      assert.throws(
        () => cache.list(configMaps, { namespace: 'default' }),
        failsWith('CONTROLLER_WRITE_UNSETTLED'),
      );
      assert.deepEqual(cache.list(configMaps, { namespace: 'other' }), []);
      assert.equal(cache.get(configMaps, { ...web, name: 'db' }), undefined);
      await cache.settled();
      assert.equal(cache.isSettled, true);
      assert.equal(cache.get(configMaps, web)?.metadata.name, takesEffect ? 'web' : undefined);
    });
  }

  it('stays unsettled while the server cannot be read', async () => {
    await using cluster = await LateCluster.start([configMaps]);
    const { cache, server } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'web' } });
    const lost = { kind: 'status', code: 500, takesEffect: true } as const;
    server.faults.add({ match: { verb: 'delete' }, fault: lost, count: 1 });
    server.faults.add({ match: { verb: 'list' }, fault: { kind: 'status', code: 403 }, count: 1 });
    await assert.rejects(maps.delete('web'));
    await assert.rejects(cache.settled());
    assert.throws(() => cache.get(configMaps, web), failsWith('CONTROLLER_WRITE_UNSETTLED'));
    await cache.settled();
    assert.equal(cache.get(configMaps, web), undefined);
  });

  it('is not in doubt after a refusal', async () => {
    await using cluster = await LateCluster.start([configMaps]);
    const { cache } = cluster;
    await assert.rejects(cache.client.coreV1.configMaps('default').delete('web'), isNotFound);
    assert.equal(cache.isSettled, true);
  });
});

describe('a write whose answer does not contain the object', () => {
  it('is read from the server: eviction, binding, scale', async () => {
    await using cluster = await LateCluster.start([pods, deployments]);
    const { cache } = cluster;
    const client = cache.client.coreV1.pods('default');
    await client.create({ metadata: { name: 'web' }, spec: { containers: [container] } });
    await client.bind('web', 'node-1');
    assert.equal(cache.get(pods, web)?.spec?.nodeName, 'node-1');
    await client.evict('web', { gracePeriodSeconds: 30 });
    assert.notEqual(cache.get(pods, web)?.metadata.deletionTimestamp, undefined);
    await client.delete('web', { gracePeriodSeconds: 0 });
    assert.equal(cache.get(pods, web), undefined);

    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    const scaled = cache.client.appsV1.deployments('default');
    await scaled.create({ metadata: { name: 'web' }, spec });
    await scaled.updateScale('web', { spec: { replicas: 3 } });
    assert.equal(cache.get(deployments, web)?.spec?.replicas, 3);
    await scaled.patchStatus('web', { status: { replicas: 2 } }, { type: 'merge' });
    assert.equal(cache.get(deployments, web)?.status?.replicas, 2);
  });

  it('is read from the server after a metadata patch', async () => {
    await using cluster = await LateCluster.start([configMaps]);
    const { cache } = cluster;
    const data = { text: 'kept' };
    await cache.client.coreV1.configMaps('default').create({ metadata: { name: 'web' }, data });
    const partial = new MetadataClient(cache.client.rest).resource(configMaps).namespace('default');
    await partial.patch('web', { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
    const found = cache.get(configMaps, web);
    assert.deepEqual([found?.metadata.labels, found?.data], [{ a: 'b' }, data]);
    const dynamic = new DynamicClient(cache.client.rest).resource(configMaps).namespace('default');
    await dynamic.delete('web');
    assert.equal(cache.get(configMaps, web), undefined);
  });

  it('makes reads wait for the informer: a deleted collection', async () => {
    await using cluster = await LateCluster.start([configMaps], { waitTimeoutMs: 1000 });
    const { cache, clock } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    for (const name of ['web', 'db']) await maps.create({ metadata: { name } });
    const deleted = maps.deleteCollection();
    await clock.advance(1500);
    await deleted;
    assert.throws(() => cache.get(configMaps, web), failsWith('CONTROLLER_CACHE_BEHIND'));
    assert.throws(() => cache.list(configMaps), failsWith('CONTROLLER_CACHE_BEHIND'));
    const settled = cache.settled();
    await clock.advance(10 * LATE_MS + 120_000);
    await settled;
    assert.deepEqual(cache.list(configMaps, { namespace: 'default' }), []);
  });
});

describe('a deletion', () => {
  it('of an object that the cache has not seen hides the older ones of its name', async () => {
    await using cluster = await LateCluster.start([configMaps]);
    const { cache, clock, other } = cluster;
    const theirs = other.coreV1.configMaps('default');
    await theirs.create({ metadata: { name: 'web' } });
    await clock.advance(2 * LATE_MS);
    assert.notEqual(cache.get(configMaps, web), undefined);
    await theirs.delete('web');
    await theirs.create({ metadata: { name: 'web' } });
    await cache.client.coreV1.configMaps('default').delete('web');
    for (let step = 0; step < 10; step += 1) {
      assert.equal(cache.get(configMaps, web), undefined);
      await clock.advance(LATE_MS / 2);
    }
  });

  it('shows what another program creates under the same name', async () => {
    await using cluster = await LateCluster.start([configMaps]);
    const { cache, clock, other } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'web' } });
    await maps.delete('web');
    const { metadata } = await other.coreV1
      .configMaps('default')
      .create({ metadata: { name: 'web' } });
    await clock.advance(10 * LATE_MS);
    assert.equal(cache.get(configMaps, web)?.metadata.uid, metadata.uid);
  });
});

describe('a deletion that waits for finalizers', () => {
  it('shows the object until the last finalizer is removed', async () => {
    await using cluster = await LateCluster.start([configMaps]);
    const { cache, clock } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    const finalizers = ['example.com/a', 'example.com/b'];
    await maps.create({ metadata: { name: 'web', finalizers } });
    await maps.delete('web');
    const dying = cache.get(configMaps, web);
    assert.notEqual(dying?.metadata.deletionTimestamp, undefined);
    const left = { metadata: { finalizers: ['example.com/b'] } };
    await maps.patch('web', left, { type: 'merge' });
    assert.deepEqual(cache.get(configMaps, web)?.metadata.finalizers, ['example.com/b']);
    await maps.patch('web', { metadata: { finalizers: null } }, { type: 'merge' });
    for (let step = 0; step < 8; step += 1) {
      assert.equal(cache.get(configMaps, web), undefined);
      await clock.advance(LATE_MS);
    }
  });

  it('shows a namespace until it is finalized', async () => {
    await using cluster = await LateCluster.start([namespaces]);
    const { cache } = cluster;
    const client = cache.client.coreV1.namespaces();
    await client.create({ metadata: { name: 'shop' } });
    assert.equal(cache.get(namespaces, { name: 'shop' })?.metadata.name, 'shop');
    await client.delete('shop');
    const found = cache.get(namespaces, { name: 'shop' });
    const live = await client.get('shop').catch((error: unknown) => {
      if (!isNotFound(error) && !isGone(error)) throw error;
      return undefined;
    });
    assert.equal(found === undefined, live === undefined);
  });
});

describe('a cache with selectors', () => {
  const labelled = cached(configMaps, { labelSelector: 'app=web' });
  const named = cached(configMaps, { fieldSelector: 'metadata.name=web' });

  it('does not show what has left its label selector by an own write', async () => {
    await using cluster = await LateCluster.start([labelled]);
    const { cache, clock } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'web', labels: { app: 'web' } } });
    await maps.create({ metadata: { name: 'db', labels: { app: 'db' } } });
    await clock.advance(3 * LATE_MS);
    assert.equal(cache.get(labelled, web)?.metadata.name, 'web');
    assert.equal(cache.get(labelled, { ...web, name: 'db' }), undefined);
    await maps.patch('web', { metadata: { labels: { app: 'db' } } }, { type: 'merge' });
    assert.equal(cache.get(labelled, web), undefined);
    await maps.patch('web', { metadata: { labels: { app: 'web' } } }, { type: 'merge' });
    for (let step = 0; step < 8; step += 1) {
      assert.equal(cache.get(labelled, web)?.metadata.labels?.['app'], 'web');
      await clock.advance(LATE_MS / 2);
    }
  });

  it('lets the server decide what a field selector selects', async () => {
    await using cluster = await LateCluster.start([named]);
    const { cache } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    for (const name of ['web', 'db']) await maps.create({ metadata: { name } });
    assert.deepEqual(
      cache.list(named).map(({ metadata }) => metadata.name),
      ['web'],
    );
  });
});
