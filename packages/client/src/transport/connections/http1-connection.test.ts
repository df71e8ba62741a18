import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, it } from 'node:test';

import { Deferred } from '../../lib/deferred.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { bodyText, type Call, allArrived, startPool, TestServer } from './test-rig.ts';

describe('Http1Connection', () => {
  it('sends one request at a time; others get their own connections', async () => {
    const calls: Call[] = [];
    const all = new Deferred();
    await using server = await TestServer.start('http/1.1', (call) => {
      calls.push(call);
      if (calls.length === 10) all.resolve();
    });
    await using rig = startPool('http/1.1', server.port);
    const answers = Promise.all(
      Array.from({ length: 10 }, async (_, index) =>
        bodyText(await rig.request({ path: `/${index}` })),
      ),
    );
    await all.promise;
    for (const call of calls) call.answer(200, call.path);
    assert.equal((await answers).length, 10);
    assert.equal(server.accepted, 10);
    // And they are there for the next ones.
    calls.length = 0;
    const more = Promise.all(Array.from({ length: 10 }, () => rig.request()));
    while (calls.length < 10) await nextTurn();
    for (const call of calls) call.answer(200);
    await Promise.all((await more).map((response) => bodyText(response)));
    assert.equal(server.accepted, 10);
  });

  it('is not reused when the server announces that it closes it', async () => {
    await using server = await TestServer.start('http/1.1', (call) => {
      call.answer(200, 'hello', { connection: 'close' });
    });
    await using rig = startPool('http/1.1', server.port);
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await bodyText(await rig.request()), 'hello');
    }
    assert.equal(server.accepted, 3);
  });

  it('delivers a complete body to a slow reader after the connection is closed', async () => {
    await using server = await TestServer.start('http/1.1', (call) => {
      call.answer(200, 'hello', { connection: 'close' });
    });
    await using rig = startPool('http/1.1', server.port);
    const response = await rig.request();
    for (const socket of server.sockets) await once(socket, 'close');
    await allArrived();
    assert.equal(await bodyText(response), 'hello');
  });

  it('is dropped when the server closes it while it is unused', async () => {
    await using server = await TestServer.start('http/1.1', (call) => call.answer(200, 'hello'));
    await using rig = startPool('http/1.1', server.port);
    await bodyText(await rig.request());
    const [socket] = server.sockets;
    socket?.end();
    // Closed on this side means that the client has closed its side, too.
    if (socket !== undefined) await once(socket, 'close');
    assert.equal(await bodyText(await rig.request()), 'hello');
    assert.equal(server.accepted, 2);
  });

  it('closes after a time without requests', async () => {
    const clock = new VirtualClock();
    await using server = await TestServer.start('http/1.1', (call) => {
      call.answer(200, 'hello', {
        'keep-alive': call.path === '/short' ? 'timeout=10' : 'max=100',
      });
    });
    await using rig = startPool('http/1.1', server.port, { clock });
    for (const [path, keptMs] of [
      ['/', 90_000],
      ['/short', 9000],
    ] as const) {
      await bodyText(await rig.request({ path }));
      const [socket] = server.sockets;
      await clock.advance(keptMs - 1);
      assert.equal(server.sockets.size, 1);
      await clock.advance(1);
      if (socket?.closed === false) await once(socket, 'close');
    }
    assert.equal(clock.pending, 0);
  });

  it('keeps at most twenty-five that are unused', async () => {
    const calls: Call[] = [];
    await using server = await TestServer.start('http/1.1', (call) => calls.push(call));
    await using rig = startPool('http/1.1', server.port);
    const answers = Array.from({ length: 40 }, () => rig.request());
    while (calls.length < 40) await nextTurn();
    for (const call of calls) call.answer(200);
    for (const answer of answers) await bodyText(await answer);
    while (server.sockets.size > 25) await nextTurn();
    await allArrived();
    assert.equal(server.sockets.size, 25);
  });

  it('reports a server that does not send HTTP', async () => {
    const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')).listen(0);
    await once(server, 'listening');
    await using rig = startPool('http/1.1', (server.address() as AddressInfo).port);
    await assert.rejects(rig.request(), { code: 'TRANSPORT_PROTOCOL' });
    server.close();
  });

  it('takes long headers', async () => {
    await using server = await TestServer.start('http/1.1', (call) => {
      call.answer(200, '', { 'x-long': 'x'.repeat(200_000) });
    });
    await using rig = startPool('http/1.1', server.port);
    const { headers } = await rig.request();
    assert.equal(String(headers['x-long']).length, 200_000);
  });
});
