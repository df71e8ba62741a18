import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { failure, field, names, ok } from '../expect.ts';
import { configMap, core, create, createPod, pod } from '../objects.ts';

const FINALIZER = 'conformance.example.com/hold';

/** Finalizers, grace periods and collections. */
export const deletion: Area = {
  name: 'deletion',
  checks: {
    'keeps an object with finalizers and sets its deletionTimestamp': async ({
      api,
      namespace,
      unique,
    }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(
        api,
        core(namespace, 'configmaps'),
        configMap(name, {}, { finalizers: [FINALIZER] }),
      );
      const deleted = ok(await api.delete(path));
      assert.equal(deleted.kind, 'ConfigMap');
      assert.match(deleted.metadata.deletionTimestamp ?? '', /Z$/);
      assert.equal(deleted.metadata.deletionGracePeriodSeconds, 0);
      assert.deepEqual(ok(await api.get(path)), deleted);
    },

    'removes the object with its last finalizer': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(
        api,
        core(namespace, 'configmaps'),
        configMap(name, {}, { finalizers: [FINALIZER] }),
      );
      ok(await api.delete(path));
      ok(await api.patch('merge', path, { metadata: { finalizers: null } }));
      failure(await api.get(path), 404, 'NotFound');
    },

    'accepts a second deletion': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(
        api,
        core(namespace, 'configmaps'),
        configMap(name, {}, { finalizers: [FINALIZER] }),
      );
      const first = ok(await api.delete(path));
      const second = ok(await api.delete(path));
      assert.equal(second.metadata.deletionTimestamp, first.metadata.deletionTimestamp);
    },

    'rejects new finalizers on a deleted object': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(
        api,
        core(namespace, 'configmaps'),
        configMap(name, {}, { finalizers: [FINALIZER] }),
      );
      ok(await api.delete(path));
      const more = { metadata: { finalizers: [FINALIZER, 'conformance.example.com/more'] } };
      failure(await api.patch('merge', path, more), 422, 'Invalid', /no new finalizers/);
    },

    'accepts changes to other fields of a deleted object': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(
        api,
        core(namespace, 'configmaps'),
        configMap(name, {}, { finalizers: [FINALIZER] }),
      );
      ok(await api.delete(path));
      assert.deepEqual(ok(await api.patch('merge', path, { data: { a: '1' } }))['data'], {
        a: '1',
      });
    },

    'ignores a deletionTimestamp set by a client': async ({ api, namespace, unique }) => {
      const given = { deletionTimestamp: '2030-01-01T00:00:00Z' };
      const created = await create(
        api,
        core(namespace, 'configmaps'),
        configMap(unique('cm'), {}, given),
      );
      assert.equal(created.metadata.deletionTimestamp, undefined);
    },

    'ignores the query of a deletion with a body': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(api, core(namespace, 'configmaps'), configMap(name));
      const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
      ok(await api.delete(`${path}?dryRun=All`, options));
      failure(await api.get(path), 404, 'NotFound');
    },

    'rejects contradicting options': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(api, core(namespace, 'configmaps'), configMap(name));
      const options = { orphanDependents: true, propagationPolicy: 'Foreground' };
      failure(await api.delete(path, options), 422, 'Invalid');
      failure(await api.delete(`${path}?propagationPolicy=Sometimes`), 422, 'Invalid');
    },

    'deletes a collection by selector and returns it': async ({ api, namespace, unique }) => {
      const label = unique('l');
      for (const kind of ['gone', 'gone', 'stays']) {
        const object = configMap(unique('cm'), {}, { labels: { label, kind } });
        await create(api, core(namespace, 'configmaps'), object);
      }
      const selector = `labelSelector=label%3D${label}`;
      const path = core(namespace, 'configmaps');
      const deleted = ok(await api.delete(`${path}?${selector},kind%3Dgone`));
      assert.equal(deleted.kind, 'ConfigMapList');
      assert.equal(names(deleted).length, 2);
      const left = ok(await api.get(`${path}?${selector}`));
      assert.deepEqual(
        left.items?.map(({ metadata }) => metadata.labels?.['kind']),
        ['stays'],
      );
    },

    'removes an unscheduled Pod immediately': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      await createPod(kit, namespace, pod(name));
      const deleted = ok(await api.delete(`${core(namespace, 'pods')}/${name}`));
      assert.equal(deleted.kind, 'Pod');
      failure(await api.get(`${core(namespace, 'pods')}/${name}`), 404, 'NotFound');
    },

    'gives a scheduled Pod its grace period': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      const path = `${core(namespace, 'pods')}/${name}`;
      const object = pod(name, {
        nodeName: unique('no-such-node'),
        terminationGracePeriodSeconds: 17,
      });
      await createPod(kit, namespace, object);
      const deleted = ok(await api.delete(path));
      assert.equal(deleted.metadata.deletionGracePeriodSeconds, 17);
      const sooner = ok(await api.delete(`${path}?gracePeriodSeconds=5`));
      assert.equal(sooner.metadata.deletionGracePeriodSeconds, 5);
      const later = ok(await api.delete(`${path}?gracePeriodSeconds=60`));
      assert.equal(later.metadata.deletionGracePeriodSeconds, 5);
      ok(await api.delete(`${path}?gracePeriodSeconds=0`));
      failure(await api.get(path), 404, 'NotFound');
    },

    'reports the last state of a deleted Pod': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      const created = await createPod(kit, namespace, pod(name));
      const deleted = ok(await api.delete(`${core(namespace, 'pods')}/${name}`));
      assert.equal(deleted.metadata.uid, created.metadata.uid);
      assert.equal(field(deleted, 'status.phase'), 'Pending');
    },
  },
};
