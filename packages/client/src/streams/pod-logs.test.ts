import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { logsOf, type PodLogLine } from './pod-logs.ts';
import { collect, TestPodServer } from './test-pod-server.ts';

interface TestPod {
  readonly name: string;
  readonly containers: readonly string[];
  readonly instance?: string;
}

function podOf({ name, containers, instance = '1' }: TestPod, version: number): object {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { namespace: 'default', name, uid: name, resourceVersion: String(version) },
    spec: {
      containers: containers.filter((one) => one !== 'init').map((one) => ({ name: one })),
    },
    status: {
      containerStatuses: containers.map((one) => ({
        name: one,
        ...(instance !== '' && { containerID: `${one}-${instance}` }),
        restartCount: 0,
        state: { terminated: { exitCode: 0 } },
      })),
    },
  };
}

/** A server with pods, whose watch the test feeds. */
async function start(pods: readonly TestPod[]): Promise<{
  readonly server: TestPodServer;
  readonly logs: string[];
  readonly watch: Promise<ServerResponse>;
}> {
  const logs: string[] = [];
  const watch = new Deferred<ServerResponse>();
  const onRequest = ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, 'http://server');
    if (pathname.endsWith('/log')) {
      const [pod, container] = [pathname.split('/').at(-2), searchParams.get('container')];
      logs.push(`${pod} ${container} ${searchParams.get('tailLines')}`);
      response.end(`2026-01-01T00:00:00Z hello from ${pod}\n`);
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (searchParams.get('watch') === 'true') {
      response.flushHeaders();
      watch.resolve(response);
    } else if (pathname.endsWith('/pods')) {
      const items = pods.map((pod) => podOf(pod, 1));
      const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items };
      response.end(JSON.stringify(list));
    } else response.end(JSON.stringify(podOf({ name: 'x', containers: ['app'] }, 1)));
  };
  const server = await TestPodServer.start(() => undefined, { onRequest });
  return { server, logs, watch: watch.promise };
}

const shown = ({ pod, container }: PodLogLine): string => `${pod}/${container}`;

describe('the logs of many pods', () => {
  it('are read one after the other, of regular containers', async () => {
    const pods = [
      { name: 'a', containers: ['init', 'app', 'proxy'] },
      { name: 'b', containers: ['app'] },
    ];
    const { server } = await start(pods);
    await using _server = server;
    await using client = server.client();
    const read = async (options: object): Promise<string[]> =>
      (await collect(logsOf(client, 'default', { timestamps: true, ...options }))).map(shown);
    assert.deepEqual(await read({}), ['a/app', 'a/proxy', 'b/app']);
    assert.deepEqual(await read({ container: 'app' }), ['a/app', 'b/app']);
    assert.deepEqual(await read({ allContainers: true }), ['a/init', 'a/app', 'a/proxy', 'b/app']);
    const [first] = await collect(logsOf(client, '', {}));
    assert.deepEqual(first, {
      namespace: 'default',
      pod: 'a',
      container: 'app',
      line: '2026-01-01T00:00:00Z hello from a',
    });
  });

  it('are read of containers without an id', async () => {
    const { server } = await start([{ name: 'a', containers: ['app', 'proxy'], instance: '' }]);
    await using _server = server;
    await using client = server.client();
    const lines = await collect(logsOf(client, 'default'));
    assert.deepEqual(lines.map(shown), ['a/app', 'a/proxy']);
  });

  it('are followed when pods come and containers restart', async () => {
    const { server, logs, watch } = await start([{ name: 'a', containers: ['app'] }]);
    await using _server = server;
    await using client = server.client();
    const lines: string[] = [];
    const send = async (type: string, pod: TestPod, version: number): Promise<void> => {
      (await watch).write(`${JSON.stringify({ type, object: podOf(pod, version) })}\n`);
    };
    for await (const line of logsOf(client, 'default', { follow: true, tailLines: 5 })) {
      lines.push(`${shown(line)}: ${line.line}`);
      if (lines.length === 1) {
        await send('ADDED', { name: 'b', containers: ['app'] }, 2);
        // An event about the same container does not start another log.
        await send('MODIFIED', { name: 'b', containers: ['app'] }, 3);
        await send('DELETED', { name: 'b', containers: ['app'] }, 4);
      }
      if (lines.length === 2) {
        await send('MODIFIED', { name: 'a', containers: ['app'], instance: '2' }, 5);
      }
      if (lines.length === 3) break;
    }
    assert.deepEqual(lines, ['a/app: hello from a', 'b/app: hello from b', 'a/app: hello from a']);
    // What was there at the beginning is read from its last lines, everything else as a whole.
    assert.deepEqual(logs, ['a app 5', 'b app null', 'a app null']);
  });

  it('end with an abort, and leave no request', async () => {
    const { server, watch } = await start([{ name: 'a', containers: ['app'] }]);
    await using _server = server;
    await using client = server.client();
    const abort = new AbortController();
    const closed = watch.then(
      (response) => new Promise((resolve) => response.on('close', resolve)),
    );
    for await (const _ of logsOf(client, 'default', { follow: true, signal: abort.signal })) {
      await watch;
      abort.abort();
    }
    await closed;
    assert.ok((await watch).destroyed);
  });
});
