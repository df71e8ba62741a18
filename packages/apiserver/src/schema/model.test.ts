import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadModel } from './model.ts';
import type { Property, Schema } from './schema.ts';

const model = loadModel();

function property(schema: Schema | undefined, ...path: string[]): Property {
  let found: Property | undefined;
  for (const name of path) {
    const owner: Schema | undefined = found?.schema.items ?? found?.schema ?? schema;
    found = owner?.properties?.get(name);
  }
  assert.ok(found, path.join('.'));
  return found;
}

test('the model has the resources of discovery, with full kinds for subresources', () => {
  assert.equal(model.groupVersions.length, 32);
  const pods = model.resources('', 'v1').find(({ resource }) => resource === 'pods');
  assert.equal(pods?.listKind, 'PodList');
  assert.equal(pods.scope, 'Namespaced');
  assert.deepEqual(pods.shortNames, ['po']);
  assert.deepEqual(
    pods.subresources.find(({ name }) => name === 'eviction'),
    {
      name: 'eviction',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      verbs: ['create'],
    },
  );
  assert.deepEqual(
    model.resources('apps', 'v1').find(({ resource }) => resource === 'deployments')
      ?.subresources[1]?.kind,
    { group: 'apps', version: 'v1', kind: 'Deployment' },
  );
  assert.deepEqual(model.resources('example.com', 'v1'), []);
});

test('every resource has a schema, and all reachable types can be linked', () => {
  for (const { group, version } of model.groupVersions) {
    for (const { kind, schema } of model.resources(group, version)) {
      assert.equal(schema, model.schemaFor({ group, version, kind }));
      assert.ok(schema.properties?.has('metadata') ?? false, kind);
    }
  }
  for (const id of Object.keys(model.openApi)) assert.equal(model.schemaById(id)?.id, id);
  assert.equal(model.schemaFor({ group: '', version: 'v1', kind: 'Nope' }), undefined);
  assert.equal(model.schemaById('constructor'), undefined);
});

test('properties are in the order of the type and have its additions', () => {
  const pod = model.schemaFor({ group: '', version: 'v1', kind: 'Pod' });
  assert.deepEqual(
    [...(pod?.properties?.keys() ?? [])],
    ['kind', 'apiVersion', 'metadata', 'spec', 'status'],
  );
  assert.equal(property(pod, 'status').always, true);
  assert.equal(property(pod, 'spec', 'automountServiceAccountToken').pointer, true);
  assert.equal(property(pod, 'spec', 'nodeName').pointer, false);
  assert.equal(property(pod, 'spec', 'containers').patchMergeKey, 'name');
  assert.deepEqual(property(pod, 'spec', 'containers').listMapKeys, ['name']);
  assert.equal(property(pod, 'spec', 'containers', 'ports', 'protocol').default, 'TCP');
  assert.equal(property(pod, 'spec', 'containers', 'ports', 'protocol').typeName, 'v1.Protocol');
  assert.equal(property(pod, 'spec', 'volumes', 'emptyDir').inlined, 'VolumeSource');
  assert.equal(property(pod, 'kind').inlined, 'TypeMeta');
  const { schema } = property(pod, 'spec', 'containers', 'resources', 'limits');
  assert.equal(schema.additionalProperties?.special, 'quantity');
});

test('a recursive type is one cyclic schema', () => {
  const schema = model.schemaById(
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
  );
  assert.equal(property(schema, 'not').schema, schema);
  assert.equal(property(schema, 'properties').schema.additionalProperties, schema);
  assert.equal(property(schema, 'items').schema.special, 'schema-or-list');
  assert.equal(property(schema, 'items').schema.additionalProperties, schema);
});

test('the model is loaded once', () => {
  assert.equal(loadModel(), model);
});
