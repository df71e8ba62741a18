import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { configMaps, secrets } from 'client-ts/api/core/v1';
import { Manager, optional, StartUpError } from 'client-ts/controller';
import { Deferred } from 'client-ts/internal';
import type { KubernetesObject, ResourceDescriptor } from 'client-ts/meta';
import { conditions, waitFor } from 'client-ts/wait';
import { targets } from '../clients/test-targets.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

const timeoutMs = 60_000;

/** Long, so that no pause of the machine loses it; it is handed over by release. */
const timing = { leaseDurationMs: 60_000, renewDeadlineMs: 40_000, retryPeriodMs: 100 };

const group = 'manager.example.com';
const gadgets: ResourceDescriptor<KubernetesObject, 'Namespaced'> = {
  group,
  version: 'v1',
  resource: 'gadgets',
  kind: 'Gadget',
  singular: 'gadget',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: [],
  categories: [],
};

for (const target of targets) {
  describe(`the life of a manager ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    const started = (manager: Manager) => {
      const stop = new AbortController();
      const run = manager.run({ signal: stop.signal });
      // Awaited later; a failure must not be unhandled meanwhile.
      run.catch(() => undefined);
      return { run, stop };
    };

    /** Lets a user do things in the namespace. */
    async function permit(user: string, resources: string[], apiGroup = ''): Promise<void> {
      const roles = world.client.rbacV1.roles(world.namespace);
      const { metadata } = await roles.create({
        metadata: { generateName: 'permitted-' },
        rules: [{ apiGroups: [apiGroup], resources, verbs: ['*'] }],
      });
      await world.client.rbacV1.roleBindings(world.namespace).create({
        metadata: { name: metadata.name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
      });
    }

    it('ends with the missing rule if a resource is forbidden', async () => {
      const { namespace } = world;
      const impersonate = { user: 'limited' };
      await permit('limited', ['configmaps']);
      await using manager = new Manager({ ...world.target.config, impersonate });
      manager.controller('limited', {
        for: { resource: configMaps, namespace },
        owns: [{ resource: secrets, namespace }],
        reconcile: () => assert.fail('nothing is reconciled before the caches have synced'),
      });
      const error: unknown = await manager.run().catch((reason: unknown) => reason);
      assert.ok(error instanceof StartUpError);
      assert.equal(error.code, 'CONTROLLER_START_FAILED');
      assert.match(
        error.message,
        new RegExp(`^the manager cannot start: secrets in ${namespace} may not list: `),
      );
      assert.equal(
        error.hint,
        [
          `Add this rule to the Role in ${namespace} of the program:`,
          '- apiGroups: [""]',
          '  resources: ["secrets"]',
          '  verbs: ["get", "list", "watch"]',
        ].join('\n'),
      );
      assert.deepEqual(
        error.problems.map(({ resource, verb }) => ({ resource, verb })),
        [{ resource: 'secrets', verb: 'list' }],
      );
    });

    it('ends with what to install if a resource does not exist', async () => {
      await using manager = new Manager(world.target.config);
      manager.controller('absent', { for: gadgets, reconcile: () => undefined });
      await assert.rejects(manager.run(), {
        code: 'CONTROLLER_START_FAILED',
        hint: `Install the definition of gadgets.${group}, or watch it as optional(resource).`,
      });
    });

    it('ends with the missing rule if the lease is forbidden', async () => {
      const { namespace } = world;
      const impersonate = { user: 'candidate' };
      await permit('candidate', ['configmaps', 'events']);
      await using manager = new Manager(
        { ...world.target.config, impersonate },
        { leaderElection: { name: 'forbidden', namespace, ...timing } },
      );
      manager.controller('forbidden', {
        for: { resource: configMaps, namespace },
        reconcile: () => assert.fail('it does not lead'),
      });
      await assert.rejects(manager.run(), {
        code: 'CONTROLLER_START_FAILED',
        hint: new RegExp('resources: \\["leases"\\]\\n {2}verbs: \\["create", "get", "update"\\]'),
      });
    });

    it('ends if the namespace of the lease does not exist', async () => {
      const leaderElection = { name: 'nowhere', namespace: 'nowhere', ...timing };
      await using manager = new Manager(world.target.config, { leaderElection });
      await assert.rejects(manager.run(), {
        code: 'CONTROLLER_START_FAILED',
        hint: 'Create the namespace nowhere, or choose another one for the lease.',
      });
    });

    it('ends when the lease is lost, cancels reconciles and refuses their writes', async () => {
      const { namespace } = world;
      const leaderElection = { name: 'lost', namespace, ...timing };
      // Reconciles that were not cancelled would have all this time.
      const gracePeriodMs = 3_600_000;
      await using manager = new Manager(world.target.config, { leaderElection, gracePeriodMs });
      const maps = world.client.coreV1.configMaps(namespace);
      await maps.create({ metadata: { name: 'victim' } });
      const reconciling = new Deferred();
      const outcome = new Deferred<unknown>();
      manager.controller('loser', {
        for: { resource: configMaps, namespace, fieldSelector: 'metadata.name=victim' },
        onError: () => undefined,
        async reconcile(map, { client, signal }) {
          reconciling.resolve();
          await once(signal, 'abort');
          const write = client.coreV1.configMaps(namespace).delete(map.metadata.name);
          outcome.resolve(await write.catch((error: unknown) => error));
        },
      });
      const { run } = started(manager);
      await reconciling.promise;
      assert.ok(manager.isLeader);
      await world.client.coordinationV1
        .leases(namespace)
        .patch('lost', { spec: { holderIdentity: 'usurper' } }, { type: 'merge' });
      await assert.rejects(run, { code: 'CONTROLLER_LEADERSHIP_LOST' });
      assert.equal(((await outcome.promise) as { code: string }).code, 'CONTROLLER_NOT_LEADING');
      assert.equal((await maps.get('victim')).metadata.deletionTimestamp, undefined);
      assert.ok(!manager.isLeader);
    });

    it('activates an optional resource when its definition appears, and again after a removal', async () => {
      const { namespace, client } = world;
      await using manager = new Manager(world.target.config, {
        health: { port: 0, host: '127.0.0.1' },
      });
      const seen: string[] = [];
      const first = new Deferred();
      const second = new Deferred();
      manager.controller('optional', {
        for: { resource: configMaps, namespace, fieldSelector: 'metadata.name=for-gadgets' },
        watches: [
          {
            ...optional(gadgets),
            mapTo: ({ metadata }) => {
              seen.push(metadata.name);
              if (metadata.name === 'one') first.resolve();
              if (metadata.name === 'two') second.resolve();
              return [];
            },
          },
        ],
        reconcile: () => undefined,
      });
      const { run, stop } = started(manager);
      const ready = async (): Promise<string> => {
        const url = `http://127.0.0.1:${manager.ports.health}/readyz?verbose`;
        const response = await fetch(url);
        return `${response.status} ${await response.text()}`;
      };
      const definitions = client.apiextensionsV1.customResourceDefinitions();
      const define = async (): Promise<void> => {
        await definitions.create({
          metadata: { name: `gadgets.${group}` },
          spec: {
            group,
            scope: 'Namespaced',
            names: {
              plural: 'gadgets',
              singular: 'gadget',
              kind: 'Gadget',
              listKind: 'GadgetList',
            },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object' } },
              },
            ],
          },
        });
        const established = conditions.conditionTrue('Established');
        await waitFor(definitions, `gadgets.${group}`, established, { timeoutMs });
      };
      await define();
      await client.resource(gadgets, namespace).create({ metadata: { name: 'one' } });
      await first.promise;
      assert.match(await ready(), new RegExp(`^200 .*\\[\\+\\]informer/gadgets.${group} ok`, 's'));
      await definitions.delete(`gadgets.${group}`);
      await waitFor(definitions, `gadgets.${group}`, conditions.deleted(), { timeoutMs });
      await define();
      await client.resource(gadgets, namespace).create({ metadata: { name: 'two' } });
      await second.promise;
      assert.deepEqual(new Set(seen), new Set(['one', 'two']));
      stop.abort();
      await run;
      await definitions.delete(`gadgets.${group}`);
    });

    it('serves probes and metrics', async () => {
      const { namespace } = world;
      const host = '127.0.0.1';
      await using manager = new Manager(world.target.config, {
        leaderElection: { name: 'probes', namespace, identity: 'me', ...timing },
        health: { port: 0, host },
        metrics: { port: 0, host },
      });
      manager.addReadyCheck('warm', () => 'warm enough');
      manager.addHealthCheck('sound', () => undefined);
      const reconciled = new Deferred();
      manager.controller('probed', {
        for: { resource: configMaps, namespace },
        reconcile: () => reconciled.resolve(),
      });
      const { run, stop } = started(manager);
      await world.client.coreV1.configMaps(namespace).create({ metadata: { name: 'probed' } });
      await reconciled.promise;
      const { health, metrics } = manager.ports;
      const get = async (port: number | undefined, path: string): Promise<string> => {
        const response = await fetch(`http://${host}:${port}${path}`);
        return `${response.status} ${await response.text()}`;
      };
      assert.equal(await get(health, '/healthz'), '200 ok');
      assert.equal(
        await get(health, '/healthz?verbose'),
        '200 [+]ping ok\n[+]sound ok\n[+]leader-election ok: leading\nhealthz check passed\n',
      );
      assert.equal(
        await get(health, '/readyz?verbose&exclude=warm'),
        `200 [+]running ok\n[+]warm excluded: ok\n[+]informer/configmaps in ${namespace} ok\nreadyz check passed\n`,
      );
      assert.equal(await get(health, '/readyz/warm'), '200 ok');
      assert.match(await get(health, '/readyz/none'), /^404/);
      assert.match(await get(health, '/metrics'), /^404/);
      const text = await get(metrics, '/metrics');
      assert.match(
        text,
        /controller_runtime_reconcile_total\{controller="probed",result="success"\} [1-9]/,
      );
      assert.match(text, /leader_election_master_status\{name="probes"\} 1/);
      assert.match(text, /workqueue_adds_total\{name="probed",controller="probed"\} [1-9]/);
      assert.match(text, /rest_client_requests_total\{code="200",method="GET"/);
      stop.abort();
      await run;
    });

    it('a new leader does not reconcile what the last one has finalized', async () => {
      const { namespace } = world;
      const maps = world.client.coreV1.configMaps(namespace);
      await maps.create({ metadata: { name: 'finalized', labels: { once: 'yes' } } });
      const leaderElection = { name: 'finalized', namespace, ...timing };
      /** While true, watches of the standby deliver nothing. */
      let isHeld = false;
      const released = new Deferred();
      const isCatchingUp = new Deferred();
      async function* held(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const chunk of body) {
          if (isHeld) await released.promise;
          yield chunk;
        }
      }
      const calls: string[] = [];
      const start = (identity: string, isStandby: boolean) => {
        const manager = new Manager(
          {
            ...world.target.config,
            middleware: [
              async (request, next) => {
                const response = await next(request);
                if (isHeld && isStandby && /[?&]limit=1(&|$)/.test(request.path)) {
                  isCatchingUp.resolve();
                }
                const isWatch = isStandby && request.stream === true;
                return isWatch ? { ...response, body: held(response.body) } : response;
              },
            ],
          },
          { leaderElection: { ...leaderElection, identity } },
        );
        const first = new Deferred();
        const gone = new Deferred();
        manager.controller('finalizing', {
          for: { resource: configMaps, namespace, labelSelector: 'once' },
          finalizer: 'example.com/finalizing',
          reconcile: () => {
            calls.push(`${identity} reconciles`);
            first.resolve();
          },
          finalize: () => void calls.push(`${identity} finalizes`),
          onDeleted: () => gone.resolve(),
        });
        return { manager, first, gone, ...started(manager) };
      };
      const leader = start('a', false);
      await leader.first.promise;
      const standby = start('b', true);
      await waitFor(maps, 'finalized', (map) => map?.metadata?.finalizers !== undefined, {
        timeoutMs,
      });
      await standby.manager.cache.waitForCacheSync();
      await standby.manager.cache.reached(
        configMaps,
        (await maps.get('finalized')).metadata.resourceVersion,
      );
      isHeld = true;
      await maps.delete('finalized');
      await waitFor(maps, 'finalized', conditions.deleted(), { timeoutMs });
      leader.stop.abort();
      await leader.run;
      await isCatchingUp.promise;
      assert.ok(standby.manager.isLeader);
      released.resolve();
      await Promise.race([standby.gone.promise, standby.first.promise]);
      assert.ok(!calls.includes('b reconciles'), calls.join(', '));
      assert.ok(calls.includes('a finalizes'));
      standby.stop.abort();
      await standby.run;
      await leader.manager.close();
      await standby.manager.close();
    });
  });
}
