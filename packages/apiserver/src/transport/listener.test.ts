import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';

import { BodyTooLargeError, type Handler, type Peer } from '../http.ts';
import { ca, deferred, http1Client, json, protocols, start } from './test-clients.ts';

for (const [protocol, connect] of protocols) {
  describe(`Listener over TLS and ${protocol}`, () => {
    it('passes the request to the handler and the response back', async () => {
      await using listener = await start(async ({ method, url, headers, body, peer }) =>
        json({
          method,
          url,
          header: headers['x-many'],
          body: Buffer.from(await body()).toString(),
          address: peer.address,
        }),
      );
      await using client = await connect(listener);
      const answer = await client.ask({
        method: 'POST',
        path: '/api/v1/pods?limit=1',
        headers: { 'x-many': ['a', 'b,c'] },
        body: Buffer.from('hello'),
      });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], 'application/json');
      const content = await text(answer.body);
      assert.equal(answer.headers['content-length'], String(content.length));
      assert.deepEqual(JSON.parse(content), {
        method: 'POST',
        url: '/api/v1/pods?limit=1',
        header: ['a', 'b,c'],
        body: 'hello',
        address: '127.0.0.1',
      });
    });

    it('sends long responses chunked over HTTP/1.1, like Go', async () => {
      const long = Buffer.alloc(2049, 'x');
      await using listener = await start(async ({ url }) => ({
        status: 200,
        headers: url === '/counted' ? { 'content-length': String(long.length) } : {},
        body: url === '/short' ? long.subarray(1) : long,
      }));
      await using client = await connect(listener);
      for (const [path, inHttp1] of [
        ['/short', '2048'],
        ['/long', undefined],
        ['/counted', '2049'],
      ] as const) {
        const answer = await client.ask({ path });
        const size = String((await text(answer.body)).length);
        assert.equal(answer.headers['content-length'], protocol === 'HTTP/2' ? size : inHttp1);
      }
    });

    it('passes on the host of the request', async () => {
      await using listener = await start(async ({ headers }) => json({ host: headers['host'] }));
      await using client = await connect(listener);
      const { host } = JSON.parse(await text((await client.ask()).body)) as { host: string };
      assert.equal(host, new URL(listener.url).host);
    });

    it('reuses the connection for the next request', async () => {
      // There is one object per connection.
      const peers = new Set<Peer>();
      await using listener = await start(async ({ peer }) => {
        peers.add(peer);
        return json({});
      });
      await using client = await connect(listener);
      for (let round = 0; round < 3; round += 1) await text((await client.ask()).body);
      assert.equal(peers.size, 1);
    });

    it('sends the headers of a stream before its first chunk, and each chunk immediately', async () => {
      const steps = [deferred(), deferred()];
      await using listener = await start(async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          for (const [index, step] of steps.entries()) {
            await step.promise;
            yield Buffer.from(`${index}`);
          }
        })(),
      }));
      await using client = await connect(listener);
      const answer = await client.ask();
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-length'], undefined);
      const chunks = answer.body[Symbol.asyncIterator]();
      for (const [index, step] of steps.entries()) {
        step.resolve();
        const { value } = (await chunks.next()) as { value: Buffer };
        assert.equal(value.toString(), `${index}`);
      }
      assert.equal((await chunks.next()).done, true);
    });

    it('answers HEAD without the stream, and releases it', async () => {
      const released = deferred();
      await using listener = await start(async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: {
          [Symbol.asyncIterator]: () => ({
            next: () => new Promise<never>(() => undefined),
            return: async () => {
              released.resolve();
              return { done: true, value: undefined };
            },
          }),
        },
      }));
      await using client = await connect(listener);
      const answer = await client.ask({ method: 'HEAD' });
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.equal(await text(answer.body), '');
      await released.promise;
    });

    it('sends the small end of a stream after the large chunks before it', async () => {
      const chunks = [199, 508_820, 40_706, 3].map((size, index) => Buffer.alloc(size, 97 + index));
      await using listener = await start(async () => ({
        status: 200,
        headers: {},
        body: (async function* body() {
          yield* chunks;
        })(),
      }));
      await using client = await connect(listener);
      for (const _ of [1, 2]) {
        const { body } = await client.ask();
        assert.ok(Buffer.concat(chunks).equals(await buffer(body)));
      }
    });

    it('sends chunks of any size unchanged, also one chunk to several clients', async () => {
      const sizes = [1, 0, 16, 16 * 1024, 16 * 1024 + 1, 100_000, 5];
      const chunks = sizes.map((size, index) => Buffer.alloc(size, 97 + index));
      await using listener = await start(async () => ({
        status: 200,
        headers: {},
        body: (async function* body() {
          for (const chunk of [...chunks, ...chunks]) yield await Promise.resolve(chunk);
        })(),
      }));
      await using client = await connect(listener);
      const answers = await Promise.all(Array.from({ length: 5 }, () => client.ask()));
      const whole = Buffer.concat([...chunks, ...chunks]);
      for (const { body } of answers) assert.ok(whole.equals(await buffer(body)));
    });

    it('pulls a stream only as fast as the client reads', async () => {
      const chunk = Buffer.alloc(64 * 1024);
      let pulled = 0;
      const stalled = deferred();
      await using listener = await start(async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          for (; pulled < 500; pulled += 1) yield chunk;
        })(),
      }));
      await using client = await connect(listener);
      const answer = await client.ask();
      // Nothing is read, so the server must stop long before the end. It has stopped when many
      // turns of the event loop in a row bring no progress.
      let quiet = 0;
      let last = -1;
      const watch = (): void => {
        quiet = pulled === last ? quiet + 1 : 0;
        last = pulled;
        if (quiet > 200) stalled.resolve();
        else setImmediate(watch);
      };
      watch();
      await stalled.promise;
      assert.ok(pulled < 250, `${pulled} chunks were pulled without a reader`);
      assert.equal((await buffer(answer.body)).length, 500 * chunk.length);
    });

    it('rejects a body over the limit, declared or not, with a response', async () => {
      const outcomes: unknown[] = [];
      const handler: Handler = async ({ body }) => {
        try {
          await body();
          return json({}, 200);
        } catch (error) {
          outcomes.push(error);
          return json({ reason: 'too large' }, 413);
        }
      };
      await using listener = await start(handler, { bodyLimit: 1000 });
      await using client = await connect(listener);
      const big = Buffer.alloc(1_000_000, 'x');
      const headers = [{ 'content-length': String(big.length) }, {}];
      for (const head of headers) {
        const answer = await client.ask({ method: 'POST', headers: head, body: big });
        assert.equal(answer.status, 413);
        assert.equal(await text(answer.body), '{"reason":"too large"}');
      }
      assert.equal(outcomes.length, 2);
      for (const error of outcomes)
        assert.ok(error instanceof BodyTooLargeError && error.limit === 1000);
      const next = await client.ask({ method: 'POST', body: big.subarray(0, 1000) });
      assert.equal(next.status, 200);
    });

    it('answers a request without reading its body', async () => {
      await using listener = await start(async () => json({}, 401));
      await using client = await connect(listener);
      for (let round = 0; round < 3; round += 1) {
        const answer = await client.ask({ method: 'POST', body: Buffer.alloc(300_000) });
        assert.equal(answer.status, 401);
        await text(answer.body);
      }
    });

    it('rejects a path with broken escapes', async () => {
      await using listener = await start(async ({ url }) => json({ url }));
      await using client = await connect(listener);
      assert.equal((await client.ask({ path: '/a%zz' })).status, 400);
      assert.equal((await client.ask({ path: '/a%20b?q=%zz' })).status, 200);
    });

    it('answers HEAD and empty responses without a body', async () => {
      await using listener = await start(async ({ method }) =>
        method === 'HEAD' ? json({ some: 'thing' }) : { status: 204, headers: {} },
      );
      await using client = await connect(listener);
      const head = await client.ask({ method: 'HEAD' });
      assert.equal(head.headers['content-length'], '16');
      assert.equal(await text(head.body), '');
      const empty = await client.ask();
      assert.equal(empty.status, 204);
      assert.equal(await text(empty.body), '');
    });

    it('reports a body that fails, and does not end it as complete', async () => {
      const errors: unknown[] = [];
      const failure = new Error('broken');
      const handler: Handler = async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from('first');
          throw failure;
        })(),
      });
      await using listener = await start(handler, { onError: (error) => errors.push(error) });
      await using client = await connect(listener);
      await assert.rejects(text((await client.ask()).body));
      assert.deepEqual(errors, [failure]);
    });

    it('runs many streams concurrently', async () => {
      await using listener = await start(async ({ url }) => ({
        status: 200,
        headers: {},
        body: (async function* () {
          for (let round = 0; round < 3; round += 1) yield Buffer.from(url);
        })(),
      }));
      await using client = await connect(listener);
      const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
      const answers = await Promise.all(
        paths.map(async (path) => text((await client.ask({ path })).body)),
      );
      assert.deepEqual(
        answers,
        paths.map((path) => path.repeat(3)),
      );
    });
  });
}

describe('Listener', () => {
  it('accepts URLs and headers of a megabyte, and rejects more', async () => {
    await using listener = await start(async ({ url }) => json(url.length));
    await using client = await http1Client(listener);
    const long = await client.ask({ path: `/${'x'.repeat(900_000)}` });
    assert.equal(await text(long.body), '900001');
    const tooLong = await client.ask({ headers: { 'x-long': 'x'.repeat(1_100_000) } });
    assert.equal(tooLong.status, 431);
    assert.equal(await text(tooLong.body), '431 Request Header Fields Too Large');
  });

  it('sends a stream to a client of HTTP/1.0, and to one that does not wait for the response before', async () => {
    await using listener = await start(async ({ url }) => ({
      status: 200,
      headers: {},
      body: (async function* body() {
        for (const part of [`<${url}`, '>']) yield await Promise.resolve(Buffer.from(part));
      })(),
    }));
    const port = Number(new URL(listener.url).port);
    const ask = async (requests: string): Promise<string> => {
      const socket = connectTls({ ca, host: '127.0.0.1', port });
      socket.write(requests);
      return await text(socket);
    };
    const [, old] = (await ask('GET /old HTTP/1.0\r\n\r\n')).split('\r\n\r\n');
    assert.equal(old, '</old>');
    const both = await ask(
      'GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    assert.deepEqual(
      both.match(/^(?:HTTP.*|[0-9a-f]+|<.*|>)$/gm)?.filter((line) => !line.startsWith('HTTP')),
      ['3', '</a', '1', '>', '0', '3', '</b', '1', '>', '0'],
    );
  });

  it('rejects invalid requests, and answers OPTIONS *', async () => {
    await using listener = await start(async () => json({}));
    const say = async (request: string): Promise<string> => {
      const options = { ca, host: '127.0.0.1', port: Number(new URL(listener.url).port) };
      const socket = connectTls(options);
      socket.write(request);
      return text(socket);
    };
    assert.match(await say('nonsense\r\n\r\n'), /^HTTP\/1\.1 400 [^]*\r\n\r\n400 Bad Request$/);
    const options = 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    assert.match(await say(options), /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(await say(options.replace('OPTIONS', 'GET')), /^HTTP\/1\.1 400 /);
    const absolute = 'GET http://proxy/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    assert.match(await say(absolute), /^HTTP\/1\.1 200 OK\r\n/);
  });

  it('rejects a declared length over the limit before the body is sent', async () => {
    const handler: Handler = async ({ body }) => {
      await assert.rejects(body(), BodyTooLargeError);
      return json({}, 413);
    };
    await using listener = await start(handler, { bodyLimit: 1000 });
    const socket = connectTls({ ca, host: '127.0.0.1', port: Number(new URL(listener.url).port) });
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n');
    const [head] = (await once(socket, 'data')) as [Buffer];
    assert.match(head.toString(), /^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});
