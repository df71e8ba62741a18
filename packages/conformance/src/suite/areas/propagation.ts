import assert from 'node:assert/strict';
import type { ApiObject } from '../../http/exchange.ts';
import type { Area, Kit } from '../check.ts';
import { failure, ok } from '../expect.ts';
import { configMap, core, create } from '../objects.ts';

/** Without a finalizer, an object without dependents would be gone before the check looks. */
const HOLD = 'conformance.example.com/hold';

async function deletedWith({ api, namespace, unique }: Kit, query: string): Promise<ApiObject> {
  const name = unique('cm');
  const path = `${core(namespace, 'configmaps')}/${name}`;
  await create(api, core(namespace, 'configmaps'), configMap(name, {}, { finalizers: [HOLD] }));
  return ok(await api.delete(`${path}?${query}`));
}

/** The finalizers that a deletion sets for the garbage collector. */
export const propagation: Area = {
  name: 'propagation',
  checks: {
    'Foreground keeps the object until its dependents are gone': async (kit) => {
      const { metadata } = await deletedWith(kit, 'propagationPolicy=Foreground');
      assert.deepEqual(metadata.finalizers?.toSorted(), [HOLD, 'foregroundDeletion'].toSorted());
      assert.ok(metadata.deletionTimestamp !== undefined);
    },

    'Orphan keeps the object until its dependents are released': async (kit) => {
      const { metadata } = await deletedWith(kit, 'propagationPolicy=Orphan');
      assert.deepEqual(metadata.finalizers?.toSorted(), [HOLD, 'orphan'].toSorted());
    },

    'orphanDependents means the same as Orphan': async (kit) => {
      const { metadata } = await deletedWith(kit, 'orphanDependents=true');
      assert.ok(metadata.finalizers?.includes('orphan'));
    },

    'Background adds no finalizer': async (kit) => {
      const { metadata } = await deletedWith(kit, 'propagationPolicy=Background');
      assert.deepEqual(metadata.finalizers, [HOLD]);
    },

    'takes the policy from a body, too': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(api, core(namespace, 'configmaps'), configMap(name, {}, { finalizers: [HOLD] }));
      const { metadata } = ok(await api.delete(path, { propagationPolicy: 'Foreground' }));
      assert.ok(metadata.finalizers?.includes('foregroundDeletion'));
    },

    'keeps owner references as given': async ({ api, namespace, unique }) => {
      const owner = await create(api, core(namespace, 'configmaps'), configMap(unique('cm')));
      const reference = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: owner.metadata.name ?? '',
        uid: owner.metadata.uid ?? '',
        controller: true,
        blockOwnerDeletion: true,
      };
      const object = configMap(unique('cm'), {}, { ownerReferences: [reference] });
      const { metadata } = await create(api, core(namespace, 'configmaps'), object);
      assert.deepEqual(metadata.ownerReferences, [reference]);
    },

    'removes an object without finalizers in one step': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(api, core(namespace, 'configmaps'), configMap(name));
      ok(await api.delete(`${path}?propagationPolicy=Background`));
      failure(await api.get(path), 404, 'NotFound');
    },
  },
};
