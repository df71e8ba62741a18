import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { conditionsSchema } from './conditions-schema.ts';
import { InvalidResourceError, ResourceDefinitionError } from './crd-errors.ts';
import { customResourceDefinition, defineResource } from './define-resource.ts';
import type { StructuralSchema } from './schema.ts';

const names = { group: 'example.com', version: 'v1', kind: 'Site' } as const;

const sites = defineResource({
  ...names,
  shortNames: ['st'],
  categories: ['all'],
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  additionalPrinterColumns: [{ name: 'Image', type: 'string', jsonPath: '.spec.image' }],
  selectableFields: [{ jsonPath: '.spec.image' }],
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['image'],
        properties: {
          image: { type: 'string', minLength: 1, pattern: '^[a-z./:-]+$' },
          replicas: { type: 'integer', minimum: 0, maximum: 5, default: 1 },
          policy: { type: 'string', enum: ['Always', 'Never'] },
        },
      },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } },
    },
  },
});

/** Returns the problems of `spec` under a schema, as lines. */
function problemsOf(spec: unknown, schema: StructuralSchema): string[] {
  const parts = defineResource({
    ...names,
    kind: 'Part',
    schema: { type: 'object', properties: { spec: schema } },
  });
  return parts.validate({ spec }).map(({ field, message }) => `${field}: ${message}`);
}

describe('defineResource', () => {
  it('returns a descriptor', () => {
    assert.deepEqual(
      { ...sites, definition: undefined, validate: undefined, parse: undefined },
      {
        group: 'example.com',
        version: 'v1',
        resource: 'sites',
        kind: 'Site',
        singular: 'site',
        scope: 'Namespaced',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        subresources: [
          { name: 'status', kind: names, verbs: ['get', 'patch', 'update'] },
          {
            name: 'scale',
            kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: ['get', 'patch', 'update'],
          },
        ],
        shortNames: ['st'],
        categories: ['all'],
        definition: undefined,
        validate: undefined,
        parse: undefined,
      },
    );
  });

  it('has the CRD', () => {
    const { metadata, spec } = sites.definition;
    assert.equal(metadata?.name, 'sites.example.com');
    assert.deepEqual(spec.names, {
      kind: 'Site',
      listKind: 'SiteList',
      plural: 'sites',
      singular: 'site',
      shortNames: ['st'],
      categories: ['all'],
    });
    const [version] = spec.versions;
    assert.deepEqual([spec.versions.length, version?.served, version?.storage], [1, true, true]);
    assert.deepEqual(version?.additionalPrinterColumns, [
      { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    ]);
    assert.deepEqual(version?.schema?.openAPIV3Schema?.required, ['spec']);
  });

  it('returns a new CRD with every access, so that a change affects no other user', () => {
    sites.definition.spec.versions.pop();
    assert.equal(sites.definition.spec.versions.length, 1);
  });

  it('derives the plural from the kind', () => {
    const plural = (kind: string): string =>
      defineResource({ ...names, kind, schema: { type: 'object' } }).resource;
    assert.deepEqual(['Site', 'Policy', 'Gateway', 'Class', 'Box', 'Branch'].map(plural), [
      'sites',
      'policies',
      'gateways',
      'classes',
      'boxes',
      'branches',
    ]);
  });

  it('refuses what servers refuse, and names every field', () => {
    const define = (): unknown =>
      defineResource({
        group: 'example',
        version: 'V1',
        kind: 'Site',
        schema: {
          type: 'object',
          required: ['spec'],
          properties: {
            list: { type: 'array' },
            text: { type: 'string', pattern: '^(?=a)' },
            size: { type: 'integer', minimum: 1, default: 0 },
            both: { type: 'object', properties: {}, additionalProperties: true },
            untyped: {},
            keyed: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name', 'id'],
              items: { type: 'object', properties: { name: { type: 'string' } } },
            },
          },
        },
      });
    assert.throws(define, (error) => {
      assert.ok(error instanceof ResourceDefinitionError);
      assert.equal(error.code, 'CRD_DEFINITION_INVALID');
      assert.match(
        error.message,
        /^definition of "Site\.example" is invalid: group: "example" must/,
      );
      assert.deepEqual(
        error.problems.map(({ field }) => field),
        [
          'group',
          'version',
          'schema',
          'schema.properties.list',
          'schema.properties.text.pattern',
          'schema.properties.size.default',
          'schema.properties.both',
          'schema.properties.untyped',
          'schema.properties.keyed',
          'schema.properties.keyed',
        ],
      );
      return true;
    });
  });

  it('refuses a schema that is not of an object', () => {
    assert.throws(() => defineResource({ ...names, schema: { type: 'string' } }), {
      code: 'CRD_DEFINITION_INVALID',
      message: 'definition of "Site.example.com" is invalid: schema: must have type "object"',
    });
  });
});

describe('customResourceDefinition', () => {
  const older = defineResource({
    ...names,
    version: 'v1beta1',
    shortNames: ['st'],
    categories: ['all'],
    deprecated: true,
    deprecationWarning: 'use v1',
    served: false,
    schema: { type: 'object', properties: { spec: { type: 'object' } } },
  });

  it('puts several versions into one CRD and stores the first', () => {
    const webhook = { strategy: 'None' };
    const { spec } = customResourceDefinition([sites, older], { conversion: webhook });
    assert.deepEqual(
      spec.versions.map(({ name, storage, served, deprecated, deprecationWarning }) => [
        name,
        storage,
        served,
        deprecated,
        deprecationWarning,
      ]),
      [
        ['v1', true, true, undefined, undefined],
        ['v1beta1', false, false, true, 'use v1'],
      ],
    );
    assert.deepEqual(spec.conversion, webhook);
  });

  it('refuses versions whose names differ', () => {
    const other = defineResource({ ...names, plural: 'homes', schema: { type: 'object' } });
    assert.throws(() => customResourceDefinition([sites, other]), {
      code: 'CRD_DEFINITION_INVALID',
      message:
        'definition of "Site.example.com" is invalid: resource: differs between v1 and v1; ' +
        'shortNames: differs between v1 and v1; categories: differs between v1 and v1; ' +
        'version: "v1" is declared twice',
    });
  });

  it('refuses a copy of a declaration', () => {
    assert.throws(() => customResourceDefinition([{ ...sites }]), {
      code: 'CRD_DEFINITION_INVALID',
    });
  });
});

describe('parse', () => {
  it('returns a copy with defaults', () => {
    const site = { metadata: { name: 'a' }, spec: { image: 'nginx' } };
    const parsed = sites.parse(site);
    assert.deepEqual(parsed, {
      metadata: { name: 'a' },
      spec: { image: 'nginx', replicas: 1 },
    });
    assert.deepEqual(site.spec, { image: 'nginx' });
  });

  it('throws an error that names the object and every field', () => {
    const site = {
      apiVersion: 'example.com/v2',
      metadata: { name: 'a' },
      spec: { image: 'NGINX', replicas: 9, policy: 'No', size: 1 },
    };
    assert.throws(
      () => sites.parse(site),
      (error) => {
        assert.ok(error instanceof InvalidResourceError);
        assert.equal(error.code, 'CRD_OBJECT_INVALID');
        assert.equal(
          error.message,
          'Site "a" is invalid: apiVersion: must be "example.com/v1", is "example.com/v2"; ' +
            'spec.image: must match the pattern "^[a-z./:-]+$", is "NGINX"; ' +
            'spec.replicas: must be at most 5, is 9; ' +
            'spec.policy: must be one of "Always", "Never", is "No"; ' +
            'spec.size: is an unknown field',
        );
        return true;
      },
    );
  });
});

describe('validate', () => {
  it('accepts unknown fields on request', () => {
    const site = { spec: { image: 'nginx', size: 1 } };
    assert.deepEqual(sites.validate(site), [
      { field: 'spec.size', message: 'is an unknown field' },
    ]);
    assert.deepEqual(sites.validate(site, { fieldValidation: 'Ignore' }), []);
  });

  it('reports a missing field', () => {
    assert.deepEqual(sites.validate({}), [{ field: 'spec', message: 'is required' }]);
    assert.deepEqual(sites.validate(null), [{ field: '', message: 'must be an object' }]);
  });

  it('treats a null that is not allowed as absent, as servers do', () => {
    assert.deepEqual(
      sites.validate({ spec: { image: 'nginx', replicas: null, policy: null } }),
      [],
    );
    assert.deepEqual(sites.validate({ spec: { image: null } }), [
      { field: 'spec.image', message: 'is required' },
    ]);
    assert.deepEqual(problemsOf([null], { type: 'array', items: { type: 'string' } }), [
      'spec[0]: must be of type string, is null',
    ]);
  });

  const ready = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: '2026-01-31T09:00:00Z',
    reason: 'Up',
    message: '',
  };
  const cases: readonly [unknown, StructuralSchema, readonly string[]][] = [
    [[ready], conditionsSchema, []],
    [[ready, ready], conditionsSchema, ['spec[1]: duplicates another item with the same type']],
    ['a', { type: 'integer' }, ['spec: must be of type integer, is "a"']],
    [1.5, { type: 'integer' }, ['spec: must be of type integer, is 1.5']],
    [
      1.5,
      { 'x-kubernetes-int-or-string': true },
      ['spec: must be of type integer or string, is 1.5'],
    ],
    [2 ** 31, { type: 'integer', format: 'int32' }, ['spec: must fit into 32 bits, is 2147483648']],
    [
      1,
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      ['spec: must be greater than 1, is 1'],
    ],
    [
      1,
      { type: 'number', maximum: 1, exclusiveMaximum: true },
      ['spec: must be less than 1, is 1'],
    ],
    [5, { type: 'integer', multipleOf: 2 }, ['spec: must be a multiple of 2, is 5']],
    ['😀', { type: 'string', minLength: 2 }, ['spec: must have at least 2 characters, has 1']],
    ['abc', { type: 'string', maxLength: 2 }, ['spec: must have at most 2 characters, has 3']],
    [
      '2026-02-30',
      { type: 'string', format: 'date' },
      ['spec: must have the format "date", is "2026-02-30"'],
    ],
    [
      '2026-02-28T24:00:00Z',
      { type: 'string', format: 'date-time' },
      ['spec: must have the format "date-time", is "2026-02-28T24:00:00Z"'],
    ],
    [
      [],
      { type: 'array', minItems: 1, items: { type: 'string' } },
      ['spec: must have at least 1 items, has 0'],
    ],
    [
      [1, 1],
      { type: 'array', maxItems: 1, 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
      ['spec: must have at most 1 items, has 2', 'spec[1]: duplicates another item'],
    ],
    [
      [{ id: 1 }, { id: 2 }, { id: 1 }],
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['id'],
        items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      },
      ['spec[2]: duplicates another item with the same id'],
    ],
    [
      { a: 1, b: 'x' },
      { type: 'object', maxProperties: 1, additionalProperties: { type: 'integer' } },
      ['spec: must have at most 1 fields, has 2', 'spec.b: must be of type integer, is "x"'],
    ],
    [{}, { type: 'object', minProperties: 1 }, ['spec: must have at least 1 fields, has 0']],
    [
      3,
      { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] },
      ['spec: must fit at least one of 2 schemas (anyOf)'],
    ],
    [
      3,
      { type: 'integer', oneOf: [{ minimum: 1 }, { maximum: 5 }] },
      ['spec: must fit exactly one of 2 schemas (oneOf), fits 2'],
    ],
    [3, { type: 'integer', allOf: [{ minimum: 5 }] }, ['spec: must be at least 5, is 3']],
    [3, { type: 'integer', not: { minimum: 1 } }, ['spec: must not fit the schema of not']],
    [
      { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: {} },
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      ['spec.spec: is an unknown field'],
    ],
    [{ a: { b: 1 } }, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, []],
    [
      { a: 1, b: [null], c: { d: 1 } },
      { type: 'object', additionalProperties: true },
      ['spec.c.d: is an unknown field'],
    ],
    [
      { __proto__: null, constructor: 1 },
      { type: 'object' },
      ['spec.constructor: is an unknown field'],
    ],
  ];
  for (const [value, schema, expected] of cases) {
    it(`reports ${expected.join(' and ') || 'nothing'} for ${JSON.stringify(value)}`, () => {
      assert.deepEqual(problemsOf(value, schema), expected);
    });
  }
});
