import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { causeFields, failure, ok, revision } from '../expect.ts';
import { apps, configMap, core, create, deployment } from '../objects.ts';

/** Metadata that the server sets, and that clients cannot. */
export const metadata: Area = {
  name: 'metadata',
  checks: {
    'sets uid and creationTimestamp itself': async ({ api, namespace, unique }) => {
      const uid = '11111111-2222-3333-4444-555555555555';
      const object = configMap(
        unique('cm'),
        {},
        { uid, creationTimestamp: '2001-01-01T00:00:00Z' },
      );
      const created = await create(api, core(namespace, 'configmaps'), object);
      assert.notEqual(created.metadata.uid, uid);
      assert.notEqual(created.metadata.creationTimestamp, '2001-01-01T00:00:00Z');
    },

    'assigns a new uid to an object that is created again': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const first = await create(api, core(namespace, 'configmaps'), configMap(name));
      ok(await api.delete(`${core(namespace, 'configmaps')}/${name}`));
      const second = await create(api, core(namespace, 'configmaps'), configMap(name));
      assert.notEqual(second.metadata.uid, first.metadata.uid);
    },

    'increases the resourceVersion with every write, across kinds': async ({
      api,
      namespace,
      unique,
    }) => {
      const name = unique('x');
      const first = await create(api, core(namespace, 'configmaps'), configMap(name));
      const second = await create(api, core(namespace, 'secrets'), { metadata: { name } });
      const third = ok(
        await api.put(`${core(namespace, 'configmaps')}/${name}`, configMap(name, { a: '1' })),
      );
      assert.ok(revision(first) < revision(second));
      assert.ok(revision(second) < revision(third));
    },

    'assigns lists a resourceVersion not older than their items': async ({
      api,
      namespace,
      unique,
    }) => {
      const created = await create(api, core(namespace, 'configmaps'), configMap(unique('cm')));
      const list = ok(await api.get(core(namespace, 'configmaps')));
      assert.ok(revision(list) >= revision(created));
    },

    'rejects a resourceVersion on create': async ({ api, namespace, unique }) => {
      const object = configMap(unique('cm'), {}, { resourceVersion: '1' });
      failure(await api.post(core(namespace, 'configmaps'), object), 500);
    },

    'counts generations of kinds with a spec': async ({ api, namespace, unique }) => {
      const name = unique('d');
      const path = `${apps(namespace, 'deployments')}/${name}`;
      const created = await create(api, apps(namespace, 'deployments'), deployment(name));
      assert.equal(created.metadata.generation, 1);
      const labelled = ok(await api.patch('merge', path, { metadata: { labels: { a: 'b' } } }));
      assert.equal(labelled.metadata.generation, 1);
      const changed = ok(await api.patch('merge', path, { spec: { minReadySeconds: 7 } }));
      assert.equal(changed.metadata.generation, 2);
    },

    'ignores a generation set by a client': async ({ api, namespace, unique }) => {
      const name = unique('d');
      const object = { ...deployment(name), metadata: { name, generation: 41 } };
      const created = await create(api, apps(namespace, 'deployments'), object);
      assert.equal(created.metadata.generation, 1);
    },

    'leaves ConfigMaps without a generation': async ({ api, namespace, unique }) => {
      const { metadata } = await create(
        api,
        core(namespace, 'configmaps'),
        configMap(unique('cm')),
      );
      assert.equal(metadata.generation, undefined);
    },

    'rejects an update with the uid of another object': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      await create(api, core(namespace, 'configmaps'), configMap(name));
      const object = configMap(name, {}, { uid: '11111111-2222-3333-4444-555555555555' });
      const reply = await api.put(`${core(namespace, 'configmaps')}/${name}`, object);
      failure(reply, 409, 'Conflict', /UID/);
    },

    'keeps labels, annotations and finalizers as given': async ({ api, namespace, unique }) => {
      const given = {
        labels: { 'example.com/a': '1', b: '' },
        annotations: { note: 'any text, "quoted" or ☃' },
      };
      const created = await create(
        api,
        core(namespace, 'configmaps'),
        configMap(unique('cm'), {}, given),
      );
      assert.deepEqual(created.metadata.labels, given.labels);
      assert.deepEqual(created.metadata.annotations, given.annotations);
    },

    'rejects an owner without a uid': async ({ api, namespace, unique }) => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '' };
      const object = configMap(unique('cm'), {}, { ownerReferences: [owner] });
      const status = failure(await api.post(core(namespace, 'configmaps'), object), 422, 'Invalid');
      assert.deepEqual(causeFields(status), ['metadata.ownerReferences.uid']);
    },

    'rejects two controlling owners': async ({ api, namespace, unique }) => {
      const owner = (name: string): object => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name,
        uid: `uid-${name}`,
        controller: true,
      });
      const object = {
        metadata: { name: unique('cm'), ownerReferences: [owner('a'), owner('b')] },
      };
      const status = failure(await api.post(core(namespace, 'configmaps'), object), 422, 'Invalid');
      assert.deepEqual(causeFields(status), ['metadata.ownerReferences']);
    },

    'records which manager owns which fields': async ({ api, namespace, unique }) => {
      const path = `${core(namespace, 'configmaps')}?fieldManager=tester`;
      const { metadata } = await create(api, path, configMap(unique('cm'), { a: '1' }));
      assert.equal(metadata.managedFields?.length, 1);
      const [entry] = metadata.managedFields ?? [];
      assert.equal(entry?.manager, 'tester');
      assert.equal(entry.operation, 'Update');
      assert.equal(entry.apiVersion, 'v1');
      assert.equal(entry.fieldsType, 'FieldsV1');
      assert.deepEqual(entry.fieldsV1, { 'f:data': { '.': {}, 'f:a': {} } });
    },

    'derives the field manager from the user agent': async ({ api, namespace, unique }) => {
      const headers = { 'user-agent': 'my-agent/v1.2 (linux)' };
      const object = configMap(unique('cm'), { a: '1' });
      const { metadata } = ok(await api.post(core(namespace, 'configmaps'), object, headers), 201);
      assert.equal(metadata.managedFields?.[0]?.manager, 'my-agent');
    },
  },
};
