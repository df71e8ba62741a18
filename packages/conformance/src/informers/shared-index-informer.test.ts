import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConfigMap } from 'client-ts/api/core/v1';
import {
  DeletedFinalStateUnknown,
  type InformerState,
  ListWatch,
  metaNamespaceIndexFunc,
  SharedIndexInformer,
  waitForCacheSync,
} from 'client-ts/cache';
import { Clientset } from 'client-ts/kubernetes';
import type { DeepReadonly } from 'client-ts/meta';
import { type RunningTarget, targets } from '../clients/test-targets.ts';

type CachedMap = DeepReadonly<ConfigMap>;

for (const { name, start } of targets) {
  describe(`a shared informer ${name}`, () => {
    let target: RunningTarget;
    let client: Clientset;
    let namespace: string;

    before(async () => {
      target = await start();
      client = new Clientset(target.config);
      const { metadata } = await client.coreV1
        .namespaces()
        .create({ metadata: { generateName: 'informer-' } });
      namespace = metadata.name;
    });

    after(async () => {
      await client.coreV1.namespaces().delete(namespace);
      await client[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    function makeInformer(options: { queue: 'delta' | 'in-order'; useWatchList: boolean }) {
      return new SharedIndexInformer<CachedMap>({
        name: 'config maps',
        listerWatcher: new ListWatch(client.coreV1.configMaps(namespace)),
        ...options,
      }).addIndexers({
        namespace: metaNamespaceIndexFunc,
        color: (map) => (map.data?.['color'] === undefined ? [] : [map.data['color']]),
      });
    }

    for (const queue of ['in-order', 'delta'] as const) {
      for (const useWatchList of [true, false]) {
        it(`follows writes (${queue}, ${useWatchList ? 'streamed' : 'listed'})`, async () => {
          const maps = client.coreV1.configMaps(namespace);
          const first = await maps.create({
            metadata: { generateName: 'first-' },
            data: { color: 'red' },
          });
          const informer = makeInformer({ queue, useWatchList });
          const calls: string[] = [];
          const registration = informer.addEventHandler({
            onAdd: ({ metadata, data }, isInInitialList) => {
              if (metadata?.name === 'kube-root-ca.crt') return;
              calls.push(`+${data?.['color']}${isInInitialList ? ' first' : ''}`);
            },
            onUpdate: (before, after) =>
              void calls.push(`${before.data?.['color']}→${after.data?.['color']}`),
            onDelete: (map) => {
              assert.ok(!(map instanceof DeletedFinalStateUnknown));
              calls.push(`-${map.data?.['color']}`);
            },
          });
          const stop = new AbortController();
          const running = informer.run({ signal: stop.signal });
          await waitForCacheSync([informer, registration], { signal: AbortSignal.timeout(20_000) });
          assert.deepEqual(calls, ['+red first']);

          const second = await maps.create({
            metadata: { generateName: 'second-' },
            data: { color: 'red' },
          });
          await informer.reached(second.metadata.resourceVersion, {
            signal: AbortSignal.timeout(20_000),
          });
          assert.deepEqual(informer.indexer.indexKeys('color', 'red'), [
            `${namespace}/${first.metadata.name}`,
            `${namespace}/${second.metadata.name}`,
          ]);
          const changed = await maps.update({ ...first, data: { color: 'blue' } });
          await informer.reached(changed.metadata.resourceVersion, {
            signal: AbortSignal.timeout(20_000),
          });
          assert.deepEqual(
            informer.indexer.getByKey(`${namespace}/${first.metadata.name}`),
            changed,
          );
          for (const { metadata } of [first, second]) await maps.delete(metadata.name);
          const last = await maps.create({
            metadata: { generateName: 'last-' },
            data: { color: 'green' },
          });
          await informer.reached(last.metadata.resourceVersion, {
            signal: AbortSignal.timeout(20_000),
          });
          await maps.delete(last.metadata.name);
          const state: InformerState = informer.state;
          assert.equal(state.state, 'live');
          stop.abort();
          await running;
          assert.equal(informer.isStopped, true);
          assert.deepEqual(calls.slice(0, 6), [
            '+red first',
            '+red',
            'red→blue',
            '-blue',
            '-red',
            '+green',
          ]);
        });
      }
    }
  });
}
