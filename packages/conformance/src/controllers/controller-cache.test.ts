import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { type ConfigMap, configMaps, namespaces, secrets } from 'client-ts/api/core/v1';
import { mutableCopy } from 'client-ts/codec';
import {
  cached,
  ControllerCache,
  type ControllerCacheOptions,
  ControllerError,
  type ControllerErrorCode,
  metadataOf,
  projectionOf,
} from 'client-ts/controller';
import { seededRandom } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { ObjectKeyError, OptionError } from 'client-ts/meta';
import { quiescence, VirtualClock } from 'client-ts/testing';
import type { Transport } from 'client-ts/transport';

import { decompressionsOf } from '../informers/test-decompressions.ts';
import { silentLogger } from '../informers/test-silent-logger.ts';
import { LATE_MS, LateCluster } from './test-late-cluster.ts';

const web = { namespace: 'default', name: 'web' };

function failsWith(wanted: ControllerErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ControllerError && error.code === wanted;
}

interface World extends AsyncDisposable {
  readonly cache: ControllerCache;
  readonly server: ApiServer;
  readonly other: Clientset;
}

async function startWorld(options: Omit<ControllerCacheOptions, 'client'> = {}): Promise<World> {
  const server = await ApiServer.start();
  const connect = (): Clientset =>
    new Clientset({ server: server.url, logger: silentLogger }, { transport: server.transport() });
  const cache = new ControllerCache({ client: connect(), ...options });
  cache.start();
  await cache.waitForCacheSync();
  const dispose = async (): Promise<void> => {
    await cache.close();
    await server.close();
  };
  return { cache, server, other: connect(), [Symbol.asyncDispose]: dispose };
}

describe('the informers of a cache', () => {
  it('are shared by resource and options', async () => {
    await using world = await startWorld();
    const { cache } = world;
    const all = cache.informer(configMaps);
    assert.equal(cache.informer(configMaps), all);
    assert.equal(cache.informer(cached(configMaps, { consistency: 'overlay' })), all);
    assert.notEqual(cache.informer(configMaps, { labelSelector: 'a=b' }), all);
    assert.equal(
      cache.informer(configMaps, { labelSelector: 'a=b' }),
      cache.informer(cached(configMaps, { labelSelector: 'a=b' })),
    );
    assert.notEqual(cache.informer(metadataOf(configMaps)), all);
    assert.throws(() => cache.informer(configMaps, { namespaces: ['a', 'b'] }));
    assert.equal(cache.informers(configMaps, { namespaces: ['a', 'b', 'a'] }).length, 2);
    assert.throws(() => cache.informer(configMaps, { consistency: 'wait' }));
  });

  it('start when they are acquired after the start', async () => {
    await using world = await startWorld();
    const { cache } = world;
    assert.throws(() => cache.get(configMaps, web), failsWith('CONTROLLER_NOT_CACHED'));
    cache.informer(configMaps);
    assert.throws(() => cache.get(configMaps, web), failsWith('CONTROLLER_NOT_SYNCED'));
    await cache.ready(configMaps);
    assert.equal(cache.get(configMaps, web), undefined);
  });

  it('start at the first read with onMissing "start"', async () => {
    await using world = await startWorld({ onMissing: 'start' });
    const { cache } = world;
    assert.throws(() => cache.list(secrets), failsWith('CONTROLLER_NOT_SYNCED'));
    await cache.ready(secrets);
    assert.deepEqual(cache.list(secrets), []);
  });

  it('are chosen by the declared resource, and an ambiguous read is refused', async () => {
    const declared = cached(configMaps, { labelSelector: 'a=b' });
    await using world = await startWorld({ resources: [declared] });
    const { cache } = world;
    cache.informer(configMaps);
    await cache.waitForCacheSync();
    await cache.client.coreV1.configMaps('default').create({ metadata: { name: 'web' } });
    assert.equal(cache.get(configMaps, web), undefined, 'not selected');
    cache.informer(secrets);
    cache.informer(secrets, { labelSelector: 'a=b' });
    await cache.waitForCacheSync();
    assert.throws(() => cache.list(secrets), failsWith('CONTROLLER_CACHE_AMBIGUOUS'));
    assert.deepEqual(cache.list(cached(secrets, { labelSelector: 'a=b' })), []);
  });

  it('are read by the keys of controller-runtime too, and not by malformed ones', async () => {
    await using world = await startWorld({ resources: [configMaps, namespaces] });
    const { cache } = world;
    await cache.client.coreV1.configMaps('default').create({ metadata: { name: 'web' } });
    assert.equal(cache.getByKey(configMaps, 'default/web')?.metadata.name, 'web');
    assert.equal(cache.getByKey(configMaps, 'default/gone'), undefined);
    for (const key of ['default', '/default']) {
      assert.equal(cache.getByKey(namespaces, key)?.metadata.name, 'default');
    }
    assert.equal(cache.getByKey(namespaces, '/gone'), undefined);
    assert.throws(() => cache.getByKey(configMaps, 'default/web/0'), ObjectKeyError);
  });

  it('watch several namespaces, and no other is read', async () => {
    await using world = await startWorld({
      resources: [configMaps],
      defaults: { namespaces: ['default', 'kube-system'] },
    });
    const { cache } = world;
    await cache.client.coreV1.configMaps('kube-system').create({ metadata: { name: 'system' } });
    const { metadata } = await cache.client.coreV1
      .configMaps('default')
      .create({ metadata: { name: 'web' } });
    assert.equal(cache.get(configMaps, web)?.metadata.uid, metadata.uid);
    assert.equal(cache.getByKey(configMaps, 'default/web')?.metadata.uid, metadata.uid);
    assert.throws(
      () => cache.getByKey(configMaps, 'kube-public/web'),
      failsWith('CONTROLLER_NOT_CACHED'),
    );
    assert.throws(() => cache.getByKey(configMaps, 'default/web/0'), ObjectKeyError);
    const names = cache.list(configMaps).map((map) => map.metadata.name);
    assert.ok(names.includes('web') && names.includes('system'));
    const elsewhere = { namespace: 'kube-public', name: 'web' };
    assert.throws(() => cache.get(configMaps, elsewhere), failsWith('CONTROLLER_NOT_CACHED'));
    assert.throws(
      () => cache.list(configMaps, { namespace: 'kube-public' }),
      failsWith('CONTROLLER_NOT_CACHED'),
    );
  });
});

describe('own writes in a cache', () => {
  it('have the form of the cache: transformed, or only metadata, and read-only', async () => {
    const bare = cached(configMaps, {
      transform: ({ data: _data, ...map }) => map,
      index: { text: (map) => [map.data?.['text'] ?? 'none'] },
    });
    const partial = metadataOf(configMaps);
    await using cluster = await LateCluster.start([bare, partial]);
    const { cache, clock } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    const created = await maps.create({ metadata: { name: 'web' }, data: { text: 'long' } });
    for (let step = 0; step < 3; step += 1) {
      const transformed = cache.get(bare, web);
      assert.deepEqual([transformed?.metadata.name, transformed?.data], ['web', undefined]);
      assert.equal(Object.isFrozen(transformed?.metadata), true);
      assert.equal(cache.list(bare, { index: ['text', 'none'] }).includes(transformed!), true);
      assert.deepEqual(Object.keys(cache.get(partial, web) ?? {}).sort(), [
        'apiVersion',
        'kind',
        'metadata',
      ]);
      await clock.advance(LATE_MS);
    }
    created.metadata.labels = { changed: 'by the caller' };
    assert.equal(cache.get(bare, web)?.metadata.labels, undefined);
  });

  it('are found by an index of a path, before and after the watch has brought them', async () => {
    const byText = cached(configMaps, { index: { text: 'data.text' } });
    await using cluster = await LateCluster.start([byText]);
    const { cache, clock } = cluster;
    // The same path under the same name is the same index.
    const again = cached(configMaps, { index: { text: 'data.text' } });
    assert.equal(cache.informer(again), cache.informer(byText));
    const maps = cache.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'web' }, data: { text: 'long' } });
    for (let step = 0; step < 3; step += 1) {
      const names = cache.list(byText, { index: ['text', 'long'] }).map((map) => map.metadata.name);
      assert.deepEqual(names, ['web']);
      assert.deepEqual(cache.list(byText, { index: ['text', 'short'] }), []);
      await clock.advance(LATE_MS);
    }
  });

  it('have the fields of a projection, and cannot be written back', async () => {
    const colors = cached(projectionOf(configMaps, ['data.color']), {
      index: { color: 'data.color' },
    });
    await using cluster = await LateCluster.start([colors]);
    const { cache, clock, other } = cluster;
    const maps = cache.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'web' }, data: { color: 'red', size: '1' } });
    for (let step = 0; step < 3; step += 1) {
      const [map] = cache.list(colors, { index: ['color', 'red'] });
      assert.deepEqual({ ...map?.data }, { color: 'red' });
      assert.equal(map?.metadata.managedFields, undefined);
      await assert.rejects(maps.update(mutableCopy(map) as ConfigMap), {
        code: 'REST_OBJECT_PROJECTED',
      });
      await clock.advance(LATE_MS);
    }
    assert.equal((await other.coreV1.configMaps('default').get('web')).data?.['size'], '1');
    // A read with the plain descriptor would promise fields that are not there.
    assert.throws(() => cache.get(configMaps, web), failsWith('CONTROLLER_NOT_CACHED'));
    const others = projectionOf(configMaps, ['data']);
    assert.throws(() => cache.get(others, web), failsWith('CONTROLLER_NOT_CACHED'));
    assert.throws(() => metadataOf(colors), OptionError);
    assert.throws(() => projectionOf(metadataOf(configMaps), []), OptionError);
    assert.throws(() => cache.informer(colors, { metadataOnly: true }), OptionError);
  });

  it('have no managed fields if those are dropped', async () => {
    const bare = cached(configMaps, { dropManagedFields: true });
    await using cluster = await LateCluster.start([bare]);
    const { cache, clock } = cluster;
    await cache.client.coreV1.configMaps('default').create({ metadata: { name: 'web' } });
    for (let step = 0; step < 3; step += 1) {
      assert.equal(cache.get(bare, web)?.metadata.managedFields, undefined);
      assert.notEqual(cache.get(bare, web)?.metadata.creationTimestamp, undefined);
      await clock.advance(LATE_MS);
    }
  });

  it('are kept compressed if that is asked for, by the resource or for all', async () => {
    const data = { text: 'ä line that repeats\n'.repeat(100) };
    const packed = cached(configMaps, { compress: true });
    for (const [resource, defaults] of [
      [packed, {}],
      [configMaps, { compress: true }],
    ] as const) {
      await using world = await startWorld({ defaults });
      const { cache, other } = world;
      const maps = other.coreV1.configMaps('default');
      const last = { namespace: 'default', name: 'last' };
      await maps.create({ metadata: { name: 'web' }, data });
      const { metadata } = await maps.create({ metadata: { name: 'last' }, data });
      const informer = cache.informer(resource);
      await cache.waitForCacheSync();
      await informer.reached(metadata.resourceVersion);
      // The object that was read last is not decompressed again.
      assert.deepEqual({ ...cache.get(resource, last)?.data }, data);
      const read = (): void => assert.deepEqual({ ...cache.get(resource, web)?.data }, data);
      assert.equal(decompressionsOf(read), 1);
    }
  });

  it('are recognised by exact version, if nothing of others can be in between', async () => {
    await using cluster = await LateCluster.start([configMaps]);
    const { cache, clock, other } = cluster;
    const maps = cache.clientFor('me').coreV1.configMaps('default');
    const created = await maps.create({ metadata: { name: 'web' } });
    assert.equal(cache.isOwnEvent(configMaps, created, 'me'), true);
    assert.equal(cache.isOwnEvent(configMaps, created, 'you'), false);
    const { resourceVersion } = created.metadata;
    const guarded = { metadata: { resourceVersion }, data: { a: '1' } };
    const second = await maps.patch('web', guarded, { type: 'merge' });
    assert.equal(cache.isOwnEvent(configMaps, second, 'me'), true);
    const unguarded = await maps.patch('web', { data: { a: '2' } }, { type: 'merge' });
    assert.equal(cache.isOwnEvent(configMaps, unguarded, 'me'), false);

    const theirs = await other.coreV1
      .configMaps('default')
      .patch('web', { data: { b: '1' } }, { type: 'merge' });
    await clock.advance(10 * LATE_MS);
    const same = { metadata: { resourceVersion: theirs.metadata.resourceVersion } };
    const noop = await maps.patch('web', same, { type: 'merge' });
    assert.equal(noop.metadata.resourceVersion, theirs.metadata.resourceVersion);
    assert.equal(cache.isOwnEvent(configMaps, theirs, 'me'), false, 'a version of another');

    const unseen = await other.coreV1
      .configMaps('default')
      .patch('web', { data: { c: '1' } }, { type: 'merge' });
    const onUnseen = {
      metadata: { resourceVersion: unseen.metadata.resourceVersion },
      data: { d: '1' },
    };
    const third = await maps.patch('web', onUnseen, { type: 'merge' });
    assert.equal(cache.isOwnEvent(configMaps, third, 'me'), false, 'the cache had an older one');
  });
});

describe('a server restored from a backup', () => {
  it('is followed, although its versions are lower than those of own writes', async () => {
    const clock = new VirtualClock();
    await using before = await ApiServer.start({ clock });
    await using restored = await ApiServer.start({ clock });
    let transport = before.transport();
    let connections = new AbortController();
    const switching: Transport = {
      request: (request) => {
        const { signal = connections.signal } = request;
        const either = AbortSignal.any([signal, connections.signal]);
        return transport.request({ ...request, signal: either });
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
    const client = new Clientset(
      { server: before.url, logger: silentLogger },
      { transport: switching, clock },
    );
    await using cache = new ControllerCache({
      client,
      resources: [configMaps],
      clock,
      random: seededRandom(1),
      logger: silentLogger,
    });
    const maps = cache.client.coreV1.configMaps('default');
    for (let count = 0; count < 50; count += 1)
      await maps.create({ metadata: { name: `m-${count}` } });
    cache.start();
    const synced = cache.waitForCacheSync();
    await quiescence();
    await synced;
    // The informer never sees this one.
    before.faults.add({ match: { verb: 'watch' }, fault: { kind: 'drop-events' } });
    await maps.create({ metadata: { name: 'web' } });
    assert.notEqual(cache.get(configMaps, web), undefined);

    transport = restored.transport();
    connections.abort(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    connections = new AbortController();
    await clock.advance(20 * 60_000);
    assert.equal(cache.get(configMaps, web), undefined);
    assert.equal(
      cache
        .list(configMaps, { labelSelector: '!x' })
        .some(({ metadata }) => metadata.name === 'm-1'),
      false,
    );
    await maps.create({ metadata: { name: 'web' }, data: { text: 'restored' } });
    assert.equal(cache.get(configMaps, web)?.data?.['text'], 'restored');
  });
});
