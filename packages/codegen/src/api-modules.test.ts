import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { groupVersions } from 'client-ts/api/all';

import { apiDirectory, apiModules, apiModulesGenerator } from './api-modules.ts';
import { loadApiModel, loadGoShapes, splitSchemaId } from './model.ts';
import { neverEmpty, nullableFields } from './nullable-fields.ts';
import type { Schema } from './schema.ts';

const model = loadApiModel();
const shapes = loadGoShapes();
const modules = apiModules(model);
const outputs = apiModulesGenerator(model, shapes).outputs();

/** Parses the interfaces of a module: name → field → whether it is optional, and its type. */
function interfacesOf(text: string): Map<string, Map<string, { optional: boolean; type: string }>> {
  const interfaces = [...text.matchAll(/^export interface (\w+) \{\n(.*?)^\}$/gms)];
  return new Map(
    interfaces.map(([, name = '', body = '']) => {
      const fields = [...body.matchAll(/^ {2}('[^']+'|[\w$]+)(\??):\s(.*?);$/gms)];
      return [
        name,
        new Map(
          fields.map(([, field = '', mark, type = '']) => [
            field.replaceAll("'", ''),
            { optional: mark === '?', type },
          ]),
        ),
      ];
    }),
  );
}

test('generates a module for each of the 32 group-versions, named by its package', () => {
  assert.equal(modules.length, 32);
  assert.equal(outputs.size, 32);
  for (const path of ['core/v1', 'apiserverinternal/v1alpha1', 'flowcontrol/v1', 'rbac/v1']) {
    assert.ok(outputs.has(`${apiDirectory}/${path}.ts`), path);
  }
});

test('every type of the model has every field, optional unless the model requires it', () => {
  let count = 0;
  for (const { path, schemaPackage } of modules) {
    const interfaces = interfacesOf(outputs.get(`${apiDirectory}/${path}.ts`) ?? '');
    const schemas = Object.entries(model.schemas).filter(
      ([id, { properties }]) =>
        splitSchemaId(id).path === schemaPackage && properties !== undefined,
    );
    assert.deepEqual(
      [...interfaces.keys()],
      schemas.map(([id]) => splitSchemaId(id).name),
    );
    for (const [id, { properties = {}, required = [] }] of schemas) {
      const fields = interfaces.get(splitSchemaId(id).name) ?? new Map();
      assert.deepEqual([...fields.keys()], Object.keys(properties), id);
      for (const [name, field] of fields) {
        assert.equal(field.optional, !required.includes(name), `${id}.${name}`);
        count++;
      }
    }
  }
  assert.ok(count > 2500, `${count} fields`);
});

test('types follow the schemas', () => {
  const core = interfacesOf(outputs.get(`${apiDirectory}/core/v1.ts`) ?? '');
  const type = (name: string, field: string): string | undefined =>
    core.get(name)?.get(field)?.type;
  assert.equal(type('Pod', 'apiVersion'), "'v1'");
  assert.equal(type('Pod', 'kind'), "'Pod'");
  assert.equal(type('Pod', 'metadata'), 'ObjectMeta');
  assert.equal(type('PodList', 'kind'), "'PodList'");
  assert.equal(type('PodList', 'items'), 'Pod[]');
  assert.equal(type('ObjectReference', 'apiVersion'), 'string');
  assert.equal(type('Secret', 'data'), 'Record<string, Base64>');
  assert.equal(type('ServicePort', 'targetPort'), 'IntOrString');
  assert.equal(type('ResourceRequirements', 'limits'), 'Record<string, Quantity>');
  assert.equal(type('PodStatus', 'startTime'), 'Time');
  assert.equal(type('Event', 'eventTime'), 'MicroTime');
  assert.equal(type('ContainerPort', 'protocol'), "Open<'SCTP' | 'TCP' | 'UDP'>");
});

test('lists that a server sends as null when they are empty have null in their type', () => {
  const type = (path: string, name: string, field: string): string | undefined =>
    interfacesOf(outputs.get(`${apiDirectory}/${path}.ts`) ?? '')
      .get(name)
      ?.get(field)?.type;
  assert.equal(type('storage/v1', 'CSINodeSpec', 'drivers'), 'CSINodeDriver[] | null');
  assert.equal(type('rbac/v1', 'ClusterRole', 'rules'), 'PolicyRule[] | null');
  assert.equal(type('discovery/v1', 'EndpointSlice', 'endpoints'), 'Endpoint[] | null');
  assert.equal(type('core/v1', 'PodSpec', 'containers'), 'Container[]', 'validation wants one');
  assert.equal(type('core/v1', 'PodSpec', 'volumes'), 'Volume[]', 'left out when empty');
  assert.equal(type('rbac/v1', 'RoleList', 'items'), 'Role[]', 'the client reads null as []');
});

test('neverEmpty names only lists that would have null in their type without it', () => {
  const always = Object.entries(shapes).flatMap(([id, shape]) => {
    const type = id.split('.').slice(-3).join('.');
    const nullable = new Set(nullableFields(id, model.schemas[id] ?? {}, shapes));
    return shape.always
      .filter((field) => model.schemas[id]?.properties?.[field]?.type === 'array')
      .filter((field) => !nullable.has(field))
      .map((field) => `${type}.${field}`);
  });
  assert.deepEqual(
    always.filter((field) => !field.endsWith('List.items')).toSorted(),
    [...neverEmpty].toSorted(),
  );
});

test('descriptors have the facts of the model', () => {
  assert.deepEqual(
    groupVersions,
    model.groupVersions.map(({ group, version, resources }) => ({
      group,
      version,
      resources: resources.map((resource) => ({
        group,
        version,
        resource: resource.resource,
        kind: resource.kind,
        singular: resource.singular,
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        verbs: resource.verbs,
        subresources: (resource.subresources ?? []).map(({ subresource, kind, verbs }) => ({
          name: subresource,
          kind: { group, version, ...kind },
          verbs,
        })),
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
      })),
    })),
  );
});

test('importing one group-version loads nothing else', () => {
  const dist = fileURLToPath(new URL('../../client/dist/api', import.meta.url));
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.js') && !path.endsWith('.test.js') && path !== 'all.js',
  );
  assert.ok(files.length >= 33);
  for (const file of files) {
    assert.doesNotMatch(readFileSync(`${dist}/${file}`, 'utf8'), /^import /m, file);
  }
});

test('refuses a package without a module and an object without a name', () => {
  const broken = (schema: Schema): Map<string, string> =>
    apiModulesGenerator(
      { ...model, schemas: { ...model.schemas, 'io.k8s.api.core.v1.Broken': schema } },
      shapes,
    ).outputs();
  assert.throws(
    () => broken({ type: 'object', properties: { a: { $ref: 'io.example.v9.Thing' } } }),
    /no module has the types of io\.example\.v9/,
  );
  assert.throws(
    () => broken({ type: 'object', properties: { a: { type: 'object', properties: {} } } }),
    /Broken\.a is an object without a name/,
  );
});
