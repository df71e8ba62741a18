import assert from 'node:assert/strict';
import type { Area, Kit } from '../check.ts';
import { failure, names, ok } from '../expect.ts';
import { configMap, core, create, createPod, pod } from '../objects.ts';

/** Creates four ConfigMaps in a new namespace, and returns the names that each selector matches. */
async function found(kit: Kit, selectors: readonly string[]): Promise<string[][]> {
  const { api } = kit;
  const namespace = await kit.freshNamespace();
  const label = { suite: 'selectors' };
  const objects = {
    a: { env: 'prod', tier: 'web' },
    b: { env: 'dev', tier: 'web' },
    c: { env: 'prod', size: '5' },
    d: {},
  };
  for (const [name, labels] of Object.entries(objects)) {
    const object = configMap(name, {}, { labels: { ...label, ...labels } });
    await create(api, core(namespace, 'configmaps'), object);
  }
  const lists: string[][] = [];
  for (const selector of selectors) {
    const query = `labelSelector=${encodeURIComponent(`suite=selectors,${selector}`)}`;
    lists.push(names(ok(await api.get(`${core(namespace, 'configmaps')}?${query}`))));
  }
  return lists;
}

/** Label and field selectors. */
export const selectors: Area = {
  name: 'selectors',
  checks: {
    'labels: equal, not equal': async (kit) => {
      const lists = await found(kit, ['env=prod', 'env==prod', 'env!=prod']);
      assert.deepEqual(lists, [
        ['a', 'c'],
        ['a', 'c'],
        ['b', 'd'],
      ]);
    },

    'labels: in, not in': async (kit) => {
      const lists = await found(kit, [
        'env in (prod,dev)',
        'env notin (prod)',
        'env in (prod),tier in (web)',
      ]);
      assert.deepEqual(lists, [['a', 'b', 'c'], ['b', 'd'], ['a']]);
    },

    'labels: there, not there': async (kit) => {
      assert.deepEqual(await found(kit, ['tier', '!tier', 'tier,!size']), [
        ['a', 'b'],
        ['c', 'd'],
        ['a', 'b'],
      ]);
    },

    'labels: greater, less': async (kit) => {
      assert.deepEqual(await found(kit, ['size>4', 'size<5', 'size>3,size<6']), [['c'], [], ['c']]);
    },

    'labels: rejects invalid selectors': async ({ api, namespace }) => {
      for (const selector of ['a b', 'a in', 'a=b c', 'a in (b', '=b', 'a=b=c']) {
        const query = `labelSelector=${encodeURIComponent(selector)}`;
        failure(await api.get(`${core(namespace, 'configmaps')}?${query}`), 400, 'BadRequest');
      }
    },

    'fields: by name and namespace, on every kind': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('cm');
      await create(api, core(namespace, 'configmaps'), configMap(name));
      await create(api, core(namespace, 'configmaps'), configMap(unique('cm')));
      const byName = `fieldSelector=metadata.name%3D${name}`;
      assert.deepEqual(names(ok(await api.get(`${core(namespace, 'configmaps')}?${byName}`))), [
        name,
      ]);
      const both = `${byName},metadata.namespace%3D${namespace}`;
      assert.deepEqual(names(ok(await api.get(`/api/v1/configmaps?${both}`))), [name]);
      const elsewhere = `${byName},metadata.namespace!%3D${namespace}`;
      assert.deepEqual(names(ok(await api.get(`/api/v1/configmaps?${elsewhere}`))), []);
    },

    'fields: of Pods': async (kit) => {
      const { api } = kit;
      const namespace = await kit.freshNamespace();
      const nodeName = kit.unique('no-such-node');
      await createPod(kit, namespace, pod('waiting'));
      await createPod(kit, namespace, pod('placed', { nodeName }));
      const list = async (selector: string): Promise<string[]> =>
        names(
          ok(
            await api.get(
              `${core(namespace, 'pods')}?fieldSelector=${encodeURIComponent(selector)}`,
            ),
          ),
        );
      assert.deepEqual(await list(`spec.nodeName=${nodeName}`), ['placed']);
      assert.deepEqual(await list('spec.nodeName='), ['waiting']);
      assert.deepEqual(await list('status.phase=Pending'), ['placed', 'waiting']);
      assert.deepEqual(await list('status.phase!=Pending'), []);
      assert.deepEqual(await list('spec.restartPolicy=Always,metadata.name=placed'), ['placed']);
    },

    'fields: rejects fields that the kind does not support': async ({ api, namespace }) => {
      const path = `${core(namespace, 'configmaps')}?fieldSelector=data.a%3D1`;
      failure(await api.get(path), 400, 'BadRequest', /field selector/);
    },

    'labels and fields together': async (kit) => {
      const { api, namespace, unique } = kit;
      const label = unique('l');
      const name = unique('cm');
      await create(api, core(namespace, 'configmaps'), configMap(name, {}, { labels: { label } }));
      await create(
        api,
        core(namespace, 'configmaps'),
        configMap(unique('cm'), {}, { labels: { label } }),
      );
      const query = `labelSelector=label%3D${label}&fieldSelector=metadata.name%3D${name}`;
      assert.deepEqual(names(ok(await api.get(`${core(namespace, 'configmaps')}?${query}`))), [
        name,
      ]);
    },
  },
};
