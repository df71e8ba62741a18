import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { failure, ok } from '../expect.ts';
import { configMap, core, create } from '../objects.ts';

/** Optimistic concurrency. */
export const concurrency: Area = {
  name: 'concurrency',
  checks: {
    'rejects an update of an older version': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const read = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      ok(await api.put(path, configMap(name, { a: '2' })));
      const status = failure(await api.put(path, { ...read, data: { a: '3' } }), 409, 'Conflict');
      assert.match(status.message ?? '', /the object has been modified/);
      assert.deepEqual(ok(await api.get(path))['data'], { a: '2' });
    },

    'accepts an update of the current version': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const read = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      assert.deepEqual(ok(await api.put(path, { ...read, data: { a: '2' } }))['data'], { a: '2' });
    },

    'overwrites if the update has no version': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      ok(await api.put(path, configMap(name, { a: '2' })));
      assert.deepEqual(ok(await api.put(path, configMap(name, { a: '3' })))['data'], { a: '3' });
    },

    'accepts exactly one of several concurrent updates': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const read = await create(api, core(namespace, 'configmaps'), configMap(name));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const replies = await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map((winner) => api.put(path, { ...read, data: { winner } })),
      );
      const winners = replies.filter(({ status }) => status === 200);
      assert.equal(winners.length, 1);
      assert.equal(replies.filter(({ status }) => status === 409).length, 4);
      assert.deepEqual(ok(await api.get(path))['data'], winners[0]?.body['data']);
    },

    'accepts exactly one of several concurrent creates': async ({ api, namespace, unique }) => {
      const object = configMap(unique('cm'));
      const replies = await Promise.all(
        [1, 2, 3].map(() => api.post(core(namespace, 'configmaps'), object)),
      );
      assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), [
        '201',
        '409',
        '409',
      ]);
    },

    'loses none of several concurrent patches': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      await create(api, core(namespace, 'configmaps'), configMap(name));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const keys = ['a', 'b', 'c', 'd'];
      const replies = await Promise.all(
        keys.map((key) => api.patch('merge', path, { data: { [key]: '1' } })),
      );
      for (const reply of replies) ok(reply);
      assert.deepEqual(Object.keys(ok(await api.get(path))['data'] as object).toSorted(), keys);
    },

    'keeps the version if an update changes nothing': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const read = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      assert.deepEqual(ok(await api.put(path, configMap(name, { a: '1' }))), read);
    },

    'keeps the version if a patch changes nothing': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const read = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      assert.deepEqual(ok(await api.patch('merge', path, { data: { a: '1' } })), read);
    },

    'rejects a patch of an older version': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const read = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      ok(await api.put(path, configMap(name, { a: '2' })));
      const { resourceVersion } = read.metadata;
      const patch = { metadata: { resourceVersion }, data: { a: '3' } };
      failure(await api.patch('merge', path, patch), 409, 'Conflict');
    },

    'deletes only the version in the preconditions': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const read = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const changed = ok(await api.put(path, configMap(name, { a: '2' })));
      const preconditions = (resourceVersion: string | undefined): object => ({
        preconditions: { resourceVersion },
      });
      failure(
        await api.delete(path, preconditions(read.metadata.resourceVersion)),
        409,
        'Conflict',
      );
      ok(await api.delete(path, preconditions(changed.metadata.resourceVersion)));
    },

    'deletes only the uid in the preconditions': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const { metadata } = await create(api, core(namespace, 'configmaps'), configMap(name));
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const uid = '11111111-2222-3333-4444-555555555555';
      failure(await api.delete(path, { preconditions: { uid } }), 409, 'Conflict', /UID/);
      ok(await api.delete(path, { preconditions: { uid: metadata.uid } }));
    },
  },
};
