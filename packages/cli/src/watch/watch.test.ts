import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { TestOutput } from '../frame/test-context.ts';
import { run } from '../run.ts';
import { pod, type TestCli, testCli } from '../test-cli.ts';

const pods = '/api/v1/namespaces/default/pods';

/** A command that runs until interrupted. */
interface Running {
  readonly stdout: TestOutput;
  readonly stderr: TestOutput;
  readonly clock: VirtualClock;
  readonly interrupt: () => Promise<number>;
}

function start(cli: TestCli, ...args: readonly string[]): Running {
  const stop = new AbortController();
  const [stdout, stderr, clock] = [new TestOutput(), new TestOutput(), new VirtualClock()];
  const context = cli.context({ stdout, stderr, clock, signal: stop.signal });
  const ended = run(args, context);
  return {
    stdout,
    stderr,
    clock,
    interrupt: () => {
      stop.abort();
      return ended;
    },
  };
}

/** Waits for the list and the watch. */
async function established(cli: TestCli, output: TestOutput): Promise<void> {
  await output.until(/ADDED/);
  await cli.create(pods, pod('mark'));
  await output.until(/mark/);
}

/** Advances the clock until the output matches. */
async function passUntil(clock: VirtualClock, output: TestOutput, pattern: RegExp): Promise<void> {
  while (!pattern.test(output.text)) {
    await clock.advance(1000);
    await nextTurn();
  }
}

test('prints the existing objects, then changes, until Ctrl-C', async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('web-0'));
  const { stdout, stderr, clock, interrupt } = start(cli, 'watch', 'pods');
  await stdout.until(/web-0/);
  await cli.create(pods, pod('a-longer-name'));
  await stdout.until(/a-longer-name/);
  await cli.remove(`${pods}/web-0`);
  await stdout.until(/DELETED/);
  assert.equal(await interrupt(), 130);
  assert.equal(
    stdout.text.replaceAll(/\d+s/g, '0s'),
    `
EVENT      NAME    READY   STATUS    RESTARTS   AGE
ADDED      web-0   0/1     Pending   0          0s
ADDED      a-longer-name   0/1     Pending   0          0s
MODIFIED   web-0           0/1     Terminating   0          0s
DELETED    web-0           0/1     Terminating   0          0s
`.slice(1),
  );
  assert.equal(stderr.text, '');
  assert.equal(clock.pending, 0);
});

test('aligns the existing objects with the headings', async (t) => {
  const cli = await testCli(t);
  for (const name of ['a', 'b-with-a-longer-name', 'c']) await cli.create(pods, pod(name));
  const { stdout, interrupt } = start(cli, 'watch', 'pods');
  await stdout.until(/ADDED +c /);
  await interrupt();
  const starts = stdout.text.split('\n').map((line) => line.search(/READY|0\/1/));
  assert.deepEqual(starts, [34, 34, 34, 34, -1]);
});

test('-o json prints one event per line', async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('before'));
  const { stdout, interrupt } = start(cli, 'watch', 'pods', '--watch-only', '-o', 'json');
  const names = start(cli, 'get', 'pods', '-w', '-o', 'name');
  await names.stdout.until(/pod\/before\n/);
  // A watch without a list is not visible, so objects are created until one is printed.
  for (let count = 0; !stdout.text.includes('\n'); count += 1) {
    await cli.create(pods, pod(`after-${count}`));
    await names.stdout.until(new RegExp(`pod/after-${count}\\n`));
  }
  assert.equal(await interrupt(), 130);
  assert.equal(await names.interrupt(), 130);
  const events = stdout.text
    .trimEnd()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { type: string; object: { kind: string; metadata: object } },
    );
  const [first] = events;
  assert.equal(first?.type, 'ADDED');
  assert.equal(first?.object.kind, 'Pod');
  assert.ok(!('managedFields' in first.object.metadata));
  assert.doesNotMatch(stdout.text, /before/);
});

test('reports an outage, and recovers', async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('web-0'));
  const { stdout, stderr, clock, interrupt } = start(cli, 'watch', 'pods');
  await established(cli, stdout);
  await cli.server.stopServing();
  await stderr.until(/Retrying: .*reset/);
  await cli.server.resume();
  await cli.create(pods, pod('web-1'));
  await passUntil(clock, stdout, /ADDED +web-1/);
  assert.equal(await interrupt(), 130);
  assert.equal(clock.pending, 0);
  assert.equal(stdout.text.match(/web-0/g)?.length, 1);
});

test('prints the difference after an expired version, deletions included', async (t) => {
  const cli = await testCli(t);
  for (const name of ['stays', 'goes']) await cli.create(pods, pod(name));
  const { stdout, stderr, clock, interrupt } = start(cli, 'watch', 'pods', '-o', 'name');
  await established(cli, stdout);
  await cli.server.stopServing();
  await stderr.until(/Retrying: .*reset/);
  await cli.server.resume();
  await cli.remove(`${pods}/goes`);
  await cli.create(pods, pod('comes'));
  cli.server.compact();
  await passUntil(clock, stdout, /DELETED +pod\/goes/);
  assert.equal(await interrupt(), 130);
  assert.equal(
    stdout.text,
    'ADDED    pod/goes\nADDED    pod/stays\nADDED    pod/mark\nADDED    pod/comes\nDELETED  pod/goes\n',
  );
  assert.match(stderr.text, /too old resource version/);
});

test('watches one object by name, in any format, and ends when refused', async (t) => {
  const cli = await testCli(t);
  const template = 'jsonpath={.metadata.name}:{.metadata.labels.x}';
  const { stdout, interrupt } = start(cli, 'watch', 'pod/web-0', '-o', template);
  const yaml = start(cli, 'watch', 'pods', '-o', 'yaml');
  const table = start(cli, 'get', 'pods', '-w', '--output-watch-events', '-A', '--no-headers');
  await cli.create(pods, pod('other'));
  await cli.create(pods, pod('web-0', { labels: { x: 'y' } }));
  await stdout.until(/^web-0:y\n/);
  await yaml.stdout.until(
    /^---\nobject:\n {2}apiVersion: v1\n {2}kind: Pod\n[^]*\ntype: ADDED\n---\n/,
  );
  await table.stdout.until(/^ADDED +default +(?:other|web-0)/m);
  for (const running of [{ interrupt }, yaml, table]) assert.equal(await running.interrupt(), 130);

  const refused = await cli.run('watch', 'pods', '--token', 'wrong');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^client-ts watch: .*credentials/);
});
