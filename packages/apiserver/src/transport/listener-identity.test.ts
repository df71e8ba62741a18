import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connect as connectTls, TLSSocket } from 'node:tls';

import { authority, ca, json, start } from './test-clients.ts';

/** Connects from a given port, so that two connections have the same remote address and port. */
async function connectFrom(
  localPort: number,
  host: string,
  port: number,
  tls: object,
): Promise<TLSSocket> {
  const raw: Socket = connectTcp({ host, port, localAddress: '127.0.0.1', localPort });
  await once(raw, 'connect');
  const socket = connectTls({ socket: raw, ca, servername: 'localhost', ...tls });
  await once(socket, 'secureConnect');
  return socket;
}

type Ask = (socket: TLSSocket) => Promise<string>;

const overHttp1: Ask = async (socket) => {
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return text(socket);
};

const overHttp2: Ask = async (socket) => {
  const session: ClientHttp2Session = connectHttp2('https://localhost', {
    createConnection: () => socket,
  });
  const stream = session.request({ ':path': '/' });
  const answer = await text(stream);
  session.destroy();
  return answer;
};

/** Node keeps the TCP socket below a TLS socket in a property that it does not document. */
const undocumented = [
  ['', () => ({ [Symbol.dispose]: () => undefined })],
  [', on a Node that hides the TCP socket', hideTcpSockets],
] as const;

function hideTcpSockets(): Disposable {
  const hidden = { configurable: true, get: () => null, set: () => undefined };
  Object.defineProperty(TLSSocket.prototype, '_parent', hidden);
  return { [Symbol.dispose]: () => void Reflect.deleteProperty(TLSSocket.prototype, '_parent') };
}

for (const [protocol, ask, alpn] of [
  ['HTTP/1.1', overHttp1, 'http/1.1'],
  ['HTTP/2', overHttp2, 'h2'],
] as const) {
  for (const [bound, node, prepare] of ['0.0.0.0', '::'].flatMap((host) =>
    undocumented.map(([name, hide]) => [host, name, hide] as const),
  )) {
    describe(`a listener on ${bound} over ${protocol}${node}`, () => {
      it('distinguishes two connections with the same remote address and port', async () => {
        using _ = prepare();
        await using listener = await start(
          async ({ peer }) => json({ user: peer.certificate?.commonName ?? 'anonymous' }),
          { host: bound },
        );
        const port = Number(new URL(listener.url).port);
        const { certificate, key } = authority.issueClientCertificate({ commonName: 'admin' });
        const tls = { ALPNProtocols: [alpn] };
        // The second connection uses the port of the first one.
        const admin = await connectFrom(0, '127.0.0.1', port, { ...tls, cert: certificate, key });
        const shared = admin.localPort ?? 0;
        const stranger = await connectFrom(shared, '127.0.0.2', port, tls);
        assert.equal(stranger.localPort, shared);

        assert.match(await ask(stranger), /{"user":"anonymous"}$/);
        assert.match(await ask(admin), /{"user":"admin"}$/);
      });

      it('keeps the identity of a connection when another one with its address opens and closes', async () => {
        using _ = prepare();
        await using listener = await start(
          async ({ peer }) => json({ user: peer.certificate?.commonName ?? 'anonymous' }),
          { host: bound },
        );
        const port = Number(new URL(listener.url).port);
        const { certificate, key } = authority.issueClientCertificate({ commonName: 'admin' });
        const tls = { ALPNProtocols: [alpn] };
        const stranger = await connectFrom(0, '127.0.0.2', port, tls);
        const shared = stranger.localPort ?? 0;
        const credentials = { ...tls, cert: certificate, key };
        const admin = await connectFrom(shared, '127.0.0.1', port, credentials);
        assert.match(await ask(admin), /{"user":"admin"}$/);
        admin.destroy();
        assert.match(await ask(stranger), /{"user":"anonymous"}$/);
      });
    });
  }
}
