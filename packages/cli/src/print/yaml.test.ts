import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';
import { parse } from 'yaml';

import { compareNaturally } from './natural-order.ts';
import { formatYaml } from './yaml.ts';

/** What kubectl 1.36 wrote for these values. */
const facts: readonly (readonly [value: string, yaml: string])[] = [
  ['&x', "'&x'"],
  ['[a]', "'[a]'"],
  ['a: b', "'a: b'"],
  ['a:', "'a:'"],
  ['a, b', 'a, b'],
  ['a\rb', String.raw`"a\rb"`],
  ['a\u0001b', String.raw`"a\x01b"`],
  ['- a', "'- a'"],
  ['2020-01-01', '"2020-01-01"'],
  ['"x"', `'"x"'`],
  ["'x'", "'''x'''"],
  ['', '""'],
  ['=', '='],
  ['1e3', '"1e3"'],
  ['a #b', "'a #b'"],
  ['0x1f', '"0x1f"'],
  ['0755', '"0755"'],
  ['null', '"null"'],
  ['off', '"off"'],
  ['y', '"y"'],
  ['yes', '"yes"'],
  ['~', '"~"'],
  ['1:30', '"1:30"'],
  ['1_000', '"1_000"'],
  [' lead', "' lead'"],
  ['trail ', "'trail '"],
  ['a\tb', String.raw`"a\tb"`],
  ['grüße ✓ 日本', 'grüße ✓ 日本'],
  ['a\nb\n', '|\n  a\n  b'],
  ['a\nb', '|-\n  a\n  b'],
];

test('quotes strings as kubectl does', () => {
  for (const [value, yaml] of facts) assert.equal(formatYaml({ k: value }), `k: ${yaml}\n`);
});

test('does not indent lists, and prints empty ones inline', () => {
  const value = { b: [{ y: 1, x: [[1, 2], []] }], a: {}, c: null, d: 1.5, e: true };
  assert.equal(
    formatYaml(value),
    'a: {}\nb:\n- x:\n  - - 1\n    - 2\n  - []\n  "y": 1\nc: null\nd: 1.5\ne: true\n',
  );
});

test('sorts keys in natural order', () => {
  const ordered = [
    ['9', '10', 'B', 'a', 'a.b', 'a/b', 'ab'],
    ['web-9', 'web-09', 'web-10'],
    ['a19', 'a100'],
  ].flat();
  const shuffled = [...ordered].sort();
  assert.notDeepEqual(shuffled, ordered);
  const byName = [
    '9',
    '10',
    'B',
    'a',
    'a.b',
    'a/b',
    'a19',
    'a100',
    'ab',
    'web-9',
    'web-09',
    'web-10',
  ];
  assert.deepEqual(shuffled.sort(compareNaturally), byName);
});

test('has a total order', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'B', '0', '1', '9', '.', '-') });
  fc.assert(
    fc.property(key, key, (left, right) => {
      assert.equal(
        Math.sign(compareNaturally(left, right)),
        -Math.sign(compareNaturally(right, left)) || 0,
      );
      assert.equal(compareNaturally(left, right) === 0, left === right);
    }),
  );
});

test('round-trips', () => {
  const text = fc.string({ unit: 'binary' });
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const read: unknown = parse(formatYaml(value), { version: '1.1' });
      assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 500 },
  );
});
