/** Checks the counts of the type checker, which are the same everywhere, against `bench/typecheck`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

interface TypecheckBench {
  readonly baseline: string;
  readonly cases: readonly string[];
  measure(name: string): { readonly types: number; readonly instantiations: number };
  faultsOf(name: string, cost: { types: number; instantiations: number }): string[];
}

const bench = (await import(
  new URL('../../../bench/typecheck/measure.mjs', import.meta.url).href
)) as TypecheckBench;

test('typed imports stay within their budget of types and instantiations', () => {
  const base = bench.measure(bench.baseline);
  assert.ok(bench.cases.length > 5);
  for (const name of bench.cases) {
    const { types, instantiations } = bench.measure(name);
    const cost = {
      types: types - base.types,
      instantiations: instantiations - base.instantiations,
    };
    assert.deepEqual(bench.faultsOf(name, cost), []);
  }
});

test('reports a case over its budget, or without one', () => {
  assert.deepEqual(bench.faultsOf('one-type', { types: 1e6, instantiations: 0 }), [
    'one-type: types is 1000000, over the budget of 20',
  ]);
  assert.match(
    bench.faultsOf('new-case', { types: 0, instantiations: 0 })[0] ?? '',
    /has no budget/,
  );
});
