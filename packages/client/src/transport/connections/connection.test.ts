import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { describe, it } from 'node:test';

import { Deferred } from '../../lib/deferred.ts';
import { TransportError } from '../transport-error.ts';
import { bodyText, type Call, protocols, allArrived, startPool, TestServer } from './test-rig.ts';

for (const protocol of protocols) {
  const start = (serve: (call: Call) => void): Promise<TestServer> =>
    TestServer.start(protocol, serve);

  describe(`a connection that speaks ${protocol}`, () => {
    it('sends method, path, headers and body, and returns the response', async () => {
      await using server = await start((call) => {
        const { method, path, rawHeaders } = call;
        const values = rawHeaders.filter((_, index) => rawHeaders[index - 1] === 'x-many');
        void bodyText({ status: 0, headers: {}, body: call.input }).then((body) =>
          call.answer(201, JSON.stringify({ method, path, values, body }), {
            'content-type': 'application/json',
            warning: ['299 - "one, two"', '299 - "three"'],
          }),
        );
      });
      await using rig = startPool(protocol, server.port);
      const response = await rig.request({
        method: 'POST',
        path: '/a/b?c=d',
        headers: { 'x-many': ['one,two', 'three'], 'x-none': undefined },
        body: Buffer.from('{"some":"thing"}'),
      });
      assert.equal(response.status, 201);
      assert.equal(response.headers['content-type'], 'application/json');
      assert.deepEqual(response.headers['warning'], ['299 - "one, two"', '299 - "three"']);
      assert.deepEqual(JSON.parse(await bodyText(response)), {
        method: 'POST',
        path: '/a/b?c=d',
        values: ['one,two', 'three'],
        body: '{"some":"thing"}',
      });
    });

    it('sends letters of every language in headers as UTF-8, and nothing that breaks a header', async () => {
      const seen: string[] = [];
      await using server = await start((call) => {
        const at = call.rawHeaders.indexOf('x-name');
        const value = call.rawHeaders[at + 1] ?? '';
        seen.push(Buffer.from(value, 'latin1').toString());
        call.answer(200, '', { 'x-name': value });
      });
      await using rig = startPool(protocol, server.port);
      const answer = await rig.request({ headers: { 'x-name': 'Jürgen 日本 🚀' } });
      await bodyText(answer);
      assert.equal(answer.headers['x-name'], 'Jürgen 日本 🚀');
      assert.deepEqual(seen, ['Jürgen 日本 🚀']);
      const secret = 'to\nken';
      await assert.rejects(
        async () => rig.request({ headers: { 'x-name': secret } }),
        (error) =>
          error instanceof TransportError &&
          error.code === 'TRANSPORT_REQUEST_INVALID' &&
          !error.message.includes('ken'),
      );
    });

    it('is kept: three hundred requests one after the other need one', async () => {
      await using server = await start((call) => {
        if (call.path === '/204') call.answer(204);
        else call.answer(200, call.method === 'HEAD' ? '' : 'hello', { 'content-length': '5' });
      });
      await using rig = startPool(protocol, server.port);
      for (let round = 0; round < 100; round += 1) {
        assert.equal(await bodyText(await rig.request()), 'hello');
        // Responses without a body are complete when they arrive; they need not be read.
        assert.equal((await rig.request({ method: 'HEAD' })).status, 200);
        assert.equal((await rig.request({ path: '/204' })).status, 204);
      }
      assert.equal(server.accepted, 1);
    });

    it('yields chunks as they arrive, and the head before the first', async () => {
      const steps = [new Deferred(), new Deferred()];
      await using server = await start((call) => {
        call.head(200);
        void steps[0]?.promise.then(() => call.output.write('one'));
        void steps[1]?.promise.then(() => call.output.end('two'));
      });
      await using rig = startPool(protocol, server.port);
      const { body } = await rig.request();
      const chunks = body[Symbol.asyncIterator]();
      for (const [index, expected] of ['one', 'two'].entries()) {
        steps[index]?.resolve();
        const { value } = (await chunks.next()) as { value: Uint8Array };
        assert.equal(Buffer.from(value).toString(), expected);
      }
      assert.equal((await chunks.next()).done, true);
      assert.equal((await chunks.next()).done, true);
    });

    it('serves concurrent readers in order', async () => {
      await using server = await start((call) => call.answer(200, 'hello'));
      await using rig = startPool(protocol, server.port);
      const chunks = (await rig.request()).body[Symbol.asyncIterator]();
      const [first, second, third] = await Promise.all([
        chunks.next(),
        chunks.next(),
        chunks.next(),
      ]);
      assert.equal(Buffer.from(first.value as Uint8Array).toString(), 'hello');
      assert.deepEqual([second.done, third.done], [true, true]);
    });

    it('limits what the server sends ahead of a slow reader', async () => {
      const chunk = Buffer.alloc(64 * 1024);
      let written = 0;
      await using server = await start((call) => {
        call.head(200);
        const fill = (): void => {
          while (written < 1000) {
            written += 1;
            if (!call.output.write(chunk)) {
              call.output.once('drain', fill);
              return;
            }
          }
          call.output.end();
        };
        fill();
      });
      await using rig = startPool(protocol, server.port);
      const response = await rig.request();
      for (let last = -1; written !== last;) {
        last = written;
        await allArrived();
      }
      assert.ok(written < 500, `${written} of 1000 chunks were sent ahead`);
      let size = 0;
      for await (const part of response.body) size += part.length;
      assert.equal(size, 1000 * chunk.length);
    });

    it('releases the stream when aborted before the head', async () => {
      const arrived = new Deferred<Call>();
      await using server = await start((call) => arrived.resolve(call));
      await using rig = startPool(protocol, server.port);
      const controller = new AbortController();
      const answer = rig.request({ signal: controller.signal });
      const call = await arrived.promise;
      const reason = new Error('enough');
      controller.abort(reason);
      await assert.rejects(answer, reason);
      await call.closed;
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    });

    it('releases the stream when aborted while the body is read', async () => {
      const arrived = new Deferred<Call>();
      await using server = await start((call) => {
        call.head(200);
        call.output.write('first');
        arrived.resolve(call);
      });
      await using rig = startPool(protocol, server.port);
      const controller = new AbortController();
      const { body } = await rig.request({ signal: controller.signal });
      const chunks = body[Symbol.asyncIterator]();
      await chunks.next();
      const next = chunks.next();
      const reason = new Error('enough');
      controller.abort(reason);
      await assert.rejects(next, reason);
      await (
        await arrived.promise
      ).closed;
      assert.equal((await chunks.next()).done, true);
    });

    it('yields nothing that has arrived before an abort', async () => {
      await using server = await start((call) => {
        call.head(200);
        call.output.write('first');
      });
      await using rig = startPool(protocol, server.port);
      const controller = new AbortController();
      const { body } = await rig.request({ signal: controller.signal });
      controller.abort(new Error('enough'));
      await assert.rejects(async () => {
        for await (const chunk of body) assert.fail(`got ${chunk.length} bytes`);
      }, /enough/);
    });

    it('does not begin under a signal that has aborted', async () => {
      await using server = await start(() => assert.fail('a request came'));
      await using rig = startPool(protocol, server.port);
      await assert.rejects(rig.request({ signal: AbortSignal.abort() }), { name: 'AbortError' });
      assert.equal(rig.opened(), 0);
    });

    it('removes its listeners from the signal when the response is complete', async () => {
      await using server = await start((call) => call.answer(200, 'hello'));
      await using rig = startPool(protocol, server.port);
      const { signal } = new AbortController();
      await bodyText(await rig.request({ signal }));
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });

    it('frees the stream when the consumer leaves the loop', async () => {
      const arrived = new Deferred<Call>();
      await using server = await start((call) => {
        call.head(200);
        call.output.write('first');
        if (call.path === '/endless') arrived.resolve(call);
        else call.output.end();
      });
      await using rig = startPool(protocol, server.port);
      const { signal } = new AbortController();
      const { body } = await rig.request({ path: '/endless', signal });
      for await (const _ of body) break;
      await (
        await arrived.promise
      ).closed;
      assert.equal(getEventListeners(signal, 'abort').length, 0);
      assert.equal(await bodyText(await rig.request()), 'first');
    });

    it('reports a connection that is dropped before the head', async () => {
      await using server = await start((call) => call.socket.resetAndDestroy());
      await using rig = startPool(protocol, server.port);
      await assert.rejects(
        rig.request(),
        (error) =>
          error instanceof TransportError &&
          error.code === 'TRANSPORT_CONNECTION_RESET' &&
          error.mayHaveBeenHandled &&
          error.server === `127.0.0.1:${server.port}` &&
          error.cause instanceof Error,
      );
    });

    it('reports a connection that the server closes without a word', async () => {
      await using server = await start((call) => call.socket.end());
      await using rig = startPool(protocol, server.port);
      await assert.rejects(rig.request(), { code: 'TRANSPORT_CONNECTION_RESET' });
    });

    it('yields what arrived before the connection was dropped, then throws', async () => {
      await using server = await start((call) => {
        call.head(200);
        call.output.write('first', () => setImmediate(() => call.socket.resetAndDestroy()));
      });
      await using rig = startPool(protocol, server.port);
      const { body } = await rig.request();
      const chunks: string[] = [];
      await assert.rejects(
        async () => {
          for await (const chunk of body) chunks.push(Buffer.from(chunk).toString());
        },
        { code: 'TRANSPORT_CONNECTION_RESET' },
      );
      assert.deepEqual(chunks, ['first']);
    });

    it('delivers what had arrived before the connection was dropped', async () => {
      await using server = await start((call) => {
        call.head(200);
        call.output.write('first');
      });
      await using rig = startPool(protocol, server.port);
      const { body } = await rig.request();
      const chunks = body[Symbol.asyncIterator]();
      await chunks.next();
      for (const socket of server.sockets) socket.resetAndDestroy();
      await assert.rejects(chunks.next(), { code: 'TRANSPORT_CONNECTION_RESET' });
    });

    it('delivers a complete body after the connection was dropped', async () => {
      await using server = await start((call) => {
        call.answer(200, 'hello', { 'content-length': '5' });
      });
      await using rig = startPool(protocol, server.port);
      const response = await rig.request();
      await allArrived();
      for (const socket of server.sockets) socket.resetAndDestroy();
      await allArrived();
      assert.equal(await bodyText(response), 'hello');
    });

    it('refuses what the protocol cannot send', async () => {
      await using server = await start((call) => call.answer(200));
      await using rig = startPool(protocol, server.port);
      const wrong = protocol === 'h2' ? { headers: { te: 'gzip' } } : { method: 'G T' };
      await assert.rejects(rig.request(wrong), { code: 'TRANSPORT_REQUEST_INVALID' });
      await bodyText(await rig.request());
      assert.equal(server.accepted, 1);
    });

    it('opens another connection after one was dropped', async () => {
      await using server = await start((call) => {
        if (call.path === '/drop') call.socket.resetAndDestroy();
        else call.answer(200, 'hello');
      });
      await using rig = startPool(protocol, server.port);
      await assert.rejects(rig.request({ path: '/drop' }), { code: 'TRANSPORT_CONNECTION_RESET' });
      assert.equal(await bodyText(await rig.request()), 'hello');
      assert.equal(server.accepted, 2);
    });

    it('fails requests in flight when it closes, and accepts no more', async () => {
      const arrived = new Deferred();
      await using server = await start((call) => {
        if (call.path === '/stream') call.head(200);
        else arrived.resolve();
      });
      const rig = startPool(protocol, server.port);
      const stream = await rig.request({ path: '/stream' });
      const pending = rig.request();
      await arrived.promise;
      const outcomes = Promise.allSettled([pending, bodyText(stream)]);
      await rig[Symbol.asyncDispose]();
      for (const outcome of await outcomes) {
        assert.equal(outcome.status, 'rejected');
        assert.equal((outcome.reason as TransportError).code, 'TRANSPORT_CLOSED');
      }
      await assert.rejects(rig.request(), { code: 'TRANSPORT_CLOSED' });
      for (const socket of server.sockets) if (!socket.closed) await once(socket, 'close');
    });

    it('finishes requests in flight when replaced, and ends streams if asked to', async () => {
      const answers = new Map<string, Call>();
      const arrived = new Deferred();
      await using server = await start((call) => {
        answers.set(call.path, call);
        if (call.path.startsWith('/stream')) call.head(200);
        if (answers.size === 3) arrived.resolve();
        if (call.path === '/new') call.answer(200, 'new');
      });
      await using rig = startPool(protocol, server.port);
      const kept = await rig.request({ path: '/stream-without-mark' });
      const cut = await rig.request({ path: '/stream', stream: true });
      const pending = rig.request({ path: '/pending' });
      await arrived.promise;
      const before = rig.opened();
      rig.pool.replaceConnections(new TransportError('TRANSPORT_CONNECTION_RESET', 'reconnect'));
      await assert.rejects(bodyText(cut), /reconnect/);
      await answers.get('/stream')?.closed;
      assert.equal(await bodyText(await rig.request({ path: '/new' })), 'new');
      assert.equal(rig.opened(), before + 1);
      answers.get('/pending')?.answer(200, 'finished');
      answers.get('/stream-without-mark')?.output.end('also finished');
      assert.equal(await bodyText(await pending), 'finished');
      assert.equal(await bodyText(kept), 'also finished');
    });
  });
}
