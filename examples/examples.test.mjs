/** Runs every example against the embedded server and checks its output. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiServer } from '@client-ts/apiserver';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * The output of each example; a regular expression where it varies, and `...` for any number of lines.
 */
const printed = /** @type {Readonly<Record<string, readonly (string | RegExp)[]>>} */ ({
  'any-object.ts': [
    'created ConfigMap settings in default',
    'created ClusterRole pod-reader in the cluster',
    'level info',
  ],
  'apply-file.ts': [
    'Namespace shop created',
    'ConfigMap prices created',
    '-  currency: USD',
    '+  currency: EUR',
  ],
  'collect-events.ts': [
    '0 events at the start',
    'stored 2',
    'Normal Scheduled pod/web-0 (1×): assigned to node-1',
    'Warning Failed pod/web-0 (3×): image not found',
  ],
  'copy.ts': ['sent greeting.txt, 6 bytes', 'hello', '0 entries skipped'],
  'discovery-print.ts': [
    /^Kubernetes v1\.\d+\.\d+$/,
    '...',
    'v1 nodes (Node, cluster-scoped)',
    '...',
    'v1 pods (Pod)',
    '...',
    'apps/v1 deployments (Deployment)',
    'apps/v1 deployments/scale (Scale)',
    '...',
    'storage.k8s.io/v1 storageclasses (StorageClass, cluster-scoped)',
    '...',
    'deploy is short for Deployment in apps/v1',
  ],
  'dynamic-list.ts': [
    'Pod web-0 on node-1',
    '  image example.com/web:1, Running',
    'Pod web-1 on node-1',
    '  image example.com/web:1, Running',
    'Pod worker-0 on node-1',
    '  image example.com/worker:1, Running',
    'expected v1 ConfigMap but got v1 Pod',
  ],
  'exec.ts': [
    'stdout: web-0',
    'stderr: ls: /nowhere: No such file or directory',
    'exit code 3',
    'one',
    'two',
    'three',
  ],
  'logs-of-many.ts': [
    'following app=web',
    /^\[web-[01]\] listening on 80$/,
    /^\[web-[01]\] listening on 80$/,
    '[web-2] listening on 80',
  ],
  'observability.ts': [
    /^{"level":"warn","event":"reconcile.failed","controller":"mirror","code":"WORKQUEUE_RECONCILE_FAILED",/,
    /^{"level":"info","event":"controller.log","controller":"mirror","key":"default\/prices",/,
    'mirror_copies_total 1',
    'leader_election_master_status{name="mirror"} 1',
    'controller_runtime_reconcile_total{controller="mirror",result="error"} 1',
    'controller_runtime_reconcile_total{controller="mirror",result="requeue_after"} 0',
    'controller_runtime_reconcile_total{controller="mirror",result="requeue"} 0',
    'controller_runtime_reconcile_total{controller="mirror",result="success"} 1',
    'span reconcile mirror: links 1',
    'span PATCH /api/v1/namespaces/{namespace}/configmaps/{name}: links 0, child of a reconcile',
    'span reconcile mirror: links 1',
  ],
  'pods-per-node.ts': [
    'pods per node: node-1: 3',
    'pods per node: node-1: 3, node-2: 1',
    'pods per node: node-1: 2, node-2: 1',
  ],
  'port-forward.ts': [
    'Hello from web-0: GET /from-a-port',
    'Hello from web-0: GET /without-a-port',
  ],
  'rest-list.ts': [
    'GET /api/v1/namespaces/default/pods',
    'web-0  example.com/web:1',
    'web-1  example.com/web:1',
    'worker-0  example.com/worker:1',
  ],
  'retry-demo.ts': [
    '   0.000 s  WORKQUEUE_RECONCILE_FAILED flaky: attempt 1 failed: connection refused',
    '   0.000 s  WORKQUEUE_RECONCILE_TERMINAL wrong: attempt 1 failed and is not retried: replicas: -1 is negative',
    '   0.000 s  certificate succeeded at attempt 1',
    '   1.000 s  WORKQUEUE_RECONCILE_FAILED flaky: attempt 2 failed: connection refused',
    '   3.000 s  WORKQUEUE_RECONCILE_FAILED flaky: attempt 3 failed: connection refused',
    '   5.000 s  WORKQUEUE_RECONCILE_TIMED_OUT stuck: attempt 1 timed out: not done after 5000 ms',
    '   6.000 s  stuck succeeded at attempt 2',
    '   7.000 s  WORKQUEUE_RECONCILE_FAILED flaky: attempt 4 failed: connection refused',
    '  15.000 s  flaky succeeded at attempt 5',
    '3000.000 s  certificate succeeded at attempt 1',
    'five items that fail together are retried one by one:',
    '3601.000 s  a succeeded at attempt 2',
    '3601.000 s  b succeeded at attempt 2',
    '3601.000 s  c succeeded at attempt 2',
    '3602.000 s  d succeeded at attempt 2',
    '3604.000 s  e succeeded at attempt 2',
  ],
  'top.ts': [
    /^node-1 \d+m \d+Mi$/,
    /^web-0 \d+m \d+Mi$/,
    /^ {2}web \d+m \d+Mi$/,
    /^web-1 \d+m \d+Mi$/,
    /^ {2}web \d+m \d+Mi$/,
    /^worker-0 \d+m \d+Mi$/,
    /^ {2}worker \d+m \d+Mi$/,
  ],
  'typed-list.ts': [
    'the first 2: web-0 web-1',
    'default/web-0 on node-1, app web',
    'default/web-1 on node-1, app web',
    'default/worker-0 on node-1, app worker',
    /^pods "no-such-pod" not found \(GET \S+ on \S+\)$/,
  ],
  'update-handler-resync.ts': [
    'watching 3 pods',
    '...',
    /^\[\d\d:\d\d:\d\d\] default\/web-0 changed$/,
    /^\[\d\d:\d\d:\d\d\] default\/web-0 unchanged$/,
    /^\[\d\d:\d\d:\d\d\] default\/web-1 unchanged$/,
    /^\[\d\d:\d\d:\d\d\] default\/worker-0 unchanged$/,
  ],
  'watch-all.ts': ['init: web-0 web-1 worker-0', 'applied web-0', '...', 'deleted web-1'],
  'watch-namespaces.ts': [
    'added default (initial list)',
    'added kube-node-lease (initial list)',
    'added kube-public (initial list)',
    'added kube-system (initial list)',
    '4 namespaces: default kube-node-lease kube-public kube-system',
    'added shop',
    'updated shop: Active → Terminating',
    'deleted shop',
  ],
  'watch-with-resume.ts': [
    '3 pods',
    'MODIFIED web-0 {"app":"web","seen":"before"}',
    'connection lost, resuming',
    'MODIFIED web-0 {"app":"web","seen":"meanwhile"}',
    'ADDED web-2 {"app":"web"}',
  ],
});

/** Flags that shorten waits. @type {Readonly<Record<string, readonly string[]>>} */
const flags = {
  'pods-per-node.ts': ['--period', '1'],
  'update-handler-resync.ts': ['--resync', '1'],
};

/** Examples that run until they are interrupted, and their first line of output. */
const endless = /** @type {Readonly<Record<string, RegExp>>} */ ({
  'collect-events.ts': /^\d+ events at the start/,
  'logs-of-many.ts': /^following /,
  'pods-per-node.ts': /^pods per node: /,
  'update-handler-resync.ts': /^watching /,
  'watch-all.ts': /^init: /,
  'watch-namespaces.ts': /^\d+ namespaces/,
  'watch-with-resume.ts': /^\d+ pods/,
});

/** Examples with failures on purpose, and the warnings they cause. */
const warned = /** @type {Readonly<Record<string, RegExp>>} */ ({
  'watch-with-resume.ts':
    /^\S+ client-ts warn: the watch of pods .* fails, next attempt in .*\n\S+ client-ts warn: the watch of pods .* works again\n$/,
});

describe('examples', () => {
  it('observability.ts names the receiver of traces that refuses, in one line', async () => {
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const { stderr } = await run(process.execPath, [`${here}observability.ts`], { env });
    assert.match(stderr, /^traces cannot be sent to http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/);
  });

  for (const [file, expected] of Object.entries(printed)) {
    it(`${file} prints the expected output`, async () => {
      const { stdout, stderr } = await run(process.execPath, [here + file, ...(flags[file] ?? [])]);
      const lines = stdout.trimEnd().split('\n');
      for (const [index, wanted] of expected.entries()) {
        if (wanted === '...') skipTo(lines, expected[index + 1] ?? '');
        else if (typeof wanted === 'string') assert.equal(lines.shift(), wanted);
        else assert.match(lines.shift() ?? '', wanted);
      }
      assert.deepEqual(lines, []);
      assert.match(stderr, warned[file] ?? /^$/);
    });
  }

  it('exit cleanly when they are interrupted, on any cluster', async (t) => {
    const server = await ApiServer.start();
    t.after(() => server[Symbol.asyncDispose]());
    const folder = await mkdtemp(join(tmpdir(), 'client-ts-examples-'));
    t.after(() => rm(folder, { recursive: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, server.kubeconfig);
    await Promise.all(
      Object.entries(endless).map(([file, isRunning]) =>
        interrupt([here + file, '--kubeconfig', kubeconfig], isRunning),
      ),
    );
  });

  it('has a test for each', async () => {
    const files = await readdir(here);
    const examples = files.filter((name) => name.endsWith('.ts'));
    assert.deepEqual(examples.toSorted(), Object.keys(printed).toSorted());
  });
});

/** @param {string[]} args @param {RegExp} isRunning */
async function interrupt(args, isRunning) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += chunk));
  for await (const line of createInterface({ input: child.stdout })) {
    if (isRunning.test(line)) child.kill('SIGINT');
  }
  assert.deepEqual([...(await ended), complaints], [0, null, ''], args[0]);
}

/** @param {string[]} lines @param {string | RegExp} wanted */
function skipTo(lines, wanted) {
  const found = lines.findIndex((line) =>
    typeof wanted === 'string' ? line === wanted : wanted.test(line),
  );
  assert.notEqual(found, -1, `there is no line ${wanted}`);
  lines.splice(0, found);
}
