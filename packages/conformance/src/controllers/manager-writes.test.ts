import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Deployment, deployments } from 'client-ts/api/apps/v1';
import { type ConfigMap, configMaps, type Secret, services } from 'client-ts/api/core/v1';
import { mutableCopy } from 'client-ts/codec';
import { type ControllerContext, Manager, projectionOf } from 'client-ts/controller';
import type { Cached } from 'client-ts/informers';
import { Deferred } from 'client-ts/internal';
import { isControlledBy } from 'client-ts/meta';
import { targets } from '../clients/test-targets.ts';
import { decompressionsOf } from '../informers/test-decompressions.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

const deployment = (name: string): Deployment => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
  },
});

/** Runs a manager until a reconcile is through, or the manager fails. */
async function runUntil(manager: Manager, outcome: Promise<void>): Promise<void> {
  const stop = new AbortController();
  const run = manager.run({ signal: stop.signal });
  await Promise.race([outcome, run]);
  stop.abort();
  await run;
}

for (const target of targets) {
  describe(`writes of a reconcile ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    /** Creates a Deployment and calls `work` in the first reconcile of it. Returns its write requests. */
    async function reconcileOnce(
      name: string,
      work: (
        object: Cached<Deployment>,
        context: ControllerContext<Deployment>,
        writes: string[],
      ) => Promise<void>,
    ): Promise<void> {
      const writes: string[] = [];
      const { config } = world.target;
      await using manager = new Manager({
        ...config,
        middleware: [
          (request, next) => {
            const [path = ''] = request.path.split('?');
            if (request.method !== 'GET' && !path.endsWith('/events')) {
              writes.push(
                `${request.method} ${path.split(`/namespaces/${world.namespace}`).at(-1)}`,
              );
            }
            return next(request);
          },
        ],
      });
      const outcome = new Deferred();
      let isFirst = true;
      manager.controller('writer', {
        for: {
          resource: deployments,
          namespace: world.namespace,
          fieldSelector: `metadata.name=${name}`,
        },
        owns: [
          { resource: configMaps, namespace: world.namespace },
          { resource: services, namespace: world.namespace },
        ],
        reconcile: async (object, context) => {
          if (!isFirst) return;
          isFirst = false;
          try {
            await work(object, context, writes);
            outcome.resolve();
          } catch (error) {
            outcome.reject(error);
          }
        },
      });
      await world.client.appsV1.deployments(world.namespace).create(deployment(name));
      await runUntil(manager, outcome.promise);
    }

    it('keep the fields of a status that a projection leaves out', async () => {
      const name = 'projected';
      const deploymentsHere = world.client.appsV1.deployments(world.namespace);
      const { metadata } = await deploymentsHere.create(deployment(name));
      const status = { replicas: 2, updatedReplicas: 1 };
      await deploymentsHere.patch(name, { status }, { type: 'merge', subresource: 'status' });
      await using manager = new Manager(world.target.config);
      const outcome = new Deferred();
      manager.controller('projected', {
        for: {
          resource: projectionOf(deployments, ['status.replicas']),
          namespace: world.namespace,
          fieldSelector: `metadata.name=${name}`,
        },
        reconcile: async (object, context) => {
          try {
            assert.deepEqual({ ...object.status }, { replicas: 2 });
            await context.status({ readyReplicas: 1 });
            outcome.resolve();
          } catch (error) {
            outcome.reject(error);
          }
        },
      });
      await runUntil(manager, outcome.promise);
      const stored = await deploymentsHere.get(metadata.name);
      const { replicas, updatedReplicas, readyReplicas } = stored.status ?? {};
      assert.deepEqual([replicas, updatedReplicas, readyReplicas], [2, 1, 1]);
    });

    it('update writes a changed copy of an object that is kept compressed', async () => {
      const { client, namespace, target: running } = world;
      const data = { text: 'ä line that repeats\n'.repeat(100) };
      const maps = client.coreV1.configMaps(namespace);
      const labels = { form: 'packed' };
      const create = () => maps.create({ metadata: { generateName: 'packed-', labels }, data });
      const { metadata } = await create();
      const { metadata: other } = await create();
      await using manager = new Manager(running.config);
      const outcome = new Deferred();
      manager.controller('compressed', {
        for: {
          resource: configMaps,
          namespace,
          labelSelector: 'form=packed',
          compress: true,
        },
        reconcile: async (object, context) => {
          try {
            if (object.metadata.name !== metadata.name) return;
            if (object.data?.['seen'] !== undefined) return;
            const read = (): void => assert.deepEqual({ ...object.data }, data);
            assert.equal(decompressionsOf(read), 0, 'data has been read');
            // The object that was read last is not decompressed again.
            const last = context.cache.get(configMaps, { namespace, name: other.name });
            assert.deepEqual({ ...last?.data }, data);
            assert.equal(
              decompressionsOf(() => object.metadata.labels),
              1,
            );
            const copy = mutableCopy(object);
            copy.data = { ...copy.data, seen: 'yes' };
            await context.client.coreV1.configMaps(namespace).update(copy);
            outcome.resolve();
          } catch (error) {
            outcome.reject(error);
          }
        },
      });
      await runUntil(manager, outcome.promise);
      assert.deepEqual((await maps.get(metadata.name)).data, { ...data, seen: 'yes' });
    });

    it('apply is not sent again if the server fills in or drops values', async () => {
      await reconcileOnce('filled', async (_object, { apply, client, signal }, writes) => {
        const service = {
          metadata: { name: 'filled' },
          spec: { selector: { app: '' }, ports: [{ port: 80 }] },
        };
        assert.equal((await apply(services, service)).outcome, 'applied');
        assert.equal((await apply(services, service)).outcome, 'unchanged');
        assert.deepEqual(writes, ['PATCH /services/filled']);
        const patch = { spec: { selector: { app: 'other' } } };
        await client.coreV1
          .services(world.namespace)
          .patch('filled', patch, { type: 'merge', signal });
        assert.equal((await apply(services, service)).outcome, 'applied');
      });
    });

    it('apply sets the owner and is not sent again while nothing changes', async () => {
      await reconcileOnce('applied', async (object, { apply, cache, client, signal }, writes) => {
        const { namespace = '' } = object.metadata;
        const settings: ConfigMap = { metadata: { name: 'applied' }, data: { a: '1', b: '2' } };
        const first = await apply(configMaps, settings);
        assert.equal(first.outcome, 'applied');
        const stored = await client.coreV1.configMaps(namespace).get('applied', { signal });
        assert.deepEqual(
          stored.metadata.ownerReferences?.map(({ uid, controller }) => ({ uid, controller })),
          [{ uid: object.metadata.uid, controller: true }],
        );
        await cache.informer(configMaps, { namespace }).reached(stored.metadata.resourceVersion);
        assert.equal((await apply(configMaps, settings)).outcome, 'unchanged');
        const typed = { apiVersion: 'v1', kind: 'ConfigMap', ...settings };
        assert.equal((await apply(typed)).outcome, 'unchanged');
        const less = await apply(configMaps, { ...settings, data: { a: '1' } });
        assert.equal(less.outcome, 'applied');
        assert.deepEqual(less.object.data, { a: '1' });
        assert.deepEqual(writes, ['PATCH /configmaps/applied', 'PATCH /configmaps/applied']);
      });
    });

    it('apply takes over fields of others, or fails with force: false', async () => {
      await reconcileOnce('forced', async ({ metadata }, { apply }) => {
        const maps = world.client.coreV1.configMaps(metadata.namespace ?? '');
        await maps.apply(
          { metadata: { name: 'shared' }, data: { a: 'x' } },
          { fieldManager: 'other' },
        );
        const mine = { metadata: { name: 'shared' }, data: { a: 'y' } };
        await assert.rejects(apply(configMaps, mine, { force: false }), /conflict.*"other"/s);
        assert.deepEqual((await apply(configMaps, mine)).object.data, { a: 'y' });
      });
    });

    it('apply refuses an object of another controller', async () => {
      await reconcileOnce('refused', async ({ metadata }, { apply, cache }, writes) => {
        const { namespace = '' } = metadata;
        const maps = world.client.coreV1.configMaps(namespace);
        // The garbage collector deletes what belongs to nothing that exists.
        const { uid } = (await maps.create({ metadata: { name: 'other' } })).metadata;
        const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid, controller: true };
        const { metadata: created } = await maps.create({
          metadata: { name: 'taken', ownerReferences: [other] },
        });
        await cache.informer(configMaps, { namespace }).reached(created.resourceVersion);
        await assert.rejects(apply(configMaps, { metadata: { name: 'taken' } }), {
          code: 'CONTROLLER_OWNER_CONFLICT',
          message: `ConfigMap taken is controlled by ConfigMap other (uid ${uid})`,
        });
        assert.deepEqual(writes, []);
      });
    });

    it('finds the resource of an object by its kind', async () => {
      await reconcileOnce('kinds', async ({ metadata }, { apply, create, createOrUpdate }) => {
        const typed = { apiVersion: 'v1', kind: 'Secret' };
        await apply({ ...typed, metadata: { name: 'by-kind' }, data: { a: 'YQ==' } } as Secret);
        await create({ ...typed, metadata: { name: 'made-by-kind' } });
        const map: ConfigMap = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'by-kind' },
        };
        const { outcome } = await createOrUpdate(map, (current) => {
          current.data = { a: 'b' };
        });
        assert.equal(outcome, 'created');
        const all = world.client.coreV1.secrets(metadata.namespace ?? '');
        assert.deepEqual((await all.get('by-kind')).data, { a: 'YQ==' });
        assert.ok(
          isControlledBy(await all.get('made-by-kind'), { metadata: { uid: metadata.uid } }),
        );
        await assert.rejects(apply({ metadata: { name: 'no-kind' } }), {
          code: 'CONTROLLER_KIND_UNKNOWN',
        });
      });
    });

    it('create returns its own object, and fails for that of others', async () => {
      await reconcileOnce('creator', async ({ metadata }, { create }) => {
        const own = await create(configMaps, { metadata: { name: 'child' } });
        const again = await create(configMaps, { metadata: { name: 'child' } });
        assert.equal(again.metadata.uid, own.metadata.uid);
        await world.client.coreV1
          .configMaps(metadata.namespace ?? '')
          .create({ metadata: { name: 'foreign' } });
        await assert.rejects(create(configMaps, { metadata: { name: 'foreign' } }), {
          code: 'API_ALREADY_EXISTS',
        });
      });
    });

    it('createOrUpdate sends nothing if the cached object is already right', async () => {
      await reconcileOnce('upserter', async ({ metadata }, { createOrUpdate, cache }, writes) => {
        const { namespace = '' } = metadata;
        const upsert = (text: string) =>
          createOrUpdate(configMaps, { metadata: { name: 'upserted' } }, (map) => {
            map.data = { ...map.data, text };
          });
        const created = await upsert('a');
        assert.equal(created.outcome, 'created');
        const informer = cache.informer(configMaps, { namespace });
        await informer.reached(created.object.metadata.resourceVersion);
        assert.equal((await upsert('a')).outcome, 'unchanged');
        assert.equal((await upsert('b')).outcome, 'updated');
        assert.deepEqual(writes, ['POST /configmaps', 'PUT /configmaps/upserted']);
      });
    });

    it('status reports a field that the kind does not have, from the first write on', async () => {
      const { namespace } = world;
      const own = world.client.appsV1.deployments(namespace);
      const [logged, warned] = [[] as string[], [] as string[]];
      const ignore = (): void => undefined;
      const warn = (line: string): void => void logged.push(line);
      const config = {
        ...world.target.config,
        onWarning: ({ text }: { readonly text: string }) => void warned.push(text),
      };
      const logger = { debug: ignore, info: ignore, warn, error: warn };
      await using manager = new Manager(config, { logger });
      const done = new Deferred();
      manager.controller('typo', {
        for: { resource: deployments, namespace, fieldSelector: 'metadata.name=typo' },
        async reconcile(_object, { status }) {
          await status({ repliacs: 3, replicas: 1 } as { replicas: number });
          await status({ repliacs: 3, replicas: 2 } as { replicas: number });
          done.resolve();
        },
      });
      const running = manager.run();
      await own.create(deployment('typo'));
      await done.promise;
      await manager.close();
      await running;
      assert.match(logged[0] ?? '', /unknown field "status\.repliacs" of Deployment/);
      assert.deepEqual([...new Set(warned)], ['unknown field "status.repliacs"']);
    });

    it('status writes differences with the generation, and conditions by their rules', async () => {
      await reconcileOnce('state', async ({ metadata }, { status, setCondition }, writes) => {
        const own = world.client.appsV1.deployments(metadata.namespace ?? '');
        const progressing = { type: 'Progressing', status: 'True', reason: 'New', message: '' };
        await status({ replicas: 3, conditions: [progressing] });
        await status({ replicas: 3, conditions: [progressing] });
        assert.equal(writes.length, 1, 'nothing has changed the second time');
        const first = (await own.get('state')).status;
        assert.equal(first?.replicas, 3);
        assert.equal(first.observedGeneration, metadata.generation);
        const before = first.conditions?.[0]?.lastTransitionTime;
        // Another writer: unless the watch is faster, the next write conflicts and is computed again.
        const theirs = { status: { readyReplicas: 1 } };
        await own.patch('state', theirs, { type: 'merge', subresource: 'status' });
        await setCondition({ ...progressing, reason: 'Done' });
        await status((current) => ({ ...current, replicas: (current.replicas ?? 0) + 1 }));
        const last = (await own.get('state')).status;
        assert.equal(last?.replicas, 4);
        assert.equal(last.readyReplicas, 1);
        assert.deepEqual(
          last.conditions?.map(({ type, reason, lastTransitionTime }) => ({
            type,
            reason,
            lastTransitionTime,
          })),
          [{ type: 'Progressing', reason: 'Done', lastTransitionTime: before }],
        );
        assert.ok(writes.every((write) => write === 'PATCH /deployments/state/status'));
      });
    });

    it('status of an object that is gone is ignored', async () => {
      await reconcileOnce('gone', async ({ metadata }, { status }) => {
        await world.client.appsV1.deployments(metadata.namespace ?? '').delete('gone');
        await status({ replicas: 1 });
        await status({ replicas: 2 });
        assert.ok(true);
      });
    });
  });
}
