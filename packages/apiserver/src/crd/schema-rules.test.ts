import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { JsonObject } from 'client-ts/internal';

import { definition, findings } from './test-definition.ts';

/** The errors of a real server for a schema of `spec`; `~` is the path of that schema. */
const schemas: readonly [schema: JSONSchemaProps, findings: string[]][] = [
  [
    { type: 'strin' },
    [
      '~.type: Unsupported value: "strin": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  ],
  [
    { type: 'null' },
    [
      '~.type: Forbidden: type cannot be set to null, use nullable as an alternative',
      '~.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  ],
  [{}, ['~.type: Required value: must not be empty for specified object fields']],
  [{ type: 'array' }, ['~.items: Required value: must be specified']],
  [
    { type: 'array', items: [{ type: 'string' }] },
    ['~.items: Forbidden: items must be a schema object and not an array'],
  ],
  [
    { type: 'array', items: {} },
    ['~.items.type: Required value: must not be empty for specified array items'],
  ],
  [{ type: 'string', id: 'x' }, ['~.id: Forbidden: id is not supported']],
  [{ type: 'string', $ref: '#/x' }, ['~.$ref: Forbidden: $ref is not supported']],
  [
    { type: 'string', $schema: 'x' },
    [
      'spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported',
    ],
  ],
  [
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    [
      '~.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: { type: 'string' },
    },
    ['~.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
  ],
  [{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }, []],
  [
    { type: 'object', patternProperties: { a: { type: 'string' } } },
    ['~.patternProperties: Forbidden: patternProperties is not supported'],
  ],
  [
    { type: 'object', definitions: { a: { type: 'string' } } },
    ['~.definitions: Forbidden: definitions is not supported'],
  ],
  [
    { type: 'object', dependencies: { a: ['b'] } },
    ['~.dependencies: Forbidden: dependencies is not supported'],
  ],
  [
    { type: 'array', items: { type: 'string' }, additionalItems: false },
    ['~.additionalItems: Forbidden: additionalItems is not supported'],
  ],
  [
    { type: 'string', pattern: '[a' },
    [
      '~.pattern: Invalid value: "[a": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[a`',
    ],
  ],
  [
    { type: 'string', pattern: '(?=a)' },
    [
      '~.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
  ],
  [
    { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
    [
      '~.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    ],
  ],
  [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
  [
    {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }],
    },
    [],
  ],
  [
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    ['~.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined'],
  ],
  [
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    [
      '~.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
  ],
  [
    { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ['~.type: Required value: must be object if x-kubernetes-embedded-resource is true'],
  ],
  [
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { kind: { type: 'integer' }, metadata: { type: 'string' } },
    },
    [
      '~.properties[kind].type: Invalid value: "integer": must be string',
      '~.properties[metadata].type: Invalid value: "string": must be object',
    ],
  ],
  [
    { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ type: 'object' }] },
    ['~.anyOf[0].type: Forbidden: must be empty to be structural'],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ properties: { b: { maxLength: 1 } } }],
    },
    [],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' } } },
      not: { properties: { a: { items: { maxLength: 1 } } } },
    },
    [],
  ],
  [{ type: 'string', oneOf: [{ items: { maxLength: 1 } }] }, []],
  [
    { type: 'string', anyOf: [{ description: 'x', title: 'y', nullable: true, default: 'a' }] },
    [
      '~.anyOf[0].default: Forbidden: must be undefined to be structural',
      '~.anyOf[0].description: Forbidden: must be empty to be structural',
      '~.anyOf[0].nullable: Forbidden: must be false to be structural',
      '~.anyOf[0].title: Forbidden: must be empty to be structural',
    ],
  ],
  [
    {
      type: 'string',
      allOf: [
        {
          'x-kubernetes-list-type': 'set',
          'x-kubernetes-map-type': 'atomic',
          'x-kubernetes-list-map-keys': ['a'],
          additionalProperties: true,
        },
      ],
    },
    [
      '~.allOf[0].additionalProperties: Forbidden: must be undefined to be structural',
      '~.allOf[0].type: Required value: must be array if x-kubernetes-list-type is specified',
      '~.allOf[0].type: Required value: must be object if x-kubernetes-map-type is specified',
      '~.allOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural',
      '~.allOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural',
      '~.allOf[0].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
      '~.allOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural',
    ],
  ],
  [
    { type: 'object', not: { properties: { metadata: {} } } },
    ['~.not.properties[metadata]: Forbidden: must not be specified in a nested context'],
  ],
  [
    { type: 'string', 'x-kubernetes-list-type': 'set' },
    ['~.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified'],
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'foo' },
    [
      '~.x-kubernetes-list-type: Unsupported value: "foo": supported values: "atomic", "set", "map"',
    ],
  ],
  [
    {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' } } },
      'x-kubernetes-list-type': 'set',
    },
    [
      '~.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
    ],
  ],
  [
    {
      type: 'array',
      items: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      'x-kubernetes-list-type': 'set',
    },
    [
      '~.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
    ],
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' },
    [
      '~.items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
      '~.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
  ],
  [
    {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'z', 'a'],
    },
    [
      '~.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      '~.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      '~.x-kubernetes-list-map-keys: Invalid value: ["a","z","a"]: entries must all be names of item properties',
      '~.x-kubernetes-list-map-keys: Invalid value: ["a","z","a"]: must not contain duplicate entries',
    ],
  ],
  [
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'object' } },
        required: ['a'],
        nullable: true,
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    [
      '~.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
      '~.items.properties[a].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
    ],
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['a'] },
    [
      '~.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty',
    ],
  ],
  [
    { type: 'string', 'x-kubernetes-map-type': 'foo' },
    [
      '~.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
      '~.x-kubernetes-map-type: Unsupported value: "foo": supported values: "atomic", "granular"',
    ],
  ],
  [
    { type: 'string', default: 'x', 'x-kubernetes-validations': [{ rule: 'self == "y"' }] },
    ['~.default: Invalid value: "x": failed rule: self == "y"'],
  ],
  [
    { type: 'string', default: 'x', 'x-kubernetes-validations': [{ rule: 'self != oldSelf' }] },
    ['~.default: Invalid value: "x": failed rule: self != oldSelf'],
  ],
  [
    {
      type: 'string',
      default: 'x',
      'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue()', optionalOldSelf: true }],
    },
    ['~.default: Invalid value: "x": failed rule: oldSelf.hasValue()'],
  ],
  [
    {
      type: 'string',
      maxLength: 9,
      default: '1k',
      'x-kubernetes-validations': [{ rule: 'quantity(self) == quantity("1000")' }],
    },
    [],
  ],
  [
    { type: 'string', default: 5 },
    ['~.default: Invalid value: "integer":  in body must be of type string: "integer"'],
  ],
  [
    { type: 'object', properties: { a: { type: 'string' } }, default: { a: 'x', b: 1 } },
    ['~.default: Invalid value: {"a":"x","b":1}: must not have unknown fields'],
  ],
  [
    { type: 'array', items: { type: 'integer', maximum: 1, default: 2 }, default: [2] },
    [
      '~.default.[0]: Invalid value: 2: [0] in body should be less than or equal to 1',
      '~.items.default: Invalid value: 2:  in body should be less than or equal to 1',
    ],
  ],
  [
    { type: 'integer', enum: [1, 2], default: 3 },
    ['~.default: Unsupported value: 3: supported values: "1", "2"'],
  ],
  [
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { kind: 'A' },
    },
    ['~.default.apiVersion: Required value'],
  ],
  [
    { type: 'string', 'x-kubernetes-validations': [{ rule: '' }] },
    ['~.x-kubernetes-validations[0].rule: Required value: rule is not specified'],
  ],
  [
    { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', message: ' ' }] },
    ['~.x-kubernetes-validations[0].message: Invalid value: " ": must be non-empty if specified'],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.b', reason: 'Nope' }],
    },
    [
      '~.x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path',
      '~.x-kubernetes-validations[0].reason: Unsupported value: "Nope": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.a' }],
    },
    [],
  ],
  [{ type: 'string', nullable: true, default: 'a' }, []],
];

test('invalid schemas are rejected with the messages of a real server', () => {
  const path = 'spec.validation.openAPIV3Schema.properties[spec]';
  for (const [schema, expected] of schemas) {
    const openAPIV3Schema = { type: 'object', properties: { spec: schema } };
    const crd = definition({}, { schema: { openAPIV3Schema } as unknown as JsonObject });
    assert.deepEqual(
      findings(crd),
      expected.map((text) => text.replace('~', path)).toSorted(),
      JSON.stringify(schema),
    );
  }
});
