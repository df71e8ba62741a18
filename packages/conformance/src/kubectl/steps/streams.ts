import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Kubectl, Step } from '../kubectl.ts';

/** The pod of these steps. It serves HTTP on this port and writes log lines. */
const POD = 'runner';
const PORT = 8080;

/** Creates a running pod: these steps need no scheduler. */
async function createPod(kubectl: Kubectl, name: string, container: object): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { set: 'streams', pod: name } },
    spec: {
      nodeName: 'streams-node',
      containers: [{ name: 'app', image: 'registry.example.com/app:1', ...container }],
    },
  };
  await kubectl.okWith({ input: pod }, 'create', '-f', '-');
  const status = {
    phase: 'Running',
    podIP: '10.1.2.3',
    podIPs: [{ ip: '10.1.2.3' }],
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [
      {
        name: 'app',
        image: 'app',
        imageID: 'app',
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  };
  const patch = JSON.stringify({ status });
  await kubectl.ok('patch', 'pod', name, '--subresource=status', '--type=merge', '-p', patch);
}

/** Logs, commands and ports of pods. The server needs a kubelet: the embedded one gets a fake. */
export const streamSteps: readonly Step[] = [
  {
    name: 'streams: a node and its pods',
    needsKubelet: true,
    run: async (kubectl) => {
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'streams-node' } };
      await kubectl.okWith({ input: node }, 'create', '-f', '-');
      await createPod(kubectl, POD, { ports: [{ containerPort: PORT }] });
      await createPod(kubectl, 'reader', { command: ['cat'], stdin: true });
      await createPod(kubectl, 'console', { command: ['sh'], stdin: true, tty: true });
    },
  },
  {
    name: 'logs, with --tail, --timestamps and -f',
    needsKubelet: true,
    run: async (kubectl) => {
      await using following = kubectl.start('logs', '-f', POD);
      await following.until(/line=2 /);
      const last = await kubectl.ok('logs', POD, '--tail=1', '--timestamps');
      assert.match(last, /^\d{4}-\d\d-\d\dT[\d:]+\.\d{9}Z .*\n$/);
      assert.match(
        await kubectl.fails({}, 'logs', POD, '--previous'),
        /previous terminated container/,
      );
      assert.match(
        await kubectl.ok('logs', '-l', 'set=streams', '--prefix'),
        /\[pod\/runner\/app\]/,
      );
    },
  },
  {
    name: 'exec: output, input and exit code, over WebSocket and SPDY',
    needsKubelet: true,
    run: async (kubectl) => {
      for (const websockets of ['true', 'false']) {
        const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: websockets };
        assert.equal(await kubectl.okWith({ env }, 'exec', POD, '--', 'echo', 'hello'), 'hello\n');
        const input = 'from here\n'.repeat(20_000);
        assert.equal(await kubectl.okWith({ env, input }, 'exec', '-i', POD, '--', 'cat'), input);
        const { code, stderr } = await kubectl.run(
          { env },
          'exec',
          POD,
          '--',
          'sh',
          '-c',
          'exit 7',
        );
        assert.equal(code, 7);
        assert.match(stderr, /exit code 7/);
        assert.match(
          await kubectl.fails({ env }, 'exec', POD, '--', 'nosuch'),
          /"nosuch": executable file not found/,
        );
      }
    },
  },
  {
    name: 'exec -it: a shell',
    needsKubelet: true,
    run: async (kubectl) => {
      await using shell = await kubectl.onTerminal('exec', '-it', POD, '--', 'sh');
      if (shell === undefined) return;
      await shell.until(/\/ # /);
      shell.type('echo name=$HOSTNAME > /tmp/name\rcat /tmp/name\r');
      await shell.until(/name=runner\r\n/);
      shell.type('exit 3\r');
      await shell.until(/command terminated with exit code 3/);
    },
  },
  {
    name: 'attach',
    needsKubelet: true,
    run: async (kubectl) => {
      await using attached = kubectl.interact('attach', '-i', 'reader');
      attached.type('first line\n');
      await attached.until(/first line/);
      assert.match(await kubectl.ok('logs', 'reader'), /^first line$/m);
    },
  },
  {
    name: 'port-forward, over WebSocket and SPDY',
    needsKubelet: true,
    run: async (kubectl) => {
      for (const websockets of ['true', 'false']) {
        const env = { KUBECTL_PORT_FORWARD_WEBSOCKETS: websockets };
        await using forwarding = kubectl.startWith(env, 'port-forward', POD, `:${PORT}`);
        const output = await forwarding.until(/127\.0\.0\.1:(\d+) -> 8080/);
        const port = /127\.0\.0\.1:(\d+)/.exec(output)?.[1] ?? '';
        const answer = await fetch(`http://127.0.0.1:${port}/path`);
        assert.equal(await answer.text(), 'Hello from runner: GET /path\n');
        const body = 'x'.repeat(1_000_000);
        const echo = await fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', body });
        assert.equal(await echo.text(), body);
      }
    },
  },
  {
    name: 'proxy: get --raw and proxy, to pods, services and nodes',
    needsKubelet: true,
    run: async (kubectl) => {
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: POD, labels: { set: 'streams' } },
        spec: { selector: { pod: POD }, ports: [{ port: 80, targetPort: PORT }] },
      };
      await kubectl.okWith({ input: service }, 'create', '-f', '-');
      const namespaced = `/api/v1/namespaces/${kubectl.namespace}`;
      const pod = `${namespaced}/pods/${POD}:${PORT}/proxy/path?q=1`;
      assert.equal(await kubectl.ok('get', '--raw', pod), 'Hello from runner: GET /path?q=1\n');
      assert.equal(
        await kubectl.ok('get', '--raw', '/api/v1/nodes/streams-node/proxy/healthz'),
        'ok',
      );
      await using proxying = kubectl.start('proxy', '--port=0');
      const output = await proxying.until(/127\.0\.0\.1:(\d+)/);
      const base = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(output)?.[1] ?? ''}`;
      const answer = await fetch(`${base}${namespaced}/services/${POD}:80/proxy/`);
      assert.match(await answer.text(), /^Hello from /);
      const refused = await fetch(`${base}${namespaced}/pods/${POD}:1/proxy/`);
      assert.equal(refused.status, 503);
      await kubectl.ok('delete', 'service', POD);
    },
  },
  {
    name: 'cp, there and back',
    needsKubelet: true,
    run: async (kubectl) => {
      const folder = await mkdtemp(join(tmpdir(), 'kubectl-cp-'));
      try {
        const content = Buffer.alloc(300_000, 'content ');
        await mkdir(join(folder, 'out', 'deep'), { recursive: true });
        await writeFile(join(folder, 'out', 'deep', 'file'), content);
        await kubectl.ok('cp', join(folder, 'out'), `${POD}:/tmp/copied`);
        await kubectl.ok('cp', `${POD}:/tmp/copied`, join(folder, 'back'));
        assert.ok((await readFile(join(folder, 'back', 'deep', 'file'))).equals(content));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: 'top pods and nodes',
    needsKubelet: true,
    run: async (kubectl) => {
      assert.match(await kubectl.ok('top', 'pods'), /^runner +\d+m +\d+Mi/m);
      assert.match(await kubectl.ok('top', 'pods', '--containers'), /^runner +app +\d+m +\d+Mi/m);
      assert.match(await kubectl.ok('top', 'nodes'), /^streams-node +\d+m/m);
      await kubectl.ok('delete', 'pods', '-l', 'set=streams', '--force', '--grace-period=0');
      await kubectl.ok('delete', 'node', 'streams-node');
    },
  },
];
