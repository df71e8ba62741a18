import assert from 'node:assert/strict';
import { unlink } from 'node:fs/promises';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import { createTransport, type Credentials, type CredentialSource } from 'client-ts/transport';

import { authority, startTlsServer } from './test-tls-server.ts';
import {
  bodyText,
  choices,
  connect,
  Directory,
  get,
  Listening,
  whoAmI,
} from './test-transports.ts';

const watchPath = '/api/v1/namespaces/default/configmaps?watch=1';
const FIVE_MINUTES = 300_000;
/** Advances the clock and waits until the files have been read again, which takes real I/O. */
async function advanceAndReload(
  clock: VirtualClock,
  ms: number,
  reloads: Listening<'client-ts:credentials:reload'>,
): Promise<void> {
  const before = reloads.messages.length;
  await clock.advance(ms);
  while (reloads.messages.length === before) await nextTurn();
}

for (const protocol of choices) {
  describe(`client certificates in files, ${protocol}`, () => {
    it('are replaced without a restart: requests finish, streams start again', async () => {
      await using server = await ApiServer.start();
      await using directory = await Directory.create();
      const write = async (commonName: string): Promise<{ certFile: string; keyFile: string }> => {
        const user = { commonName, organizations: ['system:masters'] };
        const { certificate, key } = await server.issueClientCertificate(user);
        const certFile = await directory.write('cert.pem', certificate);
        return { certFile, keyFile: await directory.write('key.pem', key) };
      };
      const files = await write('jane');
      const clock = new VirtualClock();
      const tls = { ca: server.ca, ...files };
      // Pings need real time, which does not pass here.
      const options = { clock, timing: { readIdleMs: 0, fileCheckMs: 60_000 } };
      await using transport = connect(server, { protocol, tls, auth: {} }, options);
      using reloads = new Listening('client-ts:credentials:reload');
      using opened = new Listening('client-ts:connection:open');
      const watch = await get(transport, watchPath, { stream: true });
      const reading = assert.rejects(bodyText(watch), { code: 'TRANSPORT_CONNECTION_RESET' });
      assert.equal((await whoAmI(transport)).username, 'jane');
      await write('joe');
      // Open connections are kept until the files are checked again.
      await clock.advance(59_999);
      assert.equal((await whoAmI(transport)).username, 'jane');
      const before = opened.messages.length;
      await advanceAndReload(clock, 1, reloads);
      await reading;
      assert.equal((await whoAmI(transport)).username, 'joe');
      assert.equal(opened.messages.length, before + 1);
      assert.deepEqual(reloads.messages, [{ what: 'certificate', outcome: 'updated' }]);
    });

    it('stay in use while a file is missing or does not match', async () => {
      await using server = await ApiServer.start();
      await using directory = await Directory.create();
      const jane = await server.issueClientCertificate({ commonName: 'jane' });
      const joe = await server.issueClientCertificate({ commonName: 'joe' });
      const certFile = await directory.write('cert.pem', jane.certificate);
      const keyFile = await directory.write('key.pem', jane.key);
      const clock = new VirtualClock();
      const options = { clock, timing: { readIdleMs: 0, idleMs: 1000 } };
      const tls = { ca: server.ca, certFile, keyFile };
      await using transport = connect(server, { protocol, tls, auth: {} }, options);
      using reloads = new Listening('client-ts:credentials:reload');
      assert.equal((await whoAmI(transport)).username, 'jane');
      // The new certificate is there, but its key is not. Every request opens a connection.
      await directory.write('cert.pem', joe.certificate);
      await clock.advance(1000);
      assert.equal((await whoAmI(transport)).username, 'jane');
      await unlink(keyFile);
      await clock.advance(1000);
      assert.equal((await whoAmI(transport)).username, 'jane');
      await directory.write('key.pem', joe.key);
      await clock.advance(1000);
      assert.equal((await whoAmI(transport)).username, 'joe');
      assert.deepEqual(
        reloads.messages.map(({ what, outcome }) => `${what} ${outcome}`),
        ['certificate failed', 'certificate failed', 'certificate updated'],
      );
      assert.doesNotMatch(JSON.stringify(reloads.messages), /PRIVATE/);
    });
  });
}

describe('a CA in a file', () => {
  it('is replaced without a restart, and running streams continue', async () => {
    const [oldCa, newCa] = [authority(), authority()];
    await using before = await startTlsServer({ ca: oldCa });
    await using directory = await Directory.create();
    const caFile = await directory.write('ca.pem', oldCa.certificate);
    const clock = new VirtualClock();
    const timing = { readIdleMs: 0, idleMs: 3_600_000 };
    const config = { server: before.url, tls: { caFile } };
    await using transport = createTransport(config, { clock, timing, env: {} });
    using reloads = new Listening('client-ts:credentials:reload');
    using opened = new Listening('client-ts:connection:open');
    await bodyText(await get(transport));
    const running = await get(transport, '/', { stream: true });
    // The server switches to the new CA, and later so does the file.
    const { certificate: cert, key } = newCa.issueServerCertificate(['127.0.0.1']);
    before.server.setSecureContext({ cert, key });
    await directory.write('ca.pem', `${oldCa.certificate}${newCa.certificate}`);
    await advanceAndReload(clock, FIVE_MINUTES, reloads);
    assert.equal(await bodyText(running), 'hello');
    await bodyText(await get(transport));
    assert.equal(opened.messages.length, 2);
    assert.deepEqual(reloads.messages, [{ what: 'ca', outcome: 'updated' }]);
    // An empty file does not mean that every CA is trusted.
    await directory.write('ca.pem', '');
    await advanceAndReload(clock, FIVE_MINUTES, reloads);
    assert.equal(reloads.messages[1]?.outcome, 'failed');
    await bodyText(await get(transport));
  });
});

describe('certificates from a callback', () => {
  it('are used from the next request on, and replace the connections', async () => {
    await using server = await ApiServer.start();
    let current: Credentials = {};
    const use = async (commonName: string): Promise<void> => {
      const organizations = ['system:masters'];
      const user = { commonName, organizations };
      const { certificate, key } = await server.issueClientCertificate(user);
      current = { cert: certificate, key };
    };
    await use('jane');
    const source: CredentialSource = { get: async () => current, refused: () => undefined };
    await using transport = connect(server, { auth: { source } });
    using opened = new Listening('client-ts:connection:open');
    assert.equal((await whoAmI(transport)).username, 'jane');
    assert.equal((await whoAmI(transport)).username, 'jane');
    assert.equal(opened.messages.length, 1);
    const watch = await get(transport, watchPath, { stream: true });
    const reading = assert.rejects(bodyText(watch), { code: 'TRANSPORT_CONNECTION_RESET' });
    await use('joe');
    assert.equal((await whoAmI(transport)).username, 'joe');
    await reading;
    assert.equal(opened.messages.length, 2);
  });

  it('are rejected if invalid', async () => {
    await using server = await ApiServer.start();
    const source: CredentialSource = {
      get: async () => ({ cert: 'nonsense', key: 'secret' }),
      refused: () => undefined,
    };
    await using transport = connect(server, { auth: { source } });
    await assert.rejects(get(transport), (error: { code?: string; message?: string }) => {
      assert.equal(error.code, 'TRANSPORT_TLS_CONFIG');
      assert.doesNotMatch(error.message ?? '', /secret/);
      return true;
    });
  });
});
