import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CrdError, type CrdFault } from '../errors.ts';
import { readCrds } from './generate-crds.ts';
import { formatPath } from './source.ts';

const good = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.org }
spec:
  group: example.org
  scope: Namespaced
  names: { plural: things, kind: Thing }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { size: { type: integer } } }
`;

function faultsOf(...texts: readonly string[]): readonly CrdFault[] {
  try {
    readCrds(texts.map((text, index) => ({ name: `file${index + 1}.yaml`, text })));
  } catch (error) {
    assert.ok(error instanceof CrdError, String(error));
    assert.equal(error.code, 'CODEGEN_CRD_INVALID');
    return error.faults;
  }
  return [];
}

/** The definition with one part replaced. */
function changed(from: string, to: string): string {
  assert.ok(good.includes(from), from);
  return good.replace(from, to);
}

/** The definition with another schema for `spec`. */
function withSpec(schema: string): string {
  return changed('{ type: object, properties: { size: { type: integer } } }', schema);
}

const schemaPath = 'spec.versions[0].schema.openAPIV3Schema';
const specPath = `${schemaPath}.properties.spec`;

test('finds no fault in a good definition', () => {
  assert.deepEqual(faultsOf(good), []);
  assert.equal(readCrds([{ name: 'x', text: good }])[0]?.spec.names.kind, 'Thing');
});

test('skips empty documents and objects of other kinds, with a note', () => {
  const notes: string[] = [];
  const text = `---\n---\n${good}---\napiVersion: v1\nkind: ConfigMap\n---\n# the end\n`;
  const crds = readCrds([{ name: 'x', text }], { onSkip: (note) => notes.push(note) });
  assert.deepEqual(
    crds.map(({ spec }) => spec.names.kind),
    ['Thing'],
  );
  assert.deepEqual(notes, ['x: skipped a ConfigMap']);
});

test('reports each fault with its path', () => {
  const cases: [what: string, text: string, path: string, message: RegExp][] = [
    ['not YAML', 'a: [1, 2', '', /is not YAML/],
    ['twice the same key', 'a: 1\na: 2', '', /is not YAML/],
    ['an alias to nothing', 'a: *nowhere', '', /is not YAML/],
    ['no document', '# only a comment\n', '', /holds no CustomResourceDefinition/],
    ['no object', '- 1\n- 2', '', /must be an object/],
    ['another kind', 'apiVersion: v1\nkind: ConfigMap', '', /only ConfigMap/],
    ['no kind', 'hello: world', 'kind', /not a Kubernetes object/],
    ['v1beta1', changed('k8s.io/v1', 'k8s.io/v1beta1'), 'apiVersion', /v1beta1 is gone.*convert/],
    ['another version', changed('k8s.io/v1', 'k8s.io/v2'), 'apiVersion', /must be apiext/],
    ['no spec', good.slice(0, good.indexOf('spec:')), 'spec', /is required/],
    ['no group', changed('  group: example.org\n', ''), 'spec.group', /is required/],
    ['a group that is no domain', changed('group: example.org', 'group: ex'), 'spec.group', /dot/],
    ['a bad group', changed('group: example.org', 'group: Ex.org'), 'spec.group', /RFC 1123/],
    [
      'a group that leads away',
      changed('group: example.org', 'group: ../..'),
      'spec.group',
      /1123/,
    ],
    ['no scope', changed('  scope: Namespaced\n', ''), 'spec.scope', /is required/],
    ['a bad scope', changed('Namespaced', 'Global'), 'spec.scope', /"Global" is not a scope/],
    [
      'no names',
      changed('  names: { plural: things, kind: Thing }\n', ''),
      'spec.names',
      /required/,
    ],
    ['no plural', changed('plural: things, ', ''), 'spec.names.plural', /is required/],
    ['a bad plural', changed('plural: things', 'plural: Things'), 'spec.names.plural', /DNS-1035/],
    ['no kind name', changed(', kind: Thing', ''), 'spec.names.kind', /is required/],
    [
      'a bad kind',
      changed('kind: Thing', 'kind: My_Thing'),
      'spec.names.kind',
      /may have capitals/,
    ],
    ['a kind that is a number', changed('kind: Thing', 'kind: 7'), 'spec.names.kind', /string/],
    [
      'a bad short name',
      changed('kind: Thing }', 'kind: Thing, shortNames: [ok, Nope] }'),
      'spec.names.shortNames[1]',
      /DNS-1035/,
    ],
    [
      'kind and listKind the same',
      changed('kind: Thing }', 'kind: Thing, listKind: Thing }'),
      'spec.names.listKind',
      /same as kind/,
    ],
    ['another name', changed('name: things.', 'name: other.'), 'metadata.name', /things\.example/],
    ['no name', changed('{ name: things.example.org }', '{}'), 'metadata.name', /is required/],
    [
      'no served version',
      changed('served: true', 'served: false'),
      'spec.versions',
      /served: true/,
    ],
    ['no storage version', changed('storage: true', 'storage: false'), 'spec.versions', /storage/],
    [
      'served is no truth value',
      changed('served: true', 'served: 1'),
      'spec.versions[0].served',
      /true or false/,
    ],
    ['a bad version name', changed('name: v1', 'name: V1'), 'spec.versions[0].name', /DNS-1035/],
    [
      'a version twice',
      good + good.slice(good.indexOf('    - name: v1')).replace('storage: true', 'storage: false'),
      'spec.versions[1].name',
      /"v1" is listed twice/,
    ],
    ['versions is no list', changed('- name: v1', '  name: v1'), 'spec.versions', /must be a list/],
    [
      'no versions',
      `${good.slice(0, good.indexOf('versions:'))}versions: []`,
      'spec.versions',
      /is required/,
    ],
    [
      'preserveUnknownFields',
      changed('  scope:', '  preserveUnknownFields: true\n  scope:'),
      'spec.preserveUnknownFields',
      /must not be true/,
    ],
    ['no schema', good.slice(0, good.indexOf('schema:')), schemaPath, /is required/],
    [
      'schema is no object',
      `${good.slice(0, good.indexOf('type: object'))} text`,
      schemaPath,
      /must be an object/,
    ],
  ];
  for (const [what, text, path, message] of cases) {
    const faults = faultsOf(text);
    assert.ok(
      faults.some((fault) => fault.path === path && message.test(fault.message)),
      `${what}: ${JSON.stringify(faults)}`,
    );
  }
});

test('reports each part of a schema that is not structural, with its path', () => {
  const cases: [schema: string, path: string, message: RegExp][] = [
    ['{ properties: {} }', `${specPath}.type`, /is required/],
    ['{ type: map }', `${specPath}.type`, /"map" is not a type: use one of array/],
    ["{ type: 'null' }", `${specPath}.type`, /nullable: true/],
    ['{ type: [string] }', `${specPath}.type`, /is not a type/],
    ['text', specPath, /must be an object/],
    ['{ type: array }', `${specPath}.items`, /is required/],
    ['{ type: array, items: [{ type: string }] }', `${specPath}.items`, /one schema/],
    ['{ type: array, items: {} }', `${specPath}.items.type`, /is required/],
    [
      '{ type: object, additionalProperties: {} }',
      `${specPath}.additionalProperties.type`,
      /required/,
    ],
    [
      '{ type: object, properties: { a: { type: string } }, additionalProperties: { type: string } }',
      `${specPath}.additionalProperties`,
      /beside properties/,
    ],
    [
      '{ type: object, properties: { a-b: { type: x } } }',
      `${specPath}.properties["a-b"].type`,
      /type/,
    ],
    ["{ $ref: '#/definitions/x', type: object }", `${specPath}.$ref`, /is not supported/],
    [
      '{ type: object, patternProperties: { a: { type: string } } }',
      `${specPath}.patternProperties`,
      /not supported/,
    ],
    [
      '{ type: array, items: { type: string }, uniqueItems: true }',
      `${specPath}.uniqueItems`,
      /set/,
    ],
    ['{ type: object, required: [1] }', `${specPath}.required[0]`, /must be a string/],
    [
      '{ type: object, x-kubernetes-preserve-unknown-fields: false }',
      `${specPath}.x-kubernetes-preserve-unknown-fields`,
      /true or left out/,
    ],
    [
      '{ x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true }',
      `${specPath}.x-kubernetes-preserve-unknown-fields`,
      /left out/,
    ],
    ['{ x-kubernetes-embedded-resource: true }', `${specPath}.type`, /embedded/],
    ['{ type: string, x-kubernetes-embedded-resource: true }', `${specPath}.type`, /embedded/],
    ['{ type: object, x-kubernetes-embedded-resource: true }', `${specPath}.properties`, /dropped/],
    ['{ type: string, allOf: [{ type: string }] }', `${specPath}.allOf[0].type`, /outside of/],
    ['{ type: string, not: { nullable: true } }', `${specPath}.not.nullable`, /outside of/],
    [
      '{ x-kubernetes-int-or-string: true, oneOf: [{ anyOf: [{ type: integer }, { type: string }] }] }',
      `${specPath}.oneOf[0].anyOf[0].type`,
      /outside of/,
    ],
    [
      '{ type: string, oneOf: [{ anyOf: [{ default: 1 }] }] }',
      `${specPath}.oneOf[0].anyOf[0].default`,
      /outside/,
    ],
    [
      '{ type: array, items: { type: object }, allOf: [{ items: { required: [a], description: x } }] }',
      `${specPath}.allOf[0].items.description`,
      /outside of/,
    ],
    [
      '{ type: string, anyOf: [{ type: string }, { type: integer }] }',
      `${specPath}.anyOf[0].type`,
      /outside/,
    ],
  ];
  for (const [schema, path, message] of cases) {
    const faults = faultsOf(withSpec(schema));
    assert.ok(
      faults.some((fault) => fault.path === path && message.test(fault.message)),
      `${schema}: ${JSON.stringify(faults)}`,
    );
  }
});

test('checks the additional rules for the root of a schema', () => {
  const root = (schema: string): readonly CrdFault[] =>
    faultsOf(`${good.slice(0, good.indexOf('type: object'))}${schema}`);
  const path = (schema: string): string[] => root(schema).map(({ path }) => path);
  assert.deepEqual(path('type: string'), [`${schemaPath}.type`]);
  assert.deepEqual(path('{ properties: {} }'), [`${schemaPath}.type`]);
  assert.deepEqual(path('x-kubernetes-preserve-unknown-fields: true'), []);
  assert.deepEqual(path('{ type: object, additionalProperties: true }'), [
    `${schemaPath}.additionalProperties`,
  ]);
  assert.deepEqual(path('{ type: object, anyOf: [{ properties: { b: {} } }] }'), [
    `${schemaPath}.anyOf[0].properties.b`,
  ]);
  assert.deepEqual(
    path(
      '{ type: object, properties: { a: { type: array, items: { type: object } } }, not: { properties: { a: { items: { properties: { b: {} } } } } } }',
    ),
    [`${schemaPath}.not.properties.a.items.properties.b`],
  );
  const metadata = `${schemaPath}.properties.metadata`;
  assert.deepEqual(
    path(
      '{ type: object, properties: { metadata: { type: object, properties: { labels: { type: object } } } } }',
    ),
    [`${metadata}.properties.labels`],
  );
  assert.deepEqual(path('{ type: object, properties: { metadata: { type: string } } }'), [
    `${metadata}.type`,
  ]);
  assert.deepEqual(path('{ type: object, properties: { kind: { type: integer } } }'), [
    `${schemaPath}.properties.kind.type`,
  ]);
});

test('accepts what a server accepts', () => {
  const schemas = [
    '{ x-kubernetes-int-or-string: true, anyOf: [{ type: integer }, { type: string }] }',
    '{ type: string, anyOf: [{ type: integer }, { type: string }] }',
    '{ type: object, patternProperties: {}, anyOf: [{ properties: { b: {} } }] }',
    '{ x-kubernetes-int-or-string: true, allOf: [{ anyOf: [{ type: integer }, { type: string }] }, { pattern: a }] }',
    '{ type: object, properties: { a: { type: string } }, oneOf: [{ required: [a] }, { properties: { a: { enum: [x] } } }] }',
    '{ type: object, additionalProperties: true, properties: { a: { type: string } } }',
    '{ type: object, x-kubernetes-preserve-unknown-fields: true, not: { properties: { any: { minimum: 1 } } } }',
    '{ type: object, x-kubernetes-embedded-resource: true, properties: { spec: { type: object } } }',
    '{ type: object, nullable: true, default: {}, description: x, title: t, example: 1 }',
  ];
  for (const schema of schemas) assert.deepEqual(faultsOf(withSpec(schema)), [], schema);
});

test('reports all faults of all files together, with file, document and line', () => {
  const first = changed('scope: Namespaced', 'scope: Global');
  const others = good.replaceAll('thing', 'other').replaceAll('Thing', 'Other');
  const broken = others.replaceAll('other', 'third').replaceAll('kind: Other', 'kind: No_');
  const faults = faultsOf(first, `${others}---\n${broken}`, 'apiVersion: v1\nkind: ""');
  assert.deepEqual(
    faults.map(({ source, document, line, path }) => ({ source, document, line, path })),
    [
      { source: 'file1.yaml', document: 1, line: 7, path: 'spec.scope' },
      { source: 'file2.yaml', document: 2, line: 26, path: 'spec.names.kind' },
      { source: 'file3.yaml', document: 1, line: 2, path: 'kind' },
    ],
  );
});

test('names items of a list by their index', () => {
  const item = good.trim().replaceAll('\n', '\n    ').replace('kind: Thing', 'kind: My_Thing');
  const [fault] = faultsOf(`apiVersion: v1\nkind: List\nitems:\n  - ${item}`);
  assert.equal(fault?.path, 'items[0].spec.names.kind');
});

test('refuses the same kind or plural twice', () => {
  const other = good.replaceAll('things', 'others');
  assert.deepEqual(
    faultsOf(good, other).map(({ source, path, message }) => [source, path, message]),
    [['file2.yaml', 'spec.names.kind', 'Thing of example.org is defined twice']],
  );
});

test('refuses aliases that expand without end', () => {
  const bomb = Array.from({ length: 12 }, (_, level) => {
    const below = level === 0 ? 'x' : `*a${level - 1}`;
    return `k${level}: &a${level} [${Array.from({ length: 12 }, () => below).join(', ')}]`;
  }).join('\n');
  assert.match(faultsOf(bomb)[0]?.message ?? '', /is not YAML/);
});

test('names every place in the message of the error', () => {
  const error = new CrdError([
    { source: 'a.yaml', document: 2, line: 7, path: 'spec.group', message: 'is required' },
    { source: 'b.yaml', document: 1, path: '', message: 'is not YAML: oh' },
  ]);
  assert.equal(
    error.message,
    'a.yaml:7 (document 2): spec.group: is required\nb.yaml (document 1): is not YAML: oh',
  );
});

test('prints paths like property access in code', () => {
  assert.equal(
    formatPath(['a', 0, 'b-c', 'x-kubernetes-map-type', '$ref']),
    'a[0]["b-c"].x-kubernetes-map-type.$ref',
  );
  assert.equal(formatPath([]), '');
});
