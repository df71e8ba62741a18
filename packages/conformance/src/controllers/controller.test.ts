import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConfigMap } from 'client-ts/api/core/v1';
import { systemClock } from 'client-ts/internal';
import { conditions, waitFor } from 'client-ts/wait';
import { targets } from '../clients/test-targets.ts';
import { eventually } from '../suite/expect.ts';
import { Mirror } from './test-mirror.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

const timeout = 30_000;

/** Waits for a ConfigMap with this text. */
const saying =
  (text: string) =>
  (map: ConfigMap | undefined): map is ConfigMap =>
    map?.data?.['text'] === text;

for (const target of targets) {
  describe(`a controller ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    const original = (name: string, text: string): ConfigMap => ({
      metadata: { name, labels: { mirror: 'yes' } },
      data: { text },
    });

    it('reconciles, and repairs what others break', async () => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      await maps.create(original('early', 'one'));
      await using mirror = new Mirror(world.client, world.namespace);
      const first = await waitFor(maps, 'early-copy', saying('one'), { timeoutMs: timeout });
      await maps.create(original('late', 'two'));
      await waitFor(maps, 'late-copy', saying('two'), { timeoutMs: timeout });

      await maps.patch('early', { data: { text: 'three' } }, { type: 'merge' });
      await waitFor(maps, 'early-copy', saying('three'), { timeoutMs: timeout });
      await maps.patch('early-copy', { data: { text: 'broken' } }, { type: 'merge' });
      await waitFor(maps, 'early-copy', saying('three'), { timeoutMs: timeout });
      await maps.delete('early-copy');
      const again = await waitFor(maps, 'early-copy', saying('three'), { timeoutMs: timeout });
      assert.notEqual(again.metadata.uid, first.metadata.uid);
      assert.deepEqual(
        again.metadata.ownerReferences?.map(({ kind, name, controller }) => ({
          kind,
          name,
          controller,
        })),
        [{ kind: 'ConfigMap', name: 'early', controller: true }],
      );
      assert.deepEqual(mirror.errors, []);
    });

    it('retries on conflicts of ownership, but not on terminal errors', async () => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      await maps.create({ metadata: { name: 'taken-copy', labels: { copy: 'yes' } } });
      await using mirror = new Mirror(world.client, world.namespace);
      await maps.create({ ...original('odd', 'four'), data: { nonsense: 'yes' } });
      const failuresOf = (name: string) =>
        mirror.errors.filter(({ key }) => key === `${world.namespace}/${name}`);
      await eventually(systemClock, 'an error', async () => failuresOf('odd')[0]);
      await maps.create(original('taken', 'five'));
      await eventually(systemClock, 'a second attempt', async () => failuresOf('taken')[1]);
      assert.deepEqual(
        failuresOf('taken')
          .slice(0, 2)
          .map(({ attempt, code }) => ({ attempt, code })),
        [
          { attempt: 1, code: 'WORKQUEUE_RECONCILE_FAILED' },
          { attempt: 2, code: 'WORKQUEUE_RECONCILE_FAILED' },
        ],
      );
      await maps.delete('taken-copy');
      await waitFor(maps, 'taken-copy', saying('five'), { timeoutMs: timeout });
      assert.deepEqual(
        failuresOf('odd').map(({ code, attempt }) => ({ code, attempt })),
        [{ code: 'WORKQUEUE_RECONCILE_TERMINAL', attempt: 1 }],
      );
      await maps.patch('odd', { data: { nonsense: null, text: 'six' } }, { type: 'merge' });
      await waitFor(maps, 'odd-copy', saying('six'), { timeoutMs: timeout });
    });

    it('does nothing after it has stopped', async () => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      const mirror = new Mirror(world.client, world.namespace);
      await maps.create(original('last', 'seven'));
      await waitFor(maps, 'last-copy', saying('seven'), { timeoutMs: timeout });
      await mirror[Symbol.asyncDispose]();
      const looks = mirror.looks.length;
      await maps.delete('last-copy');
      // Another controller sees and repairs it: the first one would have seen it by then.
      await using another = new Mirror(world.client, world.namespace);
      await waitFor(maps, 'last-copy', saying('seven'), { timeoutMs: timeout });
      assert.ok(another.looks.includes(`${world.namespace}/last`));
      assert.equal(mirror.looks.length, looks);
    });
  });
}

for (const target of targets.filter(({ name }) => !name.startsWith('with '))) {
  describe(`an owner ${target.name}`, () => {
    it('takes its dependents with it when deleted', async () => {
      await using world = await startNamespace(target);
      const maps = world.client.coreV1.configMaps(world.namespace);
      await using _mirror = new Mirror(world.client, world.namespace);
      const owner = await maps.create({
        metadata: { name: 'owner', labels: { mirror: 'yes' } },
        data: { text: 'eight' },
      });
      const copy = await waitFor(maps, 'owner-copy', saying('eight'), { timeoutMs: timeout });
      await maps.delete('owner', { preconditions: { uid: owner.metadata.uid } });
      const end = await waitFor(maps, 'owner-copy', conditions.deleted(copy.metadata.uid), {
        timeoutMs: timeout,
      });
      assert.equal(end, undefined);
    });
  });
}
