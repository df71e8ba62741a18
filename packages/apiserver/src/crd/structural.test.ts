import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';

import { objectMetaSchema } from './embedded-metadata.ts';
import { resourceSchema, structuralSchema } from './structural.ts';

const props: JSONSchemaProps = {
  type: 'object',
  properties: {
    z: { type: 'string', enum: ['a'], default: 'a' },
    pod: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    port: { 'x-kubernetes-int-or-string': true, nullable: true },
    list: {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
  },
  required: ['z'],
};

test("a schema keeps the CRD's keywords, with properties in alphabetical order", () => {
  const schema = structuralSchema(props);
  assert.deepEqual([...(schema.properties?.keys() ?? [])], ['list', 'pod', 'port', 'z']);
  assert.deepEqual(schema.required, ['z']);
  const property = (name: string): unknown => schema.properties?.get(name)?.schema;
  assert.deepEqual(property('z'), { type: 'string', enum: ['a'], default: 'a' });
  assert.deepEqual(property('port'), { special: 'int-or-string', nullable: true });
  assert.deepEqual(property('pod'), {
    type: 'object',
    embeddedResource: true,
    preserveUnknownFields: true,
  });
  assert.deepEqual(property('list'), {
    type: 'array',
    listType: 'map',
    listMapKeys: ['k'],
    items: { type: 'object', properties: new Map([['k', { schema: { type: 'string' } }]]) },
  });
});

test('clients see ObjectMeta in the resource and in embedded resources', () => {
  const objectMeta = objectMetaSchema();
  const schema = resourceSchema(props, objectMeta);
  assert.deepEqual(
    [...(schema.properties?.keys() ?? [])],
    ['apiVersion', 'kind', 'list', 'metadata', 'pod', 'port', 'z'],
  );
  assert.equal(schema.properties?.get('metadata')?.schema, objectMeta);
  const pod = schema.properties.get('pod')?.schema;
  assert.deepEqual([...(pod?.properties?.keys() ?? [])], ['apiVersion', 'kind', 'metadata']);
  assert.equal(pod?.properties?.get('metadata')?.schema, objectMeta);
});

test('combinations and bounds are kept for validation', () => {
  const { validation, additionalProperties } = structuralSchema({
    type: 'object',
    additionalProperties: false,
    maxProperties: 2,
    anyOf: [{ required: ['a'] }],
    not: { required: ['b'] },
    'x-kubernetes-validations': [{ rule: 'true' }],
  });
  assert.deepEqual(validation, {
    maxProperties: 2,
    anyOf: [{ required: ['a'] }],
    not: { required: ['b'] },
    closed: true,
    celRules: [{ rule: 'true' }],
  });
  assert.ok(additionalProperties, 'keys are kept, for validation to refuse');
});
