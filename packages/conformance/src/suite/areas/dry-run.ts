import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { failure, ok } from '../expect.ts';
import { configMap, core, create } from '../objects.ts';

/** Writes without an effect. */
export const dryRun: Area = {
  name: 'dry run',
  checks: {
    'returns the result of a create and stores nothing': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = core(namespace, 'configmaps');
      const created = ok(await api.post(`${path}?dryRun=All`, configMap(name, { a: '1' })), 201);
      assert.match(created.metadata.uid ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(created.metadata.resourceVersion, undefined);
      failure(await api.get(`${path}/${name}`), 404, 'NotFound');
    },

    validates: async ({ api, namespace }) => {
      const reply = await api.post(
        `${core(namespace, 'configmaps')}?dryRun=All`,
        configMap('No_Good'),
      );
      failure(reply, 422, 'Invalid');
    },

    'detects conflicts': async ({ api, namespace, unique }) => {
      const object = configMap(unique('cm'));
      await create(api, core(namespace, 'configmaps'), object);
      failure(
        await api.post(`${core(namespace, 'configmaps')}?dryRun=All`, object),
        409,
        'AlreadyExists',
      );
    },

    'returns the result of an update': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const created = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const updated = ok(await api.put(`${path}?dryRun=All`, configMap(name, { a: '2' })));
      assert.deepEqual(updated['data'], { a: '2' });
      assert.equal(updated.metadata.resourceVersion, created.metadata.resourceVersion);
      assert.deepEqual(ok(await api.get(path)), created);
    },

    'returns the result of a patch': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const created = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const patched = ok(await api.patch('merge', `${path}?dryRun=All`, { data: { b: '2' } }));
      assert.deepEqual(patched['data'], { a: '1', b: '2' });
      assert.deepEqual(ok(await api.get(path)), created);
    },

    'returns the result of a deletion': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(api, core(namespace, 'configmaps'), configMap(name));
      assert.equal(ok(await api.delete(`${path}?dryRun=All`))['status'], 'Success');
      assert.equal(ok(await api.delete(path, { dryRun: ['All'] }))['status'], 'Success');
      ok(await api.get(path));
    },

    'rejects any value but All': async ({ api, namespace, unique }) => {
      const path = `${core(namespace, 'configmaps')}?dryRun=Some`;
      failure(await api.post(path, configMap(unique('cm'))), 422, 'Invalid', /dryRun/);
    },
  },
};
