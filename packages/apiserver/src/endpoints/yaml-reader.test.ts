import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';
import { stringify } from 'yaml';

import { JsonNumber } from '../schema/json-parser.ts';
import { plainJson } from '../schema/parse-json.ts';
import { YamlError } from './yaml-faults.ts';
import { parseYaml } from './yaml-reader.ts';

function faultOf(text: string): string {
  try {
    const { value } = parseYaml(text);
    return `no fault: ${JSON.stringify(value)}`;
  } catch (error) {
    assert.ok(error instanceof YamlError, String(error));
    return error.message;
  }
}

describe('parseYaml', () => {
  it('reads back what was written, as YAML and as JSON', () => {
    const values = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(values, (value) => {
        // The writer of the test leaves this key without quotes, and then it means merging.
        fc.pre(!JSON.stringify(value).includes('"<<":'));
        for (const text of [stringify({ value }, { version: '1.1' }), JSON.stringify({ value })]) {
          const parsed = parseYaml(text);
          assert.deepEqual(plainJson(parsed.value), { value });
          assert.deepEqual(parsed.duplicates, []);
        }
      }),
    );
  });

  it('reads scalars as the real server does', () => {
    const scalars: [string, unknown][] = [
      ['y', true],
      ['Off', false],
      ['"y"', 'y'],
      ['~', null],
      ['', null],
      ['1.0', 1],
      ['1e3', 1000],
      ['1_000', 1000],
      ['014', 12],
      ['0x1F', 31],
      ['22:30', '22:30'],
      ['2001-01-01', '2001-01-01'],
      ['2001-12-14T21:59:43Z', '2001-12-14T21:59:43Z'],
      ['!!binary aGk=', 'hi'],
      ['!mine x', 'x'],
      ['!!str 1', '1'],
    ];
    for (const [text, expected] of scalars) {
      assert.deepEqual(parseYaml(`a: ${text}\n`).value, { a: expected }, text);
    }
    const { value } = parseYaml('a: 12345678901234567890\n');
    assert.deepEqual(value, { a: new JsonNumber('12345678901234567890') });
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

  it('names faults in the words of the real server', () => {
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

  it('does not expand aliases without end', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? '"x"' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
    });
    assert.equal(faultOf(levels.join('\n')), 'yaml: document contains excessive aliasing');
  });
});
