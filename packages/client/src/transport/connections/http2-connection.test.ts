import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { describe, it } from 'node:test';

import { Deferred } from '../../lib/deferred.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportResponse } from '../transport.ts';
import {
  bodyText,
  type Call,
  refuse,
  Relay,
  allArrived,
  startPool,
  TestServer,
} from './test-rig.ts';
import { frame } from './http2/test-frame-peer.ts';

describe('Http2Connection', () => {
  it('sends concurrent requests on one connection', async () => {
    const calls: Call[] = [];
    const all = new Deferred();
    await using server = await TestServer.start('h2', (call) => {
      calls.push(call);
      if (calls.length === 50) all.resolve();
    });
    await using rig = startPool('h2', server.port);
    const answers = Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        bodyText(await rig.request({ path: `/${index}` })),
      ),
    );
    await all.promise;
    for (const call of calls) call.answer(200, call.path);
    assert.deepEqual(
      await answers,
      Array.from({ length: 50 }, (_, index) => `/${index}`),
    );
    assert.equal(server.accepted, 1);
  });

  it('opens a further session when the server allows no more streams', async () => {
    await using server = await TestServer.start('h2', (call) => call.head(200), {
      maxConcurrentStreams: 3,
    });
    await using rig = startPool('h2', server.port);
    // The first answer comes after the server's settings.
    const streams: TransportResponse[] = [await rig.request()];
    for (let more = 0; more < 9; more += 1) streams.push(await rig.request());
    assert.equal(server.accepted, 4);
    // A stream that ends makes room on its session.
    await streams[1]?.body[Symbol.asyncIterator]().return?.();
    await Promise.all(server.sessions.map((session) => roundTrip(session)));
    await rig.request();
    await rig.request();
    await rig.request();
    assert.equal(server.accepted, 4);
  });

  it('queues requests beyond the stream limit, and opens one session at a time', async () => {
    await using server = await TestServer.start(
      'h2',
      (call) => setImmediate(() => call.answer(200, call.path)),
      { maxConcurrentStreams: 10 },
    );
    await using rig = startPool('h2', server.port);
    await bodyText(await rig.request());
    const paths = Array.from({ length: 95 }, (_, index) => `/${index}`);
    const answers = await Promise.all(
      paths.map(async (path) => bodyText(await rig.request({ path }))),
    );
    assert.deepEqual(answers, paths);
    assert.ok(server.accepted <= 10, `${server.accepted} sessions for 95 streams, 10 each`);
  });

  it('finishes its streams after a GOAWAY, and opens new ones on another connection', async () => {
    const calls: Call[] = [];
    await using server = await TestServer.start('h2', (call) => {
      call.head(200);
      calls.push(call);
    });
    await using rig = startPool('h2', server.port);
    const running = await rig.request();
    const [session] = server.sessions as [ServerHttp2Session];
    session.goaway(constants.NGHTTP2_NO_ERROR);
    await roundTrip(session);
    const next = await rig.request();
    assert.equal(server.accepted, 2);
    calls[0]?.output.end('went on');
    assert.equal(await bodyText(running), 'went on');
    if (!session.destroyed) await once(session, 'close');
    calls[1]?.output.end('elsewhere');
    assert.equal(await bodyText(next), 'elsewhere');
  });

  it('closes after a GOAWAY, whether or not the server ends its side', async () => {
    const sockets: Socket[] = [];
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(frame(4, 0, 0, new Uint8Array())); // SETTINGS
        socket.write(frame(7, 0, 0, Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0))); // GOAWAY after stream 1
        socket.write(frame(1, 5, 1, Uint8Array.of(0x88))); // HEADERS, :status 200, END_STREAM
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const rig = startPool('h2', (server.address() as AddressInfo).port);
    await bodyText(await rig.request());
    await rig[Symbol.asyncDispose]();
    assert.equal(sockets.length, 1);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('marks a stream that the server refused as not processed', async () => {
    await using server = await TestServer.start('h2', refuse);
    await using rig = startPool('h2', server.port);
    await assert.rejects(
      rig.request({ method: 'POST', body: Buffer.from('x') }),
      (error) =>
        error instanceof TransportError &&
        error.code === 'TRANSPORT_STREAM_REFUSED' &&
        !error.mayHaveBeenHandled,
    );
  });

  it('reports streams that a GOAWAY excluded as not handled', async () => {
    await using server = await TestServer.start('h2', (call) => {
      if (call.path === '/first') call.head(200);
      // The first stream is the last that counts; this one came too late.
      else server.sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR, 1);
    });
    await using rig = startPool('h2', server.port);
    const first = await rig.request({ path: '/first' });
    await assert.rejects(rig.request({ path: '/late' }), { code: 'TRANSPORT_STREAM_REFUSED' });
    await first.body[Symbol.asyncIterator]().return?.();
  });

  it('notices a server that breaks a stream off', async () => {
    await using server = await TestServer.start('h2', (call) => {
      call.head(200);
      call.output.write('first', () => call.output.destroy(new Error('broken')));
    });
    await using rig = startPool('h2', server.port);
    await assert.rejects(bodyText(await rig.request()), { code: 'TRANSPORT_CONNECTION_RESET' });
  });

  it('does not take an answer for whole that the server cancels', async () => {
    // Node's own servers end a stream properly before they reset it, so the frames are made by hand.
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(frame(4, 0, 0, new Uint8Array())); // SETTINGS
        socket.write(frame(1, 4, 1, Uint8Array.of(0x88))); // HEADERS, :status 200
        socket.write(frame(0, 0, 1, Buffer.from('first'))); // DATA
        socket.write(frame(3, 0, 1, Uint8Array.of(0, 0, 0, constants.NGHTTP2_CANCEL))); // RST_STREAM
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    {
      await using rig = startPool('h2', (server.address() as AddressInfo).port);
      await assert.rejects(bodyText(await rig.request()), { code: 'TRANSPORT_CONNECTION_RESET' });
    }
    server.close();
  });

  it('cancels a stream on the server', async () => {
    const arrived = new Deferred<Call>();
    await using server = await TestServer.start('h2', (call) => {
      call.head(200);
      arrived.resolve(call);
    });
    await using rig = startPool('h2', server.port);
    const { body } = await rig.request();
    await body[Symbol.asyncIterator]().return?.();
    const call = await arrived.promise;
    await call.closed;
    assert.equal((call.output as ServerHttp2Stream).rstCode, constants.NGHTTP2_CANCEL);
  });

  it('has a large flow-control window for the whole session', async () => {
    await using server = await TestServer.start('h2', (call) => call.answer(200));
    await using rig = startPool('h2', server.port);
    await bodyText(await rig.request());
    const [session] = server.sessions as [ServerHttp2Session];
    await roundTrip(session);
    assert.ok((session.state.remoteWindowSize ?? 0) > 2 ** 30);
  });

  it('keeps the session when a stream is aborted', async () => {
    await using server = await TestServer.start('h2', (call) => call.head(200));
    await using rig = startPool('h2', server.port);
    for (let round = 0; round < 5; round += 1) {
      const controller = new AbortController();
      const { body } = await rig.request({ signal: controller.signal });
      controller.abort(new Error('enough'));
      await assert.rejects(async () => body[Symbol.asyncIterator]().next(), /enough/);
    }
    assert.equal(server.accepted, 1);
  });

  it('does not block other streams on one that is not read', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    let blocked = 0;
    await using server = await TestServer.start('h2', (call) => {
      if (call.path === '/small') {
        call.answer(200, 'small');
        return;
      }
      call.head(200);
      const fill = (): void => {
        while (call.output.write(chunk));
        blocked += 1;
        call.output.once('drain', () => {
          blocked -= 1;
          fill();
        });
      };
      fill();
    });
    await using rig = startPool('h2', server.port);
    const unread = await Promise.all(Array.from({ length: 20 }, () => rig.request()));
    do await allArrived();
    while (blocked < unread.length);
    assert.equal(await bodyText(await rig.request({ path: '/small' })), 'small');
    assert.equal(server.accepted, 1);
    for (const { body } of unread) await body[Symbol.asyncIterator]().return?.();
  });

  it('closes after a time without streams', async () => {
    const clock = new VirtualClock();
    await using server = await TestServer.start('h2', (call) => call.answer(200, 'hello'));
    await using rig = startPool('h2', server.port, { clock, readIdleMs: 0 });
    await bodyText(await rig.request());
    const [socket] = server.sockets;
    await clock.advance(89_000);
    await bodyText(await rig.request());
    await clock.advance(89_000);
    assert.equal(server.sockets.size, 1);
    await clock.advance(1000);
    if (socket?.closed === false) await once(socket, 'close');
    await bodyText(await rig.request());
    assert.equal(server.accepted, 2);
  });
});

describe('Http2Connection, liveness', () => {
  it('closes a connection that does not answer a ping', async () => {
    const clock = new VirtualClock();
    await using server = await TestServer.start('h2', (call) => call.head(200));
    await using relay = await Relay.start(server.port);
    await using rig = startPool('h2', relay.port, { clock });
    const stream = await rig.request({ stream: true });
    const reading = assert.rejects(
      bodyText(stream),
      (error) => error instanceof TransportError && error.code === 'TRANSPORT_CONNECTION_LOST',
    );
    relay.isFrozen = true;
    // The first look may still see what came before the silence; the second one pings.
    await clock.advance(30_000);
    const pending = assert.rejects(rig.request(), { code: 'TRANSPORT_CONNECTION_LOST' });
    await clock.advance(15_000);
    await Promise.all([reading, pending]);
    relay.isFrozen = false;
    assert.equal((await rig.request()).status, 200);
    assert.equal(server.accepted, 2);
  });

  it('delivers what had arrived before a connection was found dead', async () => {
    const clock = new VirtualClock();
    await using server = await TestServer.start('h2', (call) => {
      if (call.path === '/later') call.answer(200, 'later');
      else call.head(200);
      if (call.path === '/stream') call.output.write('first');
    });
    await using relay = await Relay.start(server.port);
    await using rig = startPool('h2', relay.port, { clock });
    const { body } = await rig.request({ path: '/stream', stream: true });
    await bodyText(await rig.request({ path: '/later' }));
    const lost = rig.request({ path: '/never', stream: true });
    const silence = assert.rejects(bodyText(await lost), { code: 'TRANSPORT_CONNECTION_LOST' });
    relay.isFrozen = true;
    await clock.advance(30_000);
    await clock.advance(15_000);
    await silence;
    const chunks = body[Symbol.asyncIterator]();
    const { value } = await chunks.next();
    assert.equal(Buffer.from(value as Uint8Array).toString(), 'first');
    await assert.rejects(chunks.next(), { code: 'TRANSPORT_CONNECTION_LOST' });
  });

  it('pings a silent connection, and keeps it when it answers', async () => {
    const clock = new VirtualClock();
    await using server = await TestServer.start('h2', (call) => call.head(200));
    await using rig = startPool('h2', server.port, { clock });
    const stream = await rig.request({ stream: true });
    const [session] = server.sessions as [ServerHttp2Session];
    const pings: Buffer[] = [];
    session.on('ping', (payload) => pings.push(payload));
    // The first look sees what came before the silence.
    await clock.advance(15_000);
    for (let round = 1; round <= 3; round += 1) {
      await clock.advance(15_000);
      while (pings.length < round) await nextTurn();
      // The answer, too; without it the connection would be closed with the next advance.
      await allArrived();
    }
    assert.equal(server.accepted, 1);
    await stream.body[Symbol.asyncIterator]().return?.();
  });

  it('does not ping while bytes arrive', async () => {
    const clock = new VirtualClock();
    const arrived = new Deferred<Call>();
    await using server = await TestServer.start('h2', (call) => {
      call.head(200);
      arrived.resolve(call);
    });
    await using rig = startPool('h2', server.port, { clock });
    const { body } = await rig.request({ stream: true });
    const chunks = body[Symbol.asyncIterator]();
    const call = await arrived.promise;
    server.sessions[0]?.on('ping', () => assert.fail('a ping came'));
    for (let round = 0; round < 10; round += 1) {
      call.output.write('event');
      await chunks.next();
      await clock.advance(14_000);
    }
    await roundTrip(server.sessions[0] as ServerHttp2Session);
    await chunks.return?.();
  });

  it('leaves no timer behind', async () => {
    const clock = new VirtualClock();
    await using server = await TestServer.start('h2', (call) => call.answer(200));
    {
      await using rig = startPool('h2', server.port, { clock });
      await bodyText(await rig.request());
      assert.equal(clock.pending, 2);
    }
    assert.equal(clock.pending, 0);
  });
});

/** Resolves when everything sent before on this session has arrived at the client and back. */
function roundTrip(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    session.ping(() => resolve());
  });
}
