import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { mutableCopy } from 'client-ts';
import { configMaps, namespaces, secrets } from 'client-ts/api/core/v1';
import {
  Manager,
  type ManagerOptions,
  optional,
  type ReconcileRequest,
  type StartUpError,
  timer,
} from 'client-ts/controller';
import { Clientset } from 'client-ts/kubernetes';
import { type KubernetesObject, ObjectKeyError, type ResourceDescriptor } from 'client-ts/meta';
import type { Config, Middleware } from 'client-ts/transport';
import { quiescence, VirtualClock } from 'client-ts/testing';
import { conditions, waitFor } from 'client-ts/wait';

/** Nothing here needs sockets or the time of the machine: the clock of the manager is virtual. */
describe('a manager on a virtual clock', () => {
  let server: ApiServer;
  let config: Config;
  let client: Clientset;
  let namespace: string;

  before(async () => {
    server = await ApiServer.start();
    config = { server: server.url, transport: server.transport() };
    client = new Clientset(config);
    const created = client.coreV1.namespaces().create({ metadata: { generateName: 'clock-' } });
    namespace = (await created).metadata.name;
  });

  after(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  const setUp = (options: ManagerOptions = {}) => {
    const clock = new VirtualClock();
    return { clock, manager: new Manager(config, { clock, ...options }) };
  };

  const start = async (manager: Manager) => {
    const stop = new AbortController();
    const run = manager.run({ signal: stop.signal });
    // Awaited later; a failure must not be unhandled meanwhile.
    run.catch(() => undefined);
    await quiescence();
    return { run, stop };
  };

  /** The one ConfigMap of a test. */
  const only = async (name: string) => {
    await client.coreV1.configMaps(namespace).create({ metadata: { name } });
    return { resource: configMaps, namespace, fieldSelector: `metadata.name=${name}` };
  };

  it('ends within its budget, and names the reconcile that does not', async () => {
    const { clock, manager } = setUp({ gracePeriodMs: 10_000 });
    const times: number[] = [];
    manager.controller('stuck', {
      for: await only('stuck'),
      onError: () => undefined,
      async reconcile(_map, { signal }) {
        await once(signal, 'abort');
        times.push(clock.monotonic());
        await new Promise(() => undefined);
      },
    });
    const { run, stop } = await start(manager);
    const startedAt = clock.monotonic();
    stop.abort();
    let endedAt: number | undefined;
    run.catch(() => (endedAt = clock.monotonic()));
    for (let second = 0; second < 30; second += 1) await clock.advance(1000);
    await assert.rejects(run, {
      code: 'CONTROLLER_STOP_INCOMPLETE',
      message: `after 10000 ms these had not ended: controller stuck: reconcile of ${namespace}/stuck`,
    });
    assert.deepEqual(times, [startedAt + 7000]);
    assert.equal(endedAt, startedAt + 10_000);
    await manager.close();
  });

  it('takes a leading slash for no namespace, and reports a name with one', async () => {
    const { clock, manager } = setUp();
    const reconciled: string[] = [];
    const deleted: ReconcileRequest[] = [];
    const errors = new Map<string, unknown>();
    const definition = {
      for: { resource: namespaces, labelSelector: 'kubernetes.io/metadata.name=default' },
      sources: [
        async function* requests() {
          yield* [{ name: '/default' }, { name: '/gone' }, { namespace, name: 'b/c' }];
        },
      ],
      reconcile: () => undefined,
    };
    manager.controller('all', {
      ...definition,
      onError: ({ cause }) => void errors.set('all', cause),
      onDeleted: (request) => void deleted.push(request),
      reconcile: ({ metadata }) => void reconciled.push(metadata.name),
    });
    manager.controller('existing', {
      ...definition,
      onError: ({ cause }) => void errors.set('existing', cause),
    });
    const { run, stop } = await start(manager);
    await clock.advance(10);
    assert.deepEqual(reconciled, ['default', 'default'], 'its change, and the request');
    assert.deepEqual(deleted, [{ namespace: '', name: 'gone' }]);
    assert.ok(errors.get('all') instanceof ObjectKeyError);
    assert.ok(errors.get('existing') instanceof ObjectKeyError);
    stop.abort();
    await clock.advance(1);
    await run;
    await manager.close();
  });

  it('an error of one controller costs one change, and leaves the others alone', async () => {
    const { clock, manager } = setUp();
    const target = await only('isolated');
    await client.coreV1.secrets(namespace).create({ metadata: { name: 'isolated' } });
    const errors: string[] = [];
    const reconciled: string[] = [];
    const fail = (): never => {
      throw new Error('broken');
    };
    manager.controller('broken', {
      for: target,
      watches: [
        { resource: secrets, namespace, mapTo: fail },
        { resource: secrets, namespace, predicates: [fail], mapTo: () => [] },
      ],
      sources: [fail],
      onError: ({ code }) => void errors.push(code),
      reconcile: fail,
    });
    manager.controller('sound', {
      for: target,
      reconcile: ({ metadata }) => void reconciled.push(metadata.name),
    });
    const { run, stop } = await start(manager);
    await clock.advance(10);
    assert.deepEqual(reconciled, ['isolated']);
    assert.deepEqual(
      new Set(errors),
      new Set([
        'CONTROLLER_MAPPING_FAILED',
        'CONTROLLER_PREDICATE_FAILED',
        'CONTROLLER_SOURCE_FAILED',
        'WORKQUEUE_RECONCILE_FAILED',
      ]),
    );
    stop.abort();
    await clock.advance(1);
    await run;
    await manager.close();
  });

  it('maps a change again if the mapping read a cache that was behind', async () => {
    const target = await only('late');
    await client.coreV1.secrets(namespace).create({ metadata: { name: 'late' } });
    let release: (() => void) | undefined;
    const listed = new Promise<void>((resolve) => (release = resolve));
    let losesAnswer = false;
    const faults: Middleware = async (request, next) => {
      if (request.method === 'GET' && request.path.includes('/configmaps')) await listed;
      const response = await next(request);
      if (!losesAnswer || request.method === 'GET') return response;
      losesAnswer = false;
      throw new Error('the answer is lost');
    };
    const clock = new VirtualClock();
    const manager = new Manager({ ...config, attemptMiddleware: [faults] }, { clock });
    const mapped: string[] = [];
    const errors: string[] = [];
    manager.controller('late', {
      for: target,
      watches: [
        {
          resource: secrets,
          namespace,
          fieldSelector: 'metadata.name=late',
          mapTo: ({ metadata }, { cache }) => {
            const maps = cache.list(configMaps);
            mapped.push(metadata.labels?.['step'] ?? 'none');
            return maps;
          },
        },
      ],
      onError: ({ message }) => void errors.push(message),
      reconcile: () => undefined,
    });
    const { run, stop } = await start(manager);
    assert.equal(mapped.length, 0);
    release?.();
    await quiescence();
    assert.equal(mapped.join(), 'none');
    losesAnswer = true;
    const write = manager.client.coreV1.configMaps(namespace).delete('late');
    const changed = client.coreV1
      .secrets(namespace)
      .patch('late', { metadata: { labels: { step: 'one' } } }, { type: 'merge' });
    await assert.rejects(write);
    await changed;
    await quiescence();
    assert.match(mapped.join(), /one/);
    assert.deepEqual(errors, []);
    stop.abort();
    await run;
    await manager.close();
  });

  it('reconciles all objects on demand, and when a timer asks for it', async () => {
    const { clock, manager } = setUp();
    let count = 0;
    const controller = manager.controller('repeated', {
      for: await only('repeated'),
      sources: [timer(60_000)],
      reconcile: () => void (count += 1),
    });
    const { run, stop } = await start(manager);
    assert.equal(count, 1);
    await clock.advance(60_000);
    assert.equal(count, 2);
    assert.equal(manager.reconcileAll(), 1);
    await quiescence();
    assert.equal(count, 3);
    controller.enqueue({ namespace, name: 'repeated' });
    await quiescence();
    assert.equal(count, 4);
    stop.abort();
    await run;
    await manager.close();
  });

  it('aborts the signal of a reconcile after its time limit', async () => {
    const { clock, manager } = setUp();
    const errors: string[] = [];
    manager.controller('slow', {
      for: await only('slow'),
      timeoutMs: 5000,
      onError: ({ code }) => void errors.push(code),
      async reconcile(_map, { signal, attempt }) {
        if (attempt > 1) return;
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
    });
    const { run, stop } = await start(manager);
    await clock.advance(4999);
    assert.deepEqual(errors, []);
    await clock.advance(1);
    assert.deepEqual(errors, ['WORKQUEUE_RECONCILE_TIMED_OUT']);
    stop.abort();
    await run;
    await manager.close();
  });

  for (const [ownEvents, expected] of [
    ['reconcile', 2],
    ['skip', 1],
  ] as const) {
    it(`reconciles ${expected} times after an own write with ownEvents: ${ownEvents}`, async () => {
      // Events of a watch arrive after the answer to the write.
      let answered: Promise<unknown> = Promise.resolve();
      async function* late(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const chunk of body) {
          await answered;
          yield chunk;
        }
      }
      const behind: Middleware = async (request, next) => {
        const response = await next(request);
        return request.stream === true ? { ...response, body: late(response.body) } : response;
      };
      const manager = new Manager({ ...config, middleware: [behind] });
      let count = 0;
      manager.controller('own', {
        for: await only(`own-${ownEvents}`),
        ownEvents,
        async reconcile(map, { client: writer, cache, signal }) {
          count += 1;
          if (map.data !== undefined) return;
          const changed = { ...mutableCopy(map), data: { seen: 'yes' } };
          answered = writer.coreV1.configMaps(namespace).update(changed, { signal });
          await answered;
          const { name } = map.metadata;
          assert.equal(cache.get(configMaps, { namespace, name })?.data?.['seen'], 'yes');
        },
      });
      const { run, stop } = await start(manager);
      assert.equal(count, expected);
      // A change of another writer is reconciled in any case.
      const patch = { data: { seen: 'no' } };
      await client.coreV1.configMaps(namespace).patch(`own-${ownEvents}`, patch, { type: 'merge' });
      await quiescence();
      assert.equal(count, expected + 1);
      stop.abort();
      await run;
      await manager.close();
    });
  }

  it('reconciles a resource that another controller caches with other options', async () => {
    const { manager } = setUp();
    const seen: string[] = [];
    const errors: string[] = [];
    const onError = ({ message }: Error): void => void errors.push(message);
    const selected = await only('shared');
    manager.controller('all', {
      for: configMaps,
      onError,
      reconcile: ({ metadata }) => void seen.push(`all ${metadata.name}`),
    });
    manager.controller('one', {
      for: selected,
      onError,
      reconcile: ({ metadata }) => void seen.push(`one ${metadata.name}`),
    });
    const { run, stop } = await start(manager);
    assert.deepEqual(errors, []);
    assert.ok(seen.includes('all shared') && seen.includes('one shared'));
    stop.abort();
    await run;
    await manager.close();
  });

  it('calls onDeleted for an object that is gone, and retries it', async () => {
    const { clock, manager } = setUp();
    const seen: string[] = [];
    manager.controller('gone', {
      for: await only('gone'),
      onError: () => undefined,
      reconcile: () => void seen.push('reconcile'),
      onDeleted: ({ name }, { attempt }) => {
        seen.push(`${name} ${attempt}`);
        if (attempt === 1) throw new Error('again');
      },
    });
    const { run, stop } = await start(manager);
    await client.coreV1.configMaps(namespace).delete('gone');
    await clock.advance(1000);
    assert.deepEqual(seen, ['reconcile', 'gone 1', 'gone 2']);
    stop.abort();
    await run;
    await manager.close();
  });

  it('refuses a second controller of a name, a second run, and controllers during a run', async () => {
    const { manager } = setUp();
    const definition = { for: await only('twice'), reconcile: () => undefined };
    manager.controller('twice', definition);
    assert.throws(() => manager.controller('twice', definition), { code: 'CONTROLLER_DUPLICATE' });
    const { run, stop } = await start(manager);
    assert.throws(() => manager.controller('late', definition), { code: 'CONTROLLER_RUN_TWICE' });
    await assert.rejects(manager.run(), { code: 'CONTROLLER_RUN_TWICE' });
    stop.abort();
    await run;
    await manager.close();
  });

  it('activates an optional resource without waiting for the next attempt of its informer', async () => {
    const { manager } = setUp();
    const group = 'clock.example.com';
    const names = { plural: 'gears', singular: 'gear', kind: 'Gear', listKind: 'GearList' };
    const gears: ResourceDescriptor<KubernetesObject, 'Cluster'> = {
      group,
      version: 'v1',
      resource: names.plural,
      kind: names.kind,
      singular: names.singular,
      scope: 'Cluster',
      verbs: ['create', 'get', 'list', 'watch'],
      subresources: [],
      shortNames: [],
      categories: [],
    };
    const seen: string[] = [];
    manager.controller('gears', {
      for: optional(gears),
      reconcile: ({ metadata }) => void seen.push(metadata.name),
    });
    const { run, stop } = await start(manager);
    assert.deepEqual(manager.cache.list(gears), []);
    const schema = { openAPIV3Schema: { type: 'object' } };
    const definitions = client.apiextensionsV1.customResourceDefinitions();
    await definitions.create({
      metadata: { name: `gears.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    // The clock of the server is that of the machine.
    await waitFor(definitions, `gears.${group}`, conditions.crdEstablished);
    await quiescence();
    await client.resource(gears).create({ metadata: { name: 'one' } });
    await quiescence();
    assert.deepEqual(seen, ['one']);
    stop.abort();
    await run;
    await manager.close();
  });

  it('refuses definitions that cannot work', async () => {
    const { manager } = setUp();
    const reconcile = (): void => undefined;
    const cases = [
      { definition: {}, message: /for: / },
      { definition: { for: configMaps }, message: /reconcile: / },
      { definition: { for: configMaps, reconcile, finalize: reconcile }, message: /finalizer: / },
      { definition: { for: configMaps, reconcile, concurrency: 0 }, message: /concurrency/ },
      { definition: { for: configMaps, reconcile, ownEvents: 'never' }, message: /ownEvents/ },
      { definition: undefined, message: /for: / },
      { definition: { for: null, reconcile }, message: /for: / },
      { definition: { for: configMaps, reconcile, timeoutMs: 0 }, message: /timeoutMs: / },
      { definition: { for: configMaps, reconcile, finalizer: 'site' }, message: /finalizer: / },
      { definition: { for: configMaps, reconcile, owns: secrets }, message: /owns: / },
      { definition: { for: configMaps, reconcile, owns: [undefined] }, message: /owns\[0\]: / },
      { definition: { for: configMaps, reconcile, watches: [secrets] }, message: /watches\[0\]/ },
      { definition: { for: configMaps, reconcile, sources: [5] }, message: /sources\[0\]: / },
    ];
    for (const { definition, message } of cases) {
      assert.throws(() => manager.controller('wrong', definition as never), message);
    }
    const definition = { for: configMaps, reconcile };
    assert.throws(() => manager.controller('', definition), /name: /);
    await manager.close();
  });

  it('names the namespace of the defaults in the rule that is missing', async () => {
    const denied: Middleware = async (request, next) => {
      const path = request.path.replace('/secrets', '/nothing');
      return await next({ ...request, path });
    };
    const cache = { defaults: { namespace } };
    const manager = new Manager({ ...config, middleware: [denied] }, { cache });
    manager.controller('placed', { for: secrets, reconcile: () => undefined });
    await assert.rejects(manager.run(), (error: StartUpError) => {
      assert.deepEqual(
        error.problems.map((problem) => `${problem.resource} ${problem.namespace}`),
        [`secrets ${namespace}`],
      );
      return true;
    });
    await manager.close();
  });

  it('ends if a port is not free', async () => {
    const first = setUp({ health: { port: 0, host: '127.0.0.1' } });
    const { run, stop } = await start(first.manager);
    while (first.manager.ports.health === undefined) await quiescence();
    const second = setUp({ health: { port: first.manager.ports.health, host: '127.0.0.1' } });
    await assert.rejects(second.manager.run(), { code: 'CONTROLLER_LISTEN_FAILED' });
    stop.abort();
    await run;
    await first.manager.close();
    await second.manager.close();
  });

  it('does nothing if it is stopped before it starts', async () => {
    const { manager } = setUp();
    manager.controller('never', {
      for: await only('never'),
      reconcile: () => assert.fail('it was stopped before'),
    });
    await manager.run({ signal: AbortSignal.abort() });
    await manager.close();
    assert.ok(manager.isLeader);
  });
});
