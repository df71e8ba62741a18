import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConfigMap } from 'client-ts/api/core/v1';
import { CacheError, ListWatch, SharedIndexInformer } from 'client-ts/cache';
import { mutableCopy } from 'client-ts/codec';
import { DynamicClient } from 'client-ts/dynamic';
import { DynamicSharedInformerFactory, SharedInformerFactory } from 'client-ts/informers';
import { Clientset } from 'client-ts/kubernetes';
import { OptionError } from 'client-ts/meta';
import { RestError } from 'client-ts/rest';
import { type CustomResource, installCustomResource } from '../clients/test-custom-resources.ts';
import { type RunningTarget, targets } from '../clients/test-targets.ts';
import { decompressionsOf } from './test-decompressions.ts';

const inTime = (): AbortSignal => AbortSignal.timeout(20_000);

for (const { name, start } of targets) {
  describe(`an informer with a projection, ${name}`, () => {
    let target: RunningTarget;
    let custom: CustomResource;
    let client: Clientset;

    before(async () => {
      target = await start();
      custom = await installCustomResource(target.config);
      client = new Clientset(target.config);
    });

    after(async () => {
      await client.close();
      await custom[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    for (const useWatchList of [true, false]) {
      it(`keeps the named fields of what is ${useWatchList ? 'streamed' : 'listed'} and watched`, async () => {
        const { namespace } = custom;
        await using factory = new SharedInformerFactory(client, { namespace, useWatchList });
        const services = client.coreV1.services(namespace);
        const { metadata } = await services.create({
          metadata: { generateName: 'web-', labels: { app: 'web' } },
          spec: { ports: [{ port: 80 }], sessionAffinity: 'None' },
        });
        const { informer, lister } = factory.coreV1.services({
          project: ['spec.sessionAffinity', 'spec.ports'],
        });
        const { indexer } = informer.addIndexers({
          affinity: 'spec.sessionAffinity',
          app: 'metadata.labels.app',
        });
        const changes: unknown[] = [];
        informer.addEventHandler({
          onUpdate: (old, { spec }) => void changes.push([old.spec, spec]),
        });
        factory.start({ signal: inTime() });
        await factory.waitForCacheSync({ signal: inTime() });
        const first = lister.namespace(namespace).get(metadata.name);
        const ports = [{ protocol: 'TCP', port: 80, targetPort: 80 }];
        assert.deepEqual(JSON.parse(JSON.stringify(first)), {
          kind: 'Service',
          apiVersion: 'v1',
          metadata: { ...first.metadata },
          spec: { ports, sessionAffinity: 'None' },
        });
        assert.equal(first.metadata.managedFields, undefined);
        assert.equal(lister.list('app=web').includes(first), true);
        const { metadata: changed } = await services.patch(
          metadata.name,
          { spec: { sessionAffinity: 'ClientIP' } },
          { type: 'merge' },
        );
        await informer.reached(changed.resourceVersion, { signal: inTime() });
        const key = `${namespace}/${metadata.name}`;
        assert.deepEqual(indexer.indexKeys('affinity', 'ClientIP'), [key]);
        assert.deepEqual(JSON.parse(JSON.stringify(changes)), [
          [
            { ports, sessionAffinity: 'None' },
            { ports, sessionAffinity: 'ClientIP' },
          ],
        ]);
        await services.delete(metadata.name);
      });
    }

    it('has objects that cannot be written, nor copies of them', async () => {
      const { namespace } = custom;
      await using factory = new SharedInformerFactory(client, { namespace });
      const maps = client.coreV1.configMaps(namespace);
      const { metadata } = await maps.create({
        metadata: { generateName: 'map-' },
        data: { color: 'red', size: '1' },
      });
      const { lister } = factory.coreV1.configMaps({ project: ['data.color'] });
      factory.start({ signal: inTime() });
      await factory.waitForCacheSync({ signal: inTime() });
      const cached = lister.namespace(namespace).get(metadata.name);
      assert.deepEqual({ ...cached.data }, { color: 'red' });
      for (const object of [cached, mutableCopy(cached), { ...cached, immutable: true }]) {
        const refused = (error: unknown): boolean =>
          error instanceof RestError &&
          error.code === 'REST_OBJECT_PROJECTED' &&
          error.message.includes(`ConfigMap "${metadata.name}" is from a cache of "data.color"`);
        // As in JavaScript, where no compiler refuses it.
        const whole = object as unknown as ConfigMap;
        await assert.rejects(maps.update(whole), refused);
        await assert.rejects(maps.apply(whole, { fieldManager: 'test' }), refused);
      }
      assert.deepEqual((await maps.get(metadata.name)).data, { color: 'red', size: '1' });
    });

    it('is shared by everyone who asks for the same fields, in any order', async () => {
      await using factory = new SharedInformerFactory(client, { namespace: custom.namespace });
      const getter = factory.coreV1.configMaps;
      const { informer } = getter({ project: ['data', 'immutable'] });
      assert.equal(getter({ project: ['immutable', 'data'] }).informer, informer);
      for (const other of [getter(), getter({ project: ['data'] }), getter({ project: [] })]) {
        assert.ok(![informer as object].includes(other.informer));
      }
    });

    for (const useWatchList of [true, false]) {
      it(`keeps compressed what is ${useWatchList ? 'streamed' : 'listed'} and watched, and reads it as it was written`, async () => {
        const { namespace } = custom;
        await using factory = new SharedInformerFactory(client, { namespace, useWatchList });
        const maps = client.coreV1.configMaps(namespace);
        const data = { text: 'ä line that repeats\n'.repeat(100) };
        const { metadata } = await maps.create({ metadata: { generateName: 'map-' }, data });
        const other = await maps.create({ metadata: { generateName: 'map-' }, data });
        const options = { compress: true, dropManagedFields: true };
        const { informer, lister } = factory.coreV1.configMaps(options);
        const plain = factory.coreV1.configMaps();
        assert.notEqual(plain.informer, informer);
        assert.equal(factory.coreV1.configMaps(options).informer, informer);
        factory.start({ signal: inTime() });
        await factory.waitForCacheSync({ signal: inTime() });
        // The object that arrived or was read last is read without decompressing it.
        const readOther = (): string =>
          JSON.stringify(lister.namespace(namespace).get(other.metadata.name));
        const cached = lister.namespace(namespace).get(metadata.name);
        readOther();
        assert.equal(
          decompressionsOf(() => assert.deepEqual({ ...cached.data }, data)),
          1,
        );
        assert.equal(cached.metadata.managedFields, undefined);
        const changed = { text: 'ü line that repeats\n'.repeat(100) };
        const updated = await maps.update({ ...mutableCopy(cached), data: changed });
        for (const each of [informer, plain.informer]) {
          await each.reached(updated.metadata.resourceVersion, { signal: inTime() });
        }
        const after = lister.namespace(namespace).get(metadata.name);
        readOther();
        assert.equal(
          decompressionsOf(() => assert.deepEqual({ ...after.data }, changed)),
          1,
        );
        const whole = plain.lister.namespace(namespace).get(metadata.name);
        assert.equal(
          decompressionsOf(() => assert.deepEqual({ ...whole.data }, changed)),
          0,
        );
        assert.notEqual(whole.metadata.managedFields, undefined);
        for (const { name } of [metadata, other.metadata]) await maps.delete(name);
      });
    }

    it('keeps the named fields of custom resources', async () => {
      const { namespace, gvr } = custom;
      await using dynamic = new DynamicClient(target.config);
      await using factory = new DynamicSharedInformerFactory(dynamic, { namespace });
      const widgets = dynamic.resource(gvr).namespace(namespace);
      await widgets.create(custom.object('a', { size: 3, parts: [{ name: 'ä' }], color: 'grün' }));
      const { informer, lister } = factory.forResource(gvr, {
        project: ['spec.color', 'spec.parts'],
      });
      const { indexer } = informer.addIndexers({ color: 'spec.color' });
      factory.start({ signal: inTime() });
      await factory.waitForCacheSync({ signal: inTime() });
      const widget = lister.namespace(namespace).get('a');
      assert.deepEqual(JSON.parse(JSON.stringify(widget.spec)), {
        color: 'grün',
        parts: [{ name: 'ä' }],
      });
      assert.deepEqual(indexer.byIndex('color', 'grün'), [widget]);
    });

    it('runs transforms on what it keeps', async () => {
      const { namespace } = custom;
      await using factory = new SharedInformerFactory(client, { namespace });
      const maps = client.coreV1.configMaps(namespace);
      const { metadata } = await maps.create({
        metadata: { generateName: 'map-' },
        data: { color: 'red', size: '1' },
      });
      const { lister } = factory.coreV1.configMaps({
        project: ['data.color'],
        transform: (map) => ({ ...map, data: { ...map.data, seen: 'true' } }),
      });
      factory.start({ signal: inTime() });
      await factory.waitForCacheSync({ signal: inTime() });
      const cached = lister.namespace(namespace).get(metadata.name);
      assert.deepEqual(cached.data, { color: 'red', seen: 'true' });
      await assert.rejects(maps.update(cached as unknown as ConfigMap), RestError);
    });

    it('is not made of plain objects', () => {
      const pods = client.coreV1.pods();
      for (const options of [{ project: ['spec' as const] }, { dropManagedFields: true }]) {
        assert.throws(() => new ListWatch(pods, { ...options, readOnly: false }), OptionError);
      }
      assert.throws(() => new ListWatch(pods, { project: ['spec.a[*]' as 'spec'] }), {
        name: OptionError.name,
        message: 'project: "spec.a[*]" goes into a list, which is kept whole',
      });
    });

    it('can drop the managed fields alone', async () => {
      const { namespace } = custom;
      await using factory = new SharedInformerFactory(client, {
        namespace,
        dropManagedFields: true,
      });
      const maps = client.coreV1.configMaps(namespace);
      const { metadata } = await maps.create({
        metadata: { generateName: 'map-' },
        data: { a: '1' },
      });
      assert.notEqual(metadata.managedFields, undefined);
      const { informer, lister } = factory.coreV1.configMaps();
      factory.start({ signal: inTime() });
      await factory.waitForCacheSync({ signal: inTime() });
      const cached = lister.namespace(namespace).get(metadata.name);
      const { managedFields: _, ...rest } = metadata;
      assert.deepStrictEqual(structuredClone(cached.metadata), rest);
      // What is written back leaves the managed fields of the server alone.
      const changed = await maps.update({ ...mutableCopy(cached), data: { a: '2' } });
      assert.notEqual(changed.metadata.managedFields, undefined);
      await informer.reached(changed.metadata.resourceVersion, { signal: inTime() });
      assert.equal(lister.namespace(namespace).get(metadata.name).data?.['a'], '2');
    });

    it('refuses an index of a field that it does not keep', () => {
      const listerWatcher = new ListWatch(client.coreV1.pods(), { project: ['spec.nodeName'] });
      const wrong = { phase: 'status.phase' } as unknown as { phase: 'spec.nodeName' };
      const refused = (error: unknown): boolean =>
        error instanceof CacheError &&
        error.code === 'CACHE_INDEX_NOT_PROJECTED' &&
        error.message ===
          'pods: the index "phase" reads "status.phase", which is not in the projection';
      assert.throws(
        () => new SharedIndexInformer({ name: 'pods', listerWatcher, indexers: wrong }),
        refused,
      );
      const informer = new SharedIndexInformer({ name: 'pods', listerWatcher });
      assert.throws(() => informer.addIndexers(wrong), refused);
      informer.addIndexers({ node: 'spec.nodeName', app: 'metadata.labels.app' });
    });
  });
}
