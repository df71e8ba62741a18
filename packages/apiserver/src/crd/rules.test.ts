import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { JSONSchemaProps, ValidationRule } from 'client-ts/api/apiextensions/v1';
import type { JsonObject } from 'client-ts/internal';
import type { FieldError } from '../validation/field-error.ts';
import { validateRules } from './rule-definitions.ts';
import { checkRules } from './rules.ts';
import { structuralSchema } from './structural.ts';

/** Rules in a schema, an object, and what Kubernetes 1.36 finds wrong with both. */
interface Recorded {
  /** Whether the texts, lists and maps of the schema have limits. */
  readonly bounded: boolean;
  /** By the place of the schema: `spec.items[]` is that of the items. */
  readonly rules: readonly (readonly [place: string, rule: ValidationRule])[];
  readonly name: string;
  readonly object: JsonObject;
  readonly oldName?: string;
  readonly old?: JsonObject;
  readonly errors: readonly string[];
  readonly definition: readonly string[];
}

const recorded = JSON.parse(
  readFileSync(new URL('../../testdata/cel-rules.json', import.meta.url), 'utf8'),
) as Recorded[];

function schema(isBounded: boolean): JSONSchemaProps {
  const limit = (limits: JSONSchemaProps): JSONSchemaProps => (isBounded ? limits : {});
  const text = (maxLength: number): JSONSchemaProps => ({
    type: 'string',
    ...limit({ maxLength }),
  });
  const item: JSONSchemaProps = {
    type: 'object',
    required: ['key'],
    properties: { key: text(8), value: { type: 'integer' } },
  };
  const spec: JSONSchemaProps = {
    type: 'object',
    required: ['replicas'],
    properties: {
      replicas: { type: 'integer' },
      min: { type: 'integer' },
      name: text(20),
      mode: { type: 'string', enum: ['a', 'bb', 'ccc'] },
      ratio: { type: 'number' },
      flag: { type: 'boolean' },
      when: { type: 'string', format: 'date-time' },
      wait: { type: 'string', format: 'duration' },
      port: { 'x-kubernetes-int-or-string': true },
      tags: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        ...limit({ maxItems: 10 }),
        items: text(10),
      },
      list: { type: 'array', ...limit({ maxItems: 5 }), items: { type: 'integer' } },
      items: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['key'],
        ...limit({ maxItems: 6 }),
        items: item,
      },
      labels: { type: 'object', ...limit({ maxProperties: 4 }), additionalProperties: text(8) },
      'a-b.c': text(8),
      namespace: text(8),
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      nul: { ...text(8), nullable: true },
      data: { ...text(8), format: 'byte' },
    },
  };
  return { type: 'object', properties: { spec } };
}

function schemaAt(root: JSONSchemaProps, place: string): JSONSchemaProps {
  let found = root;
  for (const [, name = '', inside = ''] of place.matchAll(/([^.[{]+)(\[\]|\{\})?/g)) {
    found = found.properties?.[name] ?? {};
    if (inside === '[]') found = found.items as JSONSchemaProps;
    if (inside === '{}') found = found.additionalProperties as JSONSchemaProps;
  }
  return found;
}

function withRules({ bounded, rules }: Recorded): JSONSchemaProps {
  const root = schema(bounded);
  for (const [place, rule] of rules) {
    const at = schemaAt(root, place);
    at['x-kubernetes-validations'] = [...(at['x-kubernetes-validations'] ?? []), rule];
  }
  return root;
}

/** The type of `self` has a number in its name, which a genuine server draws. */
const text = ({ field, message }: FieldError): string =>
  `${field}: ${message}`.replaceAll(/selfType\d+/g, 'selfType');

const custom = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name },
  spec,
});

describe('rules of custom resources', () => {
  it('find the errors of a genuine server, in definitions and in objects', () => {
    assert.equal(recorded.length, 150);
    for (const one of recorded) {
      const root = withRules(one);
      const what = JSON.stringify(one.rules);
      const definition = validateRules(root, 'spec.versions[0].schema.openAPIV3Schema');
      assert.deepEqual(definition.map(text).toSorted(), one.definition, what);
      const old = one.old && custom(one.oldName ?? '', one.old);
      const { errors } = checkRules(custom(one.name, one.object), structuralSchema(root), old);
      assert.deepEqual(errors.map(text).toSorted(), one.errors, what);
    }
  });

  it('end when they cost more than an object may', () => {
    const list = { type: 'array', items: { type: 'integer' } };
    const root = structuralSchema({
      type: 'object',
      properties: { list },
      'x-kubernetes-validations': [
        { rule: 'self.list.all(x, self.list.all(y, self.list.all(z, x + y + z >= 0)))' },
        { rule: 'false', message: 'never reached' },
      ],
    });
    const object = { list: Array.from({ length: 150 }, (_, index) => index) };
    const { errors } = checkRules(object, root, undefined);
    assert.equal(errors.length, 1);
    assert.match(
      errors[0]?.message ?? '',
      /operation cancelled: actual cost limit exceeded.*no further validation rules will be run/,
    );
  });

  it('tolerate what an update leaves as it is, and say so', () => {
    const root = structuralSchema({
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
            b: { type: 'integer' },
          },
        },
      },
    });
    const old = { spec: { a: 1, b: 1 } };
    const unchanged = checkRules({ spec: { a: 1, b: 2 } }, root, old);
    assert.deepEqual(unchanged.errors, []);
    assert.deepEqual(unchanged.tolerated.map(text), [
      'spec.a: Invalid value: 1: failed rule: self > 5',
    ]);
    assert.deepEqual(checkRules({ spec: { a: 2, b: 2 } }, root, old).errors.map(text), [
      'spec.a: Invalid value: 2: failed rule: self > 5',
    ]);
  });

  it('of a clause of allOf hold for the value itself', () => {
    const root = structuralSchema({
      type: 'object',
      properties: {
        a: {
          type: 'integer',
          allOf: [{ 'x-kubernetes-validations': [{ rule: 'self % 2 == 0' }] }],
        },
      },
    });
    assert.equal(checkRules({ a: 2 }, root, undefined).errors.length, 0);
    assert.equal(checkRules({ a: 3 }, root, undefined).errors.length, 1);
  });
});
