import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { ApiServer, type Fault } from '@client-ts/apiserver';
import { waitForCacheSync } from 'client-ts/cache';

import { RemoteWorld } from './test-remote-world.ts';

const reader = { token: 'reader-token' };
const user = 'reader';

/** Every fault that can hit a watch. */
const ofWatches: readonly Fault[] = [
  { kind: 'latency', ms: 300 },
  { kind: 'reset', at: 'before-handling' },
  { kind: 'reset', at: 'after-headers' },
  { kind: 'reset', afterEvents: 1 },
  { kind: 'reset', afterBytes: 40 },
  { kind: 'stall', at: 'before-handling' },
  { kind: 'stall', at: 'after-headers' },
  { kind: 'stall', afterEvents: 1 },
  { kind: 'stall', afterBytes: 40 },
  { kind: 'status', code: 401 },
  { kind: 'status', code: 403 },
  { kind: 'status', code: 404 },
  { kind: 'status', code: 410 },
  { kind: 'status', code: 429 },
  { kind: 'status', code: 429, retryAfterSeconds: 1 },
  { kind: 'status', code: 500 },
  { kind: 'status', code: 503, retryAfterSeconds: 1 },
  { kind: 'status', code: 504 },
  { kind: 'drop-events', first: 1 },
  { kind: 'drop-events', types: ['DELETED'] },
  { kind: 'delay-events', ms: 1000 },
  { kind: 'end-stream', afterEvents: 0 },
  { kind: 'end-stream', afterEvents: 1 },
  { kind: 'error-event', afterEvents: 0, code: 410 },
  { kind: 'error-event', afterEvents: 1, code: 429 },
  { kind: 'error-event', afterEvents: 1, code: 500 },
  { kind: 'error-event', afterEvents: 1, code: 504 },
];

/** Every fault that can hit a list. */
const ofLists: readonly Fault[] = [
  { kind: 'latency', ms: 300 },
  { kind: 'reset', at: 'before-handling' },
  { kind: 'reset', at: 'after-handling' },
  { kind: 'reset', at: 'after-headers' },
  { kind: 'reset', afterBytes: 40 },
  { kind: 'stall', at: 'before-handling' },
  { kind: 'stall', afterBytes: 40 },
  { kind: 'status', code: 403 },
  { kind: 'status', code: 410 },
  { kind: 'status', code: 429, retryAfterSeconds: 1 },
  { kind: 'status', code: 500 },
  { kind: 'status', code: 504 },
];

/** True for faults that are no reason to relist. */
function isHarmless(fault: Fault): boolean {
  switch (fault.kind) {
    case 'delay-events':
    case 'end-stream':
    case 'latency':
    case 'reset':
    case 'stall':
      return true;
    case 'error-event':
      return fault.code === 429;
    case 'status':
      // With Retry-After, the transport retries by itself.
      return fault.code === 429 || fault.retryAfterSeconds !== undefined;
    case 'drop-events':
      return false;
  }
}

for (const protocol of ['auto', 'http1'] as const) {
  const over = protocol === 'auto' ? 'HTTP/2' : 'HTTP/1.1';
  // They mostly wait, each in its own namespace.
  describe(`an informer over ${over}`, { concurrency: 8 }, () => {
    let server: ApiServer;
    before(async () => {
      const tokens = { [reader.token]: { name: user, groups: ['system:masters'] } };
      server = await ApiServer.start({ tokens });
    });
    after(() => server[Symbol.asyncDispose]());

    for (const fault of ofWatches) {
      it(`recovers from a watch with ${JSON.stringify(fault)}`, async () => {
        // A stalled stream is detected after five and a half minutes at the earliest.
        const speed = fault.kind === 'stall' ? 300 : 20;
        const options = { speed, reader, queue: 'in-order' } as const;
        await using world = await RemoteWorld.create({ config: server.config, protocol }, options);
        world.handle();
        await world.create('a', 'red');
        world.start();
        await waitForCacheSync([world.informer], { signal: AbortSignal.timeout(60_000) });
        const match = { user, namespace: world.namespace, verb: 'watch' };
        const handle = server.faults.add({ match, fault, count: 1 });
        world.proxy.cut();
        await world.until(() => handle.hits === 1);
        await world.create('b', 'red');
        await world.paint('a', 'blue');
        await world.maps.delete('b');
        await world.create('b', 'green');
        const mayMiss = fault.kind === 'drop-events';
        if (mayMiss) {
          await world.settle();
          world.forgetOnce();
          world.proxy.cut();
        }
        await world.settle();
        if (mayMiss) await world.until(() => world.informer.indexer.size >= 3);
        const { wire, problems } = await world.judge({ mayMiss });
        assert.deepEqual(problems, []);
        assert.equal(wire.relists.length > 1, !isHarmless(fault));
      });
    }

    for (const fault of ofLists) {
      it(`recovers from a list with ${JSON.stringify(fault)}`, async () => {
        const speed = fault.kind === 'stall' ? 300 : 20;
        const options = { speed, reader, useWatchList: false } as const;
        await using world = await RemoteWorld.create({ config: server.config, protocol }, options);
        world.handle();
        for (const name of ['a', 'b', 'c']) await world.create(name, 'red');
        const match = { user, namespace: world.namespace, verb: 'list' };
        const handle = server.faults.add({ match, fault, count: 2 });
        world.start();
        await world.settle();
        assert.deepEqual((await world.judge()).problems, []);
        assert.ok(handle.hits > 0);
      });
    }
  });
}
