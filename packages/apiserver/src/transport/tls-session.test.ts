import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { connect, createServer, type TLSSocket } from 'node:tls';

import { authority, ca } from './test-clients.ts';
import { peerCertificateOf } from './tls-session.ts';

/** Returns the session of a server with a client. */
async function sessionWith(client: object): Promise<Buffer> {
  const { certificate: cert, key } = authority.issueServerCertificate(['127.0.0.1']);
  const server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: false });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const secured = once(server, 'secureConnection');
  const socket = connect({ host: '127.0.0.1', port, ca, ...client });
  const [accepted] = (await secured) as [TLSSocket];
  const session = accepted.getSession();
  const closed = once(server.close(), 'close');
  socket.destroy();
  accepted.destroy();
  await closed;
  return session as Buffer;
}

describe('the certificate in a TLS session', () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    it(`is that of the client, with ${maxVersion}`, async () => {
      const { certificate: cert, key } = authority.issueClientCertificate({ commonName: 'jane' });
      const session = await sessionWith({ cert, key, maxVersion });
      assert.deepEqual(peerCertificateOf(session), new X509Certificate(cert).raw);
    });

    it(`is undefined for a client without one, with ${maxVersion}`, async () => {
      assert.equal(peerCertificateOf(await sessionWith({ maxVersion })), undefined);
    });
  }

  it('is undefined for bytes that are cut off, or no session', async () => {
    const { certificate: cert, key } = authority.issueClientCertificate({ commonName: 'jane' });
    const session = await sessionWith({ cert, key });
    for (let length = 0; length < session.length; length++) {
      assert.equal(peerCertificateOf(session.subarray(0, length)), undefined);
    }
    assert.equal(peerCertificateOf(Buffer.from('no session')), undefined);
    // A length of more bytes than there are.
    assert.equal(peerCertificateOf(Buffer.from([0x30, 0x84, 0, 0, 0, 1])), undefined);
  });
});
