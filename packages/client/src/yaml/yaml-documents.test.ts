import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';
import { stringify } from '#yaml';

import { parseYamlDocuments, readYaml } from './yaml-documents.ts';
import { YamlError } from './yaml-error.ts';
import type { ParsedYaml } from './yaml-reader.ts';

function parseYaml(text: string): ParsedYaml {
  const [document] = parseYamlDocuments(text);
  return document?.read() ?? { value: null, duplicates: [] };
}

function faultOf(text: string): string {
  try {
    const { value } = parseYaml(text);
    return `no fault: ${JSON.stringify(value)}`;
  } catch (error) {
    assert.ok(error instanceof YamlError, String(error));
    return error.message;
  }
}

describe('parseYamlDocuments', () => {
  it('reads back what was written, as YAML and as JSON', () => {
    const values = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(values, (value) => {
        // The writer of the test leaves this key without quotes, and then it means merging.
        fc.pre(!JSON.stringify(value).includes('"<<":'));
        for (const text of [stringify({ value }, { version: '1.1' }), JSON.stringify({ value })]) {
          const parsed = parseYaml(text);
          assert.deepEqual(parsed.value, { value });
          assert.deepEqual(parsed.duplicates, []);
        }
      }),
    );
  });

  it('finds documents without content, between separators too', () => {
    const text = '# first\n---\na: 1\n---\n# only a comment\n---\n---\nnull\n---\n""\n';
    const found = parseYamlDocuments(text).map(({ isEmpty }) => isEmpty);
    assert.deepEqual(found, [false, true, true, true, false]);
  });

  it('reads scalars as Go does', () => {
    const scalars: [string, unknown][] = [
      ['y', true],
      ['Off', false],
      ['"y"', 'y'],
      ['~', null],
      ['', null],
      ['1.0', 1],
      ['.5', 0.5],
      ['.', '.'],
      ['-.', '-.'],
      ['e5', 'e5'],
      ['.e5', '.e5'],
      ['1e3', 1000],
      ['1_000', 1000],
      ['014', 12],
      ['0o17', 15],
      ['-0o17', -15],
      ['0x1F', 31],
      ['22:30', '22:30'],
      ['2001-01-01', '2001-01-01'],
      ['2001-12-14T21:59:43Z', '2001-12-14T21:59:43Z'],
      ['!!binary aGk=', 'hi'],
      ['!mine x', 'x'],
      ['!!set {a: 1}', { a: 1 }],
      ['!!omap [{a: 1}]', [{ a: 1 }]],
      ['!!timestamp 2001-01-01', '2001-01-01'],
      ['!!str 1', '1'],
    ];
    for (const [text, expected] of scalars) {
      assert.deepEqual(parseYaml(`a: ${text}\n`).value, { a: expected }, text);
    }
    const [document] = parseYamlDocuments('a: 12345678901234567890\n');
    const { value } = document?.read({ bigInteger: String }) ?? assert.fail();
    assert.deepEqual(value, { a: '12345678901234567890' });
  });

  it('reads the first document and leaves the others alone', () => {
    assert.deepEqual(parseYaml('---\na: 1\n---\nb: 2\n').value, { a: 1 });
    assert.equal(parseYaml('').value, null);
  });

  it('lets the last of several equal keys win, and names the line of its value', () => {
    const cases: [string, unknown, string[]][] = [
      ['a: x\na: y\na: z\n', { a: 'z' }, ['line 2: key "a"', 'line 3: key "a"']],
      ['a: x\na:\n  foo\n', { a: 'foo' }, ['line 3: key "a"']],
      ['a: x\na:\n', { a: null }, ['line 2: key "a"']],
      [
        'a: 1\na:\n- b: {c: 1, c: 2}\n',
        { a: [{ b: { c: 2 } }] },
        ['line 3: key "c"', 'line 3: key "a"'],
      ],
      ['y: 1\nyes: 2\n', { true: 2 }, ['line 2: key true']],
      ['1: 1\n1: 2\n', { 1: 2 }, ['line 2: key 1']],
      ['true: 1\n"true": 2\n', { true: 2 }, []],
      ['{"a": 1, "a": 2}', { a: 2 }, ['line 1: key "a"']],
      ['__proto__: 1\n', JSON.parse('{"__proto__": 1}'), []],
    ];
    for (const [text, value, keys] of cases) {
      const duplicates = keys.map((key) => `${key} already set in map`);
      assert.deepEqual(parseYaml(text), { value, duplicates }, text);
    }
  });

  it('merges in the order of the text', () => {
    const merged = (text: string): unknown => parseYaml(text).value;
    assert.deepEqual(merged('<<: {x: 1, z: 1}\nx: 2\n'), { x: 2, z: 1 });
    assert.deepEqual(merged('x: 2\n<<: {x: 1}\n'), { x: 1 });
    assert.deepEqual(merged('a: &a {p: 1}\nb: {<<: *a, q: 2}\n'), {
      a: { p: 1 },
      b: { p: 1, q: 2 },
    });
    assert.deepEqual(merged('<<: [{x: 1}, {x: 2, z: 2}]\n'), { x: 1, z: 2 });
    assert.deepEqual(merged('"<<": {x: 1}\n'), { '<<': { x: 1 } });
    assert.deepEqual(parseYaml('<<: {x: 1}\nx: 2\n').duplicates, [
      'line 2: key "x" already set in map',
    ]);
  });

  it("names faults in the words of Go's parser", () => {
    const faults: [string, string][] = [
      ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
      ['{a: b: c', "yaml: did not find expected ',' or '}'"],
      ['a: [1,2\n', "yaml: line 1: did not find expected ',' or ']'"],
      ['\ta: 1\n', 'yaml: found character that cannot start any token'],
      ['a: @x\n', 'yaml: found character that cannot start any token'],
      ['a: "x\n', 'yaml: line 2: found unexpected end of stream'],
      ['a:\n  - b\n c\n', 'yaml: line 2: did not find expected key'],
      ['a: "\\q"\n', 'yaml: found unknown escape character'],
      ['a: |x\n  b\n', 'yaml: did not find expected comment or line break'],
      ["a: 'b' c\n", 'yaml: did not find expected key'],
      ['}: x\n', 'yaml: did not find expected node content'],
      ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
      ['a: &x [*x]\n', "yaml: anchor 'x' value contains itself"],
      ['<<: 1\n', 'yaml: map merge requires map or sequence of maps as the value'],
      ['null: x\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
      ['a: .inf\n', 'json: unsupported value: +Inf'],
    ];
    for (const [text, fault] of faults) assert.equal(faultOf(text), fault, text);
    assert.match(faultOf('[1]: 2\n'), /^yaml: invalid map key/);
  });

  it('resolves an alias to the last anchor before it', () => {
    assert.deepEqual(readYaml('[&a 1, *a, &a 2, *a, { &b k: *a, l: *b }]'), [
      1,
      1,
      2,
      2,
      { k: 2, l: 'k' },
    ]);
  });

  // Quadratic work on these takes a minute.
  it('reads aliases and keys in linear time', () => {
    const count = 15_000;
    const aliases = readYaml(`a: &a x\nb: [${'*a,'.repeat(count)}]`);
    assert.equal((aliases as { b: string[] }).b.length, count);
    const lines = Array.from({ length: count }, (_, index) => `- &a${index} x\n- *a${index}\n`);
    assert.equal((readYaml(lines.join('')) as string[]).length, 2 * count);
    const keys = Array.from({ length: count }, (_, index) => `k${index}: x\n`);
    assert.equal(Object.keys(readYaml(keys.join('')) as object).length, count);
  });

  it('bounds merges of nothing, and long texts behind many aliases', () => {
    const level = (name: string, inner: string): string =>
      `${name}: &${name} {<<: [${`*${inner},`.repeat(1000)}]}\n`;
    const merges = `a: &a {}\n${level('b', 'a')}${level('c', 'b')}${level('d', 'c')}`;
    assert.equal(faultOf(merges), 'yaml: document contains excessive aliasing');
    const text = `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(1000)}]`;
    assert.equal(faultOf(text), 'yaml: document contains excessive aliasing');
  });

  it('refuses deep nesting', () => {
    assert.match(faultOf('['.repeat(100_000)), /exceeded max depth/);
    assert.match(faultOf(`${'- '.repeat(100_000)}x`), /exceeded max depth/);
    for (const depth of [1000, 10_000, 3_000_000]) {
      for (const open of ['[', '{a: ', '- ', '? ', '[\n']) {
        assert.equal(faultOf(open.repeat(depth)), 'yaml: exceeded max depth', open);
      }
    }
    assert.equal(faultOf(`${'['.repeat(499)}${']'.repeat(499)}`).slice(0, 8), 'no fault');
  });

  it('returns a reason that quotes nothing, and the line', () => {
    const texts = ['a: 1\nb: *s3cr3t', 'a: 1\nb: &s3cr3t [*s3cr3t]', '? : s3cr3t', 'a: @s3cr3t'];
    for (const text of texts) {
      assert.throws(
        () => readYaml(text),
        (error) => error instanceof YamlError && !error.reason.includes('s3cr3t'),
        text,
      );
    }
    assert.throws(() => readYaml('a: 1\nb: "x'), { line: 2, code: 'YAML_INVALID' });
  });

  it('finds the line of a path', () => {
    const [document] = parseYamlDocuments('a:\n- b: 1\n  c: 2\n');
    assert.equal(document?.lineOf(['a', 0, 'c']), 3);
    assert.equal(document?.lineOf(['a', 0, 'c', 'd']), 3);
  });

  it('does not expand aliases without end', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? '"x"' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
    });
    assert.equal(faultOf(levels.join('\n')), 'yaml: document contains excessive aliasing');
  });
});
