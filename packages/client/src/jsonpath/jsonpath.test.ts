import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';

import fc from 'fast-check';

import { JSONPath } from './jsonpath.ts';
import { JSONPathError } from './parse.ts';

/** What kubectl 1.36 printed for these templates and documents. */
interface Facts {
  readonly document: unknown;
  readonly cases: readonly (readonly [template: string, output: string])[];
  readonly errors: readonly (readonly [template: string, message: string])[];
}

/** Parses as kubectl get does. */
function kubectl(template: string): JSONPath {
  return new JSONPath(template, { allowMissingKeys: true });
}

const facts = JSON.parse(
  readFileSync(new URL('../../testdata/jsonpath-facts.json', import.meta.url), 'utf8'),
) as Record<string, Facts>;

for (const [name, { document, cases, errors }] of Object.entries(facts)) {
  test(`templates print what kubectl prints: ${name}`, () => {
    assert.ok(cases.length > 0);
    for (const [template, output] of cases) {
      assert.equal(kubectl(template).execute(document), output, template);
    }
    for (const [template, message] of errors) {
      const print = (): string => kubectl(template).execute(document);
      assert.throws(print, new JSONPathError(message), template);
    }
  });
}

test('wildcards and descents visit fields in the order of their keys', () => {
  const document = { b: { x: 1 }, a: { x: 2 } };
  assert.equal(kubectl('{.*.x}').execute(document), '2 1');
  assert.equal(kubectl('{..x}').execute(document), '2 1');
});

test('a missing key is an error unless it is allowed', () => {
  const strict = new JSONPath('{.a.b}');
  assert.throws(() => strict.execute({ a: {} }), new JSONPathError('b is not found'));
  assert.equal(strict.execute({ a: { b: 1 } }), '1');
  assert.equal(kubectl('{.a.b}').execute({ a: {} }), '');
});

test('findResults returns the values of each action', () => {
  const found = new JSONPath('{.items[*].n}, {.kind}').findResults({
    kind: 'List',
    items: [{ n: 1 }, { n: [2] }],
  });
  assert.deepEqual(found, [[1, [2]], [', '], ['List']]);
});

test('finds a field of any name by its escaped name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer(), (name, value) => {
      fc.pre(name !== '*' && !/[\\\r\n]/.test(name));
      const escaped = name.replaceAll(/[ \t.,[\]$@{}]/g, String.raw`\$&`);
      assert.deepEqual(new JSONPath(`{.${escaped}}`).findResults({ [name]: value }), [[value]]);
    }),
  );
});

test('fails only with a JSONPathError, whatever the template', () => {
  const document = { a: [{ b: 1 }, { b: 'x' }], c: null };
  const alphabet = `{}[]().,:*?@$'"\\<>=!-+ \n\t019abcrangeend`.split('');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...alphabet) }), (text) => {
      for (const template of [text, `{${text}}`, `{.a[${text}]}`, `{.a[?(${text})]}`]) {
        try {
          kubectl(template).execute(document);
        } catch (error) {
          assert.ok(error instanceof JSONPathError, String(error));
        }
      }
    }),
    { numRuns: 1000 },
  );
});

const data = {
  name: 'top',
  text: "it's",
  'a.b': 'dotted',
  items: [
    { name: 'x', size: 1, ratio: 0.5, on: true },
    { name: 'y', size: 2, ratio: 1.5, on: false },
    { name: 'z', size: 3, tags: ['t'] },
  ],
  lists: [
    [1, 2],
    [3, 4, 5],
  ],
  map: { k2: { v: 'second' }, k1: { v: 'first' } },
};

/** Evaluates as a server does for `additionalPrinterColumns`: undefined where the path fails. */
function firstValue(path: string, root: unknown): unknown {
  const column = new JSONPath(`{${path}}`, { allowMissingKeys: true });
  try {
    return column.findResults(root)[0]?.[0];
  } catch (error) {
    assert.ok(error instanceof JSONPathError, String(error));
    return undefined;
  }
}

const cases: readonly (readonly [string, unknown])[] = [
  ['.name', 'top'],
  ['$.name', 'top'],
  ['@.name', 'top'],
  ["['name']", 'top'],
  ['.a\\.b', 'dotted'],
  ["['a\\.b']", 'dotted'],
  ['.items[1].name', 'y'],
  ['.items[-1].name', 'z'],
  ['.items[1:].name', 'y'],
  ['.items[:-1].name', 'x'],
  ['.items[::2].name', 'x'],
  ['.items[2,0].name', 'z'],
  ['.items[*].size', 1],
  ['.items[3].name', undefined],
  ['.items[-4].name', undefined],
  ['.items[1:1].name', undefined],
  ['.items[::0].name', undefined],
  ['.lists[1][1:-1]', 4],
  // The range is empty in the first list, which ends the search.
  ['.lists[*][1:-1]', undefined],
  ['.map.*.v', 'first'],
  ['..v', 'first'],
  ['.name.deeper', undefined],
  ['.name[0]', undefined],
  ['.items[?(@.name=="y")].size', 2],
  ["[?(@.name=='y')]", undefined],
  ['.items[?(@.size>1)].name', 'y'],
  ['.items[?(@.size>=3)].name', 'z'],
  ['.items[?(@.size<2)].name', 'x'],
  ['.items[?(@.size<=2)].name', 'x'],
  ['.items[?(@.size!=1)].name', 'y'],
  ['.items[?(@.on==false)].name', 'y'],
  ['.items[?(@.tags)].name', 'z'],
  ['.items[?(@.ratio==1.5)].name', 'y'],
  ['.items[?(@.ratio>1)].name', undefined],
  ['.items[?(@.on>false)].name', undefined],
  ['.items[?(@.size=="1")].name', undefined],
  [String.raw`.items[?(@.name=="\x79")].size`, 2],
  [String.raw`.items[?(@.name=="\u007a")].size`, 3],
  [String.raw`.items[?(@.name=="\171")].size`, 2],
  ['.nothing', undefined],
  ['.name} and so on', 'top'],
];

/* What a real server prints for many more paths is in apiserver/testdata/printer-columns.json. */
describe('the path of a printer column', () => {
  for (const [path, value] of cases) {
    it(`${path} selects ${JSON.stringify(value)}`, () => {
      assert.deepEqual(firstValue(path, data), value);
    });
  }

  for (const path of [
    '.items[',
    '.items[x]',
    '.items[?(@.name]',
    '.items[?(@.name)',
    '.items[?(@.name=="y")x',
    '.items[?(@.name=="y]',
    '.name{',
    '.name (x)',
    '....',
    '.a -',
    '.a 1.2.3',
    '.a\n.b',
    String.raw`.items[?(@.name=="\q")]`,
    String.raw`.items[?(@.name=="\'")]`,
  ]) {
    it(`${JSON.stringify(path)} is a syntax error`, () => {
      assert.throws(() => new JSONPath(`{${path}}`), JSONPathError);
    });
  }

  it('fails only with a JSONPathError, whatever it is', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '[',
      ']',
      '*',
      '?(',
      ')',
      '@',
      "'",
      '"',
      'a',
      'items',
      '0',
      '-',
      ':',
      ',',
      '\\',
      '==',
      '}',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          firstValue(`.${pieces.join('')}`, data);
        } catch (error) {
          assert.ok(error instanceof JSONPathError, String(error));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of plain fields selects the nested value', () => {
    const key = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,5}$/);
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (keys, leaf) => {
        const root = keys.reduceRight<unknown>((value, name) => ({ [name]: value }), leaf);
        const found = firstValue(`.${keys.join('.')}`, root);
        assert.deepEqual(found, leaf);
      }),
    );
  });
});
