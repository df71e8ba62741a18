import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import fc from 'fast-check';

import { JsonPath } from './jsonpath.ts';
import { JsonPathError } from './template.ts';

/** What kubectl 1.36 printed for these templates and documents. */
interface Facts {
  readonly document: unknown;
  readonly cases: readonly (readonly [template: string, output: string])[];
  readonly errors: readonly (readonly [template: string, message: string])[];
}

const facts = JSON.parse(
  readFileSync(new URL('../../testdata/jsonpath-facts.json', import.meta.url), 'utf8'),
) as Record<string, Facts>;

for (const [name, { document, cases, errors }] of Object.entries(facts)) {
  test(`templates print what kubectl prints: ${name}`, () => {
    assert.ok(cases.length > 0);
    for (const [template, output] of cases) {
      assert.equal(new JsonPath(template).print(document), output, template);
    }
    for (const [template, message] of errors) {
      const print = (): string => new JsonPath(template).print(document);
      assert.throws(print, new JsonPathError(message), template);
    }
  });
}

test('fields of an object come in the order of the document', () => {
  const document = { b: { x: 1 }, a: { x: 2 } };
  assert.equal(new JsonPath('{.*.x}').print(document), '1 2');
  assert.equal(new JsonPath('{..x}').print(document), '1 2');
});

test('a missing key can be an error', () => {
  const strict = new JsonPath('{.a.b}', { allowMissingKeys: false });
  assert.throws(() => strict.print({ a: {} }), new JsonPathError('b is not found'));
  assert.equal(strict.print({ a: { b: 1 } }), '1');
});

test('what is found can be taken apart', () => {
  const found = new JsonPath('{.items[*].n}, {.kind}').find({
    kind: 'List',
    items: [{ n: 1 }, { n: [2] }],
  });
  assert.deepEqual(found, [[1, [2]], [', '], ['List']]);
});

test('a field of any name is found by its escaped name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer(), (name, value) => {
      fc.pre(name !== '*' && !/[\\\r\n]/.test(name));
      const escaped = name.replaceAll(/[ \t.,[\]$@{}]/g, String.raw`\$&`);
      assert.deepEqual(new JsonPath(`{.${escaped}}`).find({ [name]: value }), [[value]]);
    }),
  );
});

test('no text makes it fail in any other way', () => {
  const document = { a: [{ b: 1 }, { b: 'x' }], c: null };
  const alphabet = `{}[]().,:*?@$'"\\<>=!-+ \n\t019abcrangeend`.split('');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...alphabet) }), (text) => {
      for (const template of [text, `{${text}}`, `{.a[${text}]}`, `{.a[?(${text})]}`]) {
        try {
          new JsonPath(template).print(document);
        } catch (error) {
          assert.ok(error instanceof JsonPathError, String(error));
        }
      }
    }),
    { numRuns: 1000 },
  );
});
