import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CustomResourceDefinition, JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { JsonObject } from 'client-ts/lib';

import { validateDefinition } from './definition-rules.ts';

function definition(spec: JsonObject, version: JsonObject = {}): CustomResourceDefinition {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    metadata: { name: 'ws.x.example.com' },
    spec: {
      group: 'x.example.com',
      scope: 'Namespaced',
      names: { plural: 'ws', singular: 'w', kind: 'W', listKind: 'WList' },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: { storedVersions: ['v1'] },
  };
}

function findings(crd: CustomResourceDefinition): string[] {
  return validateDefinition(crd)
    .map(({ field, message }) => `${field}: ${message}`)
    .toSorted();
}

/** What a real server says of a schema for `spec`; `~` is the path of that schema. */
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

test('schemas are refused in the words of the real server', () => {
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

/** The same for whole schemas; here `~` is the path of the root. */
const roots: readonly [schema: JSONSchemaProps, findings: string[]][] = [
  [{ type: 'string' }, ['~.type: Invalid value: "string": must be object at the root']],
  [{}, ['~.type: Required value: must not be empty at the root']],
  [
    { type: 'object', nullable: true },
    ['~.nullable: Forbidden: nullable cannot be true at the root'],
  ],
  [
    { type: 'object', additionalProperties: { type: 'string' } },
    ['~.additionalProperties: Forbidden: must not be used at the root'],
  ],
  [
    { type: 'object', default: {} },
    ['~.default.apiVersion: Required value', '~.default.kind: Required value'],
  ],
  [
    { type: 'object', properties: { kind: { type: 'integer' }, apiVersion: { type: 'string' } } },
    ['~.properties[kind].type: Invalid value: "integer": must be string'],
  ],
  [
    { type: 'object', properties: { metadata: { type: 'string' } } },
    ['~.properties[metadata].type: Invalid value: "string": must be object'],
  ],
  [{ type: 'object', properties: { metadata: { type: 'object' } } }, []],
  [
    {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          properties: { name: { type: 'string', maxLength: 3 }, generateName: { type: 'string' } },
        },
      },
    },
    [],
  ],
  [
    {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
    },
    [
      '~.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  ],
  [
    { type: 'object', properties: { metadata: { type: 'object', description: 'x' } } },
    [
      '~.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  ],
  [
    {
      type: 'object',
      properties: {
        metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } },
      },
    },
    [
      '~.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    ],
  ],
  [
    { type: 'object', properties: { kind: { type: 'string', default: 'W' } } },
    ['~.properties[kind].default: Forbidden: must not be set in top-level kind'],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { properties: { b: { maxLength: 1 }, a: { pattern: '(' } } }],
    },
    [
      '~.anyOf[1].properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      '~.properties[b]: Required value: because it is defined in ~.anyOf[1].properties[b]',
    ],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' } } },
      allOf: [
        { properties: { a: { items: { maxLength: 1 } } } },
        { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      ],
    },
    [
      '~.allOf[1].anyOf[0].type: Forbidden: must be empty to be structural',
      '~.allOf[1].anyOf[1].type: Forbidden: must be empty to be structural',
    ],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      oneOf: [{ items: { maxLength: 1 } }],
      not: { properties: { c: {} } },
    },
    [
      '~.items: Required value: because it is defined in ~.oneOf[0].items',
      '~.properties[c]: Required value: because it is defined in ~.not.properties[c]',
    ],
  ],
  [
    {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: {
            metadata: {
              type: 'object',
              properties: {
                x: {
                  type: 'object',
                  'x-kubernetes-embedded-resource': true,
                  'x-kubernetes-preserve-unknown-fields': true,
                },
              },
            },
          },
        },
      },
    },
    [
      '~.properties[a].properties[metadata].properties[x].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta',
    ],
  ],
  [
    {
      type: 'object',
      properties: {
        a: {
          type: 'array',
          items: {
            type: 'object',
            properties: { k: { type: 'string', nullable: true, default: 'x' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
      },
    },
    [
      '~.properties[a].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    ],
  ],
  [
    {
      type: 'object',
      properties: {
        a: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      },
    },
    [
      '~.properties[a].items: Required value: must be specified',
      '~.properties[a].items: Required value: must have a schema if x-kubernetes-list-type is map',
    ],
  ],
  [
    {
      type: 'object',
      properties: {
        a: {
          type: 'array',
          items: {},
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
      },
    },
    [
      '~.properties[a].items.type: Invalid value: "": must be object if parent array\'s x-kubernetes-list-type is map',
      '~.properties[a].items.type: Required value: must not be empty for specified array items',
    ],
  ],
  [
    { type: 'object', properties: { a: { type: 'string', anyOf: [{ pattern: '[' }] } } },
    [
      '~.properties[a].anyOf[0].pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
    ],
  ],
];

test('what a schema says of the resource itself is refused where it cannot say it', () => {
  const path = 'spec.validation.openAPIV3Schema';
  for (const [openAPIV3Schema, expected] of roots) {
    const crd = definition({}, { schema: { openAPIV3Schema } as unknown as JsonObject });
    assert.deepEqual(
      findings(crd),
      expected.map((text) => text.replaceAll('~', path)).toSorted(),
      JSON.stringify(openAPIV3Schema),
    );
  }
});

test('with a status subresource the root of the schema says little', () => {
  const withStatus = (openAPIV3Schema: JsonObject): CustomResourceDefinition =>
    definition({}, { schema: { openAPIV3Schema }, subresources: { status: {} } });
  assert.deepEqual(findings(withStatus({ type: 'object', required: ['spec'] })), []);
  const [finding] = findings(withStatus({ type: 'object', minProperties: 1 }));
  assert.match(
    finding ?? '',
    /^spec\.validation\.openAPIV3Schema: Invalid value: \{"ID":"".*"MinProperties":1,.*\}: only \[Description .*\] fields are allowed/,
  );
});

test('what versions do not share is named by version', () => {
  const version = (name: string, type: string): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { a: { type } } } },
  });
  assert.deepEqual(
    findings(definition({ versions: [version('v1', 'string'), version('v2', 'text')] })),
    [
      'spec.versions[1].schema.openAPIV3Schema.properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  );
});

test('selectable fields are looked up in the schema', () => {
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
  };
  const paths = ['.spec.a', '.spec.a', '.spec', '.spec.z', 'spec', ".spec['a']", ''];
  const selectableFields = paths.map((jsonPath) => ({ jsonPath }));
  const at = (index: number): string => `spec.selectableFields[${index}].jsonPath`;
  assert.deepEqual(findings(definition({}, { schema: { openAPIV3Schema }, selectableFields })), [
    `${at(1)}: Duplicate value: ".spec.a"`,
    `${at(2)}: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.`,
    `${at(3)}: Invalid value: ".spec.z": is an invalid path: does not refer to a valid field`,
    `${at(4)}: Invalid value: "spec": is an invalid path: expected [ or . but got: spec`,
    `${at(5)}: Invalid value: ".spec['a']": is an invalid path: array notation is not allowed`,
    `${at(6)}: Required value`,
  ]);
});

test('a conversion by webhook says how to reach it', () => {
  const conversion = (webhook: JsonObject): CustomResourceDefinition =>
    definition({ conversion: { strategy: 'Webhook', webhook } });
  assert.deepEqual(
    findings(
      conversion({
        clientConfig: { url: 'http://u@x/?q#f' },
        conversionReviewVersions: ['v2', 'v2'],
      }),
    ),
    [
      'spec.conversion.conversionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
      'spec.conversion.conversionReviewVersions[1]: Invalid value: "v2": duplicate version',
      'spec.conversion.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
      `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      'spec.conversion.webhookClientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
      'spec.conversion.webhookClientConfig.url: Invalid value: "u": user information is not permitted in the URL',
    ],
  );
  const service = { name: 'a', namespace: 'b', path: '/x/y', port: 443 };
  const versions = ['v1'];
  assert.deepEqual(
    findings(conversion({ clientConfig: { service }, conversionReviewVersions: versions })),
    [],
  );
});
