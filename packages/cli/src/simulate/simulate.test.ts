import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { Clientset } from 'client-ts/kubernetes';
import { conditions, waitFor } from 'client-ts/wait';

import { testContext } from '../frame/test-context.ts';
import { run } from '../run.ts';
import { testCli } from '../test-cli.ts';

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'client-ts-simulate-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

describe('client-ts simulate', () => {
  it('starts an embedded server, prints how to watch it, and ends with the signal', async (t) => {
    const workingDirectory = directory(t);
    const stop = new AbortController();
    const context = testContext({ workingDirectory, signal: stop.signal });
    const out = context.out.bind(context);
    const ready = new Promise<void>((resolve) => {
      context.out = (line) => {
        out(line);
        if (line.startsWith('Ctrl-C')) resolve();
      };
    });
    const running = run(['simulate', '--nodes', '2', '--deployments', '1'], context);
    await ready;
    const kubeconfig = join(workingDirectory, '.kube/client-ts.kubeconfig');
    assert.match(
      context.text(),
      /Simulating 2 nodes and 1 deployments in namespace shop at https:/,
    );
    assert.ok(context.text().includes(`kubectl --kubeconfig ${kubeconfig} get pods`));
    assert.match(readFileSync(kubeconfig, 'utf8'), /current-context/);
    assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
    stop.abort();
    assert.equal(await running, 0);
    assert.equal(context.errorText(), '');
  });

  it('runs on a named server with --yes', async (t) => {
    const cli = await testCli(t);
    const stop = new AbortController();
    const context = cli.context({ signal: stop.signal });
    const args = ['--kubeconfig', cli.kubeconfig, '--yes', '-n', 'other', '--rate', '50'];
    const running = run(['simulate', '--deployments', '1', ...args], context);
    await using client = new Clientset(cli.server.config);
    await waitFor(client.appsV1.deployments('other'), 'web', conditions.deploymentAvailable);
    stop.abort();
    assert.equal(await running, 0);
    const kubectl = `kubectl --kubeconfig ${cli.kubeconfig}`;
    assert.ok(context.text().includes(`Watch it with: ${kubectl} get pods --namespace other`));
    const remove = `${kubectl} delete namespaces,nodes -l client-ts/simulated=true`;
    assert.ok(context.text().includes(`Remove the objects with: ${remove}`));
    const labelled = { labelSelector: 'client-ts/simulated=true' };
    const { items } = await client.coreV1.namespaces().list(labelled);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['other'],
    );
    assert.ok(!existsSync(join(cli.directory, '.kube')));
  });

  it('does not write to a named server without --yes', async (t) => {
    const cli = await testCli(t);
    const { code, err } = await cli.run('simulate', '--kubeconfig', cli.kubeconfig);
    assert.equal(code, 2);
    assert.match(err, /creates nodes, deployments, pods and events on .*: confirm with --yes/);
    await using client = new Clientset(cli.server.config);
    assert.deepEqual((await client.coreV1.nodes().list()).items, []);
  });

  it('does not write to a cluster with nodes of its own', async (t) => {
    const cli = await testCli(t);
    await cli.create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'real-one' },
    });
    const { code, err } = await cli.run('simulate', '--kubeconfig', cli.kubeconfig, '--yes');
    assert.equal(code, 1);
    assert.match(err, /has nodes of its own \(real-one\)/);
  });

  it('ignores the server of the environment', async (t) => {
    const cli = await testCli(t);
    const stop = new AbortController();
    const context = cli.context({ signal: stop.signal });
    const running = run(['simulate'], context);
    stop.abort();
    await running;
    await using client = new Clientset(cli.server.config);
    assert.deepEqual((await client.coreV1.nodes().list()).items, []);
  });

  it('validates its numbers', async () => {
    for (const rate of ['0', '-1', 'fast', '1001']) {
      const context = testContext();
      assert.equal(await run(['simulate', `--rate=${rate}`], context), 2, rate);
      assert.match(context.errorText(), /--rate must be a number above 0/);
    }
  });
});
