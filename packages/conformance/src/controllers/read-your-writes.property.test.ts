import { describe, it } from 'node:test';

import type { CacheOptions } from 'client-ts/controller';
import { quiescence } from 'client-ts/testing';
import fc from 'fast-check';

import { CacheModel, type Kind } from './test-cache-model.ts';

/** `RYW_SEED=… RYW_PATH=…` replays a failure, `RYW_RUNS=…` sets the number of runs. */
const { RYW_RUNS: runs = '25', RYW_SEED: seed, RYW_PATH: path } = process.env;

const finalizer = 'example.com/test';

const place = {
  who: fc.constantFrom('own' as const, 'own' as const, 'other' as const),
  // Few keys, so that histories are about the same objects.
  kind: fc.constantFrom<Kind>('configmaps', 'configmaps', 'configmaps', 'secrets'),
  namespace: fc.constantFrom('one', 'one', 'one', 'two'),
  name: fc.constantFrom('a', 'a', 'a', 'b'),
};
const content = {
  color: fc.constantFrom('red', 'blue'),
  isWeb: fc.boolean(),
  isFinal: fc.constantFrom(true, false, false),
};

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'create' as const,
        'merge' as const,
        'update' as const,
        'apply' as const,
      ),
      ...place,
      ...content,
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('delete' as const), ...place }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('unfinalize' as const), ...place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('collection' as const), ...place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('lose' as const),
      loss: fc.constantFrom('answer' as const, 'request' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('release' as const),
      kind: place.kind,
      chunks: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('break' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compact' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('time' as const), ms: fc.constantFrom(2000, 70_000) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Write = Extract<Step, { readonly type: 'create' | 'merge' | 'update' | 'apply' }>;

function objectOf({ name, color, isWeb, isFinal }: Write) {
  return {
    metadata: {
      name,
      labels: { app: isWeb ? 'web' : 'db' },
      annotations: { color },
      ...(isFinal && { finalizers: [finalizer] }),
    },
  };
}

async function write(model: CacheModel, one: Write): Promise<unknown> {
  const { who, kind, namespace, name } = one;
  const client = model.client(who, kind, namespace);
  const object = objectOf(one);
  switch (one.type) {
    case 'create':
      return await client.create(object);
    case 'merge':
      return await client.patch(name, object, { type: 'merge' });
    case 'apply':
      return await client.apply(object, { fieldManager: who, force: true });
    case 'update': {
      const { metadata } = await model.client('other', kind, namespace).get(name);
      const { resourceVersion } = metadata;
      return await client.update({ metadata: { ...object.metadata, resourceVersion } });
    }
  }
}

async function perform(model: CacheModel, one: Step): Promise<void> {
  const { clock, transport, server } = model;
  switch (one.type) {
    case 'release':
      return transport.gate(one.kind).release(one.chunks);
    case 'break':
      return transport.break();
    case 'compact':
      server.compact();
      return transport.break();
    case 'time':
      return await clock.advance(one.ms);
    case 'lose':
      transport.loss = one.loss;
      return undefined;
    case 'collection': {
      const { who, kind, namespace } = one;
      const keys = ['a', 'b'].map((name) => `${namespace}/${name}`);
      transport.loss = undefined;
      const deleting = model.client(who, kind, namespace).deleteCollection();
      transport.gate(kind).release();
      const written = model.write(who, kind, keys, () => deleting);
      await clock.advance(100_000);
      await written;
      return transport.gate(kind).close();
    }
    default: {
      const { who, kind, namespace, name } = one;
      const client = model.client(who, kind, namespace);
      const none = { metadata: { finalizers: null } };
      return await model.write(who, kind, [`${namespace}/${name}`], async () => {
        if (one.type === 'delete') return await client.delete(name);
        if (one.type !== 'unfinalize') return await write(model, one);
        return await client.patch(name, none, { type: 'merge' });
      });
    }
  }
}

const variants: readonly (readonly [string, CacheOptions])[] = [
  ['of whole objects', {}],
  ['of metadata', { metadataOnly: true }],
  ['with a label selector', { labelSelector: 'app=web' }],
];

describe('reads of a cache with late watches', () => {
  for (const [name, options] of variants) {
    it(`are the server's state after the own write, or newer: a cache ${name}`, async () => {
      const history = fc.asyncProperty(
        fc.array(step, { maxLength: 40, size: 'max' }),
        async (steps) => {
          await using model = await CacheModel.start(options);
          for (const one of steps) {
            await perform(model, one);
            await quiescence();
            model.check();
          }
        },
      );
      await fc.assert(history, {
        numRuns: Number(runs),
        ...(seed !== undefined && { seed: Number(seed) }),
        ...(path !== undefined && { path }),
      });
    });
  }
});
