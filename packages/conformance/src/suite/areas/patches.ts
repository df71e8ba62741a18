import assert from 'node:assert/strict';
import type { Area, Kit } from '../check.ts';
import { failure, field, ok } from '../expect.ts';
import { apps, configMap, core, create, customKind, deployment } from '../objects.ts';

async function configMapWith(
  { api, namespace, unique }: Kit,
  data: Record<string, string>,
): Promise<string> {
  const name = unique('cm');
  await create(api, core(namespace, 'configmaps'), configMap(name, data));
  return `${core(namespace, 'configmaps')}/${name}`;
}

async function deploymentWith({ api, namespace, unique }: Kit): Promise<string> {
  const name = unique('d');
  const containers = [
    { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] },
    { name: 'b', image: 'b:1' },
  ];
  const template = { metadata: { labels: { app: name } }, spec: { containers } };
  await create(api, apps(namespace, 'deployments'), deployment(name, { template }));
  return `${apps(namespace, 'deployments')}/${name}`;
}

/** JSON, merge and strategic merge patches. */
export const patches: Area = {
  name: 'patches',
  checks: {
    'JSON: adds, replaces and removes': async (kit) => {
      const path = await configMapWith(kit, { a: '1', b: '2' });
      const patch = [
        { op: 'add', path: '/data/c', value: '3' },
        { op: 'replace', path: '/data/a', value: '9' },
        { op: 'remove', path: '/data/b' },
      ];
      assert.deepEqual(ok(await kit.api.patch('json', path, patch))['data'], { a: '9', c: '3' });
    },

    'JSON: tests, copies and moves': async (kit) => {
      const path = await configMapWith(kit, { a: '1' });
      const patch = [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'copy', from: '/data/a', path: '/data/b' },
        { op: 'move', from: '/data/a', path: '/data/c' },
      ];
      assert.deepEqual(ok(await kit.api.patch('json', path, patch))['data'], { b: '1', c: '1' });
    },

    'JSON: does nothing if a test fails': async (kit) => {
      const path = await configMapWith(kit, { a: '1' });
      const patch = [
        { op: 'add', path: '/data/b', value: '2' },
        { op: 'test', path: '/data/a', value: 'other' },
      ];
      failure(await kit.api.patch('json', path, patch), 422, 'Invalid');
      assert.deepEqual(ok(await kit.api.get(path))['data'], { a: '1' });
    },

    'JSON: escapes in paths': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit);
      const spec = { 'a/b': 1, 'c~d': 2, e: 3 };
      await create(api, things.collection(namespace), things.object('a', { spec }));
      const patch = [
        { op: 'remove', path: '/spec/a~1b' },
        { op: 'replace', path: '/spec/c~0d', value: 4 },
      ];
      const patched = ok(await api.patch('json', `${things.collection(namespace)}/a`, patch));
      assert.deepEqual(patched['spec'], { 'c~d': 4, e: 3 });
    },

    'JSON: rejects what is not a list of operations': async (kit) => {
      const path = await configMapWith(kit, {});
      failure(await kit.api.patch('json', path, { op: 'add' }), 400, 'BadRequest');
      failure(await kit.api.patch('json', path, '['), 400, 'BadRequest');
    },

    'merge: sets, and removes with null': async (kit) => {
      const path = await configMapWith(kit, { a: '1', b: '2' });
      const patched = ok(await kit.api.patch('merge', path, { data: { b: null, c: '3' } }));
      assert.deepEqual(patched['data'], { a: '1', c: '3' });
    },

    'merge: replaces lists as a whole': async (kit) => {
      const path = await deploymentWith(kit);
      const spec = { template: { spec: { containers: [{ name: 'z', image: 'z:1' }] } } };
      const patched = ok(await kit.api.patch('merge', path, { spec }));
      assert.equal((field(patched, 'spec.template.spec.containers') as unknown[]).length, 1);
      assert.equal(field(patched, 'spec.template.spec.containers.0.name'), 'z');
    },

    'strategic: merges lists by their key': async (kit) => {
      const path = await deploymentWith(kit);
      const spec = { template: { spec: { containers: [{ name: 'b', image: 'b:2' }] } } };
      const patched = ok(await kit.api.patch('strategic', path, { spec }));
      assert.equal(field(patched, 'spec.template.spec.containers.0.image'), 'a:1');
      assert.equal(field(patched, 'spec.template.spec.containers.1.image'), 'b:2');
    },

    'strategic: merges lists within lists': async (kit) => {
      const path = await deploymentWith(kit);
      const env = [{ name: 'Y', value: '2' }];
      const spec = { template: { spec: { containers: [{ name: 'a', env }] } } };
      const patched = ok(await kit.api.patch('strategic', path, { spec }));
      const merged = field(patched, 'spec.template.spec.containers.0.env') as { name: string }[];
      assert.deepEqual(merged.map(({ name }) => name).toSorted(), ['X', 'Y']);
    },

    'strategic: deletes an item': async (kit) => {
      const path = await deploymentWith(kit);
      const spec = { template: { spec: { containers: [{ name: 'a', $patch: 'delete' }] } } };
      const patched = ok(await kit.api.patch('strategic', path, { spec }));
      const containers = field(patched, 'spec.template.spec.containers') as { name: string }[];
      assert.deepEqual(
        containers.map(({ name }) => name),
        ['b'],
      );
    },

    'strategic: replaces a map on request': async (kit) => {
      const path = await configMapWith(kit, { a: '1', b: '2' });
      const patched = ok(
        await kit.api.patch('strategic', path, { data: { $patch: 'replace', c: '3' } }),
      );
      assert.deepEqual(patched['data'], { c: '3' });
    },

    'strategic: keeps only the keys that it names': async (kit) => {
      const path = await deploymentWith(kit);
      const spec = { strategy: { $retainKeys: ['type'], type: 'Recreate' } };
      const patched = ok(await kit.api.patch('strategic', path, { spec }));
      assert.deepEqual(field(patched, 'spec.strategy'), { type: 'Recreate' });
    },

    'strategic: deletes from a list of scalars': async (kit) => {
      const path = await configMapWith(kit, {});
      const [a, b] = ['example.com/a', 'example.com/b'];
      ok(await kit.api.patch('merge', path, { metadata: { finalizers: [a, b] } }));
      const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': [a] } };
      assert.deepEqual(ok(await kit.api.patch('strategic', path, patch)).metadata.finalizers, [b]);
      ok(await kit.api.patch('merge', path, { metadata: { finalizers: null } }));
    },

    'strategic: is not supported for custom resources': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit);
      await create(api, things.collection(namespace), things.object('a'));
      const reply = await api.patch('strategic', `${things.collection(namespace)}/a`, { spec: {} });
      failure(reply, 415, 'UnsupportedMediaType');
      ok(await api.patch('merge', `${things.collection(namespace)}/a`, { spec: { a: 1 } }));
    },

    'validates the result': async (kit) => {
      const path = await deploymentWith(kit);
      failure(await kit.api.patch('merge', path, { spec: { replicas: -1 } }), 422, 'Invalid');
    },

    'answers 404 for a patch of a missing object': async ({ api, namespace }) => {
      failure(await api.patch('merge', core(namespace, 'configmaps/missing'), {}), 404, 'NotFound');
    },

    'rejects an unknown patch type': async (kit) => {
      const path = await configMapWith(kit, {});
      const reply = await kit.api.request('PATCH', path, {
        body: {},
        contentType: 'application/json',
      });
      failure(reply, 415, 'UnsupportedMediaType');
    },

    'keeps the name and the namespace': async (kit) => {
      const path = await configMapWith(kit, {});
      const reply = await kit.api.patch('merge', path, { metadata: { name: 'other' } });
      assert.equal(reply.status, 400);
    },
  },
};
