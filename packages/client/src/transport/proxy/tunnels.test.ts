import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import type { Environment } from '../../lib/environment.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { bodyText, TestServer } from '../connections/test-rig.ts';
import { createTransport } from '../create-transport.ts';
import { TransportError } from '../transport-error.ts';
import type { Transport, TransportResponse } from '../transport.ts';
import { startHttpProxy, startSocksProxy } from './test-proxies.ts';
import { openHttpTunnel } from './tunnels.ts';

/** A server whose name only the proxy can resolve. */
function startServer(): Promise<TestServer> {
  return TestServer.start('http/1.1', (call) => {
    const at = call.rawHeaders.findIndex((header) => header.toLowerCase() === 'host');
    call.answer(200, call.rawHeaders[at + 1]);
  });
}

function through(
  proxyUrl: string | undefined,
  env: Environment = {},
  server = 'http://api.internal:6443',
): Transport {
  return createTransport({ server, ...(proxyUrl !== undefined && { proxyUrl }) }, { env });
}

function get(transport: Transport): Promise<TransportResponse> {
  return transport.request({ method: 'GET', path: '/', headers: {} });
}

for (const [scheme, start] of [
  ['http', startHttpProxy],
  ['socks5', startSocksProxy],
] as const) {
  describe(`a ${scheme} proxy`, () => {
    it('connects to a server whose name only the proxy can resolve', async () => {
      await using server = await startServer();
      await using proxy = await start({ target: server.port });
      await using transport = through(`${scheme}://127.0.0.1:${proxy.port}`);
      assert.equal(await bodyText(await get(transport)), 'api.internal:6443');
      await bodyText(await get(transport));
      assert.deepEqual(proxy.asked, ['api.internal:6443']);
      const url = `${scheme}://127.0.0.1:${proxy.port}`;
      await using other = through(url, {}, 'http://odd.internal');
      assert.equal(await bodyText(await get(other)), 'odd.internal');
    });

    it('gets the credentials of its URL', async () => {
      await using server = await startServer();
      await using proxy = await start({ target: server.port, credentials: 'me:p@ss' });
      await using transport = through(`${scheme}://me:p%40ss@127.0.0.1:${proxy.port}`);
      assert.equal((await get(transport)).status, 200);
      assert.deepEqual(proxy.credentials, ['me:p@ss']);
    });

    it('explains a refusal without the password', async () => {
      await using server = await startServer();
      await using proxy = await start({ target: server.port, credentials: 'me:right' });
      const url = (credentials: string): string =>
        `${scheme}://${credentials}127.0.0.1:${proxy.port}`;
      for (const transport of [
        through(url('me:wrong@')),
        through(url('')),
        through(url('me:right@'), {}, 'http://forbidden.internal'),
      ]) {
        await assert.rejects(get(transport), (error) => {
          assert.ok(error instanceof TransportError);
          assert.equal(error.code, 'TRANSPORT_PROXY');
          assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${proxy.port}`));
          assert.doesNotMatch(error.message, /wrong|right/);
          assert.equal(error.mayHaveBeenHandled, false);
          return true;
        });
        // The refused connection is closed.
        while (proxy.clients.size > 0) await nextTurn();
        await transport[Symbol.asyncDispose]();
      }
    });

    it('is used if the environment names it', async () => {
      await using server = await startServer();
      await using proxy = await start({ target: server.port });
      const env = { HTTP_PROXY: `${scheme}://127.0.0.1:${proxy.port}` };
      await using transport = through(undefined, env);
      assert.equal((await get(transport)).status, 200);
      const direct = through(undefined, env, `http://127.0.0.1:${server.port}`);
      assert.equal((await get(direct)).status, 200);
      await direct[Symbol.asyncDispose]();
      assert.equal(proxy.asked.length, 1);
    });

    it('reaches IPv6 addresses', async () => {
      await using server = await startServer();
      await using proxy = await start({ target: server.port });
      const url = `${scheme}://127.0.0.1:${proxy.port}`;
      await using transport = through(url, {}, 'http://[fd00:1::2]:6443');
      assert.equal(await bodyText(await get(transport)), '[fd00:1::2]:6443');
      assert.deepEqual(proxy.asked, [
        scheme === 'http' ? '[fd00:1::2]:6443' : 'fd000001000000000000000000000002:6443',
      ]);
    });

    it('is named when it is not there', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      await using transport = through(`${scheme}://127.0.0.1:${port}`);
      await assert.rejects(get(transport), {
        code: 'TRANSPORT_PROXY',
        message: `GET /: api.internal:6443 through the proxy 127.0.0.1:${port}: connection refused`,
      });
    });

    it('is not waited for without end, and is left when aborted', async () => {
      const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const clock = new VirtualClock();
      const config = { server: 'http://api.internal', proxyUrl: `${scheme}://127.0.0.1:${port}` };
      await using transport = createTransport(config, { clock, env: {} });
      const accepted = once(server, 'connection');
      const late = assert.rejects(get(transport), { code: 'TRANSPORT_TIMEOUT' });
      await accepted;
      await nextTurn();
      await clock.advance(30_000);
      await late;
      const again = once(server, 'connection');
      const controller = new AbortController();
      const { signal } = controller;
      const request = { method: 'GET', path: '/', headers: {}, signal };
      const aborted = assert.rejects(transport.request(request), /enough/);
      const [socket] = await again;
      controller.abort(new Error('enough'));
      await aborted;
      if (!socket.closed) await once(socket, 'close');
      server.close();
    });
  });
}

it('leaves the first bytes of the target to the next reader', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nhello'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const proxy = { kind: 'http', host: '127.0.0.1', port, name: 'proxy' } as const;
  const { signal } = new AbortController();
  await openHttpTunnel(socket, { host: 'api', port: 443 }, proxy, signal);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  assert.equal(chunk.toString(), 'hello');
  socket.destroy();
  server.close();
});
