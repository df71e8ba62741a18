import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { nextTurn } from '../../lib/next-turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { bodyText, type Call, type PoolRig, refuse, startPool, TestServer } from './test-rig.ts';

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
