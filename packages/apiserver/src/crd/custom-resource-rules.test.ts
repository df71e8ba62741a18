import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CustomResourceDefinition, JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { JsonObject, JsonValue } from 'client-ts/internal';

import { type CustomResourceVersion, customResourceVersions } from './custom-resource.ts';
import { validateCustomResource, validateCustomResourceUpdate } from './custom-resource-rules.ts';

function versionWith(spec: JSONSchemaProps, extra: JsonObject = {}): CustomResourceVersion {
  const crd = {
    metadata: { name: 'ws.x.example.com' },
    spec: {
      group: 'x.example.com',
      scope: 'Namespaced',
      names: { plural: 'ws', kind: 'W' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          ...extra,
        },
      ],
    },
  } as CustomResourceDefinition;
  const [version] = customResourceVersions(crd);
  assert.ok(version);
  return version;
}

function resource(spec: JsonValue, more: JsonObject = {}): JsonObject {
  const metadata = { name: 'a', namespace: 'n' };
  return { apiVersion: 'x.example.com/v1', kind: 'W', metadata, spec, ...more };
}

function findings(object: JsonObject, version: CustomResourceVersion): string[] {
  return validateCustomResource(object, version)
    .map(({ field, message }) => `${field}: ${message}`)
    .toSorted();
}

/** The errors of a real server, by schema and value of `spec`. */
const cases: readonly [schema: JSONSchemaProps, value: JsonValue, findings: string[]][] = [
  [
    { type: 'string' },
    5,
    ['spec: Invalid value: "integer": spec in body must be of type string: "integer"'],
  ],
  [{ type: 'string', nullable: true }, null, []],
  [
    { type: 'integer' },
    1.5,
    [
      'spec: Invalid value: "number": spec in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec',
    ],
  ],
  [
    { type: 'integer' },
    10000000000000000000,
    [
      'spec: Invalid value: "number": spec in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec',
    ],
  ],
  [
    { type: 'integer', format: 'int32' },
    3000000000,
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec'],
  ],
  [
    { type: 'integer', format: 'int32' },
    true,
    ['spec: Invalid value: "": spec in body must be of type int32: ""'],
  ],
  [
    { type: 'number' },
    'x',
    ['spec: Invalid value: "string": spec in body must be of type number: "string"'],
  ],
  [
    { type: 'boolean' },
    0,
    ['spec: Invalid value: "integer": spec in body must be of type boolean: "integer"'],
  ],
  [
    { type: 'array', items: { type: 'string' } },
    {},
    ['spec: Invalid value: "object": spec in body must be of type array: "object"'],
  ],
  [
    { type: 'object' },
    [],
    ['spec: Invalid value: "array": spec in body must be of type object: "array"'],
  ],
  [
    { 'x-kubernetes-int-or-string': true },
    1.5,
    ['spec: Invalid value: "number": spec in body must be of type integer,string: "number"'],
  ],
  [
    { type: 'integer', maximum: 5, exclusiveMaximum: true },
    5,
    ['spec: Invalid value: 5: spec in body should be less than 5'],
  ],
  [
    { type: 'integer', minimum: 2 },
    1,
    ['spec: Invalid value: 1: spec in body should be greater than or equal to 2'],
  ],
  [
    { type: 'integer', maximum: 2.5 },
    3,
    [
      '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec',
      'spec: Invalid value: 3: spec in body should be less than or equal to 2.5',
    ],
  ],
  [
    { type: 'number', minimum: 2000000, exclusiveMinimum: true },
    2.5,
    ['spec: Invalid value: 2.5: spec in body should be greater than 2e+06'],
  ],
  [
    { type: 'integer', multipleOf: 3 },
    4,
    ['spec: Invalid value: 4: spec in body should be a multiple of 3'],
  ],
  [
    { type: 'number', multipleOf: 0.5 },
    0.3,
    ['spec: Invalid value: 0.3: spec in body should be a multiple of 0.5'],
  ],
  [
    { type: 'number', format: 'float' },
    1e39,
    ['<nil>: Invalid value: "": Checked value must be of type number with format float in spec'],
  ],
  [{ type: 'string', maxLength: 2 }, 'äöü', ['spec: Too long: may not be more than 2 bytes']],
  [
    { type: 'string', minLength: 2 },
    'a',
    ['spec: Invalid value: "a": spec in body should be at least 2 chars long'],
  ],
  [
    { type: 'string', pattern: '^[a-z]+$' },
    'A',
    ['spec: Invalid value: "A": spec in body should match \'^[a-z]+$\''],
  ],
  [
    { type: 'string', format: 'email' },
    'nope',
    ['spec: Invalid value: "nope": spec in body must be of type email: "nope"'],
  ],
  [{ type: 'string', format: 'made-up' }, 'x', []],
  [
    { type: 'string', enum: ['a', 'b'] },
    'c',
    ['spec: Unsupported value: "c": supported values: "a", "b"'],
  ],
  [{ type: 'integer', enum: [1, 2] }, 2, []],
  [{ type: 'number', enum: [1, 2] }, 2.5, []],
  [
    { type: 'object', enum: [{ a: 1, b: [2] }], 'x-kubernetes-preserve-unknown-fields': true },
    { b: [2], a: 1 },
    [],
  ],
  [
    { type: 'object', enum: [{ a: 1 }], 'x-kubernetes-preserve-unknown-fields': true },
    { a: 2 },
    ['spec: Unsupported value: {"a":2}: supported values: "{\\"a\\":1}"'],
  ],
  [
    { type: 'integer', enum: [1, 2] },
    3,
    ['spec: Unsupported value: 3: supported values: "1", "2"'],
  ],
  [
    { type: 'array', items: { type: 'integer' }, maxItems: 1 },
    [1, 'x'],
    [
      'spec[1]: Invalid value: "string": spec[1] in body must be of type integer: "string"',
      'spec: Too many: 2: must have at most 1 item',
    ],
  ],
  [
    { type: 'array', items: { type: 'integer' }, minItems: 2 },
    [1],
    ['spec: Invalid value: 1: spec in body should have at least 2 items'],
  ],
  [
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
    {},
    ['spec.a: Required value', 'spec.b: Required value'],
  ],
  [
    { type: 'object', additionalProperties: { type: 'integer' } },
    { k: 'v' },
    ['spec.k: Invalid value: "string": spec.k in body must be of type integer: "string"'],
  ],
  [
    { type: 'object', additionalProperties: false },
    { k: 'v' },
    ['spec: Invalid value: "k": spec.k in body is a forbidden property'],
  ],
  [
    { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 1 },
    { a: 1, b: 2 },
    ['spec: Too many: 2: must have at most 1 item'],
  ],
  [{ type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 1 }, { a: 1 }, []],
  [{ type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1 }, { a: 1 }, []],
  [{ type: 'array', items: { type: 'integer' }, maxItems: 2, minItems: 2 }, [1, 2], []],
  [{ type: 'string', maxLength: 2, minLength: 2 }, 'ab', []],
  [
    { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1 },
    {},
    ['spec: Invalid value: 0: spec in body should have at least 1 properties'],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { a: 1, b: 2 },
    [
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    {},
    [
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.a: Required value',
    ],
  ],
  [
    { type: 'integer', anyOf: [{ maximum: 1 }, { minimum: 9 }] },
    5,
    [
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec: Invalid value: 5: spec in body should be less than or equal to 1',
    ],
  ],
  [
    { type: 'integer', allOf: [{ maximum: 1 }, { minimum: 9 }] },
    5,
    [
      'spec: Invalid value: 5: spec in body should be less than or equal to 1',
      'spec: Invalid value: 5: spec in body should be greater than or equal to 9',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ],
  ],
  [
    { type: 'string', not: { enum: ['a'] } },
    'a',
    ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ['a', 'b', 'a', 'a'],
    ['spec[2]: Duplicate value: "a"'],
  ],
  [
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'integer' } },
        required: ['k'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    [{ k: 'a' }, { k: 'a', v: 1 }],
    ['spec[1]: Duplicate value: {"k":"a"}'],
  ],
  [
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    { kind: 'b_d', metadata: { name: 'a/b' } },
    [
      'spec.apiVersion: Required value',
      "spec.kind: Invalid value: \"b_d\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      'spec.metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ],
  ],
];

test('invalid values are rejected with the messages of a real server', () => {
  for (const [schema, value, expected] of cases) {
    const label = `${JSON.stringify(value)} by ${JSON.stringify(schema)}`;
    assert.deepEqual(findings(resource(value), versionWith(schema)), expected.toSorted(), label);
  }
});

test('bounds are inclusive or exclusive as the schema says', () => {
  const bounds = { minimum: 1, maximum: 3 };
  const open = { ...bounds, exclusiveMinimum: true, exclusiveMaximum: true };
  const accepted = (schema: JSONSchemaProps): number[] =>
    [0, 1, 1.5, 2, 3, 4].filter(
      (value) => findings(resource(value), versionWith(schema)).length === 0,
    );
  assert.deepEqual(accepted({ type: 'number', ...bounds }), [1, 1.5, 2, 3]);
  assert.deepEqual(accepted({ type: 'number', ...open }), [1.5, 2]);
});

test('an update of a map list tolerates unchanged items at any index', () => {
  const item: JSONSchemaProps = {
    type: 'object',
    properties: { k: { type: 'string' }, v: { type: 'integer', maximum: 1 } },
    required: ['k'],
  };
  const version = versionWith({
    type: 'array',
    items: item,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  });
  const meta = { metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } };
  const fields = (value: JsonValue, old: JsonValue): string[] =>
    validateCustomResourceUpdate(resource(value, meta), resource(old, meta), version).map(
      ({ field }) => field,
    );
  const bad = { k: 'a', v: 9 };
  assert.deepEqual(fields([{ k: 'b' }, bad], [bad]), []);
  assert.deepEqual(fields([{ k: 'b' }, { ...bad, v: 8 }], [bad]), ['spec[1].v']);
  assert.deepEqual(fields([bad, { k: 'c', v: 9 }], [bad]), ['spec[1].v']);
  assert.deepEqual(fields([{ v: 9 }], [{ v: 9 }]), ['spec[0].v', 'spec[0].k']);
});

test('the scale subresource requires numbers at its paths', () => {
  const scale = {
    specReplicasPath: '.spec.n',
    statusReplicasPath: '.status.n',
    labelSelectorPath: '.status.s',
  };
  const version = versionWith(
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { subresources: { status: {}, scale } },
  );
  assert.deepEqual(findings(resource({ n: 3 }, { status: { n: 1, s: 'a=b' } }), version), []);
  assert.deepEqual(findings(resource({ n: -1 }, { status: { n: 2 ** 31, s: 5 } }), version), [
    '.spec.n: Invalid value: -1: should be a non-negative integer',
    '.status.n: Invalid value: 2147483648: should be less than or equal to 2147483647',
    '.status.s: Invalid value: "": .status.s accessor error: 5 is of the type int64, expected string',
  ]);
  assert.deepEqual(findings(resource('x'), version), [
    '.spec.n: Invalid value: 0: .spec.n accessor error: x is of the type string, expected map[string]interface{}',
    'spec: Invalid value: "string": spec in body must be of type object: "string"',
  ]);
});

test('rules are checked unless an error of another kind blocks them', () => {
  const note =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  const version = versionWith({
    type: 'object',
    properties: { a: { type: 'integer', maximum: 1 } },
    'x-kubernetes-validations': [{ rule: 'self.a != 1' }],
  });
  assert.ok(version.hasRules);
  assert.deepEqual(findings(resource({ a: 0 }), version), []);
  assert.deepEqual(findings(resource({ a: 1 }), version), [
    'spec: Invalid value: failed rule: self.a != 1',
  ]);
  assert.ok(!findings(resource({ a: 2 }), version).includes(note), 'too large does not block');
  assert.ok(findings(resource({ a: 'x' }), version).includes(note), 'the wrong type does');
});

test('another kind or version is rejected first', () => {
  const version = versionWith({ type: 'integer' });
  assert.deepEqual(findings({ ...resource('x'), kind: 'Y', apiVersion: 'x/v2' }, version), [
    'apiVersion: Invalid value: "x/v2": must be x.example.com/v1',
    'kind: Invalid value: "Y": must be W',
  ]);
});

test('rules can name properties that are reserved words, escaped or not', () => {
  const broken = (rule: string): string[] => {
    const version = versionWith({
      type: 'object',
      properties: { namespace: { type: 'string' }, if: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule }],
    });
    return findings(resource({ namespace: 'a', if: 1 }), version);
  };
  const fine = [
    'self.namespace == "a"',
    'self.__namespace__ == "a"',
    'has(self.if) && self.if == 1',
    'self.?namespace.orValue("b") == "a"',
  ];
  for (const rule of fine) assert.deepEqual(broken(rule), [], rule);
  assert.deepEqual(broken('self.if > 1'), ['spec: Invalid value: failed rule: self.if > 1']);
});
