import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
} from 'node:http2';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';

import { systemClock } from 'client-ts/lib';

import { CertificateAuthority } from '../auth/certificates.ts';
import {
  type ApiRequest,
  BodyTooLargeError,
  ConnectionResetError,
  type Handler,
  type Peer,
} from '../http.ts';
import { Listener, type ListenerOptions } from './listener.ts';

const authority = new CertificateAuthority({ clock: systemClock });
const ca = authority.certificate;

function start(handler: Handler, options: Partial<ListenerOptions> = {}): Promise<Listener> {
  return Listener.start(handler, { authority, ...options });
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array>;
  /** Goes away without reading on. */
  leave(): void;
}

interface Ask {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: Uint8Array;
}

/** A client for one protocol, so that every test runs on both. */
interface Client extends AsyncDisposable {
  ask(request?: Ask): Promise<Answer>;
}

type Connect = (listener: Listener, tls?: { cert?: string; key?: string }) => Promise<Client>;

async function http1Client(listener: Listener, tls: object = {}): Promise<Client> {
  const agent = new Agent({ keepAlive: true, ca, ...tls });
  return {
    ask: async ({ method = 'GET', path = '/', headers = {}, body } = {}) => {
      const options: RequestOptions = { method, headers, agent };
      const request: ClientRequest = httpsRequest(new URL(path, listener.url), options);
      // What goes wrong after the head shows in the body.
      request.on('error', () => undefined);
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: response,
        leave: () => request.destroy(),
      };
    },
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

/** Node ends the reading side of a broken stream as if it were complete; here that is an error. */
async function* wholeBody(stream: ClientHttp2Stream): AsyncGenerator<Uint8Array> {
  yield* stream as AsyncIterable<Uint8Array>;
  if (!stream.closed) await once(stream, 'close');
  if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw new Error('cut off');
}

async function http2Client(listener: Listener, tls: object = {}): Promise<Client> {
  const session: ClientHttp2Session = connectHttp2(listener.url, { ca, ...tls });
  session.on('error', () => undefined);
  return {
    ask: async ({ method = 'GET', path = '/', headers = {}, body } = {}) => {
      const stream: ClientHttp2Stream = session.request(
        { ':method': method, ':path': path, ...headers },
        { endStream: body === undefined },
      );
      if (body !== undefined) stream.end(body);
      stream.on('error', () => undefined);
      const head = await new Promise<Record<string, string>>((resolve, reject) => {
        stream.on('response', (headers) => resolve(headers as Record<string, string>));
        // A reset may close the stream without an error.
        stream.on('close', () => reject(new Error('cut off')));
      });
      return {
        status: Number(head[':status']),
        headers: head,
        body: wholeBody(stream),
        leave: () => stream.close(constants.NGHTTP2_CANCEL),
      };
    },
    [Symbol.asyncDispose]: async () => session.destroy(),
  };
}

const json = (value: unknown, status = 200): Awaited<ReturnType<Handler>> => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

/** A promise with its ends in reach. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const protocols: [name: string, connect: Connect][] = [
  ['HTTP/1.1', http1Client],
  ['HTTP/2', http2Client],
];

for (const [protocol, connect] of protocols) {
  describe(`Listener over TLS and ${protocol}`, () => {
    it('hands the request to the handler and the answer back', async () => {
      await using listener = await start(async ({ method, url, headers, body, peer }) =>
        json({
          method,
          url,
          header: headers['x-many'],
          body: Buffer.from(await body()).toString(),
          peer,
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
        peer: {},
      });
    });

    it('keeps the connection for the next request', async () => {
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

    it('sends the head of a stream before its first chunk, and chunks as they come', async () => {
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
      // Nobody reads: the server must come to rest long before the end. It rests when a whole turn
      // of the event loop brings no progress, many times in a row.
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

    it('tells handler and stream when the client goes away', async () => {
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
      await Promise.all([returned.promise, aborted.promise]);
    });

    it('refuses a body over the limit, declared or not, and still answers', async () => {
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

    it('answers a request whose body nobody reads', async () => {
      await using listener = await start(async () => json({}, 401));
      await using client = await connect(listener);
      for (let round = 0; round < 3; round += 1) {
        const answer = await client.ask({ method: 'POST', body: Buffer.alloc(300_000) });
        assert.equal(answer.status, 401);
        await text(answer.body);
      }
    });

    it('refuses a path with broken escapes', async () => {
      await using listener = await start(async ({ url }) => json({ url }));
      await using client = await connect(listener);
      assert.equal((await client.ask({ path: '/a%zz' })).status, 400);
      assert.equal((await client.ask({ path: '/a%20b?q=%zz' })).status, 200);
    });

    it('answers HEAD and empty answers without a body', async () => {
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

    it('knows who shows a certificate of its own CA, and nobody else', async () => {
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

    it('drops the connection before an answer when the handler asks for it', async () => {
      await using listener = await start(async () => {
        throw new ConnectionResetError();
      });
      await using client = await connect(listener);
      await assert.rejects(client.ask());
    });

    it('drops the connection in the middle of a body', async () => {
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

    it('drops the connection when only the head has arrived', async () => {
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

    it('reports a body that fails, and does not pretend that it was complete', async () => {
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

    it('ends streams when it closes, and resolves when all is over', async () => {
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

    it('lets a request finish that is under way when it closes', async () => {
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

    it('does not wait for a client that does not read', async () => {
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

    it('stops serving like a crash, and comes back on the same port', async () => {
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

    it('runs many streams at once', async () => {
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
  it('takes URLs and headers of a megabyte, and refuses more', async () => {
    await using listener = await start(async ({ url }) => json(url.length));
    await using client = await http1Client(listener);
    const long = await client.ask({ path: `/${'x'.repeat(900_000)}` });
    assert.equal(await text(long.body), '900001');
    assert.equal((await client.ask({ headers: { 'x-long': 'x'.repeat(1_100_000) } })).status, 431);
  });

  it('says why it cannot listen', async () => {
    await using listener = await start(async () => json({}));
    const port = Number(new URL(listener.url).port);
    await assert.rejects(
      start(async () => json({}), { port }),
      (error: { code?: string; message?: string; cause?: { code?: string } }) =>
        error.code === 'LISTEN_FAILED' &&
        error.message?.startsWith(`cannot listen on 127.0.0.1:${port}`) === true &&
        error.cause?.code === 'EADDRINUSE',
    );
  });

  it('refuses a declared length over the limit before anything is sent', async () => {
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

  it('drops connections by a reset, not by an end', async () => {
    await using listener = await start(async () => {
      throw new ConnectionResetError();
    });
    const socket = connectTls({ ca, host: '127.0.0.1', port: Number(new URL(listener.url).port) });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [error] = (await once(socket.resume(), 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNRESET');
  });

  it('serves plain HTTP if told so', async () => {
    await using listener = await start(async ({ url }) => json({ url }), { insecure: true });
    assert.match(listener.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(`${listener.url}/x`);
    assert.deepEqual(await response.json(), { url: '/x' });
  });

  it('is reached under its further names', async () => {
    await using listener = await start(async () => json({}), { names: ['api.example.com'] });
    const port = Number(new URL(listener.url).port);
    for (const servername of ['api.example.com', 'localhost']) {
      const socket = connectTls({ ca, host: '127.0.0.1', port, servername });
      await once(socket, 'secureConnect');
      assert.ok(socket.authorized);
      socket.destroy();
    }
  });

  it('speaks HTTP/1.1 with clients that do not negotiate', async () => {
    await using listener = await start(async () => json({}));
    const socket = connectTls({ ca, host: '127.0.0.1', port: Number(new URL(listener.url).port) });
    socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n/);
  });

  it('believes a resumed session no more than the first one', async () => {
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
      for (const shown of certificates) {
        const identity = shown && { cert: shown.certificate, key: shown.key };
        let session: Buffer | undefined;
        for (const isResumed of [false, true]) {
          const resumption = session === undefined ? {} : { session };
          const socket = connectTls({ ...options, ...identity, ...resumption, maxVersion });
          socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
          if (!isResumed) [session] = (await once(socket, 'session')) as [Buffer];
          await once(socket, 'readable');
          assert.equal(socket.isSessionReused(), isResumed);
          assert.match(await text(socket), /200 OK/);
        }
      }
    }
    const expected = ['jane', 'jane', undefined, undefined, undefined, undefined];
    assert.deepEqual(names, [...expected, ...expected]);
  });
});
