import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { TestOutput } from '../frame/test-context.ts';
import { run } from '../run.ts';
import { pod, type TestCli, testCli } from '../test-cli.ts';

const pods = '/api/v1/namespaces/default/pods';

/** A command that runs until it is interrupted. */
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

/** Waits until the list is printed and the watch is there: only that can tell of something new. */
async function established(cli: TestCli, output: TestOutput): Promise<void> {
  await output.until(/ADDED/);
  await cli.create(pods, pod('mark'));
  await output.until(/mark/);
}

/** Lets time pass until something is printed; connections take their own time to notice things. */
async function passUntil(clock: VirtualClock, output: TestOutput, pattern: RegExp): Promise<void> {
  while (!pattern.test(output.text)) {
    await clock.advance(1000);
    await nextTurn();
  }
}

test('what is there is printed, then what happens to it, until Ctrl-C', async (t) => {
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

test('JSON comes as one event in a line', async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('before'));
  const { stdout, interrupt } = start(cli, 'watch', 'pods', '--watch-only', '-o', 'json');
  const names = start(cli, 'get', 'pods', '-w', '-o', 'name');
  await names.stdout.until(/pod\/before\n/);
  // Nothing shows that a watch without a list has begun, so things are made until it tells of one.
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

test('an outage is told and got over', async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('web-0'));
  const { stdout, stderr, clock, interrupt } = start(cli, 'watch', 'pods');
  await established(cli, stdout);
  await cli.server.stopServing();
  await stderr.until(/Trying again: .*reset/);
  await cli.server.resume();
  await cli.create(pods, pod('web-1'));
  await passUntil(clock, stdout, /ADDED +web-1/);
  assert.equal(await interrupt(), 130);
  assert.equal(clock.pending, 0);
  assert.equal(stdout.text.match(/web-0/g)?.length, 1);
});

test('when the server has forgotten, the difference is told, deletions included', async (t) => {
  const cli = await testCli(t);
  for (const name of ['stays', 'goes']) await cli.create(pods, pod(name));
  const { stdout, stderr, clock, interrupt } = start(cli, 'watch', 'pods', '-o', 'name');
  await established(cli, stdout);
  await cli.server.stopServing();
  await stderr.until(/Trying again: .*reset/);
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

test('one object is followed by its name, other formats work, refusals end it', async (t) => {
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
