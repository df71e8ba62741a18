import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { covers, measure } from './coverage.mjs';
import { applyMutant, findMutants } from './mutants.mjs';
import { pick } from './pick.mjs';
import { withScore } from './scores.mjs';

/** @param {string} text */
function mutate(text) {
  return findMutants('a.ts', text).map((mutant) => applyMutant(text, mutant));
}

describe('findMutants', () => {
  it('swaps operators', () => {
    assert.deepEqual(mutate('const a = b < c;'), ['const a = b <= c;']);
    assert.deepEqual(mutate('const a = (b < c) && d;'), [
      'const a = (b < c) || d;',
      'const a = (b <= c) && d;',
    ]);
    assert.deepEqual(mutate('const a = b - c * d;'), [
      'const a = b + c * d;',
      'const a = b - c / d;',
    ]);
    assert.deepEqual(mutate('for (; ; i++) {}'), ['for (; ; i--) {}']);
  });

  it('negates conditions', () => {
    assert.deepEqual(mutate('if (a) throw b;'), ['if (!(a)) throw b;']);
    assert.deepEqual(mutate('const a = b ? c : d;'), ['const a = !(b) ? c : d;']);
  });

  it('removes statements', () => {
    assert.deepEqual(mutate('function f() { g(); }'), ['function f() { ; }']);
  });

  it('flips booleans in code, not in types', () => {
    assert.deepEqual(mutate('const a: true = f({ b: true });'), [
      'const a: true = f({ b: false });',
    ]);
    assert.deepEqual(mutate('interface A { b: true }'), []);
  });

  it('leaves text that is put together alone', () => {
    assert.deepEqual(mutate("const a = 'b' + c;"), []);
  });

  it('says where and what', () => {
    const [mutant] = findMutants('a.ts', '\n\nconst a = b === c;');
    assert.equal(mutant?.line, 3);
    assert.equal(mutant?.description, '=== becomes !==');
  });
});

/**
 * What the mutants of a module do that a test runs.
 * @param {string} code @param {string} testCode
 */
async function coveredMutants(code, testCode) {
  const directory = await mkdtemp(join(tmpdir(), 'mutation-'));
  try {
    const path = join(directory, 'code.ts');
    await writeFile(path, code);
    const test = join(directory, 'code.test.ts');
    await writeFile(test, `import { f } from './code.ts';\n${testCode}\n`);
    const run = await measure(process.execPath, test);
    return findMutants(path, code)
      .filter((mutant) => covers(run, path, mutant))
      .map(({ description }) => description);
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('coverage', () => {
  it('finds what a test runs and what it does not', async () => {
    const code =
      'export function f(a: number): number {\n  if (a > 1) return a + 1;\n  return a - 1;\n}\n';
    assert.deepEqual(await coveredMutants(code, 'f(0);'), [
      'negate a > 1',
      '> becomes >=',
      '- becomes +',
    ]);
  });

  it('counts a logical operator as run where only its left side decides', async () => {
    const code = 'export function f(a: number): boolean {\n  return a < 1 || a > 5;\n}\n';
    assert.deepEqual(await coveredMutants(code, 'f(0);'), ['|| becomes &&', '< becomes <=']);
  });
});

describe('pick', () => {
  it('takes the same items for the same seed, in their order', () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    const chosen = pick(items, 10, 7);
    assert.equal(chosen.length, 10);
    assert.deepEqual(chosen, pick(items, 10, 7));
    assert.notDeepEqual(chosen, pick(items, 10, 8));
    assert.deepEqual(
      chosen,
      chosen.toSorted((left, right) => left - right),
    );
  });
});

describe('withScore', () => {
  const page = 'Text\n\n| Module | x |\n| --- | --- |\n| b | 1 |\n| c | 2 |\n\nMore\n';
  const score = {
    score: '90.0',
    tried: 10,
    found: 10,
    seed: 1,
    killed: 9,
    survived: 1,
    uncovered: 0,
  };

  it('replaces a row', () => {
    assert.equal(
      withScore(page, { room: 'b', ...score }),
      'Text\n\n| Module | x |\n| --- | --- |\n| b | 90.0 % | 10 | 1 | 0 |\n| c | 2 |\n\nMore\n',
    );
  });

  it('says which part of the mutants a sample is', () => {
    const row = withScore(page, { room: 'b', ...score, found: 1480, seed: 7 });
    assert.match(row, /\| b \| 90.0 % \| 10 of 1,480 \(seed 7\) \| 1 \| 0 \|/);
  });

  it('adds a row in its place', () => {
    assert.match(withScore(page, { room: 'a', ...score }), /\| a \| 90.0 % .*\n\| b \| 1/);
  });
});
