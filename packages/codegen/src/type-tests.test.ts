/**
 * Proves that the type tests bite: that the build compiles them, and that a mistake in the types
 * they hold would fail it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runCompiler, typeErrors } from './test-compile.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8');
}

const apiTest = read('packages/codegen/src/typed-api.test-d.ts');
const metaTest = read('packages/client/src/api/meta/v1.test-d.ts');
const metaTypes = read('packages/client/src/meta/types.ts');
/** What these types import, without what its code imports. */
const jsonTypes = read('packages/client/dist/lib/json.d.ts');

/** The type test of `meta/types.ts`, run against a changed copy of these types. */
function metaErrors(change: (types: string) => string): string[] {
  const types = change(metaTypes);
  return typeErrors({
    'lib/json.ts': jsonTypes,
    'meta/types.ts': types,
    'api/meta/v1.test-d.ts': metaTest,
  });
}

test('the build compiles the type tests', () => {
  const compiled = ['client', 'codegen'].flatMap((name) =>
    runCompiler('--project', `packages/${name}`, '--listFilesOnly'),
  );
  const files = new Set(compiled.map((path) => path.replaceAll('\\', '/').split('/packages/')[1]));
  assert.ok(files.has('codegen/src/typed-api.test-d.ts'));
  assert.ok(files.has('client/src/api/meta/v1.test-d.ts'));
});

test('every line that must not compile does not', () => {
  assert.deepEqual(typeErrors({ 'typed-api.test-d.ts': apiTest }), []);
  const expected = apiTest.match(/^\s*\/\/ @ts-expect-error/gm)?.length ?? 0;
  assert.ok(expected > 25);
  const bare = apiTest.replaceAll('@ts-expect-error', '');
  const errors = typeErrors({ 'typed-api.test-d.ts': bare });
  const lines = errors.filter((line) => line.startsWith('typed-api.test-d.ts('));
  assert.equal(lines.length, expected, errors.join('\n'));
});

test('a line that should not compile but does is an error', () => {
  const errors = typeErrors({
    'typed-api.test-d.ts': `${apiTest}\n// @ts-expect-error\nexport const fine: Pod = {};\n`,
  });
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? '', /TS2578/);
});

test('the hand-written meta types agree with the model', () => {
  assert.deepEqual(
    metaErrors((types) => types),
    [],
  );
});

test('a meta type that strays from the model fails the build, and the error names the field', () => {
  const strays: [what: string, from: string, to: string, named: RegExp][] = [
    ['a missing field', '  generateName?: string;\n', '', /missing: "generateName"/],
    ['a surplus field', '  selfLink?: string;\n', '  selfLink?: string;\n  own?: 1;\n', /"own"/],
    ['optional for required', '  uid: string;\n}', '  uid?: string;\n}', /differs: "uid"/],
    ['required for optional', '  generation?: number;', '  generation: number;', /"generation"/],
    ['another type', '  finalizers?: string[];', '  finalizers?: string;', /"finalizers"/],
  ];
  for (const [what, from, to, named] of strays) {
    assert.ok(metaTypes.includes(from), from);
    const errors = metaErrors((types) => types.replace(from, to));
    assert.match(errors.join('\n'), named, what);
  }
  const gone = metaErrors((types) =>
    types.replace('export interface ShardInfo', 'interface Other'),
  );
  assert.match(gone.join('\n'), /ShardInfo/);
});
