import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext as NodeTestContext } from 'node:test';

import { FakeKubelet, type Program } from '@client-ts/simulator';

import { RESTClient } from 'client-ts/rest';

import type { TestOutput } from '../frame/test-context.ts';
import { testInput, TestOutput as Recorded } from '../frame/test-context.ts';
import { run } from '../run.ts';
import { testCli, type TestCli } from '../test-cli.ts';
import { parsePlace } from './cp.ts';
import { parsePort } from './port-forward.ts';

const fail: Program = ({ stdout }) => {
  stdout.write('hello\n');
  return 3;
};

/** The real one, with the files of this machine. */
const tar: Program = async ({ args, stdin, stdout, stderr }) => {
  const child = spawn('tar', args.slice(1));
  stdin.pipe(child.stdin);
  child.stdout.pipe(stdout, { end: false });
  child.stderr.pipe(stderr, { end: false });
  const [code] = (await once(child, 'close')) as [number];
  return code;
};

/** A cluster with a node, and pods whose containers run. */
async function cluster(t: NodeTestContext, ...pods: readonly object[]): Promise<TestCli> {
  const kubelet = new FakeKubelet({ programs: { fail, tar } });
  const cli = await testCli(t, { kubelet });
  t.after(() => kubelet.close());
  await cli.create('/api/v1/nodes', {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'node-1' },
  });
  for (const pod of pods) await cli.create('/api/v1/namespaces/default/pods', pod);
  return cli;
}

function podOf(name: string, command: readonly string[], labels = {}): object {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, labels },
    spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'app:v1', command }] },
  };
}

test('exec prints what the command prints and ends with its exit code', async (t) => {
  const cli = await cluster(t, podOf('web-0', ['sleep', 'infinity']));
  const { code, out, err } = await cli.run('exec', 'web-0', '--', 'fail');
  assert.deepEqual({ code, out }, { code: 3, out: 'hello\n' });
  // The pod may not be running yet when the command asks for it.
  assert.match(
    err,
    /^(Waiting for a running pod of Pod web-0…\n)?command terminated with exit code 3\n$/,
  );
  const wrong = await cli.run('exec', 'web-0');
  assert.equal(wrong.code, 2);
  const missing = await cli.run('exec', 'web-9', '--', 'ls');
  assert.equal(missing.code, 1);
  assert.match(missing.err, /pods "web-9" not found/);
});

test('exec -i passes standard input on, to its end', async (t) => {
  const cli = await cluster(t, podOf('web-0', ['sleep', 'infinity']));
  const context = cli.context({ stdin: testInput('from here\n') });
  assert.equal(await run(['exec', '-i', 'web-0', '-c', 'app', '--', 'cat'], context), 0);
  assert.equal(context.text(), 'from here\n');
});

test('logs prints lines, of one pod or of all pods of a selector', async (t) => {
  const web = { app: 'web' };
  const cli = await cluster(
    t,
    podOf('web-0', ['echo', 'hello from 0'], web),
    podOf('web-1', ['echo', 'hello from 1'], web),
  );
  // A container starts when it is first asked for: following it waits for its end.
  await cli.run('logs', 'web-1', '-f');
  const one = await cli.run('logs', 'pod/web-0', '-f');
  assert.deepEqual({ code: one.code, out: one.out }, { code: 0, out: 'hello from 0\n' });
  const stamped = await cli.run('logs', 'web-0', '--timestamps', '--tail', '1');
  assert.match(stamped.out, /^\d{4}-\d\d-\d\dT[\d:.]+Z hello from 0\n$/);
  const rest = RESTClient.over(cli.server.transport());
  for (const name of ['web-0', 'web-1']) {
    const path = `/api/v1/namespaces/default/pods/${name}/status`;
    const state = { terminated: { exitCode: 0 } };
    const status = {
      name: 'app',
      containerID: `x://${name}`,
      state,
      ready: false,
      restartCount: 0,
    };
    const full = { ...status, image: 'app:v1', imageID: '' };
    await rest
      .patch('merge')
      .absPath(path)
      .body({ status: { containerStatuses: [full] } })
      .do();
  }
  const all = await cli.run('logs', '-l', 'app=web', '--prefix');
  assert.equal(all.out, '[pod/web-0/app] hello from 0\n[pod/web-1/app] hello from 1\n');
  const tooMany = await cli.run('logs', '-l', 'app=web', '-f', '--max-log-requests', '1');
  assert.match(tooMany.err, /attempting to follow 2 log streams/);
  const usage = await cli.run('logs');
  assert.equal(usage.code, 2);
  const both = await cli.run(
    'logs',
    'web-0',
    '--since',
    '5s',
    '--since-time',
    '2026-01-01T00:00:00Z',
  );
  assert.equal(both.code, 2);
});

test('cp copies into a container and back', async (t) => {
  const cli = await cluster(t, podOf('web-0', ['sleep', 'infinity']));
  await mkdir(join(cli.directory, 'tree'));
  await writeFile(join(cli.directory, 'tree', 'file'), 'contents');
  const remote = join(cli.directory, 'remote');
  const there = await cli.run('cp', 'tree', `web-0:${remote}`);
  assert.deepEqual(there, { code: 0, out: '', err: '' });
  const back = await cli.run('cp', `default/web-0:${join(remote, 'file')}`, 'back');
  assert.deepEqual(back, { code: 0, out: '', err: '' });
  assert.equal(await readFile(join(cli.directory, 'back'), 'utf8'), 'contents');
  assert.equal((await cli.run('cp', 'a', 'b')).code, 2);
});

test('logs of all pods of a deployment have prefixes', async (t) => {
  const labels = { app: 'web' };
  const cli = await cluster(
    t,
    podOf('web-0', ['echo', 'hello from 0'], labels),
    podOf('web-1', ['echo', 'hello from 1'], labels),
    podOf('other', ['echo', 'hello from other']),
  );
  const containers = [{ name: 'app', image: 'app:v1' }];
  await cli.create('/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
  const rest = RESTClient.over(cli.server.transport());
  for (const name of ['web-0', 'web-1', 'other']) {
    await cli.run('logs', name, '-f');
    const state = { running: { startedAt: '2026-01-01T00:00:00Z' } };
    const status = { name: 'app', image: 'app:v1', imageID: '', ready: true, restartCount: 0 };
    const containerStatuses = [{ ...status, containerID: `x://${name}`, state }];
    const path = `/api/v1/namespaces/default/pods/${name}/status`;
    const body = { status: { phase: 'Running', containerStatuses } };
    await rest.patch('merge').absPath(path).body(body).do();
  }
  const all = await cli.run('logs', 'deploy/web', '--all-pods');
  assert.equal(all.out, '[pod/web-0/app] hello from 0\n[pod/web-1/app] hello from 1\n', all.err);
  const wrong = await cli.run('logs', 'web-0', '--all-pods');
  assert.equal(wrong.code, 2);
  const restarted = { name: 'app', image: '', imageID: '', ready: false, restartCount: 2 };
  const path = '/api/v1/namespaces/default/pods/web-1/status';
  const body = { status: { containerStatuses: [restarted] } };
  await rest.patch('merge').absPath(path).body(body).do();
  const one = await cli.run('logs', 'deploy/web');
  assert.equal(one.out, 'hello from 1\n', one.err);
  assert.equal(one.err, 'Found 2 pods, using pod/web-1\n');
});

test('exec waits for a running pod of a workload', async (t) => {
  const labels = { app: 'web' };
  const cli = await cluster(t);
  const containers = [{ name: 'app', image: 'app:v1' }];
  await cli.create('/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
  const command = ['exec', 'deploy/web', '--pod-running-timeout'];
  const none = await cli.run(...command, '0', '--', 'fail');
  assert.equal(none.code, 1);
  assert.match(none.err, /has no pod to connect to: none of its 0 pods is running/);
  const context = cli.context();
  const running = run([...command, '10m', '--', 'fail'], context);
  await cli.create(
    '/api/v1/namespaces/default/pods',
    podOf('web-0', ['sleep', 'infinity'], labels),
  );
  await cli.setPhase('default', 'web-0', 'Running');
  assert.equal(await running, 3);
  assert.equal(context.text(), 'hello\n');
});

test('cp begins again when a copy from a container breaks', async (t) => {
  const cli = await cluster(t, podOf('web-0', ['sleep', 'infinity']));
  const source = join(cli.directory, 'source');
  await writeFile(source, 'contents');
  const reset = { kind: 'reset', at: 'before-handling' } as const;
  const breakTwice = (): void => {
    cli.server.faults.add({ match: { subresource: 'exec' }, fault: reset, count: 2 });
  };
  breakTwice();
  const copy = ['cp', `web-0:${source}`, 'target', '--retries'];
  const { code, err } = await cli.run(...copy, '2');
  assert.equal(code, 0, err);
  assert.equal(err.match(/^Retrying: /gm)?.length, 2);
  assert.equal(await readFile(join(cli.directory, 'target'), 'utf8'), 'contents');
  breakTwice();
  assert.equal((await cli.run(...copy, '1')).code, 1);
});

test('port-forward forwards until it is interrupted', async (t) => {
  const cli = await cluster(t, podOf('web-0', ['echo-server', '7000']));
  await cli.run('logs', 'web-0');
  const stop = new AbortController();
  const stdout: TestOutput = new Recorded();
  const context = cli.context({ signal: stop.signal, stdout });
  const running = run(['port-forward', 'web-0', ':7000', '--address', '127.0.0.1'], context);
  await stdout.until(/Forwarding from 127\.0\.0\.1:\d+ -> 7000\n/);
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(stdout.text)?.[1]);
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.end('hello');
  assert.equal(await text(socket), 'hello');
  assert.match(stdout.text, new RegExp(`Handling connection for ${port}\n`));
  stop.abort();
  assert.ok([0, 130].includes(await running));
});

test('the arguments of cp and port-forward are those of kubectl', () => {
  assert.deepEqual(parsePlace('web-0:/etc/hosts'), {
    namespace: undefined,
    pod: 'web-0',
    path: '/etc/hosts',
  });
  assert.deepEqual(parsePlace('default/web-0:hosts'), {
    namespace: 'default',
    pod: 'web-0',
    path: 'hosts',
  });
  for (const local of ['./web-0:x', '/tmp/x', 'file', 'a/b/c:d']) {
    assert.equal(parsePlace(local).pod, undefined, local);
  }
  assert.deepEqual(parsePort('80'), { local: 80, remote: 80 });
  assert.deepEqual(parsePort('8080:80'), { local: 8080, remote: 80 });
  assert.deepEqual(parsePort(':80'), { local: 0, remote: 80 });
  assert.deepEqual(parsePort('http'), { local: 0, remote: 'http' });
  for (const wrong of ['', ':', '0', '70000', 'a:b:c', 'x:80', '-1']) {
    assert.throws(() => parsePort(wrong), { name: 'UsageError' }, wrong);
  }
});
