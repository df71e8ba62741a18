import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { testContext, TestOutput } from '../frame/test-context.ts';
import { run } from '../run.ts';

const manifests = `
apiVersion: example.com/v1
kind: Widget
metadata: { name: one }
spec: { size: 3 }
---
# Nothing in this one.
---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: c, namespace: shop }, data: { a: b } }
  - { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget, shortNames: [wd] }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-serve-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('serves what was loaded, for its owner only, until Ctrl-C', async (t) => {
  const directory = folder(t);
  writeFileSync(join(directory, 'all.yaml'), manifests);
  const stop = new AbortController();
  const stdout = new TestOutput();
  const args = ['--load', 'all.yaml', '--kubeconfig-out', 'a/kubeconfig', '--token', 's3cret'];
  const serving = run(
    ['serve', ...args],
    testContext({ stdout, workingDirectory: directory, signal: stop.signal }),
  );
  await stdout.until(/Ctrl-C stops it/);
  const kubeconfig = join(directory, 'a', 'kubeconfig');
  assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
  assert.match(readFileSync(kubeconfig, 'utf8'), /s3cret/);
  assert.match(
    stdout.text,
    /^customresourcedefinition\.apiextensions\.k8s\.io\/widgets\.example\.com applied\nnamespace\/shop applied\nwidget\.example\.com\/one applied\nconfigmap\/c applied\nA Kubernetes API server is running at https:\/\/127\.0\.0\.1:\d+\n/,
  );
  assert.ok(stdout.text.includes(`export KUBECONFIG='${kubeconfig}'`));
  assert.doesNotMatch(stdout.text, /s3cret/);

  const env = { KUBECONFIG: kubeconfig, KUBECACHEDIR: join(directory, 'cache') };
  const got = testContext({ env });
  assert.equal(await run(['get', 'wd/one', 'cm/c', '-n', 'default', '-o', 'name'], got), 1);
  assert.equal(got.text(), 'widget.example.com/one\n');
  stop.abort();
  assert.equal(await serving, 0);
  assert.match(stdout.text, /Stopping\.\n$/);
});

test('makes the pods of workloads with simulated controllers', async (t) => {
  const directory = folder(t);
  const labels = { app: 'web' };
  const template = {
    metadata: { labels },
    spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a', command: ['unknown'] }] },
  };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: { template } };
  writeFileSync(join(directory, 'job.json'), JSON.stringify(job));
  const stop = new AbortController();
  const stdout = new TestOutput();
  const args = ['--load', 'job.json', '--kubeconfig-out', 'kubeconfig', '--controllers=simulated'];
  const serving = run(
    ['serve', ...args],
    testContext({ stdout, workingDirectory: directory, signal: stop.signal }),
  );
  await stdout.until(/Ctrl-C stops it/);
  const env = { KUBECONFIG: join(directory, 'kubeconfig'), KUBECACHEDIR: join(directory, 'cache') };
  const wait = testContext({ env });
  const code = await run(['wait', 'job/a', '-n', 'default', '--for=condition=Complete'], wait);
  assert.equal(code, 0, wait.errorText());
  stop.abort();
  assert.equal(await serving, 0);
});

test('follows a symbolic link only if the user names it, and restricts the mode', async (t) => {
  const directory = folder(t);
  const [link, victim] = [join(directory, '.kube', 'client-ts.kubeconfig'), join(directory, 'v')];
  mkdirSync(join(directory, '.kube'));
  writeFileSync(victim, 'mine', { mode: 0o644 });
  symlinkSync(victim, link);
  const serveOnce = async (...args: readonly string[]): Promise<void> => {
    const stop = new AbortController();
    const stdout = new TestOutput();
    const context = testContext({ stdout, workingDirectory: directory, signal: stop.signal });
    const serving = run(['serve', ...args], context);
    await stdout.until(/Ctrl-C stops it/);
    stop.abort();
    assert.equal(await serving, 0);
  };
  await serveOnce('--kubeconfig-out', '.kube/client-ts.kubeconfig');
  assert.match(readFileSync(victim, 'utf8'), /kind: Config/);
  assert.equal(statSync(victim).mode & 0o777, 0o600);
  assert.ok(lstatSync(link).isSymbolicLink());

  writeFileSync(victim, 'mine');
  await serveOnce();
  assert.equal(readFileSync(victim, 'utf8'), 'mine');
  assert.ok(lstatSync(link).isFile());
  assert.equal(statSync(link).mode & 0o777, 0o600);
});

test('a failed --load names the file and leaves nothing behind', async (t) => {
  const directory = folder(t);
  const cases: [content: string | undefined, message: RegExp][] = [
    [undefined, /x\.yaml cannot be read: ENOENT/],
    ['a: [', /document 1 of .*x\.yaml is not YAML/],
    ['a: 1\na: 2', /document 1 of .*x\.yaml is not YAML: a key is set twice/],
    ['kind: ConfigMap\napiVersion: v1', /document 1 of .*x\.yaml has no metadata\.name/],
    [
      '---\nkind: Nope\napiVersion: v1\nmetadata: {name: a}',
      /1 of 1 objects were not applied: Nope a: no matches/,
    ],
  ];
  for (const [content, message] of cases) {
    if (content !== undefined) writeFileSync(join(directory, 'x.yaml'), content);
    const context = testContext({ workingDirectory: directory });
    assert.equal(await run(['serve', '--load', 'x.yaml'], context), 1);
    assert.match(context.errorText(), message);
    assert.doesNotMatch(context.text(), /running/);
    assert.deepEqual(readdirSync(directory), content === undefined ? [] : ['x.yaml']);
  }
});

test('reports a port in use and an unwritable path', async (t) => {
  const directory = folder(t);
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const taken = testContext({ workingDirectory: directory });
  assert.equal(await run(['serve', '--port', String(port)], taken), 1);
  assert.match(taken.errorText(), new RegExp(`^client-ts serve: .*${port}`));

  writeFileSync(join(directory, 'file'), '');
  const unwritable = testContext({ workingDirectory: directory });
  assert.equal(await run(['serve', '--kubeconfig-out', 'file/kubeconfig'], unwritable), 1);
  assert.match(unwritable.errorText(), /cannot write .*Name another file with --kubeconfig-out\./);
});

test('a second server in a directory is refused, and the first keeps its kubeconfig', async (t) => {
  const directory = folder(t);
  const stop = new AbortController();
  const stdout = new TestOutput();
  const first = run(
    ['serve'],
    testContext({ stdout, workingDirectory: directory, signal: stop.signal }),
  );
  await stdout.until(/Ctrl-C stops it/);
  const kubeconfig = join(directory, '.kube/client-ts.kubeconfig');
  const before = readFileSync(kubeconfig, 'utf8');
  for (const command of ['serve', 'simulate', 'demo']) {
    const second = testContext({ workingDirectory: directory });
    assert.equal(await run([command], second), 1);
    assert.match(
      second.errorText(),
      new RegExp(`another client-ts server runs in this directory: .* process ${process.pid} on`),
    );
  }
  assert.equal(readFileSync(kubeconfig, 'utf8'), before);
  stop.abort();
  assert.equal(await first, 0);
  assert.deepEqual(readdirSync(directory), ['.kube']);
});

const withoutSqlite =
  process.getBuiltinModule('node:sqlite' as string) === undefined && 'needs node:sqlite';

test('--data keeps objects, token and authority', { skip: withoutSqlite }, async (t) => {
  const directory = folder(t);
  writeFileSync(
    join(directory, 'map.yaml'),
    'kind: ConfigMap\napiVersion: v1\nmetadata: {name: kept}',
  );
  const kubeconfig = join(directory, 'kubeconfig');
  const flags = ['--data', 'data', '--kubeconfig-out', 'kubeconfig'];
  const serveOnce = async (args: readonly string[], use: () => Promise<void>): Promise<void> => {
    const stop = new AbortController();
    const stdout = new TestOutput();
    const context = testContext({ stdout, workingDirectory: directory, signal: stop.signal });
    const serving = run(['serve', ...flags, ...args], context);
    await stdout.until(/Ctrl-C stops it/);
    await use();
    stop.abort();
    assert.equal(await serving, 0);
  };
  const withoutAddress = (): string => readFileSync(kubeconfig, 'utf8').replace(/server: .*/, '');
  let first = '';
  await serveOnce(['--load', 'map.yaml'], async () => {
    first = withoutAddress();
    const second = testContext({ workingDirectory: directory });
    assert.equal(await run(['serve', ...flags], second), 1);
    assert.match(second.errorText(), /cluster\.db" is in use by another server/);
  });
  await serveOnce([], async () => {
    assert.equal(withoutAddress(), first);
    const got = testContext({
      env: { KUBECONFIG: kubeconfig, KUBECACHEDIR: join(directory, 'cache') },
    });
    assert.equal(await run(['get', 'cm/kept', '-o', 'name'], got), 0);
  });
});
