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
