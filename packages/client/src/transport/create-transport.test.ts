import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { extname } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { Config, Middleware } from './config.ts';
import { bodyText, type Call, TestServer } from './connections/test-rig.ts';
import { createTransport } from './create-transport.ts';
import { get, response, script } from './layers/test-next.ts';
import { TransportError } from './transport-error.ts';
import type { Transport, TransportRequest } from './transport.ts';

const env = {};

function start(serve: (call: Call) => void): Promise<TestServer> {
  return TestServer.start('http/1.1', serve);
}

function header(call: Call, name: string): string | undefined {
  const at = call.rawHeaders.findIndex((raw) => raw.toLowerCase() === name);
  return at === -1 ? undefined : call.rawHeaders[at + 1];
}

/** A server that calls back once a request has arrived on a connection. */
async function rawServer(
  onRequest: (socket: Socket) => void,
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => onRequest(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}

describe('createTransport', () => {
  it('sends a request through all layers to the server, base path included', async () => {
    const seen: Record<string, string | undefined>[] = [];
    await using server = await start((call) => {
      const names = [
        'authorization',
        'impersonate-user',
        'user-agent',
        'accept-encoding',
        'x-mine',
      ];
      seen.push({
        path: call.path,
        ...Object.fromEntries(names.map((name) => [name, header(call, name)])),
      });
      const body = gzipSync('hello').toString('latin1');
      call.head(200, { 'content-encoding': 'gzip' });
      call.output.end(body, 'latin1');
    });
    await using transport = createTransport(
      {
        server: `http://127.0.0.1:${server.port}/clusters/one/`,
        auth: { token: 'abc' },
        impersonate: { user: 'jane' },
        userAgent: 'test',
        middleware: [
          (request, next) =>
            next({ ...request, headers: { ...request.headers, 'x-mine': 'here' } }),
        ],
      },
      { env },
    );
    const answer = await transport.request(get);
    assert.equal(await bodyText(answer), 'hello');
    assert.deepEqual(seen, [
      {
        path: '/clusters/one/api/v1/pods?limit=1',
        authorization: 'Bearer abc',
        'impersonate-user': 'jane',
        'user-agent': 'test',
        'accept-encoding': 'gzip',
        'x-mine': 'here',
      },
    ]);
  });

  it('prefers the headers of the request', async () => {
    const mine = {
      authorization: 'Bearer mine',
      'impersonate-user': 'joe',
      'user-agent': 'me',
      'accept-encoding': 'identity',
    };
    await using server = await start((call) => {
      const sent = Object.keys(mine).map((name) => header(call, name));
      call.answer(200, JSON.stringify(sent));
    });
    await using transport = createTransport(
      {
        server: `http://127.0.0.1:${server.port}`,
        auth: { token: 'abc' },
        impersonate: { user: 'jane' },
      },
      { env },
    );
    const answer = await transport.request({ ...get, headers: mine });
    assert.deepEqual(JSON.parse(await bodyText(answer)), Object.values(mine));
  });

  it('shows middleware one call for all attempts, and no credentials', async () => {
    const attempts = [response(503, { 'retry-after': '0' }), response(200)];
    const inner = script(...attempts);
    const calls: TransportRequest[] = [];
    const middleware: Middleware = (request, next) => {
      calls.push(request);
      return next(request);
    };
    const clock = new VirtualClock();
    await using transport = createTransport(
      {
        server: 'memory',
        auth: { token: 'secret' },
        middleware: [middleware],
        transport: borrowed(inner.next),
      },
      { clock, env },
    );
    const answer = transport.request(get);
    await clock.advance(200);
    assert.equal((await answer).status, 200);
    assert.equal(calls.length, 1);
    assert.deepEqual(calls[0]?.headers, {});
    assert.equal(inner.requests.length, 2);
    assert.equal(inner.requests[1]?.headers['authorization'], 'Bearer secret');
  });

  it('does not request gzip with compression: false', async () => {
    const { next, requests } = script(response(200));
    const config: Config = { server: 'memory', compression: false, transport: borrowed(next) };
    await using transport = createTransport(config, { env });
    await transport.request(get);
    assert.equal(requests[0]?.headers['accept-encoding'], undefined);
  });

  it('limits its rate to qps, with a burst of twice that', async () => {
    const clock = new VirtualClock();
    const { next, requests } = script(response(200));
    const config: Config = { server: 'memory', qps: 2, transport: borrowed(next) };
    await using transport = createTransport(config, { clock, env });
    const answers = Array.from({ length: 6 }, () => transport.request(get));
    await nextTurn();
    assert.equal(requests.length, 4);
    await clock.advance(1000);
    await Promise.all(answers);
  });

  it('waits no longer than the timeout', async () => {
    const clock = new VirtualClock();
    await using server = await start(() => undefined);
    const config = { server: `http://127.0.0.1:${server.port}`, timeoutMs: 5000 };
    await using transport = createTransport(config, { clock, env });
    const late = assert.rejects(transport.request(get), { code: 'TRANSPORT_TIMEOUT' });
    await clock.advance(5000);
    await late;
  });

  it('reports a refused connection immediately, with a hint', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    await using transport = createTransport({ server: `http://127.0.0.1:${port}` }, { env });
    await assert.rejects(transport.request(get), (error) => {
      assert.ok(error instanceof TransportError);
      assert.equal(error.code, 'TRANSPORT_CONNECTION_REFUSED');
      assert.equal(error.message, `GET /api/v1/pods: 127.0.0.1:${port}: connection refused`);
      assert.match(error.hint ?? '', /address and port/);
      assert.deepEqual(error.previous, []);
      return true;
    });
  });

  for (const [what, answer] of [
    [
      'an API server answers',
      'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    ],
    ['OpenSSL answers', Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46])],
  ] as const) {
    it(`says that a port expects TLS when plain HTTP is sent: ${what}`, async () => {
      await using server = await rawServer((socket) => socket.end(answer));
      const config = { server: `http://127.0.0.1:${server.port}` };
      await using transport = createTransport(config, { env });
      await assert.rejects(transport.request(get), {
        code: 'TRANSPORT_PROTOCOL',
        message: `GET /api/v1/pods: 127.0.0.1:${server.port}: the server expects TLS on this port`,
        hint: `Write https://127.0.0.1:${server.port} in the config.`,
      });
    });
  }

  it('hints at TLS when a server resets plain HTTP', async () => {
    await using server = await rawServer((socket) => socket.resetAndDestroy());
    const config = { server: `http://127.0.0.1:${server.port}`, maxRetries: 0 };
    await using transport = createTransport(config, { env });
    await assert.rejects(transport.request(get), {
      code: 'TRANSPORT_CONNECTION_RESET',
      hint: `If the port speaks TLS, write https://127.0.0.1:${server.port} in the config.`,
    });
  });

  it('passes on any other answer without headers', async () => {
    await using server = await rawServer((socket) => socket.end('HTTP/1.0 400 No\r\n\r\nno'));
    await using transport = createTransport({ server: `http://127.0.0.1:${server.port}` }, { env });
    const answer = await transport.request(get);
    assert.equal(answer.status, 400);
    assert.equal(await bodyText(answer), 'no');
  });

  it('reports a host name that does not exist', async () => {
    const config = { server: 'http://no-such-host.invalid' };
    await using transport = createTransport(config, { env });
    await assert.rejects(transport.request(get), { code: 'TRANSPORT_DNS' });
  });

  it('refuses a path that must be escaped, and sends nothing', async () => {
    await using server = await start(() => assert.fail('a request came'));
    const config = { server: `http://127.0.0.1:${server.port}` };
    await using transport = createTransport(config, { env });
    for (const path of ['/a b', '/a\nb', '/ü', 'api', '']) {
      await assert.rejects(transport.request({ ...get, path }), {
        code: 'TRANSPORT_REQUEST_INVALID',
      });
    }
  });

  it('takes nothing more after it was closed, and closing again is harmless', async () => {
    await using server = await start((call) => call.answer(200));
    let calls = 0;
    const middleware: Middleware = (request, next) => {
      calls += 1;
      return next(request);
    };
    const config = { server: `http://127.0.0.1:${server.port}`, middleware: [middleware] };
    const transport = createTransport(config, { env });
    await bodyText(await transport.request(get));
    await transport[Symbol.asyncDispose]();
    await transport[Symbol.asyncDispose]();
    await assert.rejects(transport.request(get), { code: 'TRANSPORT_CLOSED' });
    assert.equal(calls, 1);
    for (const socket of server.sockets) await once(socket, 'close');
  });

  it('ends requests that wait to be made again when it closes', async () => {
    const clock = new VirtualClock();
    await using server = await start((call) => {
      call.answer(503, '', { 'retry-after': '60', connection: 'close' });
    });
    const config = { server: `http://127.0.0.1:${server.port}` };
    const transport = createTransport(config, { clock, env });
    const answer = assert.rejects(transport.request(get), { code: 'TRANSPORT_CLOSED' });
    while (clock.untilNext === undefined || clock.untilNext < 60_000) await nextTurn();
    await transport[Symbol.asyncDispose]();
    await answer;
    assert.equal(clock.pending, 0);
  });

  it('does not hold the process, though connections are open', async () => {
    await using server = await start((call) => call.answer(200, 'hello'));
    const module = new URL(`./create-transport${extname(import.meta.url)}`, import.meta.url).href;
    const program = `
      import { createTransport } from ${JSON.stringify(module)};
      const transport = createTransport({ server: 'http://127.0.0.1:${server.port}' });
      const { body } = await transport.request({ method: 'GET', path: '/', headers: {} });
      for await (const chunk of body) process.stdout.write(chunk);
    `;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    assert.equal(stdout, 'hello');
  });

  it('publishes connections on the diagnostics channel', async () => {
    interface Seen {
      readonly connection: number;
      readonly durationMs: number;
      readonly id?: number;
    }
    const seen: [string | symbol, Seen][] = [];
    const listen = (message: unknown, name: string | symbol): void =>
      void seen.push([name, { ...(message as Seen), durationMs: 0 }]);
    const names = [
      'client-ts:connection:open',
      'client-ts:request:sent',
      'client-ts:connection:close',
    ];
    for (const name of names) subscribe(name, listen);
    try {
      await using server = await start((call) => call.answer(200));
      const host = `127.0.0.1:${server.port}`;
      const transport = createTransport({ server: `http://${host}` }, { env });
      await bodyText(await transport.request(get));
      await transport[Symbol.asyncDispose]();
      const connection = seen[0]?.[1].connection ?? 0;
      assert.ok(connection > 0);
      const about = { connection, server: host, protocol: 'http/1.1', durationMs: 0 };
      const { id = 0 } = seen[1]?.[1] ?? {};
      assert.ok(id > 0);
      assert.deepEqual(seen, [
        [names[0], about],
        [names[1], { ...about, id }],
        [names[2], about],
      ]);
    } finally {
      for (const name of names) unsubscribe(name, listen);
    }
  });
});

describe('createTransport with the transport of a config', () => {
  it('closes its own requests and leaves the other alone', async () => {
    let isDisposed = false;
    const inner: Transport = {
      request: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('in its own words')));
        }),
      [Symbol.asyncDispose]: async () => {
        isDisposed = true;
      },
    };
    const transport = createTransport({ server: 'memory', transport: inner }, { env });
    const pending = assert.rejects(transport.request(get), { code: 'TRANSPORT_CLOSED' });
    await nextTurn();
    await transport[Symbol.asyncDispose]();
    await pending;
    assert.equal(isDisposed, false);
  });

  it('removes its listeners from the signal after a response, and after a failure', async () => {
    const { next } = script(response(200, {}, ['hello']), new Error('broken'));
    const config = { server: 'memory', transport: borrowed(next) };
    await using transport = createTransport(config, { env });
    const { signal } = new AbortController();
    await bodyText(await transport.request({ ...get, signal }));
    await assert.rejects(transport.request({ ...get, signal }), /broken/);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('adds codes to its errors, and retries what can be retried', async () => {
    const clock = new VirtualClock();
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const { next, requests } = script(reset, response(200));
    const config = { server: 'memory', transport: borrowed(next) };
    await using transport = createTransport(config, { clock, env });
    const answer = transport.request(get);
    await clock.advance(200);
    assert.equal((await answer).status, 200);
    assert.equal(requests.length, 2);
  });

  it('passes the reason of an abort on, also while a body is read', async () => {
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('in its own words')),
      }),
    };
    const { next } = script({ status: 200, headers: {}, body });
    const config = { server: 'memory', transport: borrowed(next) };
    await using transport = createTransport(config, { env });
    const controller = new AbortController();
    const answer = await transport.request({ ...get, signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(bodyText(answer), /enough/);
  });
});

function borrowed(request: Transport['request']): Transport {
  return { request, [Symbol.asyncDispose]: async () => undefined };
}
