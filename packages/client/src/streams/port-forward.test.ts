import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import type { WebSocket } from 'ws';
import { Deferred } from '../lib/deferred.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { PodDialer } from './pod-dialer.ts';
import { portForward } from './port-forward.ts';
import { TestPodServer } from './test-pod-server.ts';
import { echo, type TestStream, TestTunnel, type TestTunnelHandlers } from './test-tunnel.ts';

const namespace = 'default';
const pod = { namespace, name: 'web-0' };

function podNamed(name: string): object {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { namespace, name },
    spec: { containers: [{ name: 'app', ports: [{ name: 'http', containerPort: 8080 }] }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

const service = {
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { namespace, name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ name: 'web', port: 80, targetPort: 'http' }] },
};

interface Rig {
  readonly handlers: TestTunnelHandlers;
  readonly pods?: () => readonly string[];
}

/** A cluster with pods that answer as told. */
async function start({ handlers, pods = () => ['web-0'] }: Rig): Promise<{
  readonly server: TestPodServer;
  readonly paths: string[];
}> {
  const paths: string[] = [];
  const answer = (response: ServerResponse, body: object | undefined): void => {
    const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound' };
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { ...missing, code: 404, message: 'not found' }));
  };
  const find = (url: URL): object | undefined => {
    const name = url.pathname.split('/').at(-1) ?? '';
    if (url.pathname.endsWith('/services/web')) return service;
    if (name === 'pods') return { kind: 'PodList', apiVersion: 'v1', items: pods().map(podNamed) };
    return pods().includes(name) ? podNamed(name) : undefined;
  };
  const server = await TestPodServer.start(
    (socket: WebSocket) => {
      TestTunnel.serve(socket, handlers);
    },
    {
      protocols: ['SPDY/3.1+portforward.k8s.io'],
      onRequest: ({ url = '' }: IncomingMessage, response) => {
        answer(response, find(new URL(url, 'http://server')));
      },
      onUpgrade: ({ url = '' }, socket) => {
        paths.push(url);
        if (pods().includes(url.split('/').at(-2) ?? '')) return false;
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
        return true;
      },
    },
  );
  return { server, paths };
}

async function dial(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host });
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the socket is closed, by whichever way. */
function closeOf(socket: Socket): Promise<unknown> {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', resolve));
}

describe('port-forward', () => {
  it('forwards several ports, random ones on both addresses of localhost', async () => {
    const streams: TestStream[] = [];
    const { server } = await start({
      handlers: { ...echo, onStream: (_, stream) => void streams.push(stream) },
    });
    await using _server = server;
    await using client = server.client();
    const ports = [
      { local: 0, remote: 'http' },
      { local: 0, remote: 9090 },
    ];
    await using forward = await portForward(client, pod, ports);
    const [first, second, third] = forward.ports;
    assert.deepEqual(
      forward.ports.map(({ address, remote }) => ({ address, remote })),
      [
        { address: '127.0.0.1', remote: 8080 },
        { address: '::1', remote: 8080 },
        { address: '127.0.0.1', remote: 9090 },
        { address: '::1', remote: 9090 },
      ],
    );
    assert.equal(first?.local, second?.local);
    for (const [port, host] of [
      [first, '127.0.0.1'],
      [second, '::1'],
      [third, '127.0.0.1'],
    ] as const) {
      const socket = await dial(port?.local ?? 0, host);
      socket.end('hello');
      assert.equal(await text(socket), 'hello');
    }
    assert.deepEqual(
      streams.map(({ headers }) => [headers.get('streamtype'), headers.get('port')].join(' ')),
      ['error 8080', 'data 8080', 'error 8080', 'data 8080', 'error 9090', 'data 9090'],
    );
  });

  it('uses a tunnel again when its connection has ended', async () => {
    const { server, paths } = await start({ handlers: echo });
    await using _server = server;
    await using client = server.client();
    await using forward = await portForward(client, pod, [{ local: 0, remote: 80 }]);
    for (const word of ['one', 'two', 'three']) {
      const socket = await dial(forward.ports[0]?.local ?? 0);
      socket.end(word);
      assert.equal(await text(socket), word);
    }
    assert.deepEqual(paths, ['/api/v1/namespaces/default/pods/web-0/portforward']);
  });

  it('continues when one connection breaks, and reports it', async () => {
    const handlers: TestTunnelHandlers = {
      ...echo,
      onData: (tunnel, stream, data, isLast) => {
        if (!data.includes('break')) return echo.onData?.(tunnel, stream, data, isLast);
        tunnel.send(stream - 2, 'connection refused', true);
        tunnel.reset(stream);
      },
    };
    const { server } = await start({ handlers });
    await using _server = server;
    await using client = server.client();
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    await using forward = await portForward(client, pod, [{ local: 0, remote: 80 }], { onError });
    const port = forward.ports[0]?.local ?? 0;
    const [good, bad] = [await dial(port), await dial(port)];
    const reset = once(bad.resume(), 'error');
    bad.write('break');
    assert.match(String(await reset), /ECONNRESET/, 'a broken connection does not look complete');
    good.end('still here');
    assert.equal(await text(good), 'still here');
    const [error] = errors as (Error & { readonly code: string })[];
    assert.equal(error?.code, 'STREAMS_FORWARD_FAILED');
    assert.equal(error?.message, 'forwarding port 80 failed: connection refused');
  });

  it('holds a slow connection, and no other', async () => {
    const { server } = await start({ handlers: echo });
    await using _server = server;
    await using client = server.client();
    await using forward = await portForward(client, pod, [{ local: 0, remote: 80 }]);
    const port = forward.ports[0]?.local ?? 0;
    const slow = await dial(port);
    // It sends until nothing is taken any more, and does not read what comes back.
    const chunk = Buffer.alloc(1024 * 1024);
    while (slow.write(chunk) || slow.writableLength < 8 * chunk.length);
    const quick = await dial(port);
    quick.end('hello');
    assert.equal(await text(quick), 'hello');
    slow.destroy();
  });

  it('ends when the pod is gone', async () => {
    let pods = ['web-0'];
    const { server } = await start({ handlers: echo, pods: () => pods });
    await using _server = server;
    await using client = server.client();
    const options = { onError: () => undefined };
    const forward = await portForward(client, pod, [{ local: 0, remote: 80 }], options);
    pods = [];
    const socket = await dial(forward.ports[0]?.local ?? 0);
    const closed = closeOf(socket.resume());
    await assert.rejects(forward.closed, isNotFound);
    await closed;
  });

  it('continues with another pod of a Service if it may', async () => {
    let pods = ['web-0'];
    const { server, paths } = await start({ handlers: echo, pods: () => pods });
    await using _server = server;
    await using client = server.client();
    const target = { kind: 'Service', namespace, name: 'web' } as const;
    const ports = [{ local: 0, remote: 80 }];
    await using forward = await portForward(client, target, ports, { reconnect: true });
    assert.equal(forward.ports[0]?.remote, 8080);
    pods = ['web-1'];
    const socket = await dial(forward.ports[0]?.local ?? 0);
    socket.end('hello');
    assert.equal(await text(socket), 'hello');
    assert.deepEqual(
      paths.map((path) => path.split('/').at(-2)),
      ['web-0', 'web-1'],
    );
  });

  it('refuses what cannot work', async () => {
    const { server } = await start({ handlers: echo, pods: () => [] });
    await using _server = server;
    await using client = server.client();
    const target = { kind: 'Service', namespace, name: 'web' } as const;
    await assert.rejects(portForward(client, target, [80]), { code: 'STREAMS_NO_POD' });
    await assert.rejects(portForward(client, pod, [80]), isNotFound);
    await assert.rejects(portForward(client, pod, []), { code: 'STREAMS_OPTIONS' });
  });

  it('refuses a local port that is in use, and an address that is none', async () => {
    const { server } = await start({ handlers: echo });
    await using _server = server;
    await using client = server.client();
    const taken = [{ local: server.port, remote: 80 }];
    const here = { addresses: ['127.0.0.1'] };
    await assert.rejects(portForward(client, pod, taken, here), { code: 'STREAMS_LISTEN' });
    const there = { addresses: ['example.com'] };
    await assert.rejects(portForward(client, pod, taken, there), { code: 'STREAMS_OPTIONS' });
    const unknown = [{ local: 0, remote: 'metrics' }];
    await assert.rejects(portForward(client, pod, unknown), { code: 'STREAMS_OPTIONS' });
  });

  it('closes its ports and connections with its signal', async () => {
    const { server } = await start({ handlers: echo });
    await using _server = server;
    await using client = server.client();
    const abort = new AbortController();
    const errors: unknown[] = [];
    const forward = await portForward(client, pod, [{ local: 0, remote: 80 }], {
      signal: abort.signal,
      onError: (error) => void errors.push(error),
    });
    const socket = await dial(forward.ports[0]?.local ?? 0);
    socket.write('hello');
    await once(socket, 'data');
    const closed = closeOf(socket);
    abort.abort();
    await forward.closed;
    await closed;
    assert.ok(socket.destroyed);
    assert.deepEqual(errors, []);
  });
});

describe('a dialer', () => {
  it('is an agent for HTTP without a local port', async () => {
    const handlers: TestTunnelHandlers = {
      onData: (tunnel, stream, data) => {
        if (!data.includes('\r\n\r\n')) return;
        const [line = ''] = data.toString().split('\r\n');
        tunnel.send(stream, `HTTP/1.1 200 OK\r\nContent-Length: ${line.length}\r\n\r\n${line}`);
      },
    };
    const { server, paths } = await start({ handlers });
    await using _server = server;
    await using client = server.client();
    await using dialer = new PodDialer(client, { kind: 'Service', namespace, name: 'web' });
    const agent = dialer.agent('web');
    for (const path of ['/a', '/b']) {
      const answer = new Deferred<IncomingMessage>();
      get(`http://web${path}`, { agent }, answer.resolve).on('error', answer.reject);
      assert.equal(await text(await answer.promise), `GET ${path} HTTP/1.1`);
    }
    assert.equal(paths.length, 1, 'one connection serves both requests');
    agent.destroy();
  });

  it('fetches over one connection, from the port of the URL', async () => {
    const ports: (string | undefined)[] = [];
    let received = '';
    const handlers: TestTunnelHandlers = {
      onStream: (_, { headers }) => void ports.push(headers.get('port')),
      onData: (tunnel, stream, data) => {
        received += data.toString();
        const isEmpty = received.startsWith('DELETE');
        // A body without a length comes in chunks, of which the last is empty.
        if (!received.endsWith(isEmpty ? '\r\n\r\n' : '\r\n0\r\n\r\n')) return;
        const body = isEmpty ? '' : 'POST';
        const status = isEmpty ? '204 No Content' : '200 OK';
        const length = isEmpty ? '' : `Content-Length: ${body.length}\r\n`;
        assert.equal(received.includes('hello'), !isEmpty);
        received = '';
        tunnel.send(stream, `HTTP/1.1 ${status}\r\n${length}X-Pod: web-0\r\n\r\n${body}`);
      },
    };
    const { server, paths } = await start({ handlers });
    await using _server = server;
    await using client = server.client();
    await using dialer = new PodDialer(client, pod);
    const sent = await dialer.fetch('http://web:8080/x', { method: 'POST', body: 'hello' });
    assert.deepEqual([sent.status, sent.headers.get('x-pod')], [200, 'web-0']);
    assert.equal(await sent.text(), 'POST');
    const gone = await dialer.fetch('http://web:8080/x', { method: 'DELETE' });
    assert.deepEqual([gone.status, await gone.text()], [204, '']);
    assert.deepEqual(ports, ['8080', '8080']);
    assert.equal(paths.length, 1);
    await assert.rejects(dialer.fetch('https://web/'), { code: 'STREAMS_OPTIONS' });
  });

  it('fetches an answer that comes before the end of the request', async () => {
    let isAnswered = false;
    const { server } = await start({
      handlers: {
        onData: (tunnel, stream, data) => {
          if (isAnswered || data.length === 0) return;
          isAnswered = true;
          tunnel.send(stream, 'HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
        },
      },
    });
    await using _server = server;
    await using client = server.client();
    await using dialer = new PodDialer(client, pod);
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('part')),
    });
    const options = { method: 'POST', body: endless, duplex: 'half' };
    const answer = await dialer.fetch('http://web:8080/x', options as RequestInit);
    assert.deepEqual([answer.status, await answer.text()], [413, 'no']);
  });

  it('fails a fetch with the error of its body', async () => {
    const { server } = await start({ handlers: { onData: () => undefined } });
    await using _server = server;
    await using client = server.client();
    await using dialer = new PodDialer(client, pod);
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('the file is gone')),
    });
    const options = { method: 'POST', body: broken, duplex: 'half' };
    const failing = dialer.fetch('http://web:8080/x', options as RequestInit);
    await assert.rejects(failing, /the file is gone/);
  });

  it('fails a connection with the tunnel', async () => {
    const handlers: TestTunnelHandlers = { onData: () => undefined };
    const { server } = await start({ handlers });
    await using _server = server;
    await using client = server.client();
    await using dialer = new PodDialer(client, pod);
    const connection = await dialer.connect(80);
    const failed = once(connection, 'error');
    for (const socket of server.sockets) socket.destroy();
    const [error] = (await failed) as [Error & { readonly code: string }];
    assert.equal(error.code, 'STREAMS_CONNECTION_LOST');
    await dialer.close();
    await assert.rejects(dialer.connect(80), { code: 'STREAMS_CLOSED' });
  });
});
