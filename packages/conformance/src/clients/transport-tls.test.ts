import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import tls from 'node:tls';

import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import {
  createTransport,
  type TlsConfig,
  type Transport,
  TransportError,
  type TransportErrorCode,
} from 'client-ts/transport';

import { authority, startTlsServer } from './test-tls-server.ts';
import { bodyText, choices, Directory, get } from './test-transports.ts';

const ca = authority();

function connectTo(server: string, tls: TlsConfig): Transport {
  return createTransport({ server, tls }, { env: {} });
}

async function assertFails(
  server: string,
  tls: TlsConfig,
  code: TransportErrorCode,
): Promise<void> {
  await using transport = connectTo(server, tls);
  await assert.rejects(get(transport), (error) => {
    assert.ok(error instanceof TransportError);
    assert.equal(error.code, code);
    assert.ok((error.hint ?? '') !== '');
    assert.deepEqual(error.previous, [], 'nothing of this gets better by trying again');
    return true;
  });
}

describe('TLS: the context of the first handshake', () => {
  it('is made with the transport', async (context) => {
    await using server = await startTlsServer({ ca });
    const { mock } = context.mock.method(tls, 'createSecureContext');
    await using transport = connectTo(server.url, { ca: ca.certificate });
    assert.equal(mock.callCount(), 1);
    assert.equal(await bodyText(await get(transport)), 'hello');
    assert.equal(mock.callCount(), 1);
  });

  it('is made with the first request if files have to be read', async (context) => {
    await using server = await startTlsServer({ ca });
    await using directory = await Directory.create();
    const caFile = await directory.write('ca.pem', ca.certificate);
    const { mock } = context.mock.method(tls, 'createSecureContext');
    await using transport = connectTo(server.url, { caFile });
    assert.equal(mock.callCount(), 0);
    assert.equal(await bodyText(await get(transport)), 'hello');
    assert.equal(mock.callCount(), 1);
  });
});

describe('TLS: the public CAs', () => {
  it('are those that Node trusts at the first request', async (context) => {
    await using server = await startTlsServer({ ca });
    const { mock } = context.mock.method(tls, 'createSecureContext');
    await using transport = connectTo(server.url, {});
    assert.equal(mock.callCount(), 0);
    await assert.rejects(get(transport), { code: 'TRANSPORT_TLS_UNTRUSTED' });
    assert.equal(mock.callCount(), 1);
  });
});

describe("TLS: the server's certificate", () => {
  it('must be signed by the given CA, as data or in a file', async () => {
    await using server = await startTlsServer({ ca });
    await using directory = await Directory.create();
    const bundle = `# our CAs\n${authority().certificate}\n${ca.certificate}\n`;
    const caFile = await directory.write('ca.pem', bundle);
    for (const tls of [{ ca: ca.certificate }, { ca: bundle }, { caFile }]) {
      await using transport = connectTo(server.url, tls);
      assert.equal(await bodyText(await get(transport)), 'hello');
    }
  });

  it('is rejected from any other CA', async () => {
    await using server = await startTlsServer({ ca });
    await assertFails(server.url, { ca: authority().certificate }, 'TRANSPORT_TLS_UNTRUSTED');
    await assertFails(server.url, {}, 'TRANSPORT_TLS_UNTRUSTED');
  });

  it('is not verified if disabled', async () => {
    await using server = await startTlsServer({ ca, names: ['elsewhere.example.com'] });
    await using transport = connectTo(server.url, { insecure: true });
    assert.equal(await bodyText(await get(transport)), 'hello');
  });

  it("must have the server's name, or the configured one", async () => {
    await using server = await startTlsServer({ ca, names: ['api.example.com', '10.0.0.1'] });
    await assertFails(server.url, { ca: ca.certificate }, 'TRANSPORT_TLS_NAME');
    const wrong = { ca: ca.certificate, serverName: 'other.example.com' };
    await assertFails(server.url, wrong, 'TRANSPORT_TLS_NAME');
    for (const serverName of ['api.example.com', '10.0.0.1']) {
      await using transport = connectTo(server.url, { ca: ca.certificate, serverName });
      assert.equal(await bodyText(await get(transport)), 'hello');
    }
  });

  it('must have the name in its alternative names', async () => {
    const tls = { ca: ca.certificate, serverName: 'localhost' };
    await using nameless = await startTlsServer({ ca, names: [] });
    await assertFails(nameless.url, tls, 'TRANSPORT_TLS_NAME');
  });

  it('must be valid now', async () => {
    const day = 24 * 3_600_000;
    for (const offset of [-400 * day, 3 * day]) {
      const old = authority(offset);
      await using server = await startTlsServer({ ca: old });
      await assertFails(server.url, { ca: old.certificate }, 'TRANSPORT_TLS_EXPIRED');
    }
  });

  it('is missing on a port without TLS, or one that is silent', async () => {
    const plain = createHttpServer().listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    await assertFails(`https://127.0.0.1:${port}`, {}, 'TRANSPORT_TLS_HANDSHAKE');
    plain.close();

    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const clock = new VirtualClock();
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await using transport = createTransport({ server: url }, { clock, env: {} });
    const accepted = once(silent, 'connection');
    const late = assert.rejects(get(transport), { code: 'TRANSPORT_TIMEOUT' });
    const [socket] = (await accepted) as [Socket];
    while (clock.untilNext !== 10_000) await nextTurn();
    await clock.advance(10_000);
    await late;
    if (!socket.closed) await once(socket, 'close');
    silent.close();
  });

  it('errors name the invalid file or field, and show nothing of its content', async () => {
    await using directory = await Directory.create();
    const empty = await directory.write('empty.pem', '');
    const nonsense = await directory.write('nonsense.pem', 'secret');
    const { certificate, key } = ca.issueClientCertificate({ commonName: 'jane' });
    const other = ca.issueClientCertificate({ commonName: 'joe' });
    const cases: [TlsConfig, RegExp][] = [
      [{ caFile: `${directory.path}/missing` }, /tls\.caFile: cannot read .*missing/],
      [{ caFile: empty }, /tls\.caFile \(.*empty\.pem\) holds no certificate/],
      [{ caFile: nonsense }, /tls\.caFile \(.*nonsense\.pem\) holds no certificate/],
      [{ ca: 'secret' }, /tls\.ca holds no certificate/],
      [
        { cert: certificate, key: other.key },
        /tls\.cert and tls\.key: the key does not belong to the certificate/,
      ],
      [
        { cert: certificate, keyFile: nonsense },
        /tls\.cert and tls\.keyFile \(.*\): the key is not in PEM form/,
      ],
      [{ cert: 'secret', key }, /tls\.cert and tls\.key: the certificate is not in PEM form/],
    ];
    for (const [tls, message] of cases) {
      await using transport = connectTo('https://127.0.0.1:1', tls);
      await assert.rejects(get(transport), (error) => {
        assert.ok(error instanceof TransportError);
        assert.equal(error.code, 'TRANSPORT_TLS_CONFIG');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret|PRIVATE/);
        return true;
      });
    }
  });
});

describe("TLS: the client's certificate", () => {
  it('is sent, as data or from files', async () => {
    await using server = await startTlsServer({ ca, wantsCertificate: true });
    await using directory = await Directory.create();
    const { certificate: cert, key } = ca.issueClientCertificate({ commonName: 'jane' });
    const certFile = await directory.write('cert.pem', cert);
    const keyFile = await directory.write('key.pem', key);
    const pairs = [
      { cert, key },
      { certFile, keyFile },
      { certFile, key },
    ];
    for (const pair of pairs) {
      await using transport = connectTo(server.url, { ca: ca.certificate, ...pair });
      assert.equal(await bodyText(await get(transport)), 'hello');
    }
    assert.deepEqual(server.visitors, ['jane', 'jane', 'jane']);
  });

  it('is reported as missing if the server requires one', async () => {
    await using server = await startTlsServer({ ca, wantsCertificate: true });
    for (const protocol of choices) {
      const config = { server: server.url, tls: { ca: ca.certificate }, protocol };
      await using transport = createTransport(config, { env: {} });
      await assert.rejects(get(transport), { code: 'TRANSPORT_TLS_CLIENT_CERTIFICATE' });
    }
  });
});
