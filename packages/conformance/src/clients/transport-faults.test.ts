import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer, type Fault } from '@client-ts/apiserver';
import { nextTurn, seededRandom } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import { type Transport, TransportError, type TransportResponse } from 'client-ts/transport';

import { bodyText, choices, connect, get, Listening, post } from './test-transports.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
});

/** Advances a virtual clock until the request is answered. */
async function settled<T>(clock: VirtualClock, answer: Promise<T>): Promise<T> {
  const over = new AbortController();
  const watched = answer.finally(() => over.abort());
  watched.catch(() => undefined);
  await passWaits(clock, () => over.signal.aborted);
  return watched;
}

/** Advances the clock through back-offs until a condition holds. */
async function passWaits(clock: VirtualClock, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await nextTurn();
    // Only back-offs are this short: every limit of connections is longer.
    const isWaiting = clock.untilNext !== undefined && clock.untilNext < 30_000;
    if (isWaiting) await clock.advanceToNext();
  }
}

for (const protocol of choices) {
  const start = async (): Promise<{
    server: ApiServer;
    clock: VirtualClock;
    transport: Transport;
  }> => {
    const server = await ApiServer.start();
    const clock = new VirtualClock();
    const timing = { readIdleMs: 0, idleMs: 3_600_000, connectMs: 600_000, handshakeMs: 600_000 };
    const options = { clock, timing, random: seededRandom(1) };
    return { server, clock, transport: connect(server, { protocol }, options) };
  };

  describe(`faults, ${protocol}`, () => {
    it('a 429 is retried after the requested time, for every verb', async () => {
      const { server, clock, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      for (const code of [429, 500, 503]) {
        const fault: Fault = { kind: 'status', code, retryAfterSeconds: 2 };
        using _ = server.faults.add({ fault, count: 3 });
        const before = clock.monotonic();
        const answer = await settled(clock, post(transport, maps, configMap(`map-${code}`)));
        assert.equal(answer.status, 201);
        await bodyText(answer);
        assert.ok(clock.monotonic() - before >= 6000);
      }
    });

    it('an error without Retry-After is returned', async () => {
      const { server, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      using fault = server.faults.add({ fault: { kind: 'status', code: 500 } });
      const answer = await get(transport);
      assert.equal(answer.status, 500);
      assert.match(await bodyText(answer), /"reason":"InternalError"/);
      assert.equal(fault.hits, 1);
    });

    it('retries end after ten attempts', async () => {
      const { server, clock, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      using fault = server.faults.add({
        fault: { kind: 'status', code: 429, retryAfterSeconds: 1 },
      });
      using attempts = new Listening('client-ts:request:attempt');
      const answer = await settled(clock, get(transport));
      assert.equal(answer.status, 429);
      await bodyText(answer);
      assert.equal(fault.hits, 11);
      assert.equal(attempts.messages.length, 11);
    });

    it('a reset before the response is retried for reads, and reported for writes', async () => {
      const { server, clock, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      for (const at of ['before-handling', 'after-handling'] as const) {
        using fault = server.faults.add({ fault: { kind: 'reset', at }, count: 3 });
        assert.equal((await settled(clock, get(transport))).status, 200);
        assert.equal(fault.hits, 3);
        using _ = server.faults.add({ fault: { kind: 'reset', at }, count: 1 });
        const name = `map-${at}`;
        await assert.rejects(settled(clock, post(transport, maps, configMap(name))), {
          code: 'TRANSPORT_CONNECTION_RESET',
          mayHaveBeenHandled: true,
        });
        const { status } = await get(transport, `${maps}/${name}`);
        assert.equal(status, at === 'after-handling' ? 200 : 404);
      }
    });

    it('a watch is reopened only before its first byte', async () => {
      const { server, clock, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      await bodyText(await post(transport, maps, configMap('first')));
      const match = { verb: 'watch' };
      using before = server.faults.add({
        match,
        fault: { kind: 'reset', at: 'before-handling' },
        count: 2,
      });
      const watch = (): Promise<TransportResponse> =>
        get(transport, `${maps}?watch=1`, { stream: true });
      const first = await settled(clock, watch());
      assert.equal(first.status, 200);
      assert.equal(before.hits, 2);
      await first.body[Symbol.asyncIterator]().return?.();
      for (const fault of [
        { kind: 'reset', at: 'after-headers' },
        { kind: 'reset', afterEvents: 1 },
      ] as const) {
        using handle = server.faults.add({ match, fault, count: 1 });
        const broken = await settled(clock, watch());
        let text = '';
        await assert.rejects(
          async () => {
            for await (const chunk of broken.body) text += Buffer.from(chunk).toString();
          },
          (error) => error instanceof TransportError && error.code === 'TRANSPORT_CONNECTION_RESET',
        );
        assert.equal(text.includes('"name":"first"'), 'afterEvents' in fault);
        assert.equal(handle.matched, 1);
      }
    });

    it('a truncated response is an error', async () => {
      const { server, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      using _ = server.faults.add({ fault: { kind: 'reset', afterBytes: 50 }, count: 1 });
      const answer = await get(transport);
      assert.equal(answer.status, 200);
      await assert.rejects(bodyText(answer), { code: 'TRANSPORT_CONNECTION_RESET' });
    });

    it('a server that is down is awaited', async () => {
      const { server, clock, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      await bodyText(await get(transport));
      const watch = await get(transport, `${maps}?watch=1`, { stream: true });
      const reading = assert.rejects(bodyText(watch), { code: 'TRANSPORT_CONNECTION_RESET' });
      await server.stopServing();
      await reading;
      using attempts = new Listening('client-ts:request:attempt');
      // A write is retried, too: no server has received it.
      const answer = post(transport, maps, configMap('patient'));
      await passWaits(clock, () => attempts.messages.length === 3);
      await server.resume();
      assert.equal((await settled(clock, answer)).status, 201);
      const outcomes = attempts.messages.map(({ outcome }) =>
        'code' in outcome ? outcome.code : outcome.status,
      );
      assert.equal(outcomes.at(-1), 201);
      assert.ok(outcomes.slice(0, -1).every((code) => code === 'TRANSPORT_CONNECTION_REFUSED'));
    });

    it('a server that stays down is reported, with all attempts', async () => {
      const { server, clock, transport } = await start();
      await using _server = server;
      await using _transport = transport;
      await bodyText(await get(transport));
      await server.stopServing();
      await assert.rejects(settled(clock, get(transport)), (error) => {
        assert.ok(error instanceof TransportError);
        assert.equal(error.code, 'TRANSPORT_CONNECTION_REFUSED');
        assert.equal(error.previous.length, 10);
        assert.match(error.message, /\(after 11 attempts\)$/);
        return true;
      });
    });

    it('a silent server is abandoned on abort, and at the timeout', async () => {
      const { server, clock } = await start();
      await using _server = server;
      for (const at of ['before-handling', 'after-headers'] as const) {
        // The server drops the connection of a request that it kept waiting.
        await using transport = connect(server, { protocol }, { clock });
        using stall = server.faults.add({ fault: { kind: 'stall', at }, count: 1 });
        const controller = new AbortController();
        const reading = get(transport, undefined, { signal: controller.signal }).then(bodyText);
        const over = assert.rejects(reading, /enough/);
        while (stall.hits === 0) await nextTurn();
        controller.abort(new Error('enough'));
        await over;
      }
      await using timed = connect(server, { protocol, timeoutMs: 5000 }, { clock });
      using _ = server.faults.add({ fault: { kind: 'stall', at: 'after-headers' }, count: 1 });
      const answer = await get(timed);
      const late = assert.rejects(bodyText(answer), { code: 'TRANSPORT_TIMEOUT' });
      await clock.advance(5000);
      await late;
    });

    it('a server that closes lets requests in flight finish', async () => {
      const { server, transport } = await start();
      await using _transport = transport;
      await bodyText(await get(transport));
      const watch = await get(transport, `${maps}?watch=1`, { stream: true });
      const reading = bodyText(watch);
      await server[Symbol.asyncDispose]();
      // The watch ends without an error.
      assert.equal(typeof (await reading), 'string');
    });
  });
}
