import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CachedObject, CacheSyncError, lastKnownState } from 'client-ts/cache';
import { DynamicClient } from 'client-ts/dynamic';
import {
  DynamicSharedInformerFactory,
  type InformerFactory,
  type InformerFactoryOptions,
  MetadataSharedInformerFactory,
  type ResourceInformer,
  SharedInformerFactory,
} from 'client-ts/informers';
import { Clientset } from 'client-ts/kubernetes';
import { type GroupVersionResource, isNotFound } from 'client-ts/meta';
import { MetadataClient } from 'client-ts/metadata';
import { type CustomResource, installCustomResource } from '../clients/test-custom-resources.ts';
import { type RunningTarget, targets } from '../clients/test-targets.ts';

/** What the three factories have in common. */
type AnyFactory = InformerFactory & {
  forResource(resource: GroupVersionResource): ResourceInformer<CachedObject>;
};

const factories: Readonly<
  Record<string, (client: Clientset, options: InformerFactoryOptions) => AnyFactory>
> = {
  SharedInformerFactory: (client, options) => new SharedInformerFactory(client, options),
  DynamicSharedInformerFactory: ({ rest }, options) =>
    new DynamicSharedInformerFactory(new DynamicClient(rest), options) as unknown as AnyFactory,
  MetadataSharedInformerFactory: ({ rest }, options) =>
    new MetadataSharedInformerFactory(new MetadataClient(rest), options) as unknown as AnyFactory,
};

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const soon = (): AbortSignal => AbortSignal.timeout(20_000);

for (const { name, start } of targets) {
  describe(`factories of informers ${name}`, () => {
    let target: RunningTarget;
    let custom: CustomResource;
    let client: Clientset;

    before(async () => {
      target = await start();
      custom = await installCustomResource(target.config);
      client = new Clientset(target.config);
    });

    after(async () => {
      await client[Symbol.asyncDispose]();
      await custom[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    for (const [kind, make] of Object.entries(factories)) {
      for (const which of ['built-in', 'custom'] as const) {
        for (const useWatchList of [true, false]) {
          it(`${kind} follows selected ${which} objects, ${useWatchList ? 'streamed' : 'listed'}`, async () => {
            const resource = which === 'custom' ? custom.gvr : configMaps;
            const objects = new DynamicClient(client.rest)
              .resource(resource)
              .namespace(custom.namespace);
            const content = which === 'custom' ? custom.object('x') : { data: {} };
            const write = async (generateName: string, app: string) =>
              await objects.create({
                ...content,
                metadata: { generateName, labels: { app } },
              });
            const first = await write('first-', 'web');
            await write('other-', 'db');
            await using factory = make(client, {
              namespace: custom.namespace,
              labelSelector: 'app=web',
              useWatchList,
            });
            const { informer, lister } = factory.forResource(resource);
            assert.equal(factory.forResource(resource).informer, informer);
            const calls: string[] = [];
            const nameIn = (object: CachedObject | undefined): string =>
              object?.metadata?.generateName ?? '';
            informer.addEventHandler({
              onAdd: (object, isInInitialList) =>
                void calls.push(`+${nameIn(object)}${isInInitialList ? ' first' : ''}`),
              onUpdate: (_, object) =>
                void calls.push(`~${nameIn(object)}${object.metadata?.annotations?.['note']}`),
              onDelete: (object) => void calls.push(`-${nameIn(lastKnownState(object))}`),
            });
            factory.start();
            await factory.waitForCacheSync({ signal: soon() });
            const second = await write('second-', 'web');
            const patch = { metadata: { annotations: { note: 'seen' } } };
            const changed = await objects.patch(first.metadata.name, patch, { type: 'merge' });
            await informer.reached(changed.metadata.resourceVersion, { signal: soon() });
            const listed = lister.namespace(custom.namespace);
            assert.deepEqual(
              listed.list('app=web').map(({ metadata }) => metadata?.name),
              [first.metadata.name, second.metadata.name],
            );
            assert.equal(
              listed.get(first.metadata.name).metadata?.resourceVersion,
              changed.metadata.resourceVersion,
            );
            await objects.delete(second.metadata.name);
            const third = await write('third-', 'web');
            await informer.reached(third.metadata.resourceVersion, { signal: soon() });
            assert.throws(() => listed.get(second.metadata.name), isNotFound);
            assert.equal(informer.indexer.countByIndex('namespace', custom.namespace), 2);
            await factory.shutdown();
            assert.equal(informer.isStopped, true);
            assert.deepEqual(calls, [
              '+first- first',
              '+second-',
              '~first-seen',
              '-second-',
              '+third-',
            ]);
            await objects.deleteCollection();
          });
        }
      }
    }

    it('name what is forbidden or absent, and keep the rest in sync', async () => {
      const impersonate = { user: 'guest' };
      await using stranger = new Clientset({ ...target.config, impersonate });
      await using allowed = new SharedInformerFactory(client, { namespace: custom.namespace });
      await using factory = new SharedInformerFactory(stranger);
      const maps = allowed.coreV1.configMaps();
      const missing = { group: 'no-such.example.com', version: 'v1', resource: 'things' };
      allowed.forResource(missing);
      factory.coreV1.secrets();
      factory.start();
      allowed.start();
      await assert.rejects(factory.waitForCacheSync({ signal: soon() }), (error) => {
        assert.ok(error instanceof CacheSyncError);
        assert.match(error.message, /secrets may not (list|watch): .*"guest"/);
        return true;
      });
      await assert.rejects(allowed.waitForCacheSync({ signal: soon() }), (error) => {
        assert.ok(error instanceof CacheSyncError);
        assert.deepEqual(
          error.waiting.map(({ name: informer, state }) => `${informer}: ${state?.state}`),
          [`things.no-such.example.com in ${custom.namespace}: absent`],
        );
        return true;
      });
      assert.equal(maps.informer.state.state, 'live');
    });

    it('share informers as long as one of them needs them', async () => {
      await using factory = new SharedInformerFactory(client);
      const view = factory.namespace(custom.namespace);
      const other = factory.namespace(custom.namespace);
      const maps = view.coreV1.configMaps();
      assert.equal(other.coreV1.configMaps().informer, maps.informer);
      const stop = new AbortController();
      view.start({ signal: stop.signal });
      other.start();
      await view.waitForCacheSync({ signal: soon() });
      stop.abort();
      await view.shutdown();
      const written = await client.coreV1
        .configMaps(custom.namespace)
        .create({ metadata: { generateName: 'shared-' } });
      await maps.informer.reached(written.metadata.resourceVersion, { signal: soon() });
      assert.equal(
        maps.lister.namespace(custom.namespace).get(written.metadata.name).kind,
        'ConfigMap',
      );
      await other.shutdown();
      assert.equal(maps.informer.isStopped, true);
    });
  });
}
