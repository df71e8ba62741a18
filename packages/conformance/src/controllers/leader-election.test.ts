import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';
import { LeaderElector, LeaseLock, withLeadership } from 'client-ts/leaderelection';
import { Deferred } from 'client-ts/internal';
import { type RunningTarget, targets } from '../clients/test-targets.ts';

/** As short as whole seconds allow. */
const timing = { leaseDurationMs: 2000, renewDeadlineMs: 1500, retryPeriodMs: 200 };

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

for (const { name, start } of targets) {
  describe(`leader election ${name}`, () => {
    let target: RunningTarget;
    let client: Clientset;
    let namespace: string;

    before(async () => {
      target = await start();
      client = new Clientset(target.config);
      const { metadata } = await client.coreV1
        .namespaces()
        .create({ metadata: { generateName: 'election-' } });
      namespace = metadata.name;
    });

    after(async () => {
      await client.coreV1.namespaces().delete(namespace);
      await client[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    function lock(lease: string, identity: string): LeaseLock {
      const labels = { 'example.com/election': lease };
      return new LeaseLock({ client, namespace, name: lease, identity, labels });
    }

    it('hands over immediately when the lease is released', async () => {
      const stop = new AbortController();
      const leads = new Deferred();
      const first = withLeadership(
        { ...timing, lock: lock('handed-on', 'a'), signal: stop.signal },
        async (signal) => {
          leads.resolve();
          await once(signal, 'abort');
        },
      );
      await leads.promise;
      const leases = client.coordinationV1.leases(namespace);
      const held = await leases.get('handed-on');
      assert.equal(held.spec?.holderIdentity, 'a');
      assert.equal(held.spec.leaseDurationSeconds, 2);
      assert.equal(held.spec.leaseTransitions, 0);
      assert.match(held.spec.acquireTime ?? '', microTime);
      assert.match(held.spec.renewTime ?? '', microTime);
      assert.deepEqual(held.metadata.labels, { 'example.com/election': 'handed-on' });

      const sawFirst = new Deferred<string>();
      const second = withLeadership(
        {
          ...timing,
          lock: lock('handed-on', 'b'),
          callbacks: { onNewLeader: (identity) => sawFirst.resolve(identity) },
        },
        async () => await leases.get('handed-on'),
      );
      assert.equal(await sawFirst.promise, 'a');
      stop.abort();
      assert.deepEqual(await first, { outcome: 'stopped' });
      const result = await second;
      assert.ok(result.outcome === 'finished');
      assert.equal(result.value.spec?.holderIdentity, 'b');
      assert.equal(result.value.spec.leaseTransitions, 1);
      const released = await leases.get('handed-on');
      assert.equal(released.spec?.holderIdentity ?? '', '');
      assert.equal(released.spec?.leaseDurationSeconds, 1);
    });

    it('takes over from a leader that is gone, and keeps other fields of the lease', async () => {
      const leases = client.coordinationV1.leases(namespace);
      await leases.create({
        metadata: { name: 'left', annotations: { note: 'kept' } },
        spec: {
          holderIdentity: 'gone',
          leaseDurationSeconds: 1,
          leaseTransitions: 6,
          acquireTime: '2999-01-01T00:00:00.000000Z',
          renewTime: '2999-01-01T00:00:00.000000Z',
        },
      });
      const { outcome } = await withLeadership(
        { ...timing, lock: lock('left', 'a') },
        async (_, elector) => {
          assert.equal(elector.getLeader(), 'a');
          assert.equal(elector.leaderTransitions, 7);
        },
      );
      assert.equal(outcome, 'finished');
      const { metadata, spec } = await leases.get('left');
      assert.equal(metadata.annotations?.['note'], 'kept');
      assert.equal(spec?.leaseTransitions, 7);
    });

    it('renews after a concurrent write to the lease', async () => {
      const leases = client.coordinationV1.leases(namespace);
      const result = await withLeadership(
        { ...timing, lock: lock('disturbed', 'a') },
        async (signal) => {
          const { metadata, spec } = await leases.patch(
            'disturbed',
            { metadata: { annotations: { note: 'from outside' } } },
            { type: 'merge' },
          );
          const version = metadata.resourceVersion;
          for await (const { type, object } of leases.watch({
            fieldSelector: 'metadata.name=disturbed',
            resourceVersion: version,
            signal,
          })) {
            if (type !== 'MODIFIED') continue;
            assert.equal(object.metadata.annotations?.['note'], 'from outside');
            assert.equal(object.spec?.acquireTime, spec?.acquireTime);
            assert.notEqual(object.spec?.renewTime, spec?.renewTime);
            return 'renewed';
          }
          return 'not renewed';
        },
      );
      assert.deepEqual(result, { outcome: 'finished', value: 'renewed' });
    });

    it('lets three candidates take turns, never two at the same time', async () => {
      const log: string[] = [];
      const turns = ['a', 'b', 'c'].map(async (identity) => {
        await using elector = new LeaderElector({
          ...timing,
          lock: lock('turns', identity),
          releaseOnCancel: true,
        });
        for (let turn = 0; turn < 2; turn += 1) {
          const { outcome } = await elector.lead(async () => {
            log.push(`+${identity}`);
            await client.coreV1.namespaces().get(namespace);
            log.push(`-${identity}`);
          });
          assert.equal(outcome, 'finished');
        }
      });
      await Promise.all(turns);
      assert.equal(log.length, 12);
      for (let index = 0; index < log.length; index += 2) {
        assert.equal(log[index + 1], log[index]?.replace('+', '-'));
      }
    });
  });
}

describe('leader election on a server that is down', () => {
  it('ends leadership, and elects again when the server is back', async () => {
    await using server = await ApiServer.start();
    await using client = new Clientset(server.config);
    await using elector = new LeaderElector({
      ...timing,
      lock: new LeaseLock({ client, namespace: 'default', name: 'web', identity: 'a' }),
    });
    const leads = new Deferred();
    const first = elector.lead(async (signal) => {
      leads.resolve();
      await once(signal, 'abort');
      assert.equal(elector.isLeader, false);
    });
    await leads.promise;
    await server.stopServing();
    const lost = await first;
    assert.ok(lost.outcome === 'lost');
    assert.equal(lost.reason.code, 'LEADERELECTION_LOST');
    await server.resume();
    const again = await elector.lead(() => elector.getLeader());
    assert.deepEqual(again, { outcome: 'finished', value: 'a' });
  });
});
