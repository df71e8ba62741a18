import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from 'client-ts/internal';
import { compileJsonPath } from './json-path.ts';
import { JsonPathError } from './json-path-parser.ts';

/* What a real server makes of many more paths is in testdata/printer-columns.json. */

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

const cases: readonly (readonly [string, JsonValue | undefined])[] = [
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
  // The range is empty in the first list, and the search ends there.
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

describe('a path', () => {
  for (const [path, value] of cases) {
    it(`${path} leads to ${JSON.stringify(value)}`, () => {
      assert.deepEqual(compileJsonPath(path)(data), value);
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
    it(`${JSON.stringify(path)} cannot be read`, () => {
      assert.throws(() => compileJsonPath(path), JsonPathError);
    });
  }

  it('is either refused or followed, whatever it is', () => {
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
          compileJsonPath(`.${pieces.join('')}`)(data);
        } catch (error) {
          assert.ok(error instanceof JsonPathError, String(error));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of plain fields leads where the fields lead', () => {
    const key = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,5}$/);
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (keys, leaf) => {
        const root = keys.reduceRight<unknown>((value, name) => ({ [name]: value }), leaf);
        const found = compileJsonPath(`.${keys.join('.')}`)(root as JsonValue);
        assert.deepEqual(found, leaf);
      }),
    );
  });
});
