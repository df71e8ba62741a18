import assert from 'node:assert/strict';
import { firstHeader } from '../../http/exchange.ts';
import type { Area } from '../check.ts';
import { causeFields, failure, ok } from '../expect.ts';
import { configMap, core, create, deployment } from '../objects.ts';

/** Create, read, update and delete, and their errors. */
export const crud: Area = {
  name: 'crud',
  checks: {
    'creates an object and answers 201 with it': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const reply = await api.post(core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const object = ok(reply, 201);
      assert.equal(object.kind, 'ConfigMap');
      assert.equal(object.apiVersion, 'v1');
      assert.equal(object.metadata.name, name);
      assert.equal(object.metadata.namespace, namespace);
      assert.deepEqual(object['data'], { a: '1' });
      assert.match(object.metadata.uid ?? '', /^[0-9a-f-]{36}$/);
      assert.match(object.metadata.creationTimestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.equal(firstHeader(reply.headers, 'content-type'), 'application/json');
    },

    'reads back exactly what the create returned': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const created = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      assert.deepEqual(ok(await api.get(`${core(namespace, 'configmaps')}/${name}`)), created);
    },

    'sets kind and apiVersion from the path': async ({ api, namespace, unique }) => {
      const reply = await api.post(core(namespace, 'configmaps'), {
        metadata: { name: unique('cm') },
      });
      assert.equal(ok(reply, 201).kind, 'ConfigMap');
    },

    'answers 404 with its name for a missing object': async ({ api, namespace }) => {
      const status = failure(await api.get(core(namespace, 'configmaps/missing')), 404, 'NotFound');
      assert.deepEqual(status.details, { name: 'missing', kind: 'configmaps' });
      assert.equal(status.message, 'configmaps "missing" not found');
    },

    'names the group in errors of grouped resources': async ({ api, namespace }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/missing`;
      const { message, details } = failure(await api.get(path), 404, 'NotFound');
      assert.equal(message, 'deployments.apps "missing" not found');
      assert.equal(details?.group, 'apps');
    },

    'rejects creating an existing object': async ({ api, namespace, unique }) => {
      const object = configMap(unique('cm'));
      await create(api, core(namespace, 'configmaps'), object);
      const reply = await api.post(core(namespace, 'configmaps'), object);
      const { message } = failure(reply, 409, 'AlreadyExists');
      assert.match(message ?? '', /already exists$/);
    },

    'replaces an object': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const created = await create(api, core(namespace, 'configmaps'), configMap(name, { a: '1' }));
      const updated = ok(await api.put(path, configMap(name, { b: '2' })));
      assert.deepEqual(updated['data'], { b: '2' });
      assert.equal(updated.metadata.uid, created.metadata.uid);
      assert.equal(updated.metadata.creationTimestamp, created.metadata.creationTimestamp);
      assert.notEqual(updated.metadata.resourceVersion, created.metadata.resourceVersion);
    },

    'does not create a ConfigMap by update': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      failure(
        await api.put(`${core(namespace, 'configmaps')}/${name}`, configMap(name)),
        404,
        'NotFound',
      );
    },

    'creates a Lease by update': async ({ api, namespace, unique }) => {
      const name = unique('lease');
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } };
      const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
      ok(await api.put(path, lease), 201);
      ok(await api.get(path));
    },

    'deletes an object and answers Success': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      const { metadata } = await create(api, core(namespace, 'configmaps'), configMap(name));
      const status = ok(await api.delete(path));
      assert.equal(status.kind, 'Status');
      assert.equal(status['status'], 'Success');
      assert.deepEqual(status['details'], { name, kind: 'configmaps', uid: metadata.uid });
      failure(await api.get(path), 404, 'NotFound');
    },

    'answers 404 for the deletion of a missing object': async ({ api, namespace }) => {
      failure(await api.delete(core(namespace, 'configmaps/missing')), 404, 'NotFound');
    },

    'lists objects with their kind only on the list': async ({ api, namespace, unique }) => {
      const label = unique('l');
      for (const name of ['b', 'a']) {
        const object = configMap(`${label}-${name}`, {}, { labels: { label } });
        await create(api, core(namespace, 'configmaps'), object);
      }
      const path = `${core(namespace, 'configmaps')}?labelSelector=label%3D${label}`;
      const list = ok(await api.get(path));
      assert.equal(list.kind, 'ConfigMapList');
      assert.deepEqual(
        list.items?.map(({ metadata }) => metadata.name),
        [`${label}-a`, `${label}-b`],
      );
      assert.ok(
        list.items?.every(({ kind, apiVersion }) => kind === undefined && apiVersion === undefined),
      );
      assert.match(list.metadata.resourceVersion ?? '', /^\d+$/);
    },

    'answers an empty list with an empty array': async ({ api, namespace }) => {
      const list = ok(await api.get(`${core(namespace, 'configmaps')}?labelSelector=no%3Dsuch`));
      assert.deepEqual(list.items, []);
    },

    'lists across namespaces': async ({ api, namespace, freshNamespace, unique }) => {
      const label = unique('l');
      const other = await freshNamespace();
      for (const place of [namespace, other]) {
        await create(api, core(place, 'configmaps'), configMap(label, {}, { labels: { label } }));
      }
      const list = ok(await api.get(`/api/v1/configmaps?labelSelector=label%3D${label}`));
      const found = list.items?.map(({ metadata }) => metadata.namespace).toSorted();
      assert.deepEqual(found, [namespace, other].toSorted());
    },

    'rejects a name in the body that differs from the path': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      await create(api, core(namespace, 'configmaps'), configMap(name));
      const reply = await api.put(`${core(namespace, 'configmaps')}/${name}`, configMap('other'));
      failure(reply, 400, 'BadRequest', /name/);
    },

    'rejects a namespace in the body that differs from the path': async ({ api, namespace }) => {
      const object = configMap('x', {}, { namespace: 'other' });
      failure(
        await api.post(core(namespace, 'configmaps'), object),
        400,
        'BadRequest',
        /namespace/,
      );
    },

    'rejects another kind than that of the path': async ({ api, namespace }) => {
      const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
      failure(await api.post(core(namespace, 'configmaps'), object), 400, 'BadRequest');
    },

    'rejects an object without a name': async ({ api, namespace }) => {
      const status = failure(
        await api.post(core(namespace, 'configmaps'), { metadata: {} }),
        422,
        'Invalid',
      );
      assert.deepEqual(causeFields(status), ['metadata.name']);
      assert.match(status.message ?? '', /name or generateName is required/);
    },

    'rejects a name that is not a DNS name': async ({ api, namespace }) => {
      const status = failure(
        await api.post(core(namespace, 'configmaps'), configMap('No_Good')),
        422,
        'Invalid',
      );
      assert.deepEqual(causeFields(status), ['metadata.name']);
      assert.equal(status.details?.causes?.[0]?.reason, 'FieldValueInvalid');
    },

    'rejects labels and annotations with invalid keys or values': async ({ api, namespace }) => {
      const object = configMap('x', {}, { labels: { ok: 'not ok!' }, annotations: { 'a b': '' } });
      const status = failure(await api.post(core(namespace, 'configmaps'), object), 422, 'Invalid');
      assert.deepEqual(causeFields(status), ['metadata.annotations', 'metadata.labels']);
    },

    'reports all errors of an object together': async ({ api, namespace }) => {
      const bad = deployment('x', { replicas: -1, template: { spec: { containers: [] } } });
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
      const fields = causeFields(failure(await api.post(path, bad), 422, 'Invalid'));
      assert.ok(fields.includes('spec.replicas'), fields.join());
      assert.ok(fields.includes('spec.template.metadata.labels'), fields.join());
      assert.ok(fields.includes('spec.template.spec.containers'), fields.join());
    },

    'rejects a create in a namespace that does not exist': async ({ api, unique }) => {
      const nowhere = unique('nowhere');
      const status = failure(
        await api.post(core(nowhere, 'configmaps'), configMap('x')),
        404,
        'NotFound',
      );
      assert.equal(status.message, `namespaces "${nowhere}" not found`);
    },

    'lists nothing in a namespace that does not exist': async ({ api, unique }) => {
      assert.deepEqual(ok(await api.get(core(unique('nowhere'), 'configmaps'))).items, []);
    },

    'rejects malformed JSON': async ({ api, namespace }) => {
      failure(await api.post(core(namespace, 'configmaps'), '{"metadata":'), 400, 'BadRequest');
    },

    'rejects a field of the wrong type': async ({ api, namespace }) => {
      const object = { metadata: { name: 'x' }, data: 'text' };
      failure(await api.post(core(namespace, 'configmaps'), object), 400, 'BadRequest');
    },

    'rejects media types that it does not read': async ({ api, namespace }) => {
      const options = { body: 'x', contentType: 'text/plain' };
      const reply = await api.request('POST', core(namespace, 'configmaps'), options);
      failure(reply, 415, 'UnsupportedMediaType');
    },

    'rejects media types that it does not write': async ({ api, namespace }) => {
      const reply = await api.get(core(namespace, 'configmaps'), { accept: 'text/html' });
      failure(reply, 406, 'NotAcceptable');
    },

    'rejects methods that a path does not support': async ({ api, namespace }) => {
      failure(
        await api.put(core(namespace, 'configmaps'), configMap('x')),
        405,
        'MethodNotAllowed',
      );
    },

    'rejects a body over the limit': async ({ api, namespace }) => {
      const reply = await api.post(
        core(namespace, 'configmaps'),
        configMap('x', { a: 'x'.repeat(3_200_000) }),
      );
      assert.equal(reply.status, 413);
    },

    'generates a name': async ({ api, namespace }) => {
      const object = { metadata: { generateName: 'gen-' } };
      const first = await create(api, core(namespace, 'configmaps'), object);
      const second = await create(api, core(namespace, 'configmaps'), object);
      assert.match(first.metadata.name ?? '', /^gen-[a-z0-9]{5}$/);
      assert.equal(first.metadata.generateName, 'gen-');
      assert.notEqual(first.metadata.name, second.metadata.name);
    },

    'shortens the prefix of a generated name': async ({ api, namespace }) => {
      const object = { metadata: { generateName: 'g'.repeat(80) } };
      const { metadata } = await create(api, core(namespace, 'configmaps'), object);
      assert.match(metadata.name ?? '', /^g{58}[a-z0-9]{5}$/);
    },

    'prefers a given name to a generated one': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const object = configMap(name, {}, { generateName: 'gen-' });
      assert.equal((await create(api, core(namespace, 'configmaps'), object)).metadata.name, name);
    },
  },
};
