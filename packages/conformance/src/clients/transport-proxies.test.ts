import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect as connectTcp, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { createTransport } from 'client-ts/transport';

import { authority } from './test-tls-server.ts';
import { bodyText, choices, get, Listening } from './test-transports.ts';

interface Proxy extends AsyncDisposable {
  readonly port: number;
  readonly asked: string[];
}

/** Starts a proxy that tunnels every request to one port. */
async function startProxy(server: Server, target: number): Promise<Proxy> {
  const sockets = new Set<Duplex>();
  const asked: string[] = [];
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    asked.push(request.url ?? '');
    const upstream = connectTcp(target, '127.0.0.1');
    sockets.add(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('TLS through proxies', () => {
  for (const protocol of choices) {
    for (const scheme of ['http', 'https'] as const) {
      it(`works through a proxy over ${scheme}, ${protocol}`, async () => {
        const proxyCa = authority();
        const { certificate: cert, key } = proxyCa.issueServerCertificate(['127.0.0.1']);
        await using server = await ApiServer.start();
        const { port, host } = new URL(server.url);
        await using proxy = await startProxy(
          scheme === 'http' ? createHttpServer() : createHttpsServer({ cert, key }),
          Number(port),
        );
        await using transport = createTransport(
          {
            server: server.url,
            proxyUrl: `${scheme}://127.0.0.1:${proxy.port}`,
            tls: { ca: `${server.ca}${proxyCa.certificate}` },
            auth: { token: server.token },
            protocol,
          },
          { env: {} },
        );
        using opened = new Listening('client-ts:connection:open');
        for (let round = 0; round < 5; round += 1) {
          const answer = await get(transport);
          assert.equal(answer.status, 200);
          await bodyText(answer);
        }
        assert.deepEqual(proxy.asked, [host]);
        assert.deepEqual(
          opened.messages.map((message) => [message.protocol, message.proxy]),
          [[protocol === 'auto' ? 'h2' : 'http/1.1', `127.0.0.1:${proxy.port}`]],
        );
      });
    }
  }

  it('rejects a proxy with an untrusted certificate', async () => {
    const { certificate: cert, key } = authority().issueServerCertificate(['127.0.0.1']);
    await using server = await ApiServer.start();
    const target = Number(new URL(server.url).port);
    await using proxy = await startProxy(createHttpsServer({ cert, key }), target);
    await using transport = createTransport(
      {
        server: server.url,
        proxyUrl: `https://127.0.0.1:${proxy.port}`,
        tls: { ca: server.ca },
        auth: { token: server.token },
      },
      { env: {} },
    );
    await assert.rejects(get(transport), { code: 'TRANSPORT_PROXY' });
    assert.deepEqual(proxy.asked, []);
  });
});
