import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import type { Area } from '../check.ts';
import { causeFields, eventually, failure, field, names, ok, warnings } from '../expect.ts';
import { create, customKind, isEstablished } from '../objects.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        color: { type: 'string', enum: ['red', 'green'], default: 'red' },
        name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
        tags: { type: 'array', maxItems: 2, items: { type: 'string' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

/** Custom resources. */
export const customResources: Area = {
  name: 'custom resources',
  checks: {
    'establishes a definition and accepts its names': async (kit) => {
      const { api } = kit;
      const { crdPath, kind, plural } = await customKind(kit);
      const crd = ok(await api.get(crdPath));
      assert.ok(isEstablished(crd));
      assert.equal(field(crd, 'status.acceptedNames.kind'), kind);
      assert.equal(field(crd, 'spec.names.listKind'), `${kind}List`);
      assert.equal(field(crd, 'spec.names.plural'), plural);
      assert.deepEqual(field(crd, 'status.storedVersions'), ['v1']);
      assert.equal(field(crd, 'spec.conversion.strategy'), 'None');
    },

    'creates, reads, lists and deletes objects': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit);
      const collection = things.collection(namespace);
      const created = await create(
        api,
        collection,
        things.object('a', { spec: { x: [1, 'two', { three: 3 }] } }),
      );
      assert.deepEqual(created['spec'], { x: [1, 'two', { three: 3 }] });
      assert.equal(created.metadata.generation, 1);
      assert.deepEqual(ok(await api.get(`${collection}/a`)), created);
      const list = ok(await api.get(collection));
      assert.equal(list.kind, `${things.kind}List`);
      assert.equal(list.items?.[0]?.kind, things.kind);
      assert.deepEqual(names(list), ['a']);
      assert.equal(ok(await api.delete(`${collection}/a`))['status'], 'Success');
      failure(await api.get(`${collection}/a`), 404, 'NotFound');
    },

    'counts generations with and without a status': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, { version: { subresources: { status: {} } } });
      const path = `${things.collection(namespace)}/a`;
      await create(api, things.collection(namespace), things.object('a', { spec: { x: 1 } }));
      const labelled = ok(await api.patch('merge', path, { metadata: { labels: { a: 'b' } } }));
      assert.equal(labelled.metadata.generation, 1);
      assert.equal(ok(await api.patch('merge', path, { spec: { x: 2 } })).metadata.generation, 2);
      const status = ok(await api.patch('merge', `${path}/status`, { status: { y: 1 } }));
      assert.equal(status.metadata.generation, 2);
    },

    'requires a version to replace an object': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit);
      const path = `${things.collection(namespace)}/a`;
      await create(api, things.collection(namespace), things.object('a'));
      const status = failure(await api.put(path, things.object('a', { spec: {} })), 422, 'Invalid');
      assert.deepEqual(causeFields(status), ['metadata.resourceVersion']);
    },

    'applies defaults': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, { schema });
      const created = await create(
        api,
        things.collection(namespace),
        things.object('a', { spec: { size: 1 } }),
      );
      assert.deepEqual(created['spec'], { size: 1, color: 'red' });
    },

    'prunes unknown fields, and warns': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, { schema });
      const spec = { size: 1, color: 'red', odd: 1, free: { any: { thing: true } } };
      const reply = await api.post(things.collection(namespace), things.object('a', { spec }));
      assert.deepEqual(ok(reply, 201)['spec'], {
        size: 1,
        color: 'red',
        free: { any: { thing: true } },
      });
      assert.deepEqual(warnings(reply), ['unknown field "spec.odd"']);
    },

    'rejects unknown fields with strict validation': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, { schema });
      const path = `${things.collection(namespace)}?fieldValidation=Strict`;
      const object = things.object('a', { spec: { size: 1, odd: 1 } });
      failure(await api.post(path, object), 400, 'BadRequest', /unknown field "spec\.odd"/);
    },

    'validates against the schema': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, { schema });
      const refused = async (spec: JsonObject): Promise<string[]> => {
        const reply = await api.post(things.collection(namespace), things.object('bad', { spec }));
        return causeFields(failure(reply, 422, 'Invalid'));
      };
      assert.deepEqual(await refused({}), ['spec.size']);
      assert.deepEqual(await refused({ size: 0 }), ['spec.size']);
      assert.deepEqual(await refused({ size: 11, color: 'blue' }), ['spec.color', 'spec.size']);
      assert.deepEqual(await refused({ size: 1, name: 'UPPER' }), ['spec.name']);
      assert.deepEqual(await refused({ size: 1, tags: ['a', 'b', 'c'] }), ['spec.tags']);
      assert.deepEqual(await refused({ size: 1, tags: [1] }), ['spec.tags[0]']);
    },

    'validates updates and patches, too': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, { schema });
      const path = `${things.collection(namespace)}/a`;
      const created = await create(
        api,
        things.collection(namespace),
        things.object('a', { spec: { size: 1 } }),
      );
      failure(await api.put(path, { ...created, spec: { size: 99 } }), 422, 'Invalid');
      failure(await api.patch('merge', path, { spec: { size: 99 } }), 422, 'Invalid');
    },

    'rejects a schema that is not structural': async ({ api, unique }) => {
      const plural = unique('bad').replaceAll('-', '');
      const group = 'conformance.example.com';
      const version = {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } },
      };
      const spec = {
        group,
        scope: 'Namespaced',
        names: { plural, kind: 'Bad' },
        versions: [version],
      };
      const crd = { metadata: { name: `${plural}.${group}` }, spec };
      const status = failure(await api.post(CRDS, crd), 422, 'Invalid');
      assert.match(causeFields(status).join(), /openAPIV3Schema\.properties\[spec\]\.type$/);
    },

    'rejects a definition whose name does not match': async ({ api, unique }) => {
      const spec = {
        group: 'conformance.example.com',
        scope: 'Namespaced',
        names: { plural: 'fits', kind: 'Fit' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      };
      const reply = await api.post(CRDS, { metadata: { name: unique('other') }, spec });
      assert.deepEqual(causeFields(failure(reply, 422, 'Invalid')), ['metadata.name']);
    },

    'prints the columns of the definition': async (kit) => {
      const { api, namespace } = kit;
      const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' };
      const things = await customKind(kit, {
        schema,
        version: { additionalPrinterColumns: [column] },
      });
      await create(api, things.collection(namespace), things.object('a', { spec: { size: 3 } }));
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      const table = ok(await api.get(things.collection(namespace), { accept }));
      const columns = table['columnDefinitions'] as { name: string }[];
      assert.deepEqual(
        columns.map(({ name }) => name),
        ['Name', 'Size'],
      );
      assert.deepEqual(field(table, 'rows.0.cells'), ['a', 3]);
    },

    'selects by the fields of the definition': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, {
        schema,
        version: { selectableFields: [{ jsonPath: '.spec.color' }] },
      });
      const collection = things.collection(namespace);
      await create(api, collection, things.object('a', { spec: { size: 1, color: 'red' } }));
      await create(api, collection, things.object('b', { spec: { size: 1, color: 'green' } }));
      const list = ok(await api.get(`${collection}?fieldSelector=spec.color%3Dgreen`));
      assert.deepEqual(names(list), ['b']);
    },

    'keeps objects with finalizers': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit);
      const path = `${things.collection(namespace)}/a`;
      const object = {
        ...things.object('a'),
        metadata: { name: 'a', finalizers: ['example.com/x'] },
      };
      await create(api, things.collection(namespace), object);
      assert.ok(ok(await api.delete(path)).metadata.deletionTimestamp !== undefined);
      ok(await api.patch('merge', path, { metadata: { finalizers: null } }));
      failure(await api.get(path), 404, 'NotFound');
    },

    'deletes all objects with the definition, and notifies watchers': async (kit) => {
      const { api, namespace, clock } = kit;
      const things = await customKind(kit);
      const collection = things.collection(namespace);
      for (const name of ['a', 'b']) await create(api, collection, things.object(name));
      const list = ok(await api.get(collection));
      await using watch = await api.watch(
        `${collection}?watch=1&resourceVersion=${list.metadata.resourceVersion}`,
      );
      const deleted = ok(await api.delete(things.crdPath));
      assert.ok(
        deleted.metadata.finalizers?.includes('customresourcecleanup.apiextensions.k8s.io'),
      );
      const events = await watch.rest();
      assert.deepEqual(
        events.map(({ type }) => type),
        ['DELETED', 'DELETED'],
      );
      await eventually(clock, 'the definition being gone', async () =>
        (await api.get(things.crdPath)).status === 404 ? true : undefined,
      );
      await eventually(clock, 'the resource being gone', async () =>
        (await api.get(collection)).status === 404 ? true : undefined,
      );
    },
  },
};
