import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../../lib/deferred.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { onAbort } from '../../lib/signal.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { TransportError } from '../transport-error.ts';
import {
  bodyText,
  type Call,
  type PoolRig,
  protocols,
  refuse,
  startPool,
  TestServer,
} from './test-rig.ts';

describe('ConnectionPool', () => {
  it('opens one connection for all waiting requests until the protocol is known', async () => {
    for (const protocol of protocols) {
      const open = new Deferred();
      let attempts = 0;
      await using server = await TestServer.start(protocol, (call) => call.answer(200, 'hello'));
      await using rig = startPool(protocol, server.port, {
        beforeOpen: () => {
          attempts += 1;
          return open.promise;
        },
      });
      const answers = Array.from({ length: 20 }, async () => bodyText(await rig.request()));
      await nextTurn();
      assert.equal(attempts, 1);
      open.resolve();
      assert.equal((await Promise.all(answers)).length, 20);
      assert.ok(protocol === 'h2' ? attempts === 1 : attempts > 1);
    }
  });

  it('fails all waiting requests when their one connection cannot be opened', async () => {
    const refused = new TransportError('TRANSPORT_CONNECTION_REFUSED', 'refused');
    let attempts = 0;
    await using rig = startPool('h2', 1, {
      beforeOpen: async () => {
        attempts += 1;
        throw refused;
      },
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => rig.request()));
    assert.ok(
      outcomes.every(
        ({ status, reason }: { status: string; reason?: unknown }) =>
          status === 'rejected' && reason === refused,
      ),
    );
    assert.equal(attempts, 1);
  });

  it('fails only one request if each has its own connection', async () => {
    const calls: Call[] = [];
    await using server = await TestServer.start('http/1.1', (call) => {
      calls.push(call);
      if (call.path === '/quick') call.answer(200);
    });
    let attempts = 0;
    await using rig = startPool('http/1.1', server.port, {
      beforeOpen: async () => {
        attempts += 1;
        if (attempts === 3) throw new TransportError('TRANSPORT_CONNECTION_REFUSED', 'refused');
      },
    });
    await bodyText(await rig.request({ path: '/quick' }));
    const outcomes = Promise.allSettled(Array.from({ length: 4 }, () => rig.request()));
    while (calls.length < 4) await nextTurn();
    for (const call of calls.slice(1)) call.answer(200);
    const statuses = (await outcomes).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 'rejected').length, 1);
  });

  it('takes a connection that becomes free while another is being opened', async () => {
    const slow = new Deferred();
    const calls: Call[] = [];
    let attempts = 0;
    await using server = await TestServer.start('http/1.1', (call) => calls.push(call));
    await using rig = startPool('http/1.1', server.port, {
      beforeOpen: async () => {
        attempts += 1;
        if (attempts > 1) await slow.promise;
      },
    });
    const first = rig.request({ path: '/first' });
    while (calls.length < 1) await nextTurn();
    const second = rig.request({ path: '/second' });
    await nextTurn();
    assert.equal(attempts, 2);
    calls[0]?.answer(200, 'first');
    assert.equal(await bodyText(await first), 'first');
    while (calls.length < 2) await nextTurn();
    calls[1]?.answer(200, 'second');
    assert.equal(await bodyText(await second), 'second');
    slow.resolve();
  });

  it('closes a connection that is no longer needed', async () => {
    for (const protocol of protocols) {
      const clock = new VirtualClock();
      const slow = new Deferred();
      const calls: Call[] = [];
      let attempts = 0;
      await using server = await TestServer.start(protocol, (call) => calls.push(call), {
        maxConcurrentStreams: 1,
      });
      await using rig = startPool(protocol, server.port, {
        clock,
        readIdleMs: 0,
        beforeOpen: async () => {
          attempts += 1;
          if (attempts > 1) await slow.promise;
        },
      });
      const first = rig.request();
      while (calls.length < 1) await nextTurn();
      const controller = new AbortController();
      const second = rig.request();
      const third = rig.request({ signal: controller.signal });
      await nextTurn();
      calls[0]?.answer(200);
      await bodyText(await first);
      while (calls.length < 2) await nextTurn();
      // The waiting request is aborted so late that the connection is opened nevertheless.
      slow.resolve();
      controller.abort(new Error('enough'));
      await assert.rejects(third, /enough/);
      while (server.sockets.size < 2) await nextTurn();
      calls[1]?.answer(200);
      await bodyText(await second);
      while (clock.pending < 2) await nextTurn();
      await clock.advance(90_000);
      while (server.sockets.size > 0) await nextTurn();
      assert.equal(clock.pending, 0);
    }
  });

  it('cancels opening a connection when the last waiting request aborts', async () => {
    const aborted = new Deferred();
    await using server = await TestServer.start('h2', (call) => call.answer(200));
    let isSlow = true;
    await using rig = startPool('h2', server.port, {
      beforeOpen: (signal) =>
        new Promise((resolve, reject) => {
          if (!isSlow) resolve();
          onAbort(signal, () => {
            aborted.resolve();
            reject(signal.reason as Error);
          });
        }),
    });
    const controllers = [new AbortController(), new AbortController()];
    const answers = controllers.map(({ signal }) => rig.request({ signal }));
    await nextTurn();
    controllers[0]?.abort(new Error('first'));
    await assert.rejects(answers[0] as Promise<unknown>, /first/);
    controllers[1]?.abort(new Error('second'));
    await assert.rejects(answers[1] as Promise<unknown>, /second/);
    await aborted.promise;
    isSlow = false;
    await bodyText(await rig.request());
  });

  it('opens another connection after such an abort', async () => {
    await using server = await TestServer.start('h2', (call) => call.answer(200));
    const release = new Deferred();
    let attempts = 0;
    await using rig = startPool('h2', server.port, {
      // Does not look at its signal: the abort shows only when it is through.
      beforeOpen: async (signal) => {
        attempts += 1;
        if (attempts > 1) return;
        await release.promise;
        signal.throwIfAborted();
      },
    });
    const controller = new AbortController();
    const aborted = rig.request({ signal: controller.signal });
    await nextTurn();
    controller.abort(new Error('enough'));
    await assert.rejects(aborted, /enough/);
    const next = rig.request();
    release.resolve();
    await bodyText(await next);
    assert.equal(attempts, 2);
  });

  it('does not use a connection that was opened before all were replaced', async () => {
    for (const protocol of protocols) {
      const release = new Deferred();
      await using server = await TestServer.start(protocol, (call) => call.answer(200, 'hello'));
      let attempts = 0;
      await using rig = startPool(protocol, server.port, {
        beforeOpen: async () => {
          attempts += 1;
          if (attempts === 1) await release.promise;
        },
      });
      const answer = rig.request();
      await nextTurn();
      rig.pool.replaceConnections();
      release.resolve();
      assert.equal(await bodyText(await answer), 'hello');
      assert.equal(attempts, 2);
    }
  });

  it('rejects waiting requests when it closes, also while it opens a connection', async () => {
    const rig = startPool('h2', 1, {
      beforeOpen: (signal) =>
        new Promise((_, reject) => onAbort(signal, () => reject(signal.reason as Error))),
    });
    const pending = assert.rejects(rig.request(), { code: 'TRANSPORT_CLOSED' });
    await nextTurn();
    await rig[Symbol.asyncDispose]();
    await pending;
    await rig[Symbol.asyncDispose]();
  });
});

/** A server that allows no stream on any connection. */
function startServer(): Promise<TestServer> {
  return TestServer.start('h2', refuse, { maxConcurrentStreams: 0 });
}

/** The first request goes out before the settings of the server arrive; later ones wait. */
async function learnLimit(rig: PoolRig): Promise<void> {
  await assert.rejects(rig.request(), { code: 'TRANSPORT_STREAM_REFUSED' });
  assert.equal(rig.opened(), 1);
}

describe('a pool whose server allows no streams', () => {
  it('opens connections with a back-off, and fails requests after the time for room', async () => {
    const clock = new VirtualClock();
    await using server = await startServer();
    await using rig = startPool('h2', server.port, { clock, readIdleMs: 0 });
    await learnLimit(rig);
    const request = assert.rejects(rig.request(), {
      code: 'TRANSPORT_NO_STREAMS',
      mayHaveBeenHandled: false,
      message: `127.0.0.1:${server.port}: the server allowed no stream for 35 s`,
    });
    // Connections after 0, 1, 3, 7, 15 and 25 s; the last delay ends at 35 s.
    for (const [delayMs, opened] of [
      [0, 2],
      [1000, 3],
      [2000, 4],
      [4000, 5],
      [8000, 6],
      [10_000, 7],
      [10_000, 7],
    ] as const) {
      await clock.advance(delayMs);
      while (rig.opened() < opened) await nextTurn();
      await nextTurn();
      assert.equal(rig.opened(), opened);
    }
    await request;
    assert.deepEqual(rig.starved, [true]);
  });

  it('serves waiting requests as soon as a connection allows a stream', async () => {
    const serve = (call: Call): void => (isOpen ? call.answer(200, 'hello') : refuse(call));
    let isOpen = false;
    await using server = await TestServer.start('h2', serve, { maxConcurrentStreams: 0 });
    const clock = new VirtualClock();
    await using rig = startPool('h2', server.port, { clock, readIdleMs: 0 });
    await learnLimit(rig);
    const waiting = Array.from({ length: 5 }, () => rig.request().then(bodyText));
    while (rig.starved.length === 0) await nextTurn();
    isOpen = true;
    server.sessions[0]?.settings({ maxConcurrentStreams: 100 });
    assert.equal((await Promise.all(waiting)).length, 5);
    assert.deepEqual(rig.starved, [true, false]);
    assert.equal(rig.opened(), 2);
  });

  it('opens nothing more once the last waiting request is aborted', async () => {
    const clock = new VirtualClock();
    await using server = await startServer();
    await using rig = startPool('h2', server.port, { clock, readIdleMs: 0 });
    await learnLimit(rig);
    const controller = new AbortController();
    const request = rig.request({ signal: controller.signal });
    while (rig.starved.length === 0) await nextTurn();
    controller.abort(new Error('enough'));
    await assert.rejects(request, /enough/);
    await clock.advance(60_000);
    assert.equal(rig.opened(), 2);
  });
});
