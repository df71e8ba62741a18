import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConfigMap } from 'client-ts/api/core/v1';
import { requeueAfter, withFinalizer } from 'client-ts/controller';
import { Clientset } from 'client-ts/kubernetes';
import { seededRandom } from 'client-ts/internal';
import { isNotFound } from 'client-ts/meta';
import type { Stored } from 'client-ts/rest';
import type { Middleware } from 'client-ts/transport';
import { targets } from '../clients/test-targets.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

type StoredMap = Stored<ConfigMap>;

const finalizer = 'example.com/disks';
const other = 'example.com/other';
const context = { signal: new AbortController().signal, attempt: 1 };

for (const target of targets) {
  describe(`a finalizer ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    it('keeps an object from its first apply to its successful cleanup', async () => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      const calls: string[] = [];
      let isClean = false;
      const reconcile = withFinalizer<StoredMap>({
        finalizer,
        client: (namespace) => world.client.coreV1.configMaps(namespace),
        apply: async ({ metadata }) => {
          const { finalizers } = await maps.get(metadata.name).then((map) => map.metadata);
          calls.push(`apply with ${finalizers?.join(' ')}`);
        },
        cleanup: ({ metadata }) => {
          calls.push(`cleanup with ${metadata.finalizers?.join(' ')}`);
          return isClean ? undefined : requeueAfter(1000);
        },
      });
      const created = await maps.create({ metadata: { name: 'kept', finalizers: [other] } });
      await reconcile(created, context);
      await maps.delete('kept');
      const dying = await maps.get('kept');
      assert.deepEqual(await reconcile(dying, context), requeueAfter(1000));
      assert.deepEqual((await maps.get('kept')).metadata.finalizers, [other, finalizer]);
      isClean = true;
      await reconcile(dying, context);
      assert.deepEqual((await maps.get('kept')).metadata.finalizers, [other]);
      await maps.patch('kept', { metadata: { finalizers: null } }, { type: 'merge' });
      await assert.rejects(maps.get('kept'), isNotFound);
      assert.deepEqual(calls, [
        `apply with ${other} ${finalizer}`,
        `cleanup with ${other} ${finalizer}`,
        `cleanup with ${other} ${finalizer}`,
      ]);
    });

    it('works on the current object when it was passed an older one', async () => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      const applied: StoredMap[] = [];
      const reconcile = withFinalizer<StoredMap>({
        finalizer,
        client: (namespace) => world.client.coreV1.configMaps(namespace),
        apply: (map) => void applied.push(map),
        cleanup: () => undefined,
      });
      const old = await maps.create({ metadata: { name: 'changed' } });
      const now = { metadata: { finalizers: [other] }, data: { text: 'newer' } };
      await maps.patch('changed', now, { type: 'merge' });
      await reconcile(old, context);
      assert.deepEqual(applied[0]?.data, { text: 'newer' });
      assert.deepEqual(applied[0].metadata.finalizers, [other, finalizer]);

      await maps.delete('changed');
      const dying = await maps.get('changed');
      await maps.patch('changed', { data: { text: 'newest' } }, { type: 'merge' });
      await reconcile(dying, context);
      assert.deepEqual((await maps.get('changed')).metadata.finalizers, [other]);
      await maps.patch('changed', { metadata: { finalizers: null } }, { type: 'merge' });
      await reconcile(dying, context);
      await reconcile(old, context);
      await assert.rejects(maps.get('changed'), isNotFound);
      assert.equal(applied.length, 1, 'what is gone is not applied');
    });

    it('never skips a cleanup, wherever requests are lost', async () => {
      const random = seededRandom(5);
      let isBroken = false;
      /** Loses requests on their way to the server, and responses on their way back. */
      const lossy: Middleware = async (request, send) => {
        const fate = random.next();
        if (isBroken && fate < 0.3) throw new Error('lost request');
        const response = await send(request);
        if (isBroken && fate < 0.6) throw new Error('lost response');
        return response;
      };
      await using unsteady = new Clientset({ ...world.target.config, middleware: [lossy] });
      const maps = world.client.coreV1.configMaps(world.namespace);
      const started = new Set<string>();
      const cleaned = new Set<string>();
      const reconcile = withFinalizer<StoredMap>({
        finalizer,
        client: (namespace) => unsteady.coreV1.configMaps(namespace),
        apply: ({ metadata }) => {
          started.add(metadata.uid);
          if (random.next() < 0.3) throw new Error('died in apply');
        },
        cleanup: ({ metadata }) => {
          if (random.next() < 0.3) throw new Error('died in cleanup');
          cleaned.add(metadata.uid);
        },
      });
      const attempt = async (name: string): Promise<boolean> => {
        const map = await maps.get(name).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
        if (map === undefined) return false;
        await reconcile(map, context).catch(() => undefined);
        return true;
      };
      let gone = 0;
      for (let round = 0; round < 25; round += 1) {
        const name = `round-${round}`;
        const { metadata } = await maps.create({ metadata: { name } });
        isBroken = true;
        for (let tries = 0; tries < 2; tries += 1) await attempt(name);
        await maps.delete(name);
        while (await attempt(name)) isBroken = random.next() < 0.8;
        isBroken = false;
        if (started.has(metadata.uid)) assert.ok(cleaned.has(metadata.uid), name);
        gone += 1;
      }
      assert.equal(gone, 25);
      assert.ok(started.size > 5, 'hardly anything was applied at all');
    });
  });
}
