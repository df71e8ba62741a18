import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get as httpsGet, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { seededRandom, systemClock } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import type { TransportResponse } from 'client-ts/transport';
import { parse } from 'yaml';

import { CertificateAuthority } from '../auth/certificates.ts';
import { ApiServerError } from '../transport/listener.ts';
import { ApiServer, formatKubeconfig } from './api-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Answer {
  readonly status: number;
  readonly body: { metadata?: { name?: string }; items?: { metadata: { name: string } }[] };
}

/** Sends one request over TLS on a new connection. */
async function send({ url, ca, token }: ApiServer, path: string, body?: object): Promise<Answer> {
  return await new Promise<Answer>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { ca, headers, agent: false, method: body === undefined ? 'GET' : 'POST' };
    const request = httpsRequest(new URL(path, url), options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] });
      });
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

async function open(server: ApiServer, path: string): Promise<TransportResponse> {
  return await server.transport().request({ method: 'GET', path, headers: {} });
}

describe('ApiServer', () => {
  it('serves over TLS and exposes what clients need to connect', async () => {
    await using server = await ApiServer.start();
    assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const { status, body } = await send(server, '/api/v1/namespaces');
    assert.equal(status, 200);
    assert.equal(body.items?.length, 4);
    const { server: url, auth, tls } = server.config;
    assert.deepEqual([url, auth?.token, tls?.ca], [server.url, server.token, server.ca]);
    const { clusters } = parse(server.kubeconfig) as {
      clusters: { cluster: { server: string } }[];
    };
    assert.equal(clusters[0]?.cluster.server, server.url);
  });

  it('generates a random token unless one is given', async () => {
    await using first = await ApiServer.start();
    await using second = await ApiServer.start({ token: 'given' });
    assert.ok(first.token.length >= 32);
    assert.equal(second.token, 'given');
    const wrong = await first
      .transport({ token: 'given' })
      .request({ method: 'GET', path: '/api', headers: {} });
    assert.equal(wrong.status, 401);
  });

  it('shares nothing with other servers in the process', async () => {
    await using first = await ApiServer.start();
    await using second = await ApiServer.start();
    assert.notEqual(first.url, second.url);
    await send(first, MAPS, { metadata: { name: 'a' } });
    assert.equal((await send(first, `${MAPS}/a`)).status, 200);
    assert.equal((await send(second, `${MAPS}/a`)).status, 404);
  });

  it('serves the same state in memory, without sockets', async () => {
    await using server = await ApiServer.start();
    await send(server, MAPS, { metadata: { name: 'a' } });
    assert.equal((await open(server, `${MAPS}/a`)).status, 200);
  });

  it('keeps its state and port across stopServing and resume', async () => {
    await using server = await ApiServer.start();
    await send(server, MAPS, { metadata: { name: 'a' } });
    const watch = (await open(server, `${MAPS}?watch=1`)).body[Symbol.asyncIterator]();
    await watch.next();
    const next = watch.next();
    await server.stopServing();
    await assert.rejects(next, { code: 'ECONNRESET' });
    await assert.rejects(send(server, `${MAPS}/a`), { code: 'ECONNREFUSED' });
    await assert.rejects(open(server, `${MAPS}/a`), { code: 'ECONNRESET' });
    await server.resume();
    assert.equal((await send(server, `${MAPS}/a`)).status, 200);
    assert.equal((await open(server, `${MAPS}/a`)).status, 200);
  });

  it('leaves no connection or timer behind when disposed', async () => {
    const clock = new VirtualClock();
    const server = await ApiServer.start({
      clock,
      random: seededRandom(1),
      compactionIntervalMs: 60_000,
    });
    await send(server, MAPS, { metadata: { name: 'a' } });
    const watch = (await open(server, `${MAPS}?watch=1`)).body[Symbol.asyncIterator]();
    await watch.next();
    const next = watch.next();
    assert.ok(clock.pending > 0);
    await server[Symbol.asyncDispose]();
    await assert.rejects(next);
    await clock.advance(0);
    assert.equal(clock.pending, 0);
    await assert.rejects(send(server, MAPS), { code: 'ECONNREFUSED' });
  });

  it('releases its port on close, which can be repeated', async () => {
    const server = await ApiServer.start();
    const port = Number(new URL(server.url).port);
    await server.close();
    await server.close();
    await using next = await ApiServer.start({ port });
    assert.equal(next.url, server.url);
    assert.equal((await send(next, MAPS)).status, 200);
    await server.close();
    assert.equal((await send(next, MAPS)).status, 200);
  });

  it('rejects when the port is taken and leaves nothing behind', async () => {
    await using server = await ApiServer.start();
    const clock = new VirtualClock();
    const port = Number(new URL(server.url).port);
    await assert.rejects(
      ApiServer.start({ port, clock, compactionIntervalMs: 1000 }),
      (error) => error instanceof ApiServerError && error.code === 'APISERVER_LISTEN_FAILED',
    );
    assert.equal(clock.pending, 0);
  });

  it('expires old versions on compact and at the compaction interval', async () => {
    const clock = new VirtualClock();
    await using server = await ApiServer.start({ clock, compactionIntervalMs: 1000 });
    const created = await send(server, MAPS, { metadata: { name: 'a' } });
    const { resourceVersion = '' } = created.body.metadata as { resourceVersion?: string };
    const old = `${MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
    await send(server, MAPS, { metadata: { name: 'b' } });
    assert.equal((await send(server, old)).status, 200);
    server.compact({ keepWatchCache: true });
    assert.equal((await send(server, old)).status, 200);
    await clock.advance(1000);
    assert.equal((await send(server, old)).status, 200);
    await clock.advance(1000);
    assert.equal((await send(server, old)).status, 410);
    await send(server, MAPS, { metadata: { name: 'c' } });
    server.compact();
    const newest = old.replace(resourceVersion, String(Number(resourceVersion) + 1));
    assert.equal((await send(server, newest)).status, 410);
  });

  it('serves the versions and the history that its options select', async () => {
    await using stable = await ApiServer.start({ insecure: true });
    assert.match(stable.url, /^http:/);
    assert.equal(stable.config.tls?.ca, undefined);
    const { body } = await open(stable, '/apis');
    let text = '';
    for await (const chunk of body) text += Buffer.from(chunk).toString();
    assert.doesNotMatch(text, /"version":"v\d+(alpha|beta)/);
    assert.match(text, /"version":"v1"/);
  });

  it('authenticates users by certificate and token, and matches faults by user', async () => {
    await using server = await ApiServer.start({ tokens: { t: { name: 'jane', groups: [] } } });
    const { certificate } = await server.issueClientCertificate({ commonName: 'joe' });
    assert.match(certificate, /^-----BEGIN CERTIFICATE-----/);
    using _ = server.faults.add({ match: { user: 'jane' }, fault: { kind: 'status', code: 418 } });
    const jane = server.transport({ token: 't' });
    const request = { method: 'GET', path: '/api', headers: {} };
    assert.equal((await jane.request(request)).status, 418);
    assert.equal((await server.transport().request(request)).status, 200);
  });

  it('accepts client certificates of the CAs that it is given, and no others', async () => {
    const trusted = new CertificateAuthority({ clock: systemClock });
    const stranger = new CertificateAuthority({ clock: systemClock });
    await using server = await ApiServer.start({ clientCA: trusted.certificate });
    const ask = async (authority: CertificateAuthority): Promise<[number | undefined, string]> => {
      const user = { commonName: 'joe', organizations: ['readers'] };
      const { certificate: cert, key } = authority.issueClientCertificate(user);
      const request = httpsGet(`${server.url}${MAPS}`, { ca: server.ca, cert, key, agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return [response.statusCode, await text(response)];
    };
    const [refused, body] = await ask(trusted);
    assert.equal(refused, 403);
    assert.match(body, /User \\"joe\\" cannot list resource/);
    const [unknown] = await ask(stranger);
    assert.equal(unknown, 401);
  });

  it('does not keep a process alive', async () => {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const module = new URL(`./api-server.${extension}`, import.meta.url).href;
    const script = `
      const { ApiServer } = await import(${JSON.stringify(module)});
      const server = await ApiServer.start({ compactionIntervalMs: 1000 });
      const path = '/api/v1/namespaces?watch=1&allowWatchBookmarks=1';
      const { body } = await server.transport().request({ method: 'GET', path, headers: {} });
      const watch = body[Symbol.asyncIterator]();
      await watch.next();
      watch.next().catch(() => undefined);
      await server[Symbol.asyncDispose]();
      process.stdout.write('disposed');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(output, 'disposed');
    assert.equal(code, 0);
  });
});

describe('formatKubeconfig', () => {
  it('has one cluster, one user and one current context', () => {
    const text = formatKubeconfig({
      server: 'https://127.0.0.1:6443',
      certificateAuthorityData: 'PEM',
      token: 'yes',
    });
    assert.deepEqual(parse(text), {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'client-ts',
          cluster: {
            server: 'https://127.0.0.1:6443',
            'certificate-authority-data': Buffer.from('PEM').toString('base64'),
          },
        },
      ],
      users: [{ name: 'client-ts', user: { token: 'yes' } }],
      contexts: [
        {
          name: 'client-ts',
          context: { cluster: 'client-ts', user: 'client-ts', namespace: 'default' },
        },
      ],
      'current-context': 'client-ts',
    });
    // YAML 1.1 readers take the bare word for a boolean.
    assert.match(text, /token: ["']yes["']/);
  });

  it('has no certificate authority without TLS', () => {
    assert.doesNotMatch(formatKubeconfig({ server: 'http://x', token: 't' }), /authority/);
  });
});
