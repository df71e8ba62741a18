import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';

import { systemClock } from 'client-ts/internal';

import { type CertificateAndKey, CertificateAuthority } from '../auth/certificates.ts';
import { type ApiRequest } from '../http.ts';
import { authority, ca, http1Client, json, protocols, start } from './test-clients.ts';

for (const [protocol, connect] of protocols) {
  describe(`identity over TLS and ${protocol}`, () => {
    it("comes only from certificates of the server's own CA", async () => {
      const requests: ApiRequest[] = [];
      await using listener = await start(async (request) => {
        requests.push(request);
        return json({});
      });
      const jane = authority.issueClientCertificate({
        commonName: 'jane',
        organizations: ['dev', 'ops'],
      });
      const stranger = new CertificateAuthority({ clock: systemClock }).issueClientCertificate({
        commonName: 'jane',
      });
      for (const { certificate, key } of [jane, stranger]) {
        await using client = await connect(listener, { cert: certificate, key });
        await text((await client.ask()).body);
      }
      const [known, unknown] = requests.map(({ peer }) => peer.certificate);
      assert.equal(known?.commonName, 'jane');
      assert.deepEqual(known.organizations, ['dev', 'ops']);
      assert.match(known.sha256 ?? '', /^[0-9a-f]{64}$/);
      assert.equal(unknown, undefined);
    });
  });
}

describe('TLS', () => {
  it('can be disabled', async () => {
    await using listener = await start(async ({ url }) => json({ url }), { insecure: true });
    assert.match(listener.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(`${listener.url}/x`);
    assert.deepEqual(await response.json(), { url: '/x' });
  });

  it('covers additional names of the server', async () => {
    await using listener = await start(async () => json({}), { names: ['api.example.com'] });
    const port = Number(new URL(listener.url).port);
    for (const servername of ['api.example.com', 'localhost']) {
      const socket = connectTls({ ca, host: '127.0.0.1', port, servername });
      await once(socket, 'secureConnect');
      assert.ok(socket.authorized);
      socket.destroy();
    }
  });

  it('chooses what is cheap for both ends, and works with clients that only know something else', async () => {
    await using listener = await start(async () => json({}));
    const port = Number(new URL(listener.url).port);
    for (const [limits, cipher] of [
      [{}, 'TLS_AES_128_GCM_SHA256'],
      [{ ciphers: 'TLS_AES_256_GCM_SHA384', ecdhCurve: 'P-384' }, 'TLS_AES_256_GCM_SHA384'],
      [{ maxVersion: 'TLSv1.2' }, 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    ] as const) {
      const socket = connectTls({ ca, host: '127.0.0.1', port, ...limits });
      await once(socket, 'secureConnect');
      assert.equal(socket.getCipher().name, cipher);
      socket.destroy();
    }
  });

  it('serves HTTP/1.1 to clients without ALPN', async () => {
    await using listener = await start(async () => json({}));
    const socket = connectTls({ ca, host: '127.0.0.1', port: Number(new URL(listener.url).port) });
    socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n/);
  });

  it('reads the identity of each certificate, also of one that replaces another', async () => {
    await using listener = await start(async ({ peer: { certificate, hasUntrustedCertificate } }) =>
      json({
        groups: certificate?.organizations,
        fingerprint: certificate?.sha256,
        hasUntrustedCertificate,
      }),
    );
    const stranger = new CertificateAuthority({ clock: systemClock });
    const issue = (from: CertificateAuthority, ...organizations: string[]): CertificateAndKey =>
      from.issueClientCertificate({ commonName: 'jane', organizations });
    const [before, after] = [issue(authority, 'admins', 'staff'), issue(authority, 'staff')];
    const ask = async ({ certificate, key }: CertificateAndKey): Promise<unknown> => {
      await using client = await http1Client(listener, { cert: certificate, key });
      return await text((await client.ask()).body).then(JSON.parse);
    };
    const identity = (groups: string[], { certificate }: CertificateAndKey): object => {
      const { fingerprint256 } = new X509Certificate(certificate);
      return { groups, fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() };
    };
    // Twice each: what is remembered of one certificate must not show for another.
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await ask(before), identity(['admins', 'staff'], before));
      assert.deepEqual(await ask(after), identity(['staff'], after));
      assert.deepEqual(await ask(issue(stranger, 'admins')), { hasUntrustedCertificate: true });
    }
  });

  it('resumes no session: the certificate of each connection counts', async () => {
    const names: (string | undefined)[] = [];
    await using listener = await start(async ({ peer }) => {
      names.push(peer.certificate?.commonName);
      return json({});
    });
    const stranger = new CertificateAuthority({ clock: systemClock });
    const user = { commonName: 'jane' };
    const certificates = [
      authority.issueClientCertificate(user),
      stranger.issueClientCertificate(user),
      undefined,
    ];
    const options = { ca, host: '127.0.0.1', port: Number(new URL(listener.url).port) };
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      let session: Buffer | undefined;
      for (const shown of certificates) {
        const identity = shown && { cert: shown.certificate, key: shown.key };
        const resumption = session === undefined ? {} : { session };
        const socket = connectTls({ ...options, ...identity, ...resumption, maxVersion });
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        session ??= await sessionOf(socket);
        await once(socket, 'readable');
        assert.equal(socket.isSessionReused(), false);
        assert.match(await text(socket), /200 OK/);
      }
    }
    const expected = ['jane', undefined, undefined];
    assert.deepEqual(names, [...expected, ...expected]);
  });

  it('does not renegotiate: a client cannot replace its trusted certificate by another one', async () => {
    const users: (string | undefined)[] = [];
    await using listener = await start(async ({ peer }) => {
      users.push(peer.certificate?.commonName);
      return json({});
    });
    const stranger = new CertificateAuthority({ clock: systemClock });
    const jane = authority.issueClientCertificate({ commonName: 'jane' });
    const root = stranger.issueClientCertificate({
      commonName: 'root',
      organizations: ['system:masters'],
    });
    const socket = connectTls({
      ca,
      host: '127.0.0.1',
      port: Number(new URL(listener.url).port),
      cert: jane.certificate,
      key: jane.key,
      maxVersion: 'TLSv1.2',
    });
    await once(socket, 'secureConnect');
    socket.setKeyCert(createSecureContext({ cert: root.certificate, key: root.key }));
    const failed = new Promise<unknown>((resolve) => {
      socket.on('error', resolve);
      socket.renegotiate({}, resolve);
    });
    assert.match(String(await failed), /no.renegotiation/i);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    socket.resume();
    await closed;
    assert.ok(!users.includes('root'));
  });
});

/** Returns the session of a connection, to offer it again: with TLS 1.3, it comes in a ticket. */
async function sessionOf(socket: TLSSocket): Promise<Buffer | undefined> {
  await once(socket, 'secureConnect');
  if (socket.getProtocol() === 'TLSv1.2') return socket.getSession();
  return ((await once(socket, 'session')) as [Buffer])[0];
}
