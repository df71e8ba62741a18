import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';

import { ApiServer } from '@client-ts/apiserver';
import { createTransport, type TransportResponse } from 'client-ts/transport';

import { authority } from './test-tls-server.ts';
import { bodyJson, bodyText, choices, connect, get, Listening, post } from './test-transports.ts';

const watchPath = '/api/v1/namespaces/default/configmaps?watch=1';

interface Event {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string } };
}

async function* eventsOf({ body }: TransportResponse): AsyncGenerator<Event, void, void> {
  let text = '';
  for await (const chunk of body) {
    const lines = (text + Buffer.from(chunk).toString()).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Event;
  }
}

function configMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

for (const protocol of choices) {
  const alpn = protocol === 'auto' ? 'h2' : 'http/1.1';

  describe(`the transport over TLS and ${alpn}`, () => {
    it('makes one handshake for three hundred requests', async () => {
      await using server = await ApiServer.start();
      await using transport = connect(server, { protocol });
      using opened = new Listening('client-ts:connection:open');
      for (let round = 0; round < 300; round += 1) {
        const answer = await get(transport);
        assert.equal(answer.status, 200);
        await bodyText(answer);
      }
      assert.deepEqual(
        opened.messages.map((message) => message.protocol),
        [alpn],
      );
    });

    it('watches while it reads and writes', async () => {
      await using server = await ApiServer.start();
      await using transport = connect(server, { protocol });
      const path = '/api/v1/namespaces/default/configmaps';
      const list = await bodyJson<{ metadata: { resourceVersion: string } }>(
        await get(transport, path),
      );
      const from = `${path}?watch=1&resourceVersion=${list.metadata.resourceVersion}`;
      const watch = await get(transport, from, { stream: true });
      const events = eventsOf(watch);
      for (let round = 0; round < 20; round += 1) {
        const created = await post(transport, path, configMap(`map-${round}`));
        assert.equal(created.status, 201);
        await bodyText(created);
        const { value } = (await events.next()) as { value: Event };
        assert.equal(`${value.type} ${value.object.metadata.name}`, `ADDED map-${round}`);
      }
      await events.return();
    });

    it('opens any number of watches, beyond what one connection can carry', async () => {
      await using server = await ApiServer.start();
      await using transport = connect(server, { protocol });
      using opened = new Listening('client-ts:connection:open');
      await bodyText(await get(transport));
      const controller = new AbortController();
      const watches = await Promise.all(
        Array.from({ length: 250 }, () =>
          get(transport, watchPath, { stream: true, signal: controller.signal }),
        ),
      );
      assert.ok(watches.every(({ status }) => status === 200));
      // The embedded server allows a hundred streams per HTTP/2 session.
      assert.equal(opened.messages.length, protocol === 'auto' ? 3 : 250);
      assert.equal((await get(transport)).status, 200);
      controller.abort(new Error('enough'));
      await Promise.all(watches.map((watch) => assert.rejects(bodyText(watch), /enough/)));
    });

    it('decompresses large lists', async () => {
      await using server = await ApiServer.start();
      await using transport = connect(server, { protocol });
      const data = { text: 'compresses well. '.repeat(20_000) };
      const body = { ...configMap('large'), data };
      const path = '/api/v1/namespaces/default/configmaps';
      await bodyText(await post(transport, path, body));
      const headers = { 'accept-encoding': 'gzip' };
      const packed = await get(transport, `${path}/large`, { headers });
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.ok((await bodyText(packed)).length < data.text.length / 10);
      const answer = await get(transport, `${path}/large`);
      assert.equal(answer.headers['content-encoding'], undefined);
      const stored = await bodyJson<{ data: unknown }>(answer);
      assert.deepEqual(stored.data, data);
    });

    it('closes everything, so that a server can close, too', async () => {
      const server = await ApiServer.start();
      const transport = connect(server, { protocol });
      const watch = await get(transport, watchPath, { stream: true });
      const reading = assert.rejects(bodyText(watch), { code: 'TRANSPORT_CLOSED' });
      await transport[Symbol.asyncDispose]();
      await reading;
      await assert.rejects(get(transport), { code: 'TRANSPORT_CLOSED' });
      await server[Symbol.asyncDispose]();
    });

    it('does not keep the process alive if it is not closed', async () => {
      await using server = await ApiServer.start();
      const config = {
        server: server.url,
        tls: { ca: server.ca },
        auth: { token: server.token },
        protocol,
      };
      const program = `
        import { createTransport } from ${JSON.stringify(import.meta.resolve('client-ts/transport'))};
        const transport = createTransport(${JSON.stringify(config)}, { env: {} });
        for (let round = 0; round < 3; round += 1) {
          const { status, body } = await transport.request({ method: 'GET', path: '/version', headers: {} });
          for await (const chunk of body);
          console.log(status);
        }
      `;
      const run = promisify(execFile);
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
      assert.equal(stdout, '200\n200\n200\n');
    });

    it('applies back-pressure if a reader does not read', async () => {
      await using server = await ApiServer.start();
      await using transport = connect(server, { protocol });
      const path = '/api/v1/namespaces/default/configmaps';
      const data = { text: 'x'.repeat(200_000) };
      const watch = await get(transport, `${path}?watch=1`, { stream: true });
      for (let round = 0; round < 40; round += 1) {
        const body = { ...configMap(`map-${round}`), data };
        await bodyText(await post(transport, path, body));
      }
      // Other requests are not delayed, and the unread data is still available.
      assert.equal((await get(transport)).status, 200);
      let size = 0;
      for await (const chunk of watch.body) {
        size += chunk.length;
        if (size > 40 * 200_000) break;
      }
      assert.ok(size > 40 * 200_000);
    });
  });
}

describe('the transport with separate streams', () => {
  it('can use HTTP/1.1 for streams and HTTP/2 for the rest', async () => {
    await using server = await ApiServer.start();
    await using transport = connect(server, { streamProtocol: 'http1' });
    using opened = new Listening('client-ts:connection:open');
    const controller = new AbortController();
    const { signal } = controller;
    await bodyText(await get(transport));
    const watch = await get(transport, watchPath, { stream: true, signal });
    await bodyText(await get(transport));
    assert.deepEqual(
      opened.messages.map(({ protocol }) => protocol),
      ['h2', 'http/1.1'],
    );
    controller.abort(new Error('enough'));
    await assert.rejects(bodyText(watch), /enough/);
  });

  it('uses only HTTP/1.1 if DISABLE_HTTP2 is set', async () => {
    await using server = await ApiServer.start();
    await using transport = connect(server, {}, { env: { DISABLE_HTTP2: '1' } });
    using opened = new Listening('client-ts:connection:open');
    await bodyText(await get(transport));
    assert.deepEqual(
      opened.messages.map(({ protocol }) => protocol),
      ['http/1.1'],
    );
  });
});

describe('the transport with a server that does not speak HTTP/2', () => {
  for (const [name, offered] of [
    ['offers HTTP/1.1', ['http/1.1']],
    ['negotiates nothing', undefined],
  ] as const) {
    it(`uses HTTP/1.1 if the server ${name}`, async () => {
      const ca = authority();
      const { certificate: cert, key } = ca.issueServerCertificate(['127.0.0.1']);
      const options = { cert, key, ...(offered && { ALPNProtocols: [...offered] }) };
      const echo = createHttpServer((incoming, response) => void incoming.pipe(response));
      const server = createTlsServer(options, (socket) => echo.emit('connection', socket));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const config = { server: `https://127.0.0.1:${port}`, tls: { ca: ca.certificate } };
      using opened = new Listening('client-ts:connection:open');
      {
        await using transport = createTransport(config, { env: {} });
        const body = Buffer.alloc(2_000_000, 'some bytes');
        for (let round = 0; round < 3; round += 1) {
          const answer = await transport.request({ method: 'POST', path: '/', headers: {}, body });
          assert.ok((await buffer(answer.body)).equals(body));
        }
      }
      assert.deepEqual(
        opened.messages.map(({ protocol }) => protocol),
        ['http/1.1'],
      );
      server.close();
      await once(server, 'close');
    });
  }
});

describe('the in-memory transport', () => {
  it("has the same layers above the server's own transport", async () => {
    await using server = await ApiServer.start();
    await using memory = server.transport();
    await using transport = createTransport(
      { server: server.url, transport: memory, impersonate: { user: 'jane' } },
      { env: {} },
    );
    using attempts = new Listening('client-ts:request:attempt');
    using _ = server.faults.add({
      fault: { kind: 'status', code: 429, retryAfterSeconds: 0 },
      count: 1,
    });
    const answer = await get(transport, '/version');
    assert.equal(answer.status, 200);
    await bodyText(answer);
    assert.deepEqual(
      attempts.messages.map(({ outcome }) => outcome),
      [{ status: 429 }, { status: 200 }],
    );
  });

  it('releases an abandoned watch', async () => {
    await using server = await ApiServer.start();
    await using memory = server.transport();
    const config = { server: server.url, transport: memory };
    const transport = createTransport(config, { env: {} });
    const path = '/api/v1/namespaces/default/configmaps';
    await bodyText(await post(transport, path, configMap('first')));
    const watch = await get(transport, watchPath, { stream: true });
    for await (const _ of watch.body) break;
    const other = await get(transport, watchPath, { stream: true });
    const reading = assert.rejects(
      async () => {
        for await (const _ of other.body) continue;
      },
      { code: 'TRANSPORT_CLOSED' },
    );
    await transport[Symbol.asyncDispose]();
    await reading;
    assert.equal((await get(memory, '/version')).status, 200);
  });
});
