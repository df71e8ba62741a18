import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';

import { ClientError } from 'client-ts/lib';

import { connect } from './connection.ts';
import type { Endpoint } from './kubeconfig.ts';

async function serve(
  t: TestContext,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Endpoint> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server: new URL(`http://127.0.0.1:${port}`), insecure: false, token: 'secret-token' };
}

test('a request carries the token, and the body comes as it arrives', async (t) => {
  const endpoint = await serve(t, (request, response) => {
    response.setHeader('x-asked', `${request.method} ${request.url}`);
    response.setHeader('x-token', request.headers.authorization ?? '');
    response.statusCode = 418;
    response.write('first ');
    response.end('second');
  });
  await using transport = connect(endpoint);
  const response = await transport.request({ method: 'GET', path: '/apis?limit=1', headers: {} });
  assert.equal(response.status, 418);
  assert.equal(response.headers['x-asked'], 'GET /apis?limit=1');
  assert.equal(response.headers['x-token'], 'Bearer secret-token');
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString(), 'first second');
});

test('a path never names another host', async (t) => {
  const asked: (string | undefined)[] = [];
  const endpoint = await serve(t, (request, response) => {
    asked.push(request.url);
    response.end();
  });
  await using transport = connect(endpoint);
  await transport.request({ method: 'GET', path: '//evil.example/x', headers: {} });
  assert.deepEqual(asked, ['//evil.example/x']);
});

test('a server that is not there is named, without the credentials', async (t) => {
  const endpoint = await serve(t, (request) => request.socket.destroy());
  await using transport = connect(endpoint);
  const request = transport.request({ method: 'GET', path: '/apis', headers: {} });
  await assert.rejects(request, (error) => {
    assert.ok(error instanceof ClientError);
    assert.equal(error.code, 'CONNECTION_FAILED');
    assert.match(error.message, /cannot reach http:\/\/127\.0\.0\.1:\d+: socket hang up/);
    assert.doesNotMatch(JSON.stringify(error), /secret-token/);
    return true;
  });
});

test('an abort ends the request', async (t) => {
  const controller = new AbortController();
  const endpoint = await serve(t, () => controller.abort(new Error('enough')));
  await using transport = connect(endpoint);
  const { signal } = controller;
  await assert.rejects(
    transport.request({ method: 'GET', path: '/apis', headers: {}, signal }),
    /enough/,
  );
});
