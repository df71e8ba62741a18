import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Clientset } from 'client-ts';
import { configMaps } from 'client-ts/api/core/v1';
import type { ManagerOptions } from 'client-ts/controller';
import {
  converges,
  explore,
  type ExploreOptions,
  idempotent,
  noHotLoop,
  noOrphan,
  noSecondLeader,
  noWriteAfterLoss,
  SimulationFailure,
  type SimulatedProcess,
} from 'client-ts/testing';

const namespace = 'default';
const election = (name: string): ManagerOptions => ({ leaderElection: { name, namespace } });

const world: ExploreOptions['world'] = {
  actions: () =>
    ['one', 'two', 'three'].map((value) => ({
      name: `write ${value}`,
      run: (client: Clientset) =>
        client.coreV1
          .configMaps(namespace)
          .apply({ metadata: { name: 'a' }, data: { value } }, { fieldManager: 'user' }),
    })),
};

const only = { resource: configMaps, namespace };

/** Returns the problem that the first failing seed has. */
async function problemOf(options: ExploreOptions): Promise<string> {
  try {
    await explore({ world, seeds: 60, shrinkRuns: 0, ...options });
  } catch (error) {
    if (error instanceof SimulationFailure) return `${error.invariant}: ${error.problem}`;
    throw error;
  }
  return 'all held';
}

describe('built-in invariants', () => {
  it('notice two leaders, which use different Leases', async () => {
    const problem = await problemOf({
      replicas: 2,
      faults: [],
      manager: ({ replica }: SimulatedProcess) => election(`lease-${replica}`),
      controllers: (manager) =>
        void manager.controller('none', { for: only, reconcile: () => undefined }),
      invariants: [noSecondLeader()],
    });
    assert.equal(problem, 'no second leader: replica-0-1 and replica-1-1 lead at the same time');
  });

  it('notice a write of a process that has lost its lease, past the fence', async () => {
    /** Writes with a client of its own, which is not fenced. */
    const sabotaged: ExploreOptions['controllers'] = (manager, { config, clock, random }) => {
      const unfenced = new Clientset(config, { clock, random });
      const beat = (): void => {
        const beats = { metadata: { name: 'beats' }, data: { at: String(clock.now()) } };
        unfenced.coreV1
          .configMaps(namespace)
          .apply(beats, { fieldManager: 'beats' })
          .catch(() => undefined);
        clock.schedule(500, beat);
      };
      beat();
      manager.controller('none', { for: only, reconcile: () => undefined });
    };
    const options: ExploreOptions = {
      replicas: 2,
      faults: ['leader-change', 'partition'],
      manager: election('lease'),
      controllers: sabotaged,
      invariants: [noWriteAfterLoss()],
    };
    assert.match(await problemOf(options), /^no write after loss of the lease: replica-\d/);
  });

  it('notice a controller that writes when it starts', async () => {
    const problem = await problemOf({
      faults: [],
      controllers: (manager, { clock }) => {
        const startedAt = String(clock.now());
        manager.controller('stamp', {
          for: only,
          async reconcile({ metadata: { name }, data }, { client }) {
            if (data?.['startedAt'] === startedAt) return;
            const patch = { data: { startedAt } };
            await client.coreV1.configMaps(namespace).patch(name, patch, { type: 'merge' });
          },
        });
      },
      invariants: [idempotent()],
    });
    assert.match(problem, /^a second run writes nothing: replica-0-2 changed configmaps default\//);
  });

  it('notice a controller that never stops writing', async () => {
    const controllers: ExploreOptions['controllers'] = (manager, { clock }) =>
      void manager.controller('clock', {
        for: { ...only, predicates: [({ object }) => object.metadata.name === 'a'] },
        async reconcile({ metadata: { name } }, { client }) {
          const patch = { data: { at: String(clock.now()) } };
          await client.coreV1.configMaps(namespace).patch(name, patch, { type: 'merge' });
        },
      });
    const options = { faults: [], controllers };
    assert.match(await problemOf({ ...options, invariants: [converges()] }), /^converges: /);
    assert.match(await problemOf({ ...options, invariants: [noHotLoop()] }), /^no hot loop: /);
  });

  it('notice an object that waits for a finalizer', async () => {
    const problem = await problemOf({
      faults: [],
      world: {
        actions: () => [
          {
            name: 'create a',
            run: (client) =>
              client.coreV1
                .configMaps(namespace)
                .create({ metadata: { name: 'a', finalizers: ['example.com/never'] } }),
          },
          {
            name: 'delete a',
            run: (client) => client.coreV1.configMaps(namespace).delete('a'),
          },
        ],
      },
      controllers: (manager) =>
        void manager.controller('none', { for: only, reconcile: () => undefined }),
      invariants: [noOrphan()],
    });
    assert.match(problem, /^no orphan: .*default\/a is being deleted, and waits for example\.com/);
  });
});
