import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run } from './run.ts';
import { testContext } from './test-context.ts';

test('help goes to standard output and succeeds', async () => {
  for (const args of [['--help'], ['-h'], ['help']]) {
    const context = testContext();
    assert.equal(await run(args, context), 0);
    assert.match(context.output.join('\n'), /generate {3}write typed modules/);
    assert.deepEqual(context.errors, []);
  }
  const context = testContext();
  assert.equal(await run(['generate', '--crd', 'x', '--help'], context), 0);
  assert.match(context.output.join('\n'), /Examples:\n {2}client-ts generate --crd/);
});

test('a wrong call exits with 2 and says where help is', async () => {
  const calls: [args: string[], message: RegExp][] = [
    [[], /Usage: client-ts <command>/],
    [['serve-me'], /there is no command serve-me/],
    [['generate'], /--out is missing/],
    [['generate', '--out', 'x'], /either --crd FILE or --from-cluster/],
    [['generate', '--out', 'x', '--crd', 'a', '--from-cluster'], /either --crd FILE or/],
    [['generate', '--out', 'x', '--from-cluster', 'a.yaml'], /a\.yaml is too much/],
    [['generate', '--out', 'x', '--crd', 'a', '--group', 'g'], /--group goes with --from-cluster/],
    [['generate', '--out', 'x', '--bogus'], /Unknown option '--bogus'/],
    [['generate', '--out'], /--out/],
  ];
  for (const [args, message] of calls) {
    const context = testContext();
    assert.equal(await run(args, context), 2, args.join(' '));
    assert.match(context.errors.join('\n'), message);
    assert.deepEqual(context.output, []);
    if (args.length > 0) assert.match(context.errors.at(-1) ?? '', /^See: client-ts/);
  }
});

test('a failure exits with 1, in one line; --debug adds the stack with its causes', async () => {
  const args = ['generate', '--crd', 'not-there.yaml', '--out', 'x'];
  const context = testContext();
  assert.equal(await run(args, context), 1);
  assert.equal(context.errors.length, 1);
  assert.match(context.errors[0] ?? '', /^client-ts generate: cannot read not-there\.yaml/);

  const debug = testContext();
  assert.equal(await run([...args, '--debug'], debug), 1);
  assert.match(debug.errors.join('\n'), /\n {4}at [^]*Caused by: Error: ENOENT/);
});

test('an interrupt ends quietly with 130', async () => {
  const context = testContext({ signal: AbortSignal.abort() });
  assert.equal(await run(['generate', '--crd', 'not-there.yaml', '--out', 'x'], context), 130);
  assert.deepEqual(context.errors, []);
});
