import fc from 'fast-check';
import type { JsonValue } from 'client-ts/internal';

/** Texts that mean something in TypeScript, in comments, in file names or to JavaScript objects. */
const dangerous = fc.constantFrom(
  '',
  ' ',
  '-',
  '0',
  '*/',
  '/*',
  '//',
  '`',
  '${x}',
  "'",
  '"',
  '\\',
  '\\u0041',
  '\n',
  '\r',
  '\u2028',
  '\u2029',
  '\0',
  '\uD800',
  '\u202E',
  "'; export const x = '",
  '}',
  '{',
  '<',
  ...['nocheck', 'expect-error', 'ignore'].map((directive) => `@ts-${directive}`),
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'prototype',
  'await',
  'class',
  'default',
  'enum',
  'any',
  'never',
  'object',
  'string',
  'undefined',
  'unknown',
  'symbol',
  'type',
  'Array',
  'Record',
  'ObjectMeta',
  'ListMeta',
  'ResourceDescriptor',
  'Verb',
  'Quantity',
  'everyVerb',
  'ünï',
  'a.b',
  'a-b',
  'a/b',
  '../../x',
  'apiVersion',
  'kind',
  'metadata',
  'items',
  'spec',
);

const text = fc.oneof(dangerous, fc.string({ maxLength: 8, unit: 'binary' }), fc.string());

/** Any JSON value, including types that the keyword cannot have. */
const anything = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;

/** A value that the keyword should have, and sometimes one that it should not. */
function mostly(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: anything });
}

/** An object with any keys, `__proto__` included, as `JSON.parse` makes it. */
function record(value: fc.Arbitrary<unknown>, maxLength = 4): fc.Arbitrary<unknown> {
  return fc
    .array(fc.tuple(text, value), { maxLength })
    .map((entries) => Object.fromEntries(entries));
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function schemaOf(depth: number): fc.Arbitrary<unknown> {
  const inner = depth === 0 ? fc.constant({ type: 'string' }) : schemaOf(depth - 1);
  return fc.record(
    {
      type: mostly(fc.constantFrom(...types)),
      description: mostly(text),
      format: mostly(fc.oneof(fc.constant('byte'), text)),
      default: anything,
      nullable: mostly(fc.boolean()),
      enum: mostly(fc.array(fc.oneof(text, anything), { maxLength: 4 })),
      properties: mostly(record(inner)),
      required: mostly(fc.array(text, { maxLength: 3 })),
      items: mostly(inner),
      additionalProperties: mostly(fc.oneof(fc.boolean(), inner)),
      $ref: mostly(text.map((name) => `#/components/schemas/${name}`)),
      allOf: mostly(fc.array(inner, { maxLength: 2 })),
      minimum: mostly(fc.double()),
      maximum: mostly(fc.double()),
      maxLength: mostly(fc.integer()),
      exclusiveMinimum: mostly(fc.boolean()),
      pattern: mostly(text),
      'x-kubernetes-embedded-resource': mostly(fc.boolean()),
      'x-kubernetes-int-or-string': mostly(fc.boolean()),
      'x-kubernetes-list-type': mostly(fc.constantFrom('map', 'set')),
      'x-kubernetes-list-map-keys': mostly(fc.array(text, { maxLength: 2 })),
      'x-kubernetes-preserve-unknown-fields': mostly(fc.boolean()),
      'x-kubernetes-validations': mostly(
        fc.array(fc.record({ rule: mostly(text), message: mostly(text) }), { maxLength: 2 }),
      ),
    },
    { requiredKeys: [] },
  );
}

const schema = schemaOf(1);

const texts = fc.array(text, { maxLength: 3 });

interface HostileCluster {
  readonly resources: readonly object[];
  readonly schemas: object;
}

const hostileResource = fc.record(
  {
    name: mostly(text),
    kind: mostly(text),
    singularName: mostly(text),
    namespaced: mostly(fc.boolean()),
    verbs: mostly(fc.array(fc.oneof(text, fc.constantFrom('get', 'list')), { maxLength: 3 })),
    shortNames: mostly(texts),
    categories: mostly(texts),
  },
  { requiredKeys: ['name', 'kind'] },
);

/** Discovery and OpenAPI documents of a hostile server. */
export const hostileCluster: fc.Arbitrary<HostileCluster> = fc
  .record({
    resources: fc.array(hostileResource, { maxLength: 4 }),
    schemas: record(schema),
    described: fc.array(schema, { maxLength: 4 }),
  })
  .map(({ resources, schemas, described }) => ({
    resources: resources.flatMap((resource) => [
      resource,
      { ...resource, name: `${String(resource.name)}/status` },
    ]),
    schemas: Object.fromEntries([
      ...Object.entries(schemas as object),
      ...described.map((each, index) => {
        const kind = resources[index]?.kind ?? 'Thing';
        const gvk = { group: 'e.com', version: 'v1', kind };
        return [`x.${index}`, { ...(each as object), 'x-kubernetes-group-version-kind': [gvk] }];
      }),
    ]),
  }));

const comments = {
  description: text,
  pattern: text,
  default: anything,
  nullable: fc.boolean(),
  'x-kubernetes-validations': fc.array(fc.record({ rule: text, message: text }), { maxLength: 1 }),
};

/** A schema that a server accepts, with hostile names and texts. */
function structuralOf(depth: number): fc.Arbitrary<unknown> {
  const leaf = fc.record(
    {
      type: fc.constantFrom('boolean', 'integer', 'number', 'string'),
      enum: fc.array(fc.oneof(text, anything), { maxLength: 4 }),
      format: text,
      ...comments,
    },
    { requiredKeys: ['type'] },
  );
  if (depth === 0) return leaf;
  const inner = structuralOf(depth - 1);
  const object = { type: fc.constant('object'), ...comments };
  return fc.oneof(
    leaf,
    fc.record({ ...object, properties: record(inner), required: texts }),
    fc.record({ ...object, additionalProperties: fc.oneof(fc.constant(true), inner) }),
    fc.record({ ...object, 'x-kubernetes-preserve-unknown-fields': fc.constant(true) }),
    fc.record({ type: fc.constant('array'), items: inner, description: text }),
    fc.record({ 'x-kubernetes-int-or-string': fc.constant(true), description: text }),
  );
}

const words = [
  'array',
  'await',
  'class',
  'constructor',
  'default',
  'enum',
  'eval',
  'globalthis',
  'objectmeta',
  'record',
  'string',
  'things',
  'undefined',
  'a1',
  'n-1',
  'x-',
];

const label = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/) },
  { weight: 1, arbitrary: text },
);

const kindName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Record', 'Object', 'Array', 'ObjectMeta', 'await') },
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,6}$/) },
  { weight: 1, arbitrary: text },
);

/** A hostile CustomResourceDefinition, which a server often accepts. */
export const hostileCrd: fc.Arbitrary<object> = fc
  .record({
    plural: label,
    kind: kindName,
    group: fc.constantFrom('example.com', 'a.b-c.d'),
    version: fc.oneof({ weight: 5, arbitrary: fc.constant('v1') }, label),
    listKind: fc.option(kindName),
    shortNames: fc.array(label, { maxLength: 2 }),
    properties: fc.oneof(
      { weight: 4, arbitrary: record(structuralOf(2)) },
      { weight: 1, arbitrary: record(schema) },
    ),
    deprecationWarning: text,
  })
  .map(({ plural, kind, group, version, listKind, shortNames, ...content }) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, shortNames, ...(listKind !== null && { listKind }) },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          deprecated: true,
          deprecationWarning: content.deprecationWarning,
          schema: { openAPIV3Schema: { type: 'object', properties: content.properties } },
          subresources: { status: {}, scale: {} },
        },
      ],
    },
  }));
