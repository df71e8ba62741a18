import assert from 'node:assert/strict';
import type { JsonValue } from 'client-ts/internal';
import { loadModel } from '../schema/model.ts';
import type { Property, Schema } from '../schema/schema.ts';

/** A schema as tests write it, with properties as a plain record. */
export interface SchemaSource extends Omit<
  Schema,
  'items' | 'properties' | 'additionalProperties'
> {
  readonly properties?: Readonly<Record<string, PropertySource>>;
  readonly items?: SchemaSource;
  readonly additionalProperties?: SchemaSource;
}

interface PropertySource extends SchemaSource {
  readonly always?: boolean;
  readonly default?: JsonValue;
}

/** Links a schema for tests. */
export function schemaFrom(source: SchemaSource): Schema {
  const { properties, items, additionalProperties, ...rest } = source;
  return {
    ...rest,
    ...(properties && { properties: linkProperties(properties) }),
    ...(items && { items: schemaFrom(items) }),
    ...(additionalProperties && { additionalProperties: schemaFrom(additionalProperties) }),
  };
}

function linkProperties(
  properties: Readonly<Record<string, PropertySource>>,
): Map<string, Property> {
  return new Map(
    Object.entries(properties).map(([name, { always = false, ...source }]) => [
      name,
      {
        schema: schemaFrom(source),
        always,
        ...(source.default === undefined ? {} : { default: source.default }),
      },
    ]),
  );
}

/** Returns the schema of a built-in kind in version v1. */
export function builtin(group: string, kind: string): Schema {
  const schema = loadModel().schemaFor({ group, version: 'v1', kind });
  assert.ok(schema, `the model has ${kind}`);
  return schema;
}

const string: SchemaSource = { type: 'string' };

/** Every kind of field of a custom resource, without metadata. */
export const everything: SchemaSource = {
  type: 'object',
  properties: {
    apiVersion: string,
    kind: string,
    text: string,
    number: { type: 'integer' },
    flag: { type: 'boolean' },
    struct: {
      type: 'object',
      properties: { a: string, inner: { type: 'object', properties: { b: string, c: string } } },
    },
    dict: { type: 'object', additionalProperties: string },
    atomicDict: { type: 'object', mapType: 'atomic', additionalProperties: string },
    atomicList: { type: 'array', items: string },
    set: { type: 'array', listType: 'set', items: string },
    items: {
      type: 'array',
      listType: 'map',
      listMapKeys: ['name', 'protocol'],
      items: {
        type: 'object',
        properties: {
          name: string,
          protocol: { type: 'string', default: 'TCP' },
          value: string,
          tags: { type: 'array', listType: 'set', items: { type: 'integer' } },
        },
      },
    },
    free: { type: 'object', preserveUnknownFields: true },
    any: { special: 'int-or-string' },
  },
};
