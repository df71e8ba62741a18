import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { failure, ok, warnings } from '../expect.ts';
import { apps, configMap, core, create, deployment } from '../objects.ts';

const duplicate = (name: string): string =>
  `{"metadata":{"name":"${name}"},"data":{"a":"1","a":"2"}}`;

/** Unknown and duplicate fields. */
export const fieldValidation: Area = {
  name: 'field validation',
  checks: {
    'drops unknown fields and warns': async ({ api, namespace, unique }) => {
      const object = { ...configMap(unique('cm')), nope: 1 };
      const reply = await api.post(core(namespace, 'configmaps'), object);
      assert.equal(ok(reply, 201)['nope'], undefined);
      assert.deepEqual(warnings(reply), ['unknown field "nope"']);
    },

    'warns once for each, with its path': async ({ api, namespace, unique }) => {
      const name = unique('d');
      const object = { ...deployment(name, { replica: 1 }), metadata: { name, odd: 1 } };
      const reply = await api.post(apps(namespace, 'deployments'), object);
      ok(reply, 201);
      assert.deepEqual(warnings(reply).toSorted(), [
        'unknown field "metadata.odd"',
        'unknown field "spec.replica"',
      ]);
    },

    'does not warn with Ignore': async ({ api, namespace, unique }) => {
      const object = { ...configMap(unique('cm')), nope: 1 };
      const reply = await api.post(
        `${core(namespace, 'configmaps')}?fieldValidation=Ignore`,
        object,
      );
      assert.equal(ok(reply, 201)['nope'], undefined);
      assert.deepEqual(warnings(reply), []);
    },

    'rejects them with strict validation': async ({ api, namespace, unique }) => {
      const object = { ...configMap(unique('cm')), nope: 1 };
      const reply = await api.post(
        `${core(namespace, 'configmaps')}?fieldValidation=Strict`,
        object,
      );
      failure(reply, 400, 'BadRequest', /strict decoding error: unknown field "nope"/);
    },

    'finds duplicate fields': async ({ api, namespace, unique }) => {
      const path = core(namespace, 'configmaps');
      const reply = await api.post(path, duplicate(unique('cm')));
      assert.deepEqual(ok(reply, 201)['data'], { a: '2' });
      assert.deepEqual(warnings(reply), ['duplicate field "data.a"']);
      failure(
        await api.post(`${path}?fieldValidation=Strict`, duplicate(unique('cm'))),
        400,
        'BadRequest',
      );
    },

    'applies to patches, too': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(api, core(namespace, 'configmaps'), configMap(name));
      const warned = await api.patch('merge', path, { nope: 1 });
      ok(warned);
      assert.deepEqual(warnings(warned), ['unknown field "nope"']);
      failure(
        await api.patch('merge', `${path}?fieldValidation=Strict`, { nope: 1 }),
        422,
        'Invalid',
      );
    },

    'rejects an unknown level': async ({ api, namespace, unique }) => {
      const path = `${core(namespace, 'configmaps')}?fieldValidation=Perhaps`;
      failure(await api.post(path, configMap(unique('cm'))), 422, 'Invalid', /fieldValidation/);
    },
  },
};
