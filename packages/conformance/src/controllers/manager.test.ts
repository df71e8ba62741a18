import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConfigMap, configMaps } from 'client-ts/api/core/v1';
import { Manager, setControllerReference } from 'client-ts/controller';
import { conditions, createOrUpdate, waitFor } from 'client-ts/wait';
import { targets } from '../clients/test-targets.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

const timeoutMs = 60_000;

const saying =
  (text: string) =>
  (map: ConfigMap | undefined): map is ConfigMap =>
    map?.data?.['text'] === text;

for (const target of targets) {
  describe(`a manager ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    /** Adds a controller that keeps a copy of each labelled ConfigMap. */
    function mirror(manager: Manager, finalized: string[] = []): void {
      const { namespace } = world;
      manager.controller('mirror', {
        for: { resource: configMaps, namespace, labelSelector: 'mirror' },
        owns: [{ resource: configMaps, namespace, labelSelector: 'copy' }],
        finalizer: 'example.com/mirror',
        concurrency: 4,
        async reconcile(original, { client, signal, event }) {
          const { name } = original.metadata;
          const copy = { metadata: { name: `${name}-copy`, labels: { copy: 'yes' } } };
          const { outcome } = await createOrUpdate(
            client.coreV1.configMaps(namespace),
            setControllerReference(original, copy, configMaps),
            (map) => {
              map.data = { ...original.data };
            },
            { signal },
          );
          if (outcome === 'created') event('Normal', 'Mirrored', `created ${name}-copy`);
        },
        finalize: ({ metadata }) => void finalized.push(metadata.name),
      });
    }

    it('reconciles, repairs what others break, and finalizes', async () => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      await using manager = new Manager(world.target.config);
      const finalized: string[] = [];
      mirror(manager, finalized);
      const stop = new AbortController();
      const run = manager.run({ signal: stop.signal });
      const labels = { mirror: 'yes' };
      await maps.create({ metadata: { name: 'one', labels }, data: { text: 'a' } });
      await waitFor(maps, 'one-copy', saying('a'), { timeoutMs });
      await maps.patch('one-copy', { data: { text: 'broken' } }, { type: 'merge' });
      await waitFor(maps, 'one-copy', saying('a'), { timeoutMs });
      await maps.delete('one');
      await waitFor(maps, 'one', conditions.deleted(), { timeoutMs });
      assert.deepEqual(finalized, ['one']);
      stop.abort();
      await run;
    });

    it('reconciles on one of two replicas, and hands over at the stop', async () => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      const leaderElection = {
        name: 'mirror',
        namespace: world.namespace,
        leaseDurationMs: 60_000,
        renewDeadlineMs: 40_000,
        retryPeriodMs: 200,
      };
      const start = (identity: string) => {
        const manager = new Manager(world.target.config, {
          leaderElection: { ...leaderElection, identity },
        });
        mirror(manager);
        const stop = new AbortController();
        return { manager, stop, run: manager.run({ signal: stop.signal }) };
      };
      const first = start('a');
      await maps.create({
        metadata: { name: 'two', labels: { mirror: 'yes' } },
        data: { text: 'b' },
      });
      await waitFor(maps, 'two-copy', saying('b'), { timeoutMs });
      const second = start('b');
      assert.ok(first.manager.isLeader);
      assert.ok(!second.manager.isLeader);
      await assert.rejects(
        second.manager.client.coreV1.configMaps(world.namespace).delete('two-copy'),
        { code: 'CONTROLLER_NOT_LEADING' },
      );
      first.stop.abort();
      await first.run;
      await maps.patch('two', { data: { text: 'c' } }, { type: 'merge' });
      await waitFor(maps, 'two-copy', saying('c'), { timeoutMs });
      assert.ok(second.manager.isLeader);
      second.stop.abort();
      await second.run;
      await first.manager.close();
      await second.manager.close();
    });
  });
}
