import assert from 'node:assert/strict';
import { test } from 'node:test';

import { commands } from './command-table.ts';
import { defineCommand } from './frame/command.ts';
import { Interruption } from './frame/context.ts';
import { testContext } from './frame/test-context.ts';
import { run } from './run.ts';

test('prints help to standard output, with exit code 0', async () => {
  for (const args of [['--help'], ['-h'], ['help']]) {
    const context = testContext();
    assert.equal(await run(args, context), 0);
    assert.match(context.text(), /\n {2}generate +generate typed modules/);
    assert.deepEqual(context.errors, []);
  }
  for (const args of [
    ['generate', '--crd', 'x', '--bogus', '--help'],
    ['help', 'generate'],
  ]) {
    const context = testContext();
    assert.equal(await run(args, context), 0);
    assert.match(context.text(), /Examples:\n {2}# from files\n {2}client-ts generate --crd/);
  }
});

test('every command has help with examples of itself', async () => {
  for (const { name, examples, hidden } of commands) {
    const context = testContext();
    assert.equal(await run([name, '--help'], context), 0);
    assert.ok(context.text().startsWith(`Usage: client-ts ${name}`), name);
    const widest = Math.max(
      ...context
        .text()
        .split('\n')
        .filter((line) => !line.startsWith('  client-ts') && !line.includes(' | client-ts'))
        .map((line) => line.length),
    );
    assert.ok(widest <= 100, `the help of ${name} is ${widest} wide`);
    if (hidden === true) continue;
    const own = examples.filter(({ line }) => line.includes(`client-ts ${name}`));
    assert.ok(own.length > 0, `${name} has no example of itself`);
  }
});

test('a usage error exits with 2 and points to the help', async () => {
  const calls: [args: string[], message: RegExp][] = [
    [['serve-me-well'], /unknown command "serve-me-well"\n/],
    [['genrate'], /unknown command "genrate"; did you mean generate\?/],
    [['help', 'genrate'], /unknown command "genrate"; did you mean generate\?/],
    [['generate'], /--out is required/],
    [['generate', '--out', 'x'], /exactly one of --crd FILE and --from-cluster/],
    [['generate', '--out', 'x', '--crd', 'a', '--from-cluster'], /exactly one of --crd FILE and/],
    [['generate', '--out', 'x', '--from-cluster', 'a.yaml'], /unexpected argument a\.yaml/],
    [['generate', '--out', 'x', '--crd', 'a', '--group', 'g'], /--group requires --from-cluster/],
    [['generate', '--out', 'x', '--crd', 'a', '--as', 'g'], /--as requires --from-cluster/],
    [
      ['generate', '--out', 'x', '--form-cluster'],
      /unknown flag --form-cluster; did you mean --from-/,
    ],
    [['generate', '--out'], /--out needs a value: DIR/],
  ];
  for (const [args, message] of calls) {
    const context = testContext();
    assert.equal(await run(args, context), 2, args.join(' '));
    assert.match(context.errorText(), message);
    assert.deepEqual(context.output, []);
    assert.match(context.errors.at(-1) ?? '', /^See: client-ts/);
  }
});

test('a call without a command prints the help as an error', async () => {
  const context = testContext();
  assert.equal(await run([], context), 2);
  assert.match(context.errorText(), /^Usage: client-ts <command>/);
});

test('a failure exits with 1 and one line; --debug adds the stacks', async () => {
  const args = ['generate', '--crd', 'not-there.yaml', '--out', 'x'];
  const context = testContext();
  assert.equal(await run(args, context), 1);
  assert.equal(context.errors.length, 1);
  assert.match(context.errors[0] ?? '', /^client-ts generate: cannot read not-there\.yaml/);

  const debug = testContext();
  assert.equal(await run([...args, '--debug'], debug), 1);
  assert.match(debug.errorText(), /\n {4}at [^]*Caused by: Error: ENOENT/);
});

test('an interrupt ends silently, with its exit code', async () => {
  const args = ['generate', '--crd', 'not-there.yaml', '--out', 'x'];
  const context = testContext({ signal: AbortSignal.abort() });
  assert.equal(await run(args, context), 130);
  assert.deepEqual(context.errors, []);

  const gone = testContext({ signal: AbortSignal.abort(new Interruption('no reader', 0)) });
  assert.equal(await run(args, gone), 0);
  assert.deepEqual(gone.errors, []);
});

test('a command that needs a newer Node reports it', async () => {
  const command = defineCommand({
    name: 'future',
    summary: 'something',
    usage: [''],
    about: [],
    examples: [],
    flags: {},
    node: '999.1.0',
    run: () => Promise.resolve(),
  });
  const context = testContext();
  assert.equal(await run(['future'], context, [command]), 1);
  assert.match(
    context.errorText(),
    /^client-ts future: this command needs Node 999\.1\.0 or newer; this is/,
  );
  assert.equal(await run(['future'], testContext(), [{ ...command, node: '20.0.0' }]), 0);
});
