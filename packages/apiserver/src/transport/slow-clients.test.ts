import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { IncompleteBodyError } from '../http.ts';
import type { Listener } from './listener.ts';
import { ca, deferred, http2Client, json, protocols, start } from './test-clients.ts';

const LIMITS = {
  handshakeTimeoutMs: 1000,
  headersTimeoutMs: 2000,
  requestTimeoutMs: 5000,
  idleTimeoutMs: 3000,
};

function portOf(listener: Listener): number {
  return Number(new URL(listener.url).port);
}

async function secure(listener: Listener, alpn: string): Promise<TLSSocket> {
  const socket = connectTls({
    ca,
    host: '127.0.0.1',
    port: portOf(listener),
    ALPNProtocols: [alpn],
  });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** Resolves when the server has closed the socket, cleanly or not. */
async function closed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.resume().on('close', () => resolve()));
}

/** Resolves when the next deadline of the server is `ms` away, which identifies its stage. */
async function untilDeadline(clock: VirtualClock, ms: number): Promise<void> {
  while (clock.untilNext !== ms) await nextTurn();
}

describe('a slow client', () => {
  it('that does not begin its TLS handshake is dropped', async () => {
    const clock = new VirtualClock();
    await using listener = await start(async () => json({}), { clock, ...LIMITS });
    const silent = connectTcp(portOf(listener), '127.0.0.1');
    const dribbling = connectTcp(portOf(listener), '127.0.0.1');
    for (const socket of [silent, dribbling]) socket.on('error', () => undefined);
    await Promise.all([once(silent, 'connect'), once(dribbling, 'connect')]);
    // The start of a ClientHello without the rest.
    dribbling.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
    while (clock.pending < 2) await nextTurn();
    await clock.advance(999);
    dribbling.write(Buffer.from([0x01]));
    const dropped = Promise.all([closed(silent), closed(dribbling)]);
    await clock.advance(1);
    await dropped;
    assert.ok(silent.closed && dribbling.closed);
  });

  it('that does not send the headers of its first request is dropped, however often it sends a byte', async () => {
    const clock = new VirtualClock();
    await using listener = await start(async () => json({}), { clock, ...LIMITS });
    const socket = await secure(listener, 'http/1.1');
    await untilDeadline(clock, LIMITS.headersTimeoutMs);
    socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    await clock.advance(1999);
    socket.write('x');
    const dropped = closed(socket);
    await clock.advance(1);
    await dropped;
    assert.ok(socket.closed);
  });

  it('that does not send the headers of a later request is dropped', async () => {
    const clock = new VirtualClock();
    await using listener = await start(async () => json({}), { clock, ...LIMITS });
    const socket = await secure(listener, 'http/1.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    await untilDeadline(clock, LIMITS.idleTimeoutMs + LIMITS.headersTimeoutMs);
    socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    const dropped = closed(socket);
    await clock.advance(5000);
    await dropped;
    assert.ok(socket.closed);
  });

  it('that does not open a stream on HTTP/2 is dropped, however often it pings', async () => {
    const clock = new VirtualClock();
    await using listener = await start(async () => json({}), { clock, ...LIMITS });
    const session = connectHttp2(listener.url, { ca });
    session.on('error', () => undefined);
    await once(session, 'remoteSettings');
    await untilDeadline(clock, LIMITS.idleTimeoutMs);
    await clock.advance(2999);
    await new Promise((resolve) => session.ping(resolve));
    const goaway = once(session, 'goaway');
    const closed = once(session, 'close');
    await clock.advance(1);
    await goaway;
    await closed;
    assert.ok(session.destroyed);
  });

  it('that does not send the HTTP/2 preface is dropped', async () => {
    const clock = new VirtualClock();
    await using listener = await start(async () => json({}), { clock, ...LIMITS });
    const socket = await secure(listener, 'h2');
    await untilDeadline(clock, LIMITS.idleTimeoutMs);
    socket.write('PRI * HTTP/2.0\r\n');
    const dropped = closed(socket);
    await clock.advance(3000);
    await dropped;
    assert.ok(socket.closed);
  });

  for (const [protocol, connect] of protocols) {
    it(`that does not send its body over ${protocol} is answered and cut off`, async () => {
      const clock = new VirtualClock();
      const reading = deferred();
      const errors: unknown[] = [];
      await using listener = await start(
        async ({ body }) => {
          try {
            const promise = body();
            reading.resolve();
            await promise;
            return json({});
          } catch (error) {
            errors.push(error);
            return json({ late: true }, 504);
          }
        },
        { clock, ...LIMITS },
      );
      await using client = await connect(listener);
      const asked = client.ask({ method: 'POST', upload: ['{"never":'], headers: {} });
      await reading.promise;
      await clock.advance(5000);
      const answer = await asked;
      assert.equal(answer.status, 504);
      const [error] = errors;
      assert.ok(error instanceof IncompleteBodyError && error.reason === 'timeout');
      await text(answer.body).catch(() => undefined);
    });

    it(`that does not send an unread body over ${protocol} is cut off`, async () => {
      const clock = new VirtualClock();
      const asked = deferred();
      await using listener = await start(
        async ({ signal }) => {
          asked.resolve();
          await once(signal, 'abort');
          return json({});
        },
        { clock, ...LIMITS },
      );
      await using client = await connect(listener);
      const answer = assert.rejects(client.ask({ method: 'POST', upload: ['x'] }));
      await asked.promise;
      await clock.advance(5000);
      await answer;
    });

    it(`that does not read a watch over ${protocol} keeps it`, async () => {
      const clock = new VirtualClock();
      const next = deferred();
      await using listener = await start(
        async () => ({
          status: 200,
          headers: {},
          body: (async function* () {
            yield Buffer.from('first ');
            await next.promise;
            yield Buffer.from('last');
          })(),
        }),
        { clock, ...LIMITS },
      );
      await using client = await connect(listener);
      const answer = await client.ask();
      await clock.advance(24 * 3600 * 1000);
      next.resolve();
      assert.equal(await text(answer.body), 'first last');
    });

    it(`leaves no timer behind over ${protocol}`, async () => {
      const clock = new VirtualClock();
      await using listener = await start(async ({ body }) => json((await body()).length), {
        clock,
        ...LIMITS,
      });
      {
        await using client = await connect(listener);
        const answer = await client.ask({ method: 'POST', body: Buffer.alloc(10) });
        assert.equal(await text(answer.body), '10');
      }
      await listener.close();
      while (clock.pending > 0) await nextTurn();
    });
  }

  it('on one stream does not affect the others', async () => {
    const clock = new VirtualClock();
    const asked = deferred();
    await using listener = await start(
      async ({ url, signal }) => {
        if (url === '/fast') return json({});
        asked.resolve();
        await once(signal, 'abort');
        return json({});
      },
      { clock, ...LIMITS },
    );
    await using client = await http2Client(listener);
    const slow = assert.rejects(client.ask({ method: 'POST', upload: ['x'] }));
    await asked.promise;
    await clock.advance(5000);
    await slow;
    assert.equal((await client.ask({ path: '/fast' })).status, 200);
  });
});
