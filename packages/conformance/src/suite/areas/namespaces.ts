import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { causeFields, failure, field, ok } from '../expect.ts';
import { configMap, core, create } from '../objects.ts';

/** The life cycle of a namespace. */
export const namespaces: Area = {
  name: 'namespaces',
  checks: {
    'sets phase, finalizer and label of a namespace': async ({ api, namespace }) => {
      const object = ok(await api.get(`/api/v1/namespaces/${namespace}`));
      assert.equal(field(object, 'status.phase'), 'Active');
      assert.deepEqual(field(object, 'spec.finalizers'), ['kubernetes']);
      assert.equal(object.metadata.labels?.['kubernetes.io/metadata.name'], namespace);
    },

    'has the system namespaces': async ({ api }) => {
      for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
        const { metadata } = ok(await api.get(`/api/v1/namespaces/${name}`));
        assert.equal(metadata.name, name);
      }
    },

    'rejects names that are not DNS labels': async ({ api }) => {
      const object = { metadata: { name: 'a.b' } };
      const status = failure(await api.post('/api/v1/namespaces', object), 422, 'Invalid');
      assert.deepEqual(causeFields(status), ['metadata.name']);
    },

    'protects the namespaces that a cluster needs': async ({ api }) => {
      failure(await api.delete('/api/v1/namespaces/kube-system'), 403, 'Forbidden');
      failure(await api.delete('/api/v1/namespaces/default'), 403, 'Forbidden');
    },

    'is terminating after its deletion, and rejects new objects': async (kit) => {
      const { api } = kit;
      const name = await kit.freshNamespace();
      // An object with a finalizer keeps the namespace.
      const held = configMap('held', {}, { finalizers: ['conformance.example.com/hold'] });
      await create(api, core(name, 'configmaps'), held);
      const deleted = ok(await api.delete(`/api/v1/namespaces/${name}`));
      assert.equal(deleted.kind, 'Namespace');
      assert.equal(field(deleted, 'status.phase'), 'Terminating');
      assert.ok(deleted.metadata.deletionTimestamp !== undefined);
      const status = failure(
        await api.post(core(name, 'configmaps'), configMap('late')),
        403,
        'Forbidden',
      );
      assert.match(status.message ?? '', /because it is being terminated/);
      assert.equal(status.details?.causes?.[0]?.reason, 'NamespaceTerminating');
      assert.equal((await api.get(core(name, 'configmaps/held'))).status, 200);
    },

    'accepts changes to existing objects while terminating': async (kit) => {
      const { api } = kit;
      const name = await kit.freshNamespace();
      const held = configMap('held', {}, { finalizers: ['conformance.example.com/hold'] });
      await create(api, core(name, 'configmaps'), held);
      ok(await api.delete(`/api/v1/namespaces/${name}`));
      const patched = await api.patch('merge', core(name, 'configmaps/held'), { data: { a: '1' } });
      assert.deepEqual(ok(patched)['data'], { a: '1' });
    },

    'changes its finalizers only through finalize': async ({ api, freshNamespace }) => {
      const name = await freshNamespace();
      const path = `/api/v1/namespaces/${name}`;
      const patched = ok(await api.patch('merge', path, { spec: { finalizers: [] } }));
      assert.deepEqual(field(patched, 'spec.finalizers'), ['kubernetes']);
      const replaced = ok(
        await api.put(`${path}/finalize`, {
          ...patched,
          spec: { finalizers: ['a.example.com/b'] },
        }),
      );
      assert.deepEqual(field(replaced, 'spec.finalizers'), ['a.example.com/b']);
    },
  },
};
