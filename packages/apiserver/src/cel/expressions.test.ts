import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compile } from './environment.ts';
import { estimateCost } from './estimate.ts';
import { Issues } from './issues.ts';
import { plan } from './program.ts';
import { BOOL, DYN, INT, listOf, mapOf, STRING, type Type } from './types.ts';
import { Uint } from './uint.ts';
import { ArrayList, CelList, CelMap, EntryMap, Failure, Optional, type Value } from './values.ts';

/** An expression and what the libraries of Kubernetes 1.36 make of it. */
interface Recorded {
  readonly expr: string;
  /** What the compiler says. */
  readonly issues?: string;
  /** Why a compiled expression cannot be evaluated at all. */
  readonly refused?: string;
  /** How an evaluation fails. */
  readonly failure?: string;
  readonly value?: string;
  readonly cost?: number;
  readonly estimate?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('../../testdata/cel-expressions.json', import.meta.url), 'utf8'),
) as Recorded[];

const types: ReadonlyMap<string, Type> = new Map([
  ['s', DYN],
  ['i', INT],
  ['t', STRING],
  ['l', listOf(INT)],
  ['m', mapOf(STRING, STRING)],
  ['b', BOOL],
]);

const map = (...entries: readonly (readonly [string, Value])[]): Value => new EntryMap(entries);
const values: readonly (readonly [string, Value])[] = [
  [
    's',
    map(
      ['a', map(['b', map(['c', 'x'])])],
      ['l', new ArrayList([1, 2, 3])],
      ['k', 'a'],
      ['m', map(['a', 'b'])],
      ['str', 'hello world, this is long'],
    ),
  ],
  ['i', 7n],
  ['t', 'text'],
  ['l', new ArrayList([1n, 2n, 3n])],
  ['m', map(['a', 'b'])],
  ['b', true],
];

/** Prints a value as Go does. */
function print(value: Value): string {
  if (value === null) return 'NULL_VALUE';
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Optional) return value.value === undefined ? '<nil>' : print(value.value);
  if (value instanceof CelList) return `[${Array.from(value, print).join(' ')}]`;
  if (value instanceof CelMap) {
    const entries = Array.from(
      value.keys(),
      (key) => `${print(key)}:${print(value.get(key) ?? null)}`,
    );
    return `map[${entries.toSorted().join(' ')}]`;
  }
  if (typeof value === 'object')
    assert.fail('the recording holds only values that Go prints alike');
  return String(value);
}

function evaluate(expr: string): Recorded {
  const checked = compile(expr, types);
  if (checked instanceof Issues) return { expr, issues: String(checked) };
  const { min, max } = estimateCost(checked);
  const program = plan(checked);
  if (program instanceof Failure) return { expr, refused: program.message };
  const { value, cost } = program.run(values);
  const result =
    value instanceof Failure ? { failure: value.message } : { value: print(value), cost };
  return { expr, ...result, estimate: `${min}..${max}` };
}

function issuesOf(expr: string): string {
  const issues = compile(expr, new Map());
  return issues instanceof Issues ? issues.toString() : '';
}

describe('expressions', () => {
  it('mean, cost and fail as they do on a genuine server', () => {
    assert.ok(recorded.length > 600, 'the recording is complete');
    for (const expected of recorded) {
      assert.deepEqual(evaluate(expected.expr), expected, expected.expr);
    }
  });

  it('mix types in the arguments of format only', () => {
    const mismatch = (expr: string, column: number, expected: string, found: string): string =>
      `ERROR: <input>:1:${column}: expected type '${expected}' but found '${found}'\n | ${expr}\n | ${'.'.repeat(column - 1)}^`;
    assert.equal(
      evaluate('"%s has %d of %s".format([t, 1, [1, "a"]])').value,
      'text has 1 of [1, "a"]',
    );
    assert.equal(evaluate('"%s".format([[1, "a"].size()])').value, '2');
    for (const [expr, column, expected, found] of [
      ['[1, dyn("a")]', 8, 'int', 'dyn'],
      ['[1, "a", 2.0]', 5, 'int', 'string'],
      ['{"a": 1, "b": dyn(2)}', 18, 'int', 'dyn'],
      ['[duration("1s"), null]', 18, 'duration', 'null'],
      ['[quantity("1"), semver("1.0.0")]', 23, 'kubernetes.Quantity', 'kubernetes.Semver'],
    ] as const) {
      assert.equal(evaluate(expr).issues, mismatch(expr, column, expected, found));
    }
  });

  it('compare values of the libraries whatever their size, with == only', () => {
    const most = (expr: string): bigint => BigInt(evaluate(expr).estimate?.split('..')[1] ?? '');
    for (const value of ['quantity("1")', 'semver("1.0.0")', 'ip("::1")', 'cidr("::1/64")']) {
      assert.ok(most(`${value} == ${value}`) < 100n, value);
      assert.ok(most(`${value} != ${value}`) > 2n ** 60n, value);
    }
    assert.ok(most('format.uri() == format.uri()') < 100n);
    assert.ok(most('optional.of(t) == optional.of(t)') > 2n ** 60n);
  });

  it('compile literal patterns of find and findAll before they run', () => {
    for (const call of ['find("(")', 'findAll("(")', 'findAll("(", 1)']) {
      assert.equal(evaluate(`t.${call}`).refused, 'error parsing regexp: missing closing ): `(`');
    }
    assert.equal(evaluate('"123 ab 4".findAll("[0-9]*")').value, '[123    4]');
  });

  it('read and write values as Go does', () => {
    for (const [expr, value] of [
      ['bool("T")', 'true'],
      ['bool("F")', 'false'],
      ['type(ip("1.1.1.1")) == net.IP && type(cidr("1.1.1.0/8")) == net.CIDR', 'true'],
      ['"%s %s".format([1.0 / 0.0, -1.0 / 0.0])', '+Inf -Inf'],
      ['"%.2e".format([12345.678])', '1.234568×10⁰⁴'],
    ] as const) {
      assert.equal(evaluate(expr).value, value, expr);
    }
    assert.equal(evaluate('cidr("10.0.0.0/8").containsIP(t)').failure, 'no such overload');
  });

  it('stop when they cost more than they may', () => {
    const checked = compile('lists.range(1000).all(x, x >= 0)', new Map());
    assert.ok(!(checked instanceof Issues));
    const program = plan(checked);
    assert.ok(!(program instanceof Failure));
    assert.throws(() => program.run([], 1000), { code: 'APISERVER_CEL_COST' });
    assert.equal(program.run([], 10_000).value, true);
  });

  it('collect many elements in time that grows with their number', () => {
    const checked = compile('lists.range(200000).map(x, x).filter(x, x > 1).size()', new Map());
    assert.ok(!(checked instanceof Issues));
    const program = plan(checked);
    assert.ok(!(program instanceof Failure));
    assert.equal(program.run([]).value, 199_998n);
  });

  it('do not make values that are larger than anything they may cost', () => {
    const million = '"a".replace("a", t).replace("", t)';
    const t = 'x'.repeat(100_000);
    for (const expr of [million, 'lists.range(1000).map(n, t).join(t)', 'lists.range(2000000)']) {
      const checked = compile(expr, new Map([['t', STRING]]));
      assert.ok(!(checked instanceof Issues));
      const program = plan(checked);
      assert.ok(!(program instanceof Failure));
      const { value } = program.run([['t', t]]);
      assert.ok(value instanceof Failure, expr);
      assert.match(value.message, /cost limit exceeded/);
    }
  });

  it('do not change a list that another one was made from', () => {
    const checked = compile('[a + [1], a + [2], a]', new Map([['a', listOf(INT)]]));
    assert.ok(!(checked instanceof Issues));
    const program = plan(checked);
    assert.ok(!(program instanceof Failure));
    const { value } = program.run([['a', new ArrayList([0n])]]);
    assert.equal(print(value), '[[0 1] [0 2] [0]]');
  });

  it('may not be nested without end', () => {
    for (const [open, close] of ['()', '[]', ['{1:', '}']]) {
      const deep = `${open?.repeat(300)}1${close?.repeat(300)}`;
      assert.match(issuesOf(deep), /expression recursion limit exceeded: 250/);
    }
    assert.match(issuesOf('1'.repeat(100_001)), /code point size exceeds limit/);
  });
});
