import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CustomResourceDefinition, JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { JsonObject } from 'client-ts/internal';

import { definition, findings } from './test-definition.ts';

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

test('statements about the resource itself are rejected where they are not allowed', () => {
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

test('the root of the schema is restricted with a status subresource', () => {
  const withStatus = (openAPIV3Schema: JsonObject): CustomResourceDefinition =>
    definition({}, { schema: { openAPIV3Schema }, subresources: { status: {} } });
  assert.deepEqual(findings(withStatus({ type: 'object', required: ['spec'] })), []);
  const [finding] = findings(withStatus({ type: 'object', minProperties: 1 }));
  assert.match(
    finding ?? '',
    /^spec\.validation\.openAPIV3Schema: Invalid value: \{"ID":"".*"MinProperties":1,.*\}: only \[Description .*\] fields are allowed/,
  );
});

test('errors in parts that versions do not share name the version', () => {
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

test('selectable fields must exist in the schema', () => {
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

test('a webhook conversion must have a valid client configuration', () => {
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
