import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import type { Fault } from '@client-ts/apiserver';
import { nextTurn, systemRandom } from 'client-ts/internal';
import fc from 'fast-check';

import type { CallRecorderOptions } from './call-recorder.ts';
import { InformerWorld, TestCluster } from './test-informer-world.ts';

/**
 * Random histories on the embedded server. The seed is printed, and on failure the path to it:
 * `HISTORY_SEED=… HISTORY_PATH=…` replays it, `HISTORY_RUNS=…` sets the number of runs.
 */
const { HISTORY_RUNS: runs = '25', HISTORY_SEED: seedGiven, HISTORY_PATH: path } = process.env;

const allNames = ['a', 'b', 'c', 'd', 'e'];
const names = fc.constantFrom(...allNames);
const colors = fc.constantFrom('red', 'blue', 'red,blue', 'green', 'green,red,green');
const few = fc.integer({ min: 0, max: 3 });

const breakingPoint = fc.oneof(
  fc.record({ afterEvents: few }),
  fc.record({ afterBytes: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ at: fc.constantFrom('after-handling', 'after-headers', 'before-handling') }),
);
const status = fc.record({
  kind: fc.constant('status'),
  code: fc.constantFrom(401, 403, 404, 410, 429, 500, 503, 504),
});
const busy = fc.record({
  kind: fc.constant('status'),
  code: fc.constantFrom(429, 503),
  retryAfterSeconds: fc.constantFrom(1, 5),
});
const latency = fc.record({ kind: fc.constant('latency'), ms: fc.constantFrom(10, 2000) });
const broken = fc
  .tuple(fc.constantFrom('reset' as const, 'stall' as const), breakingPoint)
  .map(([kind, point]) => ({ kind, ...point }));
const ofWatches = fc.oneof(
  fc.record({ kind: fc.constant('end-stream'), afterEvents: few }),
  fc.record({
    kind: fc.constant('error-event'),
    afterEvents: few,
    code: fc.constantFrom(410, 429, 500, 504),
  }),
  fc.record({ kind: fc.constant('delay-events'), ms: fc.constantFrom(5, 500) }),
  fc.record({
    kind: fc.constant('drop-events'),
    first: fc.integer({ min: 1, max: 3 }),
    types: fc.subarray(['ADDED', 'DELETED', 'MODIFIED'], { minLength: 1 }),
  }),
);
const fault = fc.oneof(
  fc.record({
    type: fc.constant('fault' as const),
    verb: fc.constant('watch'),
    fault: fc.oneof(ofWatches, broken, status, busy, latency),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    type: fc.constant('fault' as const),
    verb: fc.constantFrom('list', 'watch'),
    fault: fc.oneof(broken, status, busy, latency),
    count: fc.integer({ min: 1, max: 3 }),
  }),
);
const handler = fc.record({
  type: fc.constant('handler' as const),
  temper: fc.constantFrom('quick', 'slow', 'bounded', 'throwing', 'rejecting'),
  resyncs: fc.boolean(),
});

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant('write' as const), name: names, colors }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('remove' as const), name: names }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('burst' as const), colors }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('turns' as const), count: few }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('time' as const),
      ms: fc.constantFrom(1, 1000, 4000, 40_000, 700_000),
    }),
  },
  { weight: 6, arbitrary: fault },
  { weight: 2, arbitrary: handler },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('gap' as const), name: names, other: names, colors }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom('break' as const, 'compact' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('restart' as const, 'unhandle' as const) }),
  },
);
const last = fc.constantFrom<Step>(
  { type: 'break' },
  { type: 'gap', name: 'a', other: 'b', colors: 'red' },
  { type: 'burst', colors: 'blue' },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Handler = typeof handler extends fc.Arbitrary<infer H> ? H : never;

function optionsFor({ temper, resyncs }: Handler): CallRecorderOptions {
  return {
    ...(resyncs && { resyncPeriodMs: 3000 }),
    ...(temper === 'bounded' && { maxPending: 2 }),
    behaviour: () => {
      if (temper === 'throwing') throw new Error('as always');
      if (temper === 'rejecting') return Promise.reject(new Error('after all'));
      return temper === 'quick' ? undefined : nextTurn();
    },
  };
}

async function play(world: InformerWorld, one: Step): Promise<void> {
  switch (one.type) {
    case 'write':
      return world.write(one.name, one.colors);
    case 'remove':
      return world.remove(one.name);
    case 'burst':
      await Promise.all(allNames.map((name) => world.write(name, one.colors)));
      return undefined;
    case 'turns':
      return world.turns(one.count);
    case 'time':
      return world.cluster.clock.advance(one.ms);
    case 'fault':
      world.fault({ verb: one.verb, fault: one.fault as Fault, count: one.count });
      return undefined;
    case 'handler':
      world.handle(optionsFor(one));
      return undefined;
    case 'break':
      return world.transport.break();
    case 'compact':
      return world.compact();
    case 'gap':
      // The informer has to wait while the history is compacted.
      world.fault({ verb: 'watch', fault: { kind: 'status', code: 429 }, count: 1 });
      world.transport.break();
      await world.turns(3);
      await world.remove(one.name);
      await world.write(one.other, one.colors);
      return world.compact();
    case 'restart':
      await world.stop();
      return world.start();
    case 'unhandle':
      await world.handlers.at(-1)?.registration.remove();
  }
}

for (const queue of ['in-order', 'delta'] as const) {
  for (const useWatchList of [true, false]) {
    describe(`histories (${queue}, initial state by ${useWatchList ? 'stream' : 'list'})`, () => {
      let cluster: TestCluster;
      before(async () => {
        cluster = await TestCluster.start();
      });
      after(() => cluster[Symbol.asyncDispose]());

      it('are delivered to every handler as they happened', async (test) => {
        const seed = Number(seedGiven ?? Math.floor(systemRandom.next() * 2 ** 31));
        test.diagnostic(`seed ${seed}`);
        const property = fc.asyncProperty(
          fc.array(step, { maxLength: 40 }),
          fc.boolean(),
          fc.subarray(allNames),
          fc.array(handler, { minLength: 1, maxLength: 3 }),
          fc.option(last, { nil: undefined }),
          few,
          async (steps, isPaged, first, handlers, ending, turns) => {
            const paging = isPaged ? { pageSize: 2 } : {};
            await using world = await InformerWorld.create(cluster, {
              queue,
              useWatchList,
              ...paging,
            });
            for (const one of handlers) world.handle(optionsFor(one));
            for (const name of first) await world.write(name, 'red');
            world.start();
            for (const one of steps) await play(world, one);
            await world.settle();
            assert.deepEqual(await world.problems(), []);
            assert.deepEqual(
              world.errors.filter(({ code }) => code !== 'CACHE_HANDLER_FAILED'),
              [],
            );
            // More random actions, so that the stop can come at any moment.
            if (ending !== undefined) await play(world, ending);
            await world.turns(turns);
            await world.stop();
            assert.equal(world.informer.isStopped, true);
            assert.deepEqual(await world.activityAfterStop(), []);
          },
        );
        await fc.assert(property, {
          numRuns: Number(runs),
          seed,
          ...(path !== undefined && { path }),
        });
      });
    });
  }
}
