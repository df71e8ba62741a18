import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { JsonObject } from 'client-ts/internal';

import { customTypes } from './custom-types.ts';
import type { DescribedResource } from './resource-paths.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function resource(openApi: JsonObject, selectableFields: string[] = []): DescribedResource {
  return {
    info: {
      group: 'demo.example.com',
      version: 'v1',
      kind: 'Gizmo',
      listKind: 'GizmoList',
      resource: 'gizmos',
      singular: 'gizmo',
      scope: 'Namespaced',
      verbs: [],
      shortNames: [],
      categories: [],
      subresources: [],
      schema: {},
      crd: 'gizmos.demo.example.com',
      openApi,
    },
    deleteReturnsObject: false,
    selectableFields,
  };
}

function own(openApi: JsonObject, version: 2 | 3): JsonObject {
  const types = new Map(customTypes(resource(openApi), version));
  return types.get('com.example.demo.v1.Gizmo') as JsonObject;
}

/** Returns the converted schema of one property. */
function property(schema: JsonObject, version: 2 | 3): unknown {
  const { properties } = own({ type: 'object', properties: { a: schema } }, version);
  return (properties as JsonObject)['a'];
}

describe('the types of a custom resource', () => {
  it('are the resource and its list', () => {
    const types = customTypes(resource({ type: 'object' }, ['spec.color']), 3);
    assert.deepEqual(
      types.map(([name]) => name),
      ['com.example.demo.v1.Gizmo', 'com.example.demo.v1.GizmoList'],
    );
    for (const [, type] of types) {
      assert.deepEqual(type['x-kubernetes-selectable-fields'], [{ fieldPath: 'spec.color' }]);
    }
  });

  it('have the schema and descriptions of the definition, and ObjectMeta', () => {
    const spec = { type: 'object', description: 'What is wanted.', nullable: true };
    const described = own({ type: 'object', description: 'A gizmo.', properties: { spec } }, 3);
    const { apiVersion, kind, metadata } = described['properties'] as JsonObject;
    assert.match((apiVersion as JsonObject)['description'] as string, /^Group and version of /);
    assert.match((kind as JsonObject)['description'] as string, /^Name of the object's schema/);
    assert.match((metadata as JsonObject)['description'] as string, /^Name, namespace, labels/);
    assert.deepEqual(described, {
      type: 'object',
      description: 'A gizmo.',
      properties: {
        spec,
        apiVersion: { ...(apiVersion as JsonObject), type: 'string' },
        kind: { ...(kind as JsonObject), type: 'string' },
        metadata: { ...(metadata as JsonObject), $ref: OBJECT_META },
      },
      'x-kubernetes-group-version-kind': [
        { group: 'demo.example.com', kind: 'Gizmo', version: 'v1' },
      ],
    });
  });

  it('describe lists by the kind of their items', () => {
    const types = new Map(customTypes(resource({ type: 'object' }), 3));
    const list = types.get('com.example.demo.v1.GizmoList') as JsonObject;
    assert.match(list['description'] as string, /^A list of Gizmo objects/);
    const { items } = list['properties'] as JsonObject;
    assert.match((items as JsonObject)['description'] as string, /^The objects /);
  });

  it('describe embedded objects', () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
    const whole = {
      ...embedded,
      required: ['kind', 'apiVersion'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { $ref: OBJECT_META },
      },
    };
    assert.deepEqual(property(embedded, 3), whole);
    assert.deepEqual(property(embedded, 2), whole);
    const open = { ...embedded, 'x-kubernetes-preserve-unknown-fields': true };
    const { type: _, ...untyped } = open;
    assert.deepEqual(property(open, 2), untyped);
  });

  it('are open in v2 wherever it cannot express the schema', () => {
    const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
    const cases: [JsonObject, JsonObject][] = [
      [{ type: 'string', nullable: true, maxLength: 9 }, { maxLength: 9 }],
      [{ type: 'object', nullable: true, properties: { x: {} } }, {}],
      [{ type: 'object', properties: { x: {} }, ...preserve }, preserve],
      [{ type: 'array', items: { type: 'string' }, ...preserve }, preserve],
      [
        { type: 'string', allOf: [{ minLength: 1 }], not: {}, oneOf: [], anyOf: [] },
        { type: 'string' },
      ],
      [
        { type: 'array', items: { type: 'integer', nullable: true } },
        { type: 'array', items: {} },
      ],
      [
        {
          type: 'object',
          required: ['x', 'y'],
          properties: { x: { type: 'string', nullable: true }, y: { type: 'string' } },
        },
        { type: 'object', required: ['y'], properties: { x: {}, y: { type: 'string' } } },
      ],
      [
        {
          type: 'object',
          required: ['x'],
          additionalProperties: { type: 'string', nullable: true },
        },
        { type: 'object', additionalProperties: {} },
      ],
    ];
    for (const [schema, expected] of cases) assert.deepEqual(property(schema, 2), expected);
    assert.deepEqual(own({ type: 'object', ...preserve }, 2), {
      type: 'object',
      'x-kubernetes-group-version-kind': [
        { group: 'demo.example.com', kind: 'Gizmo', version: 'v1' },
      ],
    });
  });

  it('keep values that look like schemas', () => {
    const value = { properties: { x: { nullable: true } }, $ref: 'y', items: { nullable: true } };
    const { default: kept, enum: choices } = property(
      { type: 'object', default: value, enum: [value] },
      2,
    ) as JsonObject;
    assert.deepEqual([kept, choices], [value, [value]]);
  });
});
