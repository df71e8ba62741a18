import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { configMaps } from 'client-ts/api/core/v1';
import { Deferred, systemRandom } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import { denied, WebhookError, Webhooks, WebhookServer } from 'client-ts/webhook';
import { type CertificateDirectory, certificateDirectory } from './test-certificates.ts';

const PATH = '/validate--v1-configmap';

function refusing(): Webhooks {
  const webhooks = new Webhooks({ maxAdmissionBytes: 100_000, onError: () => {} });
  webhooks.validating(configMaps, { handle: () => denied('not today') });
  return webhooks;
}

function reviewBody(padding = ''): string {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { padding },
  };
  const request = {
    uid: systemRandom.uuid(),
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    userInfo: {},
    object,
  };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
}

/** Sends a body over a new connection, unless options have an agent. */
async function send(
  { port = 0 }: WebhookServer,
  ca: string,
  body: string,
  options: RequestOptions = {},
): Promise<{ status: number | undefined; body: string }> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const target = { host: '127.0.0.1', port, path: PATH, method: 'POST', ca, headers };
  const outgoing = httpsRequest({ ...target, agent: false, ...options });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

/** Returns the certificate that a new connection gets. */
async function certificateOf({ port = 0 }: WebhookServer, ca: string): Promise<PeerCertificate> {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, ca });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerCertificate();
  socket.destroy();
  return certificate;
}

async function start(
  directory: CertificateDirectory,
  options: Partial<ConstructorParameters<typeof WebhookServer>[1]> = {},
): Promise<WebhookServer> {
  const server = new WebhookServer(refusing(), { certDir: directory.path, port: 0, ...options });
  await server.start();
  return server;
}

describe('WebhookServer', () => {
  it('answers reviews over TLS', async () => {
    await using directory = await certificateDirectory();
    await using server = await start(directory);
    assert.equal(server.isListening, true);
    const answer = await send(server, directory.authority.certificate, reviewBody());
    assert.equal(answer.status, 200);
    assert.match(answer.body, /not today/);
    const other = await send(server, directory.authority.certificate, '', { path: '/other' });
    assert.equal(other.status, 404);
  });

  it('uses a changed certificate for new connections, and old connections stay', async () => {
    await using directory = await certificateDirectory();
    await using server = await start(directory);
    const ca = directory.authority.certificate;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const options = { agent };
    assert.equal((await send(server, ca, reviewBody(), options)).status, 200);
    const before = await certificateOf(server, ca);
    await directory.renew();
    await server.reload();
    const after = await certificateOf(server, ca);
    assert.notEqual(after.serialNumber, before.serialNumber);
    assert.equal((await send(server, ca, reviewBody(), options)).status, 200);
    agent.destroy();
  });

  it('keeps the previous pair while the files do not fit together, and reports it', async () => {
    await using directory = await certificateDirectory();
    const clock = new VirtualClock();
    const reported = new Deferred<WebhookError>();
    await using server = await start(directory, {
      clock,
      onError: (error) => reported.resolve(error),
    });
    const ca = directory.authority.certificate;
    const before = await certificateOf(server, ca);
    await directory.spoil();
    await clock.advance(10_000);
    const error = await reported.promise;
    assert.equal(error.code, 'WEBHOOK_CERTIFICATE_INVALID');
    assert.match(error.message, /the key does not belong to the certificate/);
    await assert.rejects(server.reload(), WebhookError);
    assert.equal((await certificateOf(server, ca)).serialNumber, before.serialNumber);
    await directory.renew();
    await server.reload();
    assert.notEqual((await certificateOf(server, ca)).serialNumber, before.serialNumber);
  });

  it('refuses a body that is too large, and connections without a client certificate', async () => {
    await using directory = await certificateDirectory();
    await using server = await start(directory, { clientCAName: 'ca.crt' });
    const { authority } = directory;
    const client = authority.issueClientCertificate({ commonName: 'kube-apiserver' });
    const pair = { cert: client.certificate, key: client.key };
    const ca = authority.certificate;
    assert.equal((await send(server, ca, reviewBody(), pair)).status, 200);
    const large = await send(server, ca, reviewBody('x'.repeat(100_000)), pair);
    assert.equal(large.status, 413);
    await assert.rejects(send(server, ca, reviewBody()));
  });

  it('lets reviews in progress finish at the end', async () => {
    await using directory = await certificateDirectory();
    const started = new Deferred();
    const finish = new Deferred();
    const webhooks = new Webhooks();
    webhooks.validating(configMaps, {
      handle: async () => {
        started.resolve();
        await finish.promise;
      },
    });
    await using server = new WebhookServer(webhooks, { certDir: directory.path, port: 0 });
    await server.start();
    const answer = send(server, directory.authority.certificate, reviewBody());
    await started.promise;
    const closed = server.close();
    assert.equal(server.isListening, false);
    finish.resolve();
    assert.equal((await answer).status, 200);
    await closed;
    assert.equal(server.port, undefined);
  });

  it('ends connections that are still open after the grace period', async () => {
    await using directory = await certificateDirectory();
    const clock = new VirtualClock();
    const aborted = new Deferred();
    const started = new Deferred();
    const webhooks = new Webhooks({ onError: () => {} });
    webhooks.validating(configMaps, {
      handle: ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        started.resolve();
        return new Promise(() => {});
      },
    });
    const options = { certDir: directory.path, port: 0, clock, gracePeriodMs: 500 };
    await using server = new WebhookServer(webhooks, options);
    await server.start();
    const answer = send(server, directory.authority.certificate, reviewBody());
    answer.catch(() => undefined);
    await started.promise;
    const closed = server.close();
    await clock.advance(500);
    await assert.rejects(answer);
    await aborted.promise;
    await closed;
  });

  it('names what it cannot start with', async () => {
    await using directory = await certificateDirectory();
    const missing = new WebhookServer(refusing(), { certDir: `${directory.path}/none`, port: 0 });
    await assert.rejects(missing.start(), { code: 'WEBHOOK_CERTIFICATE_INVALID' });
    await missing.close();
    const busy = createServer();
    busy.listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as { port: number };
    const options = { certDir: directory.path, port, host: '127.0.0.1' };
    const taken = new WebhookServer(refusing(), options);
    await assert.rejects(taken.start(), { code: 'WEBHOOK_LISTEN_FAILED' });
    busy.close();
  });
});
