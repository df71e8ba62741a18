import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import { pathsOf } from './field-set.ts';
import { fieldTypeOf, formOf } from './field-type.ts';
import { formatPath } from './path-element.ts';
import { builtin, schemaFrom, type SchemaSource } from './test-schema.ts';
import { toFieldSet } from './typed-set.ts';
import { validateConfig } from './validate.ts';

const struct: SchemaSource = { type: 'object', properties: { a: { type: 'string' } } };

describe('the type of a schema', () => {
  test('preserves unknown fields in everything below, except in built-in types', () => {
    const type = fieldTypeOf(
      schemaFrom({
        type: 'object',
        properties: {
          closed: struct,
          open: {
            ...struct,
            preserveUnknownFields: true,
            properties: {
              struct,
              list: { type: 'array', items: struct },
              dict: { type: 'object', additionalProperties: struct },
              builtin: { ...struct, id: 'a type of the model' },
            },
          },
        },
      }),
    );
    const x = { x: 1 };
    assert.equal(
      validateConfig({ open: { x, struct: x, list: [x], dict: { x } } }, type),
      undefined,
    );
    const undeclared = 'field not declared in schema';
    assert.equal(validateConfig({ closed: x }, type), `.closed.x: ${undeclared}`);
    assert.equal(validateConfig({ open: { builtin: x } }, type), `.open.builtin.x: ${undeclared}`);
  });

  test('prefers the rules of the property to those of the referenced type', () => {
    const fields = (kind: string, value: JsonObject): string[] =>
      Array.from(pathsOf(toFieldSet(value, fieldTypeOf(builtin('', kind)))), formatPath);
    const reference = { kind: 'Pod', name: 'a' };
    assert.deepEqual(fields('Event', { involvedObject: reference }), ['.involvedObject']);
    assert.deepEqual(fields('PersistentVolume', { spec: { claimRef: reference } }), [
      '.spec.claimRef.kind',
      '.spec.claimRef.name',
    ]);
  });

  test('without a type allows every form', () => {
    const open = fieldTypeOf(schemaFrom({}));
    const forms = (values: readonly (JsonValue | undefined)[]): string[] =>
      values.map((value) => formOf(value, open));
    assert.deepEqual(forms([[], {}, '', 0, false]), ['list', 'map', 'scalar', 'scalar', 'scalar']);
    assert.deepEqual(forms([null, undefined]), ['map', 'map']);
  });

  test('determines the form of values that do not fit', () => {
    const values = [[], {}, 'a', null, undefined];
    for (const [source, form] of [
      [{ type: 'array' }, 'list'],
      [{ type: 'object' }, 'map'],
      [{ type: 'string' }, 'scalar'],
    ] as const) {
      const type = fieldTypeOf(schemaFrom(source));
      for (const value of values) assert.equal(formOf(value, type), form);
    }
  });

  test('has the zero values of fields that Go structs always have', () => {
    const types: Record<string, SchemaSource> = {
      text: { type: 'string' },
      count: { type: 'integer' },
      ratio: { type: 'number' },
      flag: { type: 'boolean' },
      struct: { type: 'object' },
      dict: { type: 'object', additionalProperties: { type: 'string' } },
      list: { type: 'array' },
      quantity: { special: 'quantity' },
      port: { special: 'int-or-string' },
      time: { special: 'time' },
    };
    const properties = Object.entries(types).map(([name, type]) => [
      name,
      { ...type, always: true },
    ]);
    const source: SchemaSource = {
      type: 'object',
      properties: { ...Object.fromEntries(properties), optional: { type: 'string' } },
    };
    const { map } = fieldTypeOf(schemaFrom(source));
    const zeros = Array.from(map?.fields ?? [], ([name, { zero }]) => [name, zero]);
    assert.deepEqual(Object.fromEntries(zeros), {
      text: '',
      count: 0,
      ratio: 0,
      flag: false,
      struct: {},
      dict: null,
      list: null,
      quantity: '0',
      port: 0,
      time: null,
      optional: undefined,
    });
    assert.deepEqual(map?.implied, Object.keys(types));
  });
});
