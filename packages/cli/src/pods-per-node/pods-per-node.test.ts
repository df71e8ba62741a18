import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { TestOutput } from '../frame/test-context.ts';
import { run } from '../run.ts';
import { pod, type TestCli, testCli } from '../test-cli.ts';

const pods = '/api/v1/namespaces/default/pods';

interface Running {
  readonly stdout: TestOutput;
  readonly clock: VirtualClock;
  readonly interrupt: () => Promise<number>;
}

function start(cli: TestCli, stdout: TestOutput, ...args: readonly string[]): Running {
  const stop = new AbortController();
  const clock = new VirtualClock();
  const ended = run(
    ['pods-per-node', ...args],
    cli.context({ stdout, clock, signal: stop.signal }),
  );
  return {
    stdout,
    clock,
    interrupt: () => {
      stop.abort();
      return ended;
    },
  };
}

async function withPods(t: Parameters<typeof testCli>[0]): Promise<TestCli> {
  const cli = await testCli(t);
  for (const name of ['a', 'b', 'c']) await cli.create(pods, pod(name, { nodeName: 'node-1' }));
  await cli.create(pods, pod('d', { nodeName: 'node-2', labels: { app: 'web' } }));
  await cli.create(pods, pod('waits'));
  for (const [name, phase] of [
    ['done', 'Succeeded'],
    ['broken', 'Failed'],
  ] as const) {
    await cli.create(pods, pod(name, { nodeName: 'node-2' }));
    await cli.setPhase('default', name, phase);
  }
  return cli;
}

test('counts running and pending pods', async (t) => {
  const cli = await withPods(t);
  const { code, out, err } = await cli.run('pods-per-node', '--watch=false');
  assert.equal(code, 0, err);
  assert.equal(
    out,
    `
NODE     PODS
node-1      3   ${'█'.repeat(60)}
node-2      1   ${'█'.repeat(20)}
<none>      1   ${'█'.repeat(20)}
5 pods on 2 nodes
`.slice(1),
  );
  const chosen = await cli.run('pods-per-node', '--watch=false', '-l', 'app=web', '-o', 'json');
  const { nodes } = JSON.parse(chosen.out) as { nodes: unknown };
  assert.deepEqual(nodes, [{ node: 'node-2', pods: 1 }]);
  const elsewhere = await cli.run('pods-per-node', '--watch=false', '-n', 'shop');
  assert.match(elsewhere.out, /\n0 pods on 0 nodes\n$/);
});

test('sends no requests to print', async (t) => {
  const cli = await withPods(t);
  const requests = cli.server.faults.add({ fault: { kind: 'latency', ms: 0 } });
  const { stdout, clock, interrupt } = start(cli, new TestOutput());
  await stdout.until(/5 pods/);
  const asked = requests.matched;
  assert.ok(asked > 0);
  for (let tick = 0; tick < 100; tick += 1) {
    await clock.advance(1000);
    await nextTurn();
  }
  assert.equal(stdout.text.match(/5 pods on 2 nodes\n/g)?.length, 101);
  assert.equal(requests.matched, asked);
  assert.equal(await interrupt(), 130);
  assert.equal(clock.pending, 0);
});

test('prints only changes with --on-change, one JSON line each', async (t) => {
  const cli = await withPods(t);
  const { stdout, clock, interrupt } = start(cli, new TestOutput(), '--on-change', '-o', 'json');
  await stdout.until(/"node-1","pods":3/);
  // The initial objects are not a change.
  for (let tick = 0; tick < 10; tick += 1) await clock.advance(1000);
  await cli.create(pods, pod('e', { nodeName: 'node-1' }));
  while (!/"node-1","pods":4/.test(stdout.text)) {
    await clock.advance(1000);
    await nextTurn();
  }
  assert.equal(stdout.text.trimEnd().split('\n').length, 2, stdout.text);
  assert.equal(await interrupt(), 130);
});

test('redraws in place on a terminal', async (t) => {
  const cli = await withPods(t);
  const { stdout, clock, interrupt } = start(cli, new TestOutput({ isTTY: true }));
  await stdout.until(/5 pods/);
  stdout.resize(40, 4);
  await clock.advance(1000);
  await stdout.until(/more nodes/);
  assert.equal(await interrupt(), 130);
  const [first, second] = stdout.text.split('\u001B[5A\r\u001B[J');
  assert.match(first ?? '', /^\u001B\[1mNODE/);
  assert.equal(second?.split('\n').length, 5);
});

test('recovers from an outage', async (t) => {
  const cli = await withPods(t);
  const { stdout, clock, interrupt } = start(cli, new TestOutput());
  await stdout.until(/5 pods/);
  await cli.server.stopServing();
  await cli.server.resume();
  await cli.create(pods, pod('e', { nodeName: 'node-3' }));
  while (!/6 pods on 3 nodes/.test(stdout.text)) {
    await clock.advance(1000);
    await nextTurn();
  }
  assert.equal(await interrupt(), 130);
  assert.equal(clock.pending, 0);
});

test('ends when the server refuses', async (t) => {
  const cli = await withPods(t);
  const { code, err } = await cli.run('pods-per-node', '--token', 'wrong');
  assert.equal(code, 1);
  assert.match(err, /^client-ts pods-per-node: .*credentials/);
});
