import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import fc from 'fast-check';

import { typeErrors } from '../test-compile.ts';
import type { Schema } from '../schema.ts';
import { generateFromCrds } from './generate-crds.ts';

function testdata(path: string): string {
  return readFileSync(new URL(`../../testdata/${path}`, import.meta.url), 'utf8');
}

const widgets = testdata('widgets.yaml');

/** A definition with one version and the given schema. */
function crd(schema: Schema, kind = 'Thing'): string {
  const plural = `${kind.toLowerCase()}s`;
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
}

test('generates the modules in testdata, one for each group and served version', () => {
  const modules = generateFromCrds([{ name: 'widgets.yaml', text: widgets }]);
  assert.deepEqual(
    [...modules.keys()],
    ['example.com/v1.ts', 'example.com/v1beta1.ts', 'odd.example.com/v1.ts'],
  );
  for (const [path, text] of modules) assert.equal(text, testdata(path), path);
});

test('yields the same for any order, division into files and form of lists', () => {
  const documents = widgets.split(/^---$/m);
  const modules = generateFromCrds([{ name: 'all', text: widgets }]);
  const apart = documents.toReversed().map((text, index) => ({ name: String(index), text }));
  assert.deepEqual(generateFromCrds(apart), modules);
  const list = JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [JSON.parse(crd({ type: 'object' }, 'One')), JSON.parse(crd({ type: 'object' }, 'Two'))],
  });
  const two = [crd({ type: 'object' }, 'Two'), crd({ type: 'object' }, 'One')].join('\n---\n');
  assert.deepEqual(
    generateFromCrds([{ name: 'list', text: list }]),
    generateFromCrds([{ name: 'documents', text: two }]),
  );
});

test('generates types that compile, and refuse what the schema refuses', () => {
  const modules = generateFromCrds([{ name: 'widgets.yaml', text: widgets }]);
  const use = `
    import type { DeepReadonly, ObjectOf } from 'client-ts/meta';
    import { type Widget, type WidgetSpecTemplate, widgets } from './example.com/v1.ts';
    import { records } from './odd.example.com/v1.ts';
    export const widget: ObjectOf<typeof widgets> = {
      apiVersion: 'example.com/v1',
      spec: {
        mode: 'fast', size: 1.5, level: null, port: 'http', memory: '1Gi', until: null,
        ports: [{ name: 'a', protocol: 'TCP', 'node-port': 1 }], pools: { a: { weights: { b: 1 } } },
        template: { apiVersion: 'v1', kind: 'Pod', spec: {} }, free: { a: [1] }, anything: 1,
        partly: { known: true, unknown: 1 }, modes: ['amber'], matrix: [[1]], nothing: {},
      },
      status: null,
    };
    export const record: ObjectOf<typeof records> = { spec: { tags: { a: 'b' } }, more: 1 };
    export const cached: DeepReadonly<Widget> = widget;
    // @ts-expect-error spec is required
    export const a: Widget = {};
    // @ts-expect-error no such mode
    export const b: Widget = { spec: { size: 1, mode: 'medium' } };
    // @ts-expect-error size is required
    export const c: Widget = { spec: { mode: 'fast' } };
    // @ts-expect-error size is not nullable
    export const d: Widget = { spec: { mode: 'fast', size: null } };
    // @ts-expect-error the object has no fields
    export const e: Widget = { spec: { mode: 'fast', size: 1, nothing: { a: 1 } } };
    // @ts-expect-error an embedded object says what it is
    export const f: WidgetSpecTemplate = {};
    // @ts-expect-error another kind
    export const g: Widget = { kind: 'Gadget', spec: { mode: 'fast', size: 1 } };
    export function exhaustive(widget: Widget): number {
      switch (widget.spec.mode) {
        case 'fast': return 1;
        case 'slow': return 2;
        case "it's complicated": return 3;
      }
    }
    // @ts-expect-error there is no such subresource
    export const sub: (typeof widgets)['subresources'][number]['name'] = 'log';
  `;
  assert.deepEqual(typeErrors({ ...Object.fromEntries(modules), 'use.ts': use }), []);
});

test('renames an object that would shadow an imported type', () => {
  const schema: Schema = {
    type: 'object',
    properties: { meta: { type: 'object', properties: { a: { type: 'string' } } } },
  };
  const modules = generateFromCrds([{ name: 'x', text: crd(schema, 'Object') }]);
  assert.match([...modules.values()].join(''), /meta\?: ObjectMeta2;/);
  assert.deepEqual(typeErrors(Object.fromEntries(modules)), []);
});

test('generates a module that compiles from any structural schema', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const extras = fc.record(
    {
      description: fc.oneof(text, fc.constantFrom('*/', '/** */', '@deprecated no', "`${'")),
      nullable: fc.boolean(),
      pattern: text,
    },
    { requiredKeys: [] },
  );
  const key = fc.oneof(
    text,
    fc.constantFrom('__proto__', 'constructor', 'metadata', 'a-b', 'Spec'),
  );
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
    const properties = fc.dictionary(key, tie('schema'), { maxKeys: 3 });
    const shapes: fc.Arbitrary<Schema>[] = [
      fc.constantFrom<Schema>(
        { type: 'boolean' },
        { type: 'integer', format: 'int32', minimum: -1 },
        { type: 'string', format: 'byte' },
        { 'x-kubernetes-int-or-string': true },
        { 'x-kubernetes-preserve-unknown-fields': true },
        { type: 'object' },
      ),
      fc
        .array(text, { minLength: 1, maxLength: 3 })
        .map((values) => ({ type: 'string', enum: values })),
      tie('schema').map((items) => ({ type: 'array', items })),
      tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
      fc.tuple(properties, fc.boolean()).map(([properties, open]) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).slice(0, 1),
        ...(open ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      })),
    ];
    return {
      schema: fc
        .tuple(fc.oneof({ depthSize: 'small' }, ...shapes), extras)
        .map(([shape, more]) => ({ ...shape, ...more })),
    };
  });
  const samples = fc.sample(schema, { numRuns: 60, seed: 36 });
  const sources = samples.map((spec, index) => ({
    name: `sample ${index}`,
    text: crd({ type: 'object', properties: { spec } }, `Sample${index}`),
  }));
  assert.deepEqual(typeErrors(Object.fromEntries(generateFromCrds(sources))), []);
});
