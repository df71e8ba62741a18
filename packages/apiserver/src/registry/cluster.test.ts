import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { loadModel } from '../schema/model.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { unusedWebhookClient } from '../testing/test-webhook.ts';
import { ServiceAllocators } from './allocators.ts';
import { builtIns } from './built-ins.ts';
import { Catalog } from './catalog.ts';
import { type Cluster, withClusterContext } from './cluster.ts';

function cluster(): Cluster {
  const store = new MemoryStore();
  const random = seededRandom(1);
  return {
    store,
    random,
    clock: new VirtualClock(),
    catalog: new Catalog(store, builtIns(loadModel())),
    allocators: new ServiceAllocators({ random }),
    plugins: new Set(),
    enforcesRoles: true,
    webhooks: unusedWebhookClient(),
  };
}

const ADDRESS = '10.0.0.9';

describe('withClusterContext', () => {
  it('keeps what a successful write allocated', () => {
    const ground = cluster();
    withClusterContext(ground, {}, ({ allocators }) => allocators.clusterIP('IPv4', ADDRESS));
    assert.throws(() => ground.allocators.clusterIP('IPv4', ADDRESS), {
      code: 'APISERVER_ALLOCATION_TAKEN',
    });
  });

  it('releases the allocations of a write that fails or is a dry run', () => {
    const ground = cluster();
    const take = { dryRun: true };
    withClusterContext(ground, take, ({ allocators }) => allocators.clusterIP('IPv4', ADDRESS));
    assert.throws(
      () =>
        withClusterContext(ground, {}, ({ allocators }) => {
          allocators.clusterIP('IPv4', ADDRESS);
          throw new Error('after all not');
        }),
      /after all not/,
    );
    assert.equal(ground.allocators.clusterIP('IPv4', ADDRESS), ADDRESS);
  });

  it('reads stored objects by name and by namespace', () => {
    const ground = cluster();
    for (const [namespace, name] of [
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'x'],
    ] as const) {
      ground.store.put(`//configmaps/${namespace}/${name}`, () => ({
        metadata: { namespace, name },
      }));
    }
    withClusterContext(ground, { namespace: 'a' }, ({ lookup, list, namespace, requestGroup }) => {
      assert.equal(namespace, 'a');
      assert.equal(requestGroup, '');
      assert.equal(lookup('', 'configmaps', 'b', 'x')?.metadata?.namespace, 'b');
      assert.equal(lookup('', 'configmaps', 'b', 'y'), undefined);
      assert.equal(lookup('no.such', 'group', '', 'x'), undefined);
      assert.equal([...list('', 'configmaps', 'a')].length, 2);
      assert.equal([...list('', 'configmaps', '')].length, 3);
      assert.deepEqual([...list('no.such', 'group', '')], []);
    });
  });
});
