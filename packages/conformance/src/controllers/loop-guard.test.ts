import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deployments } from 'client-ts/api/apps/v1';
import { configMaps } from 'client-ts/api/core/v1';
import { Manager, type ManagerOptions } from 'client-ts/controller';
import { guardWarnings } from 'client-ts/observe';
import { waitFor } from 'client-ts/wait';
import { targets } from '../clients/test-targets.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

const timeoutMs = 60_000;

/** A logger whose warnings can be waited for. */
function warnings() {
  const lines: string[] = [];
  const waiting = new Map<RegExp, (line: string) => void>();
  const warn = (line: string): void => {
    lines.push(line);
    for (const [pattern, resolve] of waiting) if (pattern.test(line)) resolve(line);
  };
  const ignore = (): void => undefined;
  return {
    lines,
    logger: { debug: ignore, info: ignore, warn, error: warn },
    /** Resolves with the first warning that matches, from now on. */
    next: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        waiting.set(pattern, resolve);
      }),
  };
}

const spec = {
  replicas: 3,
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
  },
};

for (const target of targets) {
  describe(`the loop guard ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    const only = <D extends object>(resource: D, name: string) => ({
      resource,
      namespace: world.namespace,
      fieldSelector: `metadata.name=${name}`,
    });

    const start = (options: ManagerOptions) => new Manager(world.target.config, options);

    it('slows down and names a reconcile that keeps writing, until it stops', async () => {
      const { namespace } = world;
      const maps = world.client.coreV1.configMaps(namespace);
      await maps.create({ metadata: { name: 'hot' }, data: { writes: '0' } });
      const log = warnings();
      await using manager = start({ logger: log.logger });
      manager.controller('counter', {
        for: only(configMaps, 'hot'),
        async reconcile({ metadata, data }, { client, signal }) {
          if (metadata.annotations?.['stop'] !== undefined) return;
          const writes = `${Number(data?.['writes'] ?? 0) + 1}`;
          const patch = { data: { writes } };
          await client.coreV1
            .configMaps(namespace)
            .patch('hot', patch, { type: 'merge', fieldManager: 'counter', signal });
        },
      });
      const begun = log.next(/hot loop/);
      const over = log.next(/is over/);
      const run = manager.run();
      assert.equal(
        await begun,
        `controller counter: ${namespace}/hot: hot loop: its reconciles cause each other, and the last 100 wrote nothing but data.writes of configmaps ${namespace}/hot; its reconciles are delayed while this lasts`,
      );
      assert.match(
        manager.metrics.text(),
        /client_ts_loop_guard_warnings_total\{controller="counter",kind="hot-loop"\} 1/,
      );
      assert.match(
        manager.metrics.text(),
        /client_ts_loop_guard_slowed_keys\{controller="counter"\} 1/,
      );
      // A change of others is not delayed.
      await maps.patch('hot', { metadata: { annotations: { stop: 'yes' } } }, { type: 'merge' });
      assert.match(await over, /\/hot: the hot loop is over; reconciles delayed: \d+$/);
      await manager.close();
      await run;
      const events = world.client.coreV1.events(namespace);
      const { items } = await events.list({ fieldSelector: 'involvedObject.name=hot' });
      assert.deepEqual(
        items.map(({ type, reason }) => [type, reason]),
        [['Warning', 'HotLoop']],
      );
    });

    it('names two controllers that undo each other, down to the field', async () => {
      const { namespace } = world;
      await world.client.appsV1.deployments(namespace).create({ metadata: { name: 'web' }, spec });
      const log = warnings();
      await using first = start({ logger: log.logger });
      await using second = start({ logger: log.logger });
      const fight = (manager: Manager, name: string, replicas: number): void => {
        manager.controller(name, {
          for: only(deployments, 'web'),
          reconcile: async (_deployment, { apply }) =>
            void (await apply(deployments, {
              metadata: { name: 'web', namespace },
              spec: { replicas } as typeof spec,
            })),
        });
      };
      const published: unknown[] = [];
      using _listen = guardWarnings.subscribe(({ kind, fields, writers }) => {
        published.push({ kind, fields, writers: writers.toSorted() });
      });
      fight(first, 'web-operator', 3);
      fight(second, 'hpa', 5);
      const warned = [log.next(/web-operator: .*fight/), log.next(/hpa: .*fight/)];
      const runs = [first.run(), second.run()];
      const [own, other] = await Promise.all(warned);
      const place = `spec.replicas of deployments.apps ${namespace}/web`;
      const rest = '10 times; its reconciles are delayed while this lasts';
      assert.equal(
        own,
        `controller web-operator: ${namespace}/web: fight with another writer: ${place}: 3 ↔ 5, written by "web-operator" and "hpa", ${rest}`,
      );
      assert.equal(
        other,
        `controller hpa: ${namespace}/web: fight with another writer: ${place}: 5 ↔ 3, written by "hpa" and "web-operator", ${rest}`,
      );
      assert.deepEqual(
        published,
        Array.from({ length: 2 }, () => ({
          kind: 'writer-fight',
          fields: ['spec.replicas'],
          writers: ['hpa', 'web-operator'],
        })),
      );
      await Promise.all([first.close(), second.close()]);
      await Promise.all(runs);
    });

    it('leaves other keys alone, and those that make progress', async () => {
      const { namespace } = world;
      const maps = world.client.coreV1.configMaps(namespace);
      const log = warnings();
      await using manager = start({ logger: log.logger });
      const steps = 40;
      manager.controller('steps', {
        for: { resource: configMaps, namespace, labelSelector: 'steps' },
        concurrency: 4,
        async reconcile(map, { create, client, signal }) {
          const { name } = map.metadata;
          const step = Number(map.data?.['step'] ?? 0);
          if (step === steps) return;
          await create(configMaps, { metadata: { name: `${name}-${step}` } });
          await client.coreV1
            .configMaps(namespace)
            .patch(name, { data: { step: `${step + 1}` } }, { type: 'merge', signal });
        },
      });
      const run = manager.run();
      const names = ['a', 'b', 'c'];
      for (const name of names) {
        await maps.create({ metadata: { name: `steps-${name}`, labels: { steps: '' } } });
      }
      for (const name of names) {
        const isDone = (map: { readonly data?: Readonly<Record<string, string>> } | undefined) =>
          map?.data?.['step'] === `${steps}`;
        await waitFor(maps, `steps-${name}`, (map) => isDone(map), { timeoutMs });
      }
      assert.deepEqual(log.lines, []);
      await manager.close();
      await run;
    });
  });
}
