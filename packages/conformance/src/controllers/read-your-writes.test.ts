import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type ConfigMap, configMaps, secrets } from 'client-ts/api/core/v1';
import { cached, type Consistency, ControllerError, metadataOf } from 'client-ts/controller';
import type { Cached } from 'client-ts/rest';

import { LATE_MS, LateCluster } from './test-late-cluster.ts';

const indexed = cached(configMaps, {
  index: { color: (map) => [map.data?.['color'] ?? 'none'] },
});

function names(maps: readonly Cached<ConfigMap>[]): string[] {
  return maps.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
}

const red = { namespace: 'default', name: 'red' };

describe('a cache with late watch events', () => {
  it('shows own creations and changes by name, in lists and through indices', async () => {
    await using cluster = await LateCluster.start([indexed]);
    const { cache, clock } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    const created = await maps.create({
      metadata: { name: 'red', labels: { app: 'a' } },
      data: { color: 'red' },
    });
    assert.equal(
      cache.get(indexed, red)?.metadata.resourceVersion,
      created.metadata.resourceVersion,
    );
    assert.deepEqual(names(cache.list(indexed, { index: ['color', 'red'] })), ['red']);
    assert.deepEqual(names(cache.list(indexed, { labelSelector: 'app=a' })), ['red']);
    assert.deepEqual(names(cache.list(indexed, { namespace: 'default' })), ['red']);
    assert.deepEqual(names(cache.list(indexed, { namespace: 'other' })), []);
    await maps.patch('red', { data: { color: 'blue' } }, { type: 'merge' });
    assert.deepEqual(names(cache.list(indexed, { index: ['color', 'red'] })), []);
    assert.deepEqual(names(cache.list(indexed, { index: ['color', 'blue'] })), ['red']);
    assert.equal(cache.informer(indexed).indexer.getByKey('default/red'), undefined);
    await clock.advance(3 * LATE_MS);
    assert.equal(cache.informer(indexed).indexer.getByKey('default/red')?.data?.['color'], 'blue');
    assert.equal(cache.get(indexed, red)?.data?.['color'], 'blue');
  });

  it('does not show what was deleted, and shows what was created again', async () => {
    await using cluster = await LateCluster.start([indexed]);
    const { cache, clock } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'red' } });
    await clock.advance(3 * LATE_MS);
    await maps.delete('red');
    assert.notEqual(cache.informer(indexed).indexer.getByKey('default/red'), undefined);
    assert.equal(cache.get(indexed, red), undefined);
    assert.deepEqual(names(cache.list(indexed)), []);
    const again = await maps.create({ metadata: { name: 'red' } });
    assert.equal(cache.get(indexed, red)?.metadata.uid, again.metadata.uid);
    await maps.delete('red');
    for (let step = 0; step < 10; step += 1) {
      assert.equal(cache.get(indexed, red), undefined);
      await clock.advance(LATE_MS / 2);
    }
  });

  it('is the informer alone with consistency "eventual"', async () => {
    await using cluster = await LateCluster.start([indexed], {
      defaults: { consistency: 'eventual' },
    });
    const { cache } = cluster;
    await cache.client.coreV1.configMaps('default').create({ metadata: { name: 'red' } });
    assert.equal(cache.get(indexed, red), undefined);
  });

  it('resolves a write when the informer has reached it, with consistency "wait"', async () => {
    await using cluster = await LateCluster.start([indexed], { defaults: { consistency: 'wait' } });
    const { cache, clock } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    let stored: unknown;
    const created = maps.create({ metadata: { name: 'red' } }).then(() => {
      stored = cache.informer(indexed).indexer.getByKey('default/red');
    });
    await clock.advance(LATE_MS / 2);
    assert.equal(stored, undefined);
    await clock.advance(3 * LATE_MS);
    await created;
    assert.notEqual(stored, undefined);
    const deleted = maps.delete('red').then(() => {
      stored = cache.informer(indexed).indexer.getByKey('default/red');
    });
    await cluster.other.coreV1.secrets('default').create({ metadata: { name: 'later' } });
    await clock.advance(LATE_MS / 2);
    assert.notEqual(stored, undefined);
    await clock.advance(3 * LATE_MS);
    await deleted;
    assert.equal(stored, undefined);
  });

  it('refuses to read what is not cached', async () => {
    await using cluster = await LateCluster.start([metadataOf(configMaps)]);
    const { cache } = cluster;
    const code = (wanted: string) => (error: unknown) =>
      error instanceof ControllerError && error.code === wanted;
    assert.throws(() => cache.list(secrets), code('CONTROLLER_NOT_CACHED'));
    assert.throws(() => cache.get(configMaps, red), code('CONTROLLER_NOT_CACHED'));
    assert.equal(cache.get(metadataOf(configMaps), red), undefined);
  });
});

/** Creates a child of each parent when the cache shows none, as a careless controller does. */
async function children(consistency: Consistency): Promise<number> {
  await using cluster = await LateCluster.start([configMaps, secrets], {
    defaults: { consistency },
  });
  const { cache, clock, other } = cluster;
  const reconcile = async (): Promise<void> => {
    const [parent] = cache.list(secrets, { namespace: 'default' });
    if (parent === undefined) return;
    const labelSelector = `parent=${parent.metadata.name}`;
    if (cache.list(configMaps, { labelSelector }).length > 0) return;
    const labels = { parent: parent.metadata.name };
    const metadata = { generateName: 'child-', labels };
    await cache.client.coreV1.configMaps('default').create({ metadata });
  };
  await other.coreV1.secrets('default').create({ metadata: { name: 'parent' } });
  for (let round = 0; round < 20; round += 1) {
    const reconciled = reconcile();
    await clock.advance(LATE_MS / 4);
    if (consistency === 'wait') await clock.advance(3 * LATE_MS);
    await reconciled;
  }
  const { items } = await other.coreV1.configMaps('default').list({ labelSelector: 'parent' });
  return items.length;
}

describe('a controller that creates a child when it sees none', () => {
  it('never creates a second one with "overlay"', async () => {
    assert.equal(await children('overlay'), 1);
  });

  it('never creates a second one with "wait"', async () => {
    assert.equal(await children('wait'), 1);
  });

  it('creates more with "eventual"', async () => {
    assert.ok((await children('eventual')) > 1);
  });
});
