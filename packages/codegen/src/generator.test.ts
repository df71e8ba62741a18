import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { findDrift, type Generator, mendDrift } from './generator.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'drift-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function generator(name: string, files: Record<string, string>, owns: string[] = []): Generator {
  return { name, owns, outputs: () => new Map(Object.entries(files)) };
}

test('finds missing, changed and left-over files, and corrects them', () => {
  mkdirSync(join(root, 'out/deep'), { recursive: true });
  writeFileSync(join(root, 'out/same.ts'), 'same');
  writeFileSync(join(root, 'out/changed.ts'), 'by hand');
  writeFileSync(join(root, 'out/deep/old.ts'), 'old');
  writeFileSync(join(root, 'kept.ts'), 'not generated');
  const one = generator('one', { 'out/same.ts': 'same', 'out/changed.ts': 'new' }, ['out']);
  // Another generator may write into the directory that the first one owns.
  const two = generator('two', { 'out/deep/new.ts': 'fresh', 'else/where.ts': 'here' });

  const mends = findDrift(root, [one, two]);
  assert.deepEqual(
    mends.map(({ generator, kind, path }) => `${generator}: ${kind} ${path}`),
    [
      'one: changed out/changed.ts',
      'two: missing out/deep/new.ts',
      'two: missing else/where.ts',
      'one: left over out/deep/old.ts',
    ],
  );

  mendDrift(root, mends);
  assert.deepEqual(findDrift(root, [one, two]), []);
  assert.equal(readFileSync(join(root, 'out/changed.ts'), 'utf8'), 'new');
  assert.equal(readFileSync(join(root, 'kept.ts'), 'utf8'), 'not generated');
});

test('findDrift writes nothing', () => {
  const one = generator('one', { 'out/a.ts': 'a' }, ['out']);
  assert.equal(findDrift(root, [one]).length, 1);
  assert.equal(findDrift(root, [one]).length, 1);
});

test('two generators must not write the same file', () => {
  const one = generator('one', { 'a.ts': '1' });
  const two = generator('two', { 'a.ts': '2' });
  assert.throws(
    () => findDrift(root, [one, two]),
    /a\.ts is written by two generators: one and two/,
  );
});
