import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';
import { ClientError, type Logger, nextTurn } from 'client-ts/internal';
import { RESTClient } from 'client-ts/rest';
import { waitFor } from 'client-ts/wait';
import { VirtualClock } from 'client-ts/testing';
import { type Config, createTransport } from 'client-ts/transport';

import { authority, startTlsServer } from './test-tls-server.ts';

const ca = authority();

async function listen(server: Server): Promise<{ readonly host: string } & AsyncDisposable> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const method = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return {
    lines,
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
  };
}

/** Uses real connections, but a virtual clock for the back-off. */
async function getFrom(
  host: string,
  config: Partial<Config>,
): Promise<{ readonly error: unknown; readonly lines: readonly string[] }> {
  const clock = new VirtualClock();
  const logger = recordingLogger();
  // Much longer than all back-offs together, so it is easy to distinguish.
  const longMs = 1e9;
  const timing = { connectMs: longMs, handshakeMs: longMs, idleMs: longMs };
  await using transport = createTransport(
    { server: `http://${host}`, logger, ...config },
    { clock, timing, env: {} },
  );
  const client = RESTClient.over(transport, { clock });
  const state = { isOver: false };
  const request = client.get().resource('pods').param('labelSelector', 'token=secret');
  const failure = request
    .into()
    .then(
      () => assert.fail('there is an answer'),
      (error: unknown) => error,
    )
    .finally(() => (state.isOver = true));
  while (!state.isOver) {
    await nextTurn();
    if ((clock.untilNext ?? longMs) < longMs / 2) await clock.advanceToNext();
  }
  return { error: await failure, lines: logger.lines };
}

describe('a server that resets every connection', () => {
  it('is logged while retrying, and named in the error with all attempts', async () => {
    let connections = 0;
    await using server = await listen(
      createServer((socket) => {
        connections += 1;
        socket.on('error', () => undefined);
        socket.once('data', () => socket.resetAndDestroy());
      }),
    );
    const { error, lines } = await getFrom(server.host, {});
    assert.ok(error instanceof ClientError);
    assert.equal(connections, 11);
    assert.equal(error.code, 'TRANSPORT_CONNECTION_RESET');
    assert.equal(
      error.message,
      `GET /api/v1/pods: ${server.host}: the connection was reset (after 11 attempts)`,
    );
    const warnings = lines.filter((line) => line.startsWith('warn '));
    assert.equal(warnings.length, 2);
    const place = `warn GET /api/v1/pods: ${server.host}: `;
    assert.ok(
      warnings.every((line) => line.startsWith(place)),
      warnings.join('\n'),
    );
    assert.match(
      warnings[0] ?? '',
      /attempt \d failed: .*the connection was reset; next attempt in/,
    );
    assert.match(warnings[1] ?? '', /failed after 11 attempts in \d+\.\d s: .*was reset$/);
    assert.doesNotMatch(error.message + lines.join('\n'), /secret/);
  });

  it('is reported by a timeout', async () => {
    await using server = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.resetAndDestroy());
      }),
    );
    const { error } = await getFrom(server.host, { timeoutMs: 1000 });
    assert.ok(error instanceof ClientError);
    assert.equal(error.code, 'TRANSPORT_TIMEOUT');
    assert.match(
      error.message,
      /^GET \/api\/v1\/pods: 127\.0\.0\.1:\d+: no complete answer within the timeout of 1 s \(after \d attempts; the last failure: 127\.0\.0\.1:\d+: the connection was reset\)$/,
    );
    assert.equal((error.cause as ClientError).code, 'TRANSPORT_CONNECTION_RESET');
  });

  it('is named when it breaks off a body', async () => {
    await using server = await listen(
      createHttpServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{', () => response.socket?.resetAndDestroy());
      }),
    );
    const { error } = await getFrom(server.host, {});
    assert.match(String(error), new RegExp(`GET /api/v1/pods: ${server.host}: the connection`));
  });
});

describe('a web page where an API server should be', () => {
  it('is recognised, with server, path and content type', async () => {
    await using server = await listen(
      createHttpServer((request, response) => {
        const type = request.url?.includes('mislabelled')
          ? 'application/json'
          : 'text/html; charset=utf-8';
        response.writeHead(200, { 'content-type': type });
        response.end('<!DOCTYPE html><html><body>Sign in</body></html>');
      }),
    );
    await using client = new Clientset({ server: `http://${server.host}` });
    const isExplained = (error: unknown): boolean => {
      assert.ok(error instanceof ClientError);
      assert.equal(error.code, 'REST_RESPONSE_UNREADABLE');
      assert.equal(error.retry, 'never');
      assert.ok(error.message.includes(`: ${server.host} answered with status 200`), error.message);
      assert.match(error.message, /^GET \/api\/v1\/namespaces\/\w+\/pods.*an HTML page \(as .*\)/);
      assert.match(error.hint ?? '', /login portal.*port/);
      return true;
    };
    const pods = client.coreV1.pods('default');
    await assert.rejects(pods.get('web'), isExplained);
    await assert.rejects(pods.list(), isExplained);
    await assert.rejects(pods.list({ readOnly: true }), isExplained);
    await assert.rejects(client.coreV1.pods('mislabelled').get('web'), isExplained);
    await assert.rejects(pods.watch().next(), isExplained);
    await assert.rejects(
      waitFor(pods, 'web', () => true),
      isExplained,
    );
  });
});

describe('a failure that time cannot fix', () => {
  const day = 24 * 3_600_000;
  const janeOf = (issuer: typeof ca): { cert: string; key: string } => {
    const { certificate: cert, key } = issuer.issueClientCertificate({ commonName: 'jane' });
    return { cert, key };
  };

  async function endsWith(config: Config, expected: { readonly code: string }): Promise<void> {
    await using client = new Clientset(config);
    // A wait for another attempt would never end.
    const clock = new VirtualClock();
    const waiting = waitFor(client.coreV1.pods('default'), 'web', () => true, { clock });
    await assert.rejects(waiting, { ...expected, retry: 'never' });
  }

  it('fails immediately: a CA that did not sign the certificate', async () => {
    await using server = await startTlsServer({ ca });
    const tls = { ca: authority().certificate };
    await endsWith({ server: server.url, tls }, { code: 'TRANSPORT_TLS_UNTRUSTED' });
  });

  it('fails immediately: no certificate where the server requires one', async () => {
    await using server = await startTlsServer({ ca, wantsCertificate: true });
    const tls = { ca: ca.certificate };
    await endsWith({ server: server.url, tls }, { code: 'TRANSPORT_TLS_CLIENT_CERTIFICATE' });
  });

  it('fails immediately: a client certificate that is expired or of another CA', async () => {
    await using server = await ApiServer.start();
    for (const issuer of [authority(), authority(-400 * day)]) {
      const tls = { ca: server.ca, ...janeOf(issuer) };
      await endsWith({ server: server.url, tls }, { code: 'API_UNAUTHORIZED' });
    }
  });

  it('fails immediately: a token that the server rejects', async () => {
    await using server = await listen(
      createHttpServer((_, response) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(
          '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","code":401}',
        );
      }),
    );
    const config = { server: `http://${server.host}`, auth: { token: 'old' } };
    await endsWith(config, { code: 'API_UNAUTHORIZED' });
  });
});

describe('a server that requires a client certificate', () => {
  it('is reported if none is configured', async () => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      await using server = await startTlsServer({ ca, wantsCertificate: true, maxVersion });
      for (const protocol of ['auto', 'http1'] as const) {
        const tls = { ca: ca.certificate };
        await using client = new Clientset({ server: server.url, tls, protocol });
        await assert.rejects(client.coreV1.nodes().list(), (error) => {
          assert.ok(error instanceof ClientError);
          const words = `${error.message}: ${error.hint}`;
          assert.doesNotMatch(words, /accept/);
          assert.match(words, /requires? a client certificate, and none is configured/);
          return true;
        });
      }
    }
  });
});
