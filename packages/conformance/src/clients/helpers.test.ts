import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConfigMap } from 'client-ts/api/core/v1';
import type { Deployment } from 'client-ts/api/apps/v1';
import { Clientset } from 'client-ts/kubernetes';
import { systemRandom } from 'client-ts/internal';
import { isConflict } from 'client-ts/meta';
import {
  conditions,
  createOrPatch,
  createOrUpdate,
  ensure,
  retryOnConflict,
  waitFor,
} from 'client-ts/wait';
import { type RunningTarget, targets } from './test-targets.ts';

const timeout = 30_000;

for (const { name, start } of targets) {
  describe(`helpers ${name}`, () => {
    const namespace = `t${systemRandom.uuid().slice(0, 8)}`;
    let target: RunningTarget;
    let client: Clientset;

    before(async () => {
      target = await start();
      client = new Clientset(target.config);
      await client.coreV1.namespaces().create({ metadata: { name: namespace } });
    });

    after(async () => {
      await client.coreV1.namespaces().delete(namespace);
      await client[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    it('retryOnConflict lets ten concurrent writers succeed', async () => {
      const maps = client.coreV1.configMaps(namespace);
      await maps.create({ metadata: { name: 'counter' }, data: { count: '0' } });
      let conflicts = 0;
      const increment = async (): Promise<ConfigMap> => {
        const map = await maps.get('counter');
        const count = String(Number(map.data?.['count']) + 1);
        try {
          return await maps.update({ ...map, data: { count } });
        } catch (error) {
          if (isConflict(error)) conflicts += 1;
          throw error;
        }
      };
      const backoff = { steps: 50, initialMs: 1, factor: 1, jitter: 1 };
      await Promise.all(Array.from({ length: 10 }, () => retryOnConflict(increment, { backoff })));
      assert.deepEqual((await maps.get('counter')).data, { count: '10' });
      assert.ok(conflicts > 0, 'there were no conflicts');
    });

    it('createOrUpdate creates, updates, and skips unchanged objects', async () => {
      const maps = client.coreV1.configMaps(namespace);
      const make = (mode: string) =>
        createOrUpdate(maps, { metadata: { name: 'settings' }, data: { kept: 'yes' } }, (map) => {
          map.data = { ...map.data, mode };
        });
      const created = await make('slow');
      assert.equal(created.outcome, 'created');
      assert.deepEqual(created.object.data, { kept: 'yes', mode: 'slow' });
      const updated = await make('fast');
      assert.equal(updated.outcome, 'updated');
      assert.deepEqual(updated.object.data, { kept: 'yes', mode: 'fast' });
      const unchanged = await make('fast');
      assert.equal(unchanged.outcome, 'unchanged');
      assert.deepEqual(unchanged.object, updated.object);
    });

    it('createOrUpdate retries after concurrent writes', async () => {
      const maps = client.coreV1.configMaps(namespace);
      const writers = Array.from({ length: 5 }, (_, index) =>
        createOrUpdate(
          maps,
          { metadata: { name: 'shared' } },
          (map) => ({ ...map, data: { ...map.data, [`writer-${index}`]: 'was here' } }),
          { backoff: { steps: 50, initialMs: 1, factor: 1, jitter: 1 } },
        ),
      );
      const outcomes = (await Promise.all(writers)).map(({ outcome }) => outcome);
      assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1);
      assert.equal(Object.keys((await maps.get('shared')).data ?? {}).length, 5);
    });

    it('createOrUpdate does not let the object change its identity', async () => {
      const maps = client.coreV1.configMaps(namespace);
      const rename = createOrUpdate(maps, { metadata: { name: 'a' } }, (map) => {
        map.metadata = { name: 'b' };
      });
      await assert.rejects(rename, { code: 'REST_REQUEST_INVALID' });
    });

    it('createOrPatch sends the object and its status to their endpoints', async () => {
      const deployments = client.appsV1.deployments(namespace);
      const make = (replicas: number, ready: number) =>
        createOrPatch(deployments, deployment('patched'), (object) => {
          if (object.spec) object.spec.replicas = replicas;
          object.status = { ...object.status, replicas, readyReplicas: ready };
        });
      const created = await make(3, 1);
      assert.equal(created.outcome, 'created');
      assert.deepEqual(
        [created.object.spec?.replicas, created.object.status?.readyReplicas],
        [3, 1],
      );
      const updated = await make(4, 2);
      assert.equal(updated.outcome, 'updated');
      assert.deepEqual(
        [updated.object.spec?.replicas, updated.object.status?.readyReplicas],
        [4, 2],
      );
      assert.equal(updated.object.metadata.generation, 2);
      assert.equal((await make(4, 2)).outcome, 'unchanged');
    });

    it('ensure applies, and leaves fields of other managers alone', async () => {
      const maps = client.coreV1.configMaps(namespace);
      await maps.create({ metadata: { name: 'ensured' }, data: { theirs: '1' } });
      const mine = { metadata: { name: 'ensured' }, data: { mine: '2' } };
      const ensured = await ensure(maps, mine, { fieldManager: 'me' });
      assert.deepEqual(ensured.data, { theirs: '1', mine: '2' });
      const { metadata, spec } = deployment('ensured');
      const desired = {
        metadata: { name: metadata?.name ?? '' },
        spec: spec ?? {},
        status: { replicas: 7 },
      };
      const deployments = client.appsV1.deployments(namespace);
      const applied = await ensure(deployments, desired, { fieldManager: 'me', force: true });
      assert.deepEqual([applied.spec?.replicas, applied.status?.replicas], [1, 7]);
    });

    it('waitFor waits for changes by others', async () => {
      const pods = client.coreV1.pods(namespace);
      const created = await pods.create({
        metadata: { name: 'web' },
        spec: { containers: [{ name: 'web', image: 'web:1' }] },
      });
      const becomesReady = waitFor(pods, 'web', conditions.podReady, { timeoutMs: timeout });
      const gone = waitFor(pods, 'web', conditions.deleted(created.metadata.uid), {
        timeoutMs: timeout,
      });
      const back = waitFor(
        pods,
        'web',
        conditions.and(conditions.exists, conditions.deleted(created.metadata.uid)),
        { timeoutMs: timeout },
      );
      const ready = [{ type: 'Ready', status: 'True' }];
      await pods.patch(
        'web',
        { status: { conditions: ready } },
        { type: 'strategic', subresource: 'status' },
      );
      assert.equal((await becomesReady).metadata.uid, created.metadata.uid);
      await pods.delete('web', { gracePeriodSeconds: 0 });
      assert.equal(await gone, undefined);
      const { apiVersion, kind, spec } = created;
      const again = await pods.create({
        ...(apiVersion && kind && { apiVersion, kind }),
        metadata: { name: 'web' },
        spec: { containers: spec?.containers ?? [] },
      });
      assert.equal((await back).metadata.uid, again.metadata.uid);
    });

    it('waitFor ignores conditions of an older generation', async () => {
      const deployments = client.appsV1.deployments(namespace);
      await deployments.create(deployment('rolling'));
      const available = { type: 'Available', status: 'True' };
      const say = (observedGeneration: number) =>
        deployments.patch(
          'rolling',
          { status: { observedGeneration, conditions: [available] } },
          { type: 'merge', subresource: 'status' },
        );
      await say(1);
      const { metadata } = await deployments.patch(
        'rolling',
        { spec: { replicas: 2 } },
        { type: 'merge' },
      );
      assert.equal(metadata.generation, 2);
      const waiting = waitFor(deployments, 'rolling', conditions.deploymentAvailable, {
        timeoutMs: timeout,
      });
      const told = await waitFor(
        deployments,
        'rolling',
        conditions.not(conditions.conditionTrue('Available')),
        {
          timeoutMs: timeout,
        },
      );
      assert.equal(told?.status?.observedGeneration, 1);
      await say(2);
      assert.equal((await waiting).status?.observedGeneration, 2);
    });

    it('waitFor times out, and reports the last state', async () => {
      const pods = client.coreV1.pods(namespace);
      await assert.rejects(waitFor(pods, 'never', conditions.podReady, { timeoutMs: 100 }), {
        code: 'WAIT_TIMEOUT',
        message:
          /^pods "never" (?:does not exist|could not be read) and did not meet podReady within 100 ms$/,
      });
    });
  });
}

function deployment(name: string): Deployment {
  const labels = { app: name };
  const containers = [{ name: 'web', image: 'web:1' }];
  return {
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}
