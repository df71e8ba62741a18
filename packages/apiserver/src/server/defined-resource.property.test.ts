import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  customResourceDefinition,
  defineResource,
  type SchemaProblem,
  type StructuralSchema,
} from 'client-ts/crd';
import type { JsonValue } from 'client-ts/internal';
import fc from 'fast-check';

import { TestServer } from '../testing/test-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const numbers = fc.constantFrom<StructuralSchema>(
  { type: 'integer' },
  { type: 'integer', format: 'int32', minimum: 1, maximum: 5 },
  { type: 'number', minimum: 0.5, exclusiveMinimum: true },
  { type: 'integer', multipleOf: 3, default: 3 },
  { type: 'integer', enum: [1, 2] },
  { type: 'integer', anyOf: [{ minimum: 3 }, { maximum: 0 }] },
  { type: 'integer', oneOf: [{ minimum: 1 }, { maximum: 3 }] },
  { type: 'integer', allOf: [{ minimum: 1 }, { maximum: 3 }], not: { minimum: 2, maximum: 2 } },
  { 'x-kubernetes-int-or-string': true },
);

const texts = fc.constantFrom<StructuralSchema>(
  { type: 'string' },
  { type: 'string', nullable: true },
  { type: 'string', minLength: 2, maxLength: 3 },
  { type: 'string', pattern: '^[a-z]+.$' },
  { type: 'string', pattern: String.raw`\s\-` },
  { type: 'string', enum: ['a', 'bb'], default: 'a' },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'byte' },
  { type: 'string', format: 'uuid' },
  { type: 'boolean' },
);

const names = ['a', 'b', 'c'] as const;

const { schema: schemas } = fc.letrec<{ schema: StructuralSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'medium', maxDepth: 3 },
    numbers,
    texts,
    objectSchemas(tie('schema')),
    fc.record(
      {
        type: fc.constant('object' as const),
        additionalProperties: tie('schema'),
        minProperties: fc.constant(1),
        maxProperties: fc.constant(2),
      },
      { requiredKeys: ['type', 'additionalProperties'] },
    ),
    fc.record(
      {
        type: fc.constant('array' as const),
        items: tie('schema'),
        minItems: fc.constant(1),
        maxItems: fc.constant(2),
      },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.constantFrom<StructuralSchema>(
      { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
      {
        type: 'array',
        items: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', additionalProperties: true },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ),
  ),
}));

function objectSchemas(field: fc.Arbitrary<StructuralSchema>): fc.Arbitrary<StructuralSchema> {
  return fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...names), field),
      required: fc.subarray([...names]),
      nullable: fc.boolean(),
    })
    .map(({ properties, required, nullable }) => ({
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      nullable,
    }));
}

const scalars = fc.oneof(
  fc.constantFrom(null, true, 0, 1, 2, 3, 6, 0.5, 1.5, 2 ** 31, -(2 ** 40)),
  fc.constantFrom('', 'a', 'bb', 'abcd', 'a\n', 'a\r', 'é', '😀😀', ' -', 'YQ=='),
  fc.constantFrom('2026-02-28', '2026-02-30', '2026-02-28T10:00:00Z', '2026-02-28t23:59:60z'),
  fc.constant('6fa459ea-ee8a-3ca4-894e-db77e160355e'),
);

const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 3 },
    { arbitrary: scalars, weight: 3 },
    { arbitrary: fc.dictionary(fc.constantFrom(...names), tie('value')), weight: 3 },
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** A value that fits a schema more often than a random one. */
function valuesOf(schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  const fitting = (): fc.Arbitrary<JsonValue> => {
    if (schema.type === 'object' && schema.properties !== undefined) {
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties).map(([name, field]) => [name, valuesOf(field)]),
        ),
        { requiredKeys: [] },
      );
    }
    if (typeof schema.additionalProperties === 'object') {
      return fc.dictionary(fc.constantFrom(...names), valuesOf(schema.additionalProperties));
    }
    if (schema.items !== undefined) {
      return fc.array(valuesOf(schema.items), { maxLength: 3 });
    }
    return scalars;
  };
  return fc.oneof({ arbitrary: fitting(), weight: 9 }, values);
}

const examples = schemas.chain((schema) =>
  fc.tuple(fc.constant(schema), fc.array(valuesOf(schema), { minLength: 1, maxLength: 20 })),
);

/** Servers accept a list in place of a string that has a format; the client does not. */
function isListForText({ message }: SchemaProblem): boolean {
  return message.startsWith('must be of type string, is [');
}

test('a declared resource is accepted, and its validation agrees with that of the server', async () => {
  await fc.assert(
    fc.asyncProperty(examples, async ([schema, specs]) => {
      using server = new TestServer();
      const parts = defineResource({
        group: 'example.com',
        version: 'v1',
        kind: 'Part',
        schema: { type: 'object', properties: { spec: schema } },
      });
      await server.given('post', definitions, parts.definition);
      await server.settle();
      for (const spec of specs) {
        const object = {
          apiVersion: 'example.com/v1',
          kind: 'Part',
          metadata: { name: 'a', namespace: 'default' },
          spec,
        };
        const path = '/apis/example.com/v1/namespaces/default/parts?dryRun=All';
        const strict = await server.post(`${path}&fieldValidation=Strict`, object);
        const problems = parts.validate(object);
        if (problems.some(isListForText)) continue;
        const explanation = `${JSON.stringify({ schema, spec, problems })} ${strict.text}`;
        assert.equal(problems.length === 0, strict.status === 201, explanation);
        const lenient = await server.post(`${path}&fieldValidation=Ignore`, object);
        const remaining = parts.validate(object, { fieldValidation: 'Ignore' });
        assert.equal(remaining.length === 0, lenient.status === 201, explanation);
        if (strict.status === 201) {
          assert.deepEqual(parts.parse(object).spec, strict.body['spec'], explanation);
        }
      }
      assert.deepEqual(server.errors, []);
    }),
    { numRuns: 40, seed: 12 },
  );
});

test('several versions of a declared resource are served from one definition', async () => {
  using server = new TestServer();
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  } as const;
  const shared = { group: 'example.com', kind: 'Part', subresources: { status: {} } } as const;
  const v1 = defineResource({ ...shared, version: 'v1', schema });
  const v1beta1 = defineResource({ ...shared, version: 'v1beta1', schema, deprecated: true });
  await server.given('post', definitions, customResourceDefinition([v1, v1beta1]));
  await server.settle();
  const object = { metadata: { name: 'a' }, spec: { size: 1 } };
  const path = (version: string): string => `/apis/example.com/${version}/namespaces/default/parts`;
  const typed = { ...object, apiVersion: 'example.com/v1beta1', kind: 'Part' };
  await server.given('post', path('v1beta1'), typed);
  const { body } = await server.get(`${path('v1')}/a`);
  assert.deepEqual([body['apiVersion'], body['spec']], ['example.com/v1', { size: 1 }]);
});
