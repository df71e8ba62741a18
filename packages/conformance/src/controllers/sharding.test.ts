import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { type ConfigMap, configMaps, secrets } from 'client-ts/api/core/v1';
import {
  type ControllerContext,
  ControllerCache,
  Manager,
  type ManagerSharding,
  type StartUpError,
} from 'client-ts/controller';
import { Deferred, nextTurn } from 'client-ts/internal';
import { shardOfKey } from 'client-ts/leaderelection';
import { getControllerOf } from 'client-ts/meta';
import { Clientset } from 'client-ts/kubernetes';
import type { Cached } from 'client-ts/informers';
import type { Config, Middleware } from 'client-ts/transport';
import { targets } from '../clients/test-targets.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

/** Long, so that no pause of the machine loses a lease; shards are handed over by release. */
const timing = { leaseDurationMs: 60_000, renewDeadlineMs: 40_000, retryPeriodMs: 100 };

type Reconciled = (
  identity: string,
  map: Cached<ConfigMap>,
  context: ControllerContext<ConfigMap>,
) => Promise<void>;

for (const target of targets) {
  describe(`managers that share keys ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    const until = async (condition: () => boolean): Promise<void> => {
      while (!condition()) await nextTurn();
    };

    /** Starts a replica that reconciles the ConfigMaps with this label, and may own Secrets. */
    const start = (
      identity: string,
      group: string,
      reconcile: Reconciled,
      options: Partial<ManagerSharding> & { readonly config?: Config } = {},
    ) => {
      const { namespace } = world;
      const { config = world.target.config, ...sharding } = options;
      const manager = new Manager(config, {
        sharding: { shards: 4, name: group, namespace, identity, ...timing, ...sharding },
        gracePeriodMs: 3_600_000,
      });
      manager.controller('sharded', {
        for: { resource: configMaps, namespace, labelSelector: `group=${group}` },
        owns: [{ resource: secrets, namespace }],
        concurrency: 4,
        onError: () => undefined,
        reconcile: (map, context) => reconcile(identity, map, context),
      });
      const stop = new AbortController();
      const run = manager.run({ signal: stop.signal });
      // Awaited later; a failure must not be unhandled meanwhile.
      run.catch(() => undefined);
      const end = async (): Promise<void> => {
        stop.abort();
        await run;
        await manager.close();
      };
      return { manager, run, stop, end };
    };

    const create = (group: string, name: string) =>
      world.client.coreV1
        .configMaps(world.namespace)
        .create({ metadata: { name: `${group}-${name}`, labels: { group } } });

    it('reconcile each key in one replica at a time, through joins and stops', async () => {
      const group = 'shared';
      const running = new Map<string, string>();
      const done = new Map<string, string>();
      const reconcile: Reconciled = async (identity, { metadata }) => {
        assert.equal(running.get(metadata.name), undefined, `${metadata.name} runs twice`);
        running.set(metadata.name, identity);
        for (let turn = 0; turn < 20; turn += 1) await nextTurn();
        running.delete(metadata.name);
        done.set(metadata.name, identity);
      };
      const names = Array.from({ length: 24 }, (_, index) => String(index));
      for (const name of names.slice(0, 20)) await create(group, name);
      const a = start('a', group, reconcile);
      const b = start('b', group, reconcile);
      const active = (manager: Manager) => manager.shards?.active ?? [];
      await until(() => active(a.manager).length === 2 && active(b.manager).length === 2);
      await until(() => done.size === 20);
      for (const [name, identity] of done) {
        const shard = shardOfKey(`${world.namespace}/${name}`, 4);
        assert.equal(a.manager.shards?.holders[shard], identity);
      }
      assert.ok(a.manager.isLeader && b.manager.isLeader);
      const c = start('c', group, reconcile);
      await until(() => active(c.manager).length === 1);
      assert.deepEqual(c.manager.shards?.replicas, ['a', 'b', 'c']);
      await a.end();
      await until(() => active(b.manager).length + active(c.manager).length === 4);
      assert.deepEqual(active(a.manager), []);
      // What no replica has reconciled before is the work of the new holders.
      for (const name of names.slice(20)) await create(group, name);
      await until(() => done.size === 24);
      done.clear();
      b.manager.reconcileAll();
      c.manager.reconcileAll();
      await until(() => done.size === 24);
      assert.ok([...done.values()].every((identity) => identity !== 'a'));
      const metrics = b.manager.metrics.text();
      for (const shard of active(b.manager)) {
        const status = `leader_election_master_status{name="shared-shard-${shard}"} 1`;
        assert.ok(metrics.includes(status), status);
      }
      await b.end();
      await c.end();
    });

    it('see what the last holder has written before they reconcile', async () => {
      const group = 'fresh';
      const isHeld = { watches: false };
      const released = new Deferred();
      async function* held(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const chunk of body) {
          if (isHeld.watches) await released.promise;
          yield chunk;
        }
      }
      const config: Config = {
        ...world.target.config,
        middleware: [
          async (request, next) => {
            const response = await next(request);
            return request.stream === true ? { ...response, body: held(response.body) } : response;
          },
        ],
      };
      const children: string[] = [];
      const go = new Deferred();
      const reconcile: Reconciled = async (identity, map, { cache, create: createChild }) => {
        if (identity === 'a') await go.promise;
        const own = cache
          .list(secrets)
          .filter((secret) => getControllerOf(secret)?.uid === map.metadata.uid);
        if (own.length > 0) return;
        children.push(identity);
        // Without a fixed name only the cache prevents a second one.
        await createChild(secrets, { metadata: { name: `${map.metadata.name}-${identity}` } });
      };
      await create(group, 'parent');
      const one = { shards: 1 };
      const a = start('a', group, reconcile, one);
      await until(() => a.manager.shards?.active.length === 1);
      const b = start('b', group, reconcile, { ...one, config });
      await until(() => b.manager.shards?.replicas.length === 2);
      isHeld.watches = true;
      go.resolve();
      await until(() => children.length === 1);
      await a.end();
      await until(() => b.manager.shards?.holders[0] === 'b');
      assert.deepEqual(b.manager.shards?.active, [], 'it holds the shard, and waits for its cache');
      released.resolve();
      await until(() => b.manager.shards?.active.length === 1);
      b.manager.reconcileAll();
      await b.end();
      assert.deepEqual(children, ['a']);
    });

    it('compare their caches with the server once for shards that they acquire together', async () => {
      const group = 'many';
      const shards = 32;
      await create(group, 'one');
      let compared = 0;
      const { config } = world.target;
      const count: Middleware = (request, next) => {
        if (/\/(?:configmaps|secrets)\?.*limit=1(?:&|$)/.test(request.path)) compared += 1;
        return next(request);
      };
      const counted = {
        ...config,
        attemptMiddleware: [...(config.attemptMiddleware ?? []), count],
      };
      const seen = new Deferred();
      const a = start('a', group, async () => seen.resolve(), { config: counted, shards });
      await until(() => a.manager.shards?.active.length === shards);
      await seen.promise;
      assert.ok(compared >= 2 && compared < shards, `${compared} comparisons`);
      await a.end();
    });

    it('refuse writes for a shard that was lost, and take part again', async () => {
      const { namespace } = world;
      const group = 'lost';
      const first = new Deferred();
      const outcome = new Deferred<unknown>();
      let count = 0;
      await create(group, 'victim');
      const a = start('a', group, async (_, map, { client, signal }) => {
        count += 1;
        if (count > 1) return;
        first.resolve();
        await once(signal, 'abort');
        const write = client.coreV1.configMaps(namespace).delete(map.metadata.name);
        outcome.resolve(await write.catch((error: unknown) => error));
      });
      await first.promise;
      const leases = world.client.coordinationV1.leases(namespace);
      const { items } = await leases.list({ labelSelector: `client-ts/sharding=${group}` });
      const own = items.find(({ metadata }) => metadata.name.includes('-replica-'));
      assert.ok(own !== undefined);
      const merge = { type: 'merge' } as const;
      // Without a holder after that, so that the replica need not wait for the end of another lease.
      await leases.patch(own.metadata.name, { spec: { holderIdentity: 'usurper' } }, merge);
      const error = (await outcome.promise) as { code: string; message: string };
      assert.equal(error.code, 'CONTROLLER_NOT_LEADING');
      assert.match(error.message, /does not hold the lease .*\/lost-shard-\d$/);
      await leases.patch(own.metadata.name, { spec: { holderIdentity: '' } }, merge);
      await until(() => count > 1);
      await a.end();
    });

    it('spread keys by a function of the program', async () => {
      const group = 'grouped';
      await create(group, 'x');
      await create(group, 'y');
      const seen: string[] = [];
      const a = start('a', group, async (_, { metadata }) => void seen.push(metadata.name), {
        shardOf: ({ controller, namespace, name }) => {
          assert.equal(controller, 'sharded');
          assert.equal(namespace, world.namespace);
          return name.endsWith('x') ? 3 : 'a text';
        },
      });
      await until(() => seen.length >= 2);
      assert.deepEqual(new Set(seen), new Set(['grouped-x', 'grouped-y']));
      await a.end();
    });

    it('end with the missing rule if leases may not be listed', async () => {
      const { client, namespace } = world;
      const roles = client.rbacV1.roles(namespace);
      const apiGroups = ['', 'coordination.k8s.io'];
      await roles.create({
        metadata: { name: 'half' },
        rules: [
          { apiGroups, resources: ['configmaps', 'secrets', 'events'], verbs: ['*'] },
          { apiGroups, resources: ['leases'], verbs: ['create', 'get', 'update'] },
        ],
      });
      await client.rbacV1.roleBindings(namespace).create({
        metadata: { name: 'half' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'half' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'half' }],
      });
      const config = { ...world.target.config, impersonate: { user: 'half' } };
      const a = start('a', 'forbidden', async () => undefined, { config });
      const error = (await a.run.catch((reason: unknown) => reason)) as StartUpError;
      assert.equal(error.code, 'CONTROLLER_START_FAILED');
      assert.equal(error.problems[0]?.verb, 'list');
      const verbs = '["create", "delete", "get", "list", "update"]';
      assert.ok(error.hint?.endsWith(`resources: ["leases"]\n  verbs: ${verbs}`), error.hint);
      await a.manager.close();
    });

    for (const { controllers, name } of [
      { controllers: ['site_controller_'], name: 'site-controller' },
      { controllers: ['site_', '_page'], name: 'page.site' },
      {
        controllers: ['certificate-and-issuer-and-their-secrets', 'database-cluster'],
        name: 'certificate-and-issuer-and-their-secrets-5f5f2b6b',
      },
      {
        controllers: ['certificate-controller', 'ingress-controller', 'database-controller'],
        name: 'certificate-controller.database-controlle-6cb6c2d4',
      },
    ]) {
      it(`are named after their controllers: ${controllers.join(', ')}`, async () => {
        const { namespace } = world;
        await using manager = new Manager(world.target.config, {
          sharding: { shards: 1, namespace, identity: 'named', ...timing },
        });
        for (const controller of controllers) {
          manager.controller(controller, {
            for: { resource: configMaps, namespace, labelSelector: 'group=named' },
            reconcile: () => undefined,
          });
        }
        const stop = new AbortController();
        const run = manager.run({ signal: stop.signal });
        let isRunning = true;
        const ended = run.finally(() => (isRunning = false));
        ended.catch(() => undefined);
        await until(() => !isRunning || manager.shards?.active.length === 1);
        stop.abort();
        await ended;
        const { items } = await world.client.coordinationV1.leases(namespace).list();
        const leases = items.map((lease) => lease.metadata.name);
        assert.ok(leases.includes(`${name}-shard-0`), leases.join(', '));
      });
    }

    it('are not also elected', () => {
      const { config } = world.target;
      const sharding = { shards: 2, name: 'both' };
      const leaderElection = { name: 'both' };
      assert.throws(() => new Manager(config, { sharding, leaderElection }), {
        code: 'OPTION_INVALID',
        message: 'sharding: excludes leaderElection: all replicas work, each on its shards',
      });
      assert.throws(() => new Manager(config, { sharding: { shards: 0 } }), {
        code: 'OPTION_INVALID',
      });
    });

    it('have a cache that catches up with changes and deletions, also if it is quiet', async () => {
      const { namespace } = world;
      const maps = world.client.coreV1.configMaps(namespace);
      const isHeld = { watches: false };
      const released = new Deferred();
      async function* held(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const chunk of body) {
          if (isHeld.watches) await released.promise;
          yield chunk;
        }
      }
      await using client = new Clientset({
        ...world.target.config,
        middleware: [
          async (request, next) => {
            const response = await next(request);
            return request.stream === true ? { ...response, body: held(response.body) } : response;
          },
        ],
      });
      const labels = { group: 'catch-up' };
      for (const name of ['kept', 'gone', 'changed'])
        await maps.create({ metadata: { name, labels } });
      await using cache = new ControllerCache({ client, defaults: { namespace } });
      const quiet = { ...configMaps };
      cache.informer(quiet, { labelSelector: 'group=catch-up' });
      cache.start();
      await cache.waitForCacheSync();
      await cache.catchUp();
      isHeld.watches = true;
      await maps.delete('gone');
      await maps.patch('changed', { data: { is: 'new' } }, { type: 'merge' });
      let isCaughtUp = false;
      const catching = cache.catchUp().then(() => (isCaughtUp = true));
      // The server has answered everything that it needs.
      for (let turn = 0; turn < 500; turn += 1) await nextTurn();
      assert.equal(isCaughtUp, false);
      released.resolve();
      await catching;
      const names = cache.informer(quiet, { labelSelector: 'group=catch-up' }).indexer.list();
      assert.deepEqual(
        new Map(names.map(({ metadata, data }) => [metadata.name, data?.['is']])),
        new Map([
          ['kept', undefined],
          ['changed', 'new'],
        ]),
      );
    });
  });
}
