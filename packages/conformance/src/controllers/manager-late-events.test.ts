import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { configMaps, secrets } from 'client-ts/api/core/v1';
import { type Consistency, Manager, requeueAfter } from 'client-ts/controller';
import { Clientset } from 'client-ts/kubernetes';
import { VirtualClock } from 'client-ts/testing';

import { silentLogger } from '../informers/test-silent-logger.ts';

const LATE_MS = 5000;

/** What a controller did whose watch events are late. */
interface Outcome {
  readonly children: number;
  readonly reconciles: number;
  readonly errors: readonly unknown[];
}

/**
 * Runs a controller that creates a child with a random name when its cache shows none, and deletes the
 * child again when its parent says so. It is reconciled five times for each late event.
 */
async function run(consistency: Consistency, { loses = false } = {}): Promise<Outcome> {
  const clock = new VirtualClock();
  await using server = await ApiServer.start({ clock });
  const types = ['ADDED', 'MODIFIED', 'DELETED'];
  const fault = { kind: 'delay-events', ms: LATE_MS, types } as const;
  server.faults.add({ match: { verb: 'watch' }, fault });
  const config = { server: server.url, transport: server.transport(), logger: silentLogger };
  const user = new Clientset({ ...config, transport: server.transport() });
  const errors: unknown[] = [];
  let reconciles = 0;
  await using manager = new Manager(config, {
    clock,
    logger: silentLogger,
    cache: { defaults: { consistency } },
  });
  manager.controller('parent', {
    for: { resource: secrets, labelSelector: 'parent' },
    owns: [{ resource: configMaps, labelSelector: 'child' }],
    onError: (error) => errors.push(error),
    async reconcile(parent, { cache, client, create }) {
      reconciles += 1;
      const { namespace = '', name } = parent.metadata;
      const children = cache.list(configMaps, { namespace, labelSelector: `child=${name}` });
      const wanted = parent.metadata.labels?.['parent'] === 'gone' ? 0 : 1;
      const [child] = children;
      if (wanted === 0 && child !== undefined) {
        await client.coreV1.configMaps(namespace).delete(child.metadata.name);
      }
      if (wanted === 1 && child === undefined) {
        const metadata = { generateName: `${name}-`, labels: { child: name } };
        if (!loses) await client.coreV1.configMaps(namespace).create({ metadata });
        else
          await create(configMaps, { metadata: { name: `${name}-only`, labels: { child: name } } });
      }
      return requeueAfter(LATE_MS / 5);
    },
  });
  if (loses) {
    const lost = { kind: 'status', code: 504, takesEffect: true } as const;
    server.faults.add({ match: { verb: 'create', resource: 'configmaps' }, fault: lost, count: 1 });
  }
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await clock.advance(LATE_MS);
  const parents = user.coreV1.secrets('default');
  await parents.create({ metadata: { name: 'web', labels: { parent: 'yes' } } });
  await clock.advance(20 * LATE_MS);
  const made = await user.coreV1.configMaps('default').list({ labelSelector: 'child' });
  await parents.patch('web', { metadata: { labels: { parent: 'gone' } } }, { type: 'merge' });
  await clock.advance(20 * LATE_MS);
  const left = await user.coreV1.configMaps('default').list({ labelSelector: 'child' });
  assert.deepEqual(left.items, []);
  stop.abort();
  await clock.advance(60_000);
  await running;
  return { children: made.items.length, reconciles, errors };
}

describe('a controller of a manager with late watch events', () => {
  for (const consistency of ['overlay', 'wait'] as const) {
    it(`creates one child, and deletes it once, with "${consistency}"`, async () => {
      const { children, reconciles, errors } = await run(consistency);
      assert.equal(children, 1);
      assert.deepEqual(errors, []);
      assert.ok(reconciles > 5, `${reconciles} reconciles`);
    });
  }

  it('creates more than one with "eventual"', async () => {
    const { children } = await run('eventual');
    assert.ok(children > 1, `${children} children`);
  });

  it('finds the child whose creation was not answered', async () => {
    const { children, errors } = await run('overlay', { loses: true });
    assert.equal(children, 1);
    assert.equal(errors.length, 1);
  });
});
