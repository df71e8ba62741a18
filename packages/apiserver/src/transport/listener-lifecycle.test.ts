import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';

import { ConnectionResetError, type Handler } from '../http.ts';
import { ca, deferred, json, protocols, start } from './test-clients.ts';

for (const [protocol, connect] of protocols) {
  describe(`a connection over TLS and ${protocol}`, () => {
    it('notifies handler and stream when the client disconnects', async () => {
      const returned = deferred();
      const aborted = deferred();
      await using listener = await start(async ({ signal }) => {
        signal.addEventListener('abort', aborted.resolve);
        return {
          status: 200,
          headers: {},
          body: {
            [Symbol.asyncIterator]: () => ({
              next: () => new Promise<never>(() => undefined),
              return: async () => {
                returned.resolve();
                return { done: true, value: undefined };
              },
            }),
          },
        };
      });
      await using client = await connect(listener);
      const answer = await client.ask();
      answer.leave();
      await assert.doesNotReject(Promise.all([returned.promise, aborted.promise]));
    });

    it('is dropped before the response if the handler demands it', async () => {
      await using listener = await start(async () => {
        throw new ConnectionResetError();
      });
      await using client = await connect(listener);
      await assert.rejects(client.ask());
    });

    it('is dropped in the middle of a body', async () => {
      await using listener = await start(async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from('first');
          throw new ConnectionResetError();
        })(),
      }));
      await using client = await connect(listener);
      const chunks = (await client.ask()).body[Symbol.asyncIterator]();
      const { value } = (await chunks.next()) as { value: Uint8Array };
      assert.equal(Buffer.from(value).toString(), 'first');
      await assert.rejects(chunks.next());
    });

    it('is dropped after the headers', async () => {
      await using listener = await start(async () => ({
        status: 201,
        headers: { 'content-length': '100' },
        body: (async function* () {
          yield new Uint8Array();
          throw new ConnectionResetError();
        })(),
      }));
      await using client = await connect(listener);
      const answer = await client.ask();
      assert.equal(answer.status, 201);
      await assert.rejects(text(answer.body));
    });

    it('ends its streams when the listener closes, which resolves afterwards', async () => {
      const listener = await start(async ({ signal }) => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from('first');
          await once(signal, 'abort');
        })(),
      }));
      await using client = await connect(listener);
      const streams = await Promise.all([client.ask(), client.ask()]);
      const idle = connectTls({ ca, host: '127.0.0.1', port: Number(new URL(listener.url).port) });
      await once(idle, 'secureConnect');
      const idleGone = once(idle.resume(), 'close');
      const reading = Promise.all(streams.map(({ body }) => text(body)));
      await listener.close();
      assert.deepEqual(await reading, ['first', 'first']);
      await idleGone;
      await assert.rejects(client.ask());
    });

    it('finishes a request in flight when the listener closes', async () => {
      const started = deferred();
      const finish = deferred();
      const listener = await start(async () => {
        started.resolve();
        await finish.promise;
        return json({ finished: true });
      });
      await using client = await connect(listener);
      const asked = client.ask();
      await started.promise;
      const closed = listener.close();
      finish.resolve();
      assert.equal(await text((await asked).body), '{"finished":true}');
      await closed;
    });

    it('does not delay the close if the client does not read', async () => {
      const listener = await start(async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          for (;;) yield Buffer.alloc(1_000_000);
        })(),
      }));
      await using client = await connect(listener);
      const answer = await client.ask();
      await listener.close();
      await assert.rejects(text(answer.body));
    });

    it('is reset by stopServing, and the port is back after resume', async () => {
      await using listener = await start(async ({ url, signal }) =>
        url === '/stream'
          ? {
              status: 200,
              headers: {},
              body: (async function* () {
                yield Buffer.from('first');
                await once(signal, 'abort');
              })(),
            }
          : json({}),
      );
      {
        await using client = await connect(listener);
        const stream = await client.ask({ path: '/stream' });
        const reading = assert.rejects(text(stream.body));
        await listener.stopServing();
        await reading;
      }
      const { hostname, port } = new URL(listener.url);
      const [refused] = (await once(connectTcp(Number(port), hostname), 'error')) as [
        NodeJS.ErrnoException,
      ];
      assert.equal(refused.code, 'ECONNREFUSED');
      await listener.resume();
      await using client = await connect(listener);
      assert.equal((await client.ask()).status, 200);
    });
  });
}

describe('a listener', () => {
  it('reports why it cannot listen', async () => {
    await using listener = await start(async () => json({}));
    const port = Number(new URL(listener.url).port);
    await assert.rejects(
      start(async () => json({}), { port }),
      (error: { code?: string; message?: string; cause?: { code?: string } }) =>
        error.code === 'APISERVER_LISTEN_FAILED' &&
        error.message?.startsWith(`cannot listen on 127.0.0.1:${port}`) === true &&
        error.cause?.code === 'EADDRINUSE',
    );
  });

  it('resets connections instead of ending them', async () => {
    const handler: Handler = async () => {
      throw new ConnectionResetError();
    };
    // Without TLS, because some versions show clients a reset as an end.
    await using listener = await start(handler, { insecure: true });
    const socket = connectTcp(Number(new URL(listener.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [error] = (await once(socket.resume(), 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNRESET');
  });
});
