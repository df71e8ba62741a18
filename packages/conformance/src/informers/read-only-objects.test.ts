import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { configMaps } from 'client-ts/api/core/v1';
import { mutableCopy } from 'client-ts/codec';
import { DynamicClient } from 'client-ts/dynamic';
import {
  DynamicSharedInformerFactory,
  MetadataSharedInformerFactory,
  SharedInformerFactory,
} from 'client-ts/informers';
import { Clientset } from 'client-ts/kubernetes';
import { MetadataClient } from 'client-ts/metadata';
import { getReference } from 'client-ts/record';
import { type CustomResource, installCustomResource } from '../clients/test-custom-resources.ts';
import { type RunningTarget, targets } from '../clients/test-targets.ts';

const inTime = (): AbortSignal => AbortSignal.timeout(20_000);

/**
 * Asserts that nothing in an object can be written, and that it equals the plain one in every way.
 */
function assertReadOnlyTwin(cached: object, plain: object): void {
  assert.equal(JSON.stringify(cached), JSON.stringify(plain));
  assert.deepStrictEqual(cached, plain);
  assert.deepStrictEqual(structuredClone(cached), plain);
  assert.equal(
    inspect(cached, { depth: 9, compact: false }),
    inspect(plain, { depth: 9, compact: false }),
  );
  const frozen = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    assert.throws(() => Object.assign(value, { added: true }), TypeError);
    Object.values(value).forEach(frozen);
  };
  frozen(cached);
}

for (const { name, start } of targets) {
  describe(`objects in the cache of an informer, ${name}`, () => {
    let target: RunningTarget;
    let custom: CustomResource;

    before(async () => {
      target = await start();
      custom = await installCustomResource(target.config);
    });

    after(async () => {
      await custom[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    for (const useWatchList of [true, false]) {
      const how = useWatchList ? 'streamed' : 'listed';

      it(`are read-only, equal to the server's, and can be written back: ${how}`, async () => {
        const { namespace } = custom;
        await using client = new Clientset(target.config);
        await using factory = new SharedInformerFactory(client, { namespace, useWatchList });
        const maps = client.coreV1.configMaps(namespace);
        const { metadata } = await maps.create({
          metadata: { generateName: 'map-', annotations: { say: 'grün' } },
          data: { color: 'red' },
        });
        const { informer, lister } = factory.coreV1.configMaps();
        factory.start({ signal: inTime() });
        await factory.waitForCacheSync({ signal: inTime() });
        const first = lister.namespace(namespace).get(metadata.name);
        assertReadOnlyTwin(first, await maps.get(metadata.name));
        const { kind, apiVersion, name } = getReference(first);
        assert.deepEqual([kind, apiVersion, name], ['ConfigMap', 'v1', metadata.name]);

        const changed = mutableCopy(first);
        changed.data = { color: 'blue' };
        const written = await maps.update(changed);
        await informer.reached(written.metadata.resourceVersion, { signal: inTime() });
        assertReadOnlyTwin(
          lister.namespace(namespace).get(metadata.name),
          await maps.get(metadata.name),
        );
        assert.equal(first.data?.['color'], 'red');
      });

      it(`are so for custom resources: ${how}`, async () => {
        const { namespace, gvr } = custom;
        await using dynamic = new DynamicClient(target.config);
        await using factory = new DynamicSharedInformerFactory(dynamic, {
          namespace,
          useWatchList,
        });
        const widgets = dynamic.resource(gvr).namespace(namespace);
        const name = `dynamic-${how}`;
        await widgets.create(custom.object(name, { size: 3, parts: [{ name: 'ä' }] }));
        const { lister } = factory.forResource(gvr);
        factory.start({ signal: inTime() });
        await factory.waitForCacheSync({ signal: inTime() });
        assertReadOnlyTwin(lister.namespace(namespace).get(name), await widgets.get(name));
      });

      it(`are so for metadata: ${how}`, async () => {
        const { namespace, gvr } = custom;
        await using dynamic = new DynamicClient(target.config);
        await using metadata = new MetadataClient(target.config);
        await using factory = new MetadataSharedInformerFactory(metadata, {
          namespace,
          useWatchList,
        });
        const name = `metadata-${how}`;
        await dynamic.resource(gvr).namespace(namespace).create(custom.object(name));
        const [widgets, maps] = [factory.forResource(gvr), factory.forResource(configMaps)];
        factory.start({ signal: inTime() });
        await factory.waitForCacheSync({ signal: inTime() });
        const widget = widgets.lister.namespace(namespace).get(name);
        const plain = await metadata.resource(gvr).namespace(namespace).get(name);
        assert.deepStrictEqual(structuredClone(widget), plain);
        for (const object of [widget, ...maps.lister.list()]) {
          assert.equal(object.kind, 'PartialObjectMetadata');
          assert.ok(Object.isFrozen(object) && Object.isFrozen(object.metadata));
        }
      });
    }
  });
}
