import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { configMaps, secrets } from 'client-ts/api/core/v1';
import { cached, type Consistency, ControllerCache } from 'client-ts/controller';
import { nextTurn } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { VirtualClock } from 'client-ts/testing';

import { ways } from '../clients/test-targets.ts';

const parents = cached(secrets, { labelSelector: 'parent' });
const children = cached(configMaps, { labelSelector: 'child' });

/** Advances the clock of the server until the promise has settled. */
async function advanceUntil<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  const pending = new Set([promise]);
  const settle = (): void => pending.clear();
  promise.then(settle, settle);
  while (pending.size > 0) {
    await clock.advance(5000);
    await nextTurn();
  }
  return await promise;
}

for (const { name, configOf } of ways.slice(0, 2)) {
  /** The number of children that a controller makes which creates one when it sees none. */
  const childrenWith = async (consistency: Consistency): Promise<number> => {
    const clock = new VirtualClock();
    await using server = await ApiServer.start({ clock });
    const types = ['ADDED', 'MODIFIED', 'DELETED'];
    server.faults.add({
      match: { verb: 'watch' },
      fault: { kind: 'delay-events', ms: 5000, types },
    });
    await using client = new Clientset(configOf(server));
    const resources = [parents, children];
    await using cache = new ControllerCache({ client, resources, defaults: { consistency } });
    cache.start();
    await cache.waitForCacheSync();
    const maps = cache.client.coreV1.configMaps('default');
    const reconcile = async (): Promise<void> => {
      const [parent] = cache.list(parents, { namespace: 'default' });
      assert.notEqual(parent, undefined);
      if (cache.list(children, { namespace: 'default' }).length > 0) return;
      const created = maps.create({
        metadata: { generateName: 'child-', labels: { child: 'yes' } },
      });
      await (consistency === 'wait' ? advanceUntil(clock, created) : created);
    };
    const labels = { parent: 'yes' };
    const { metadata } = await client.coreV1
      .secrets('default')
      .create({ metadata: { name: 'parent', labels } });
    await advanceUntil(clock, cache.reached(parents, metadata.resourceVersion));
    for (let round = 0; round < 5; round += 1) await reconcile();
    const made = await client.coreV1.configMaps('default').list({ labelSelector: 'child' });
    await advanceUntil(clock, cache.reached(children, made.metadata.resourceVersion));
    assert.equal(cache.list(children).length, made.items.length);
    return made.items.length;
  };

  describe(`late watch events ${name}`, () => {
    it('cause no second child with "overlay" and with "wait"', async () => {
      assert.equal(await childrenWith('overlay'), 1);
      assert.equal(await childrenWith('wait'), 1);
    });

    it('cause one child for every reconcile with "eventual"', async () => {
      assert.equal(await childrenWith('eventual'), 5);
    });
  });
}
