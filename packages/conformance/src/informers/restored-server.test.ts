import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import type { ConfigMap } from 'client-ts/api/core/v1';
import { ListWatch, SharedIndexInformer, waitForCacheSync } from 'client-ts/cache';
import { Clientset } from 'client-ts/kubernetes';
import type { DeepReadonly } from 'client-ts/meta';
import { createTransport } from 'client-ts/transport';

import { fastClock } from '../recordings/fast-clock.ts';

type CachedMap = DeepReadonly<ConfigMap>;

/** Writes that the backup does not have. */
const lostWrites = 40;

for (const useWatchList of [true, false]) {
  describe(`an informer on a server restored from a backup, ${useWatchList ? 'streaming' : 'listing'}`, () => {
    it('follows the restored server, whose versions are lower', async () => {
      const token = 'the-same-before-and-after';
      const clock = fastClock(200);
      await using original = await ApiServer.start({ insecure: true, token, clock });
      const port = Number(new URL(original.url).port);
      await using transport = createTransport(original.config, { clock });
      await using client = new Clientset(original.config, { transport, clock });
      const maps = client.coreV1.configMaps('default');
      for (const name of ['changed', 'lost']) await maps.create({ metadata: { name } });
      for (let count = 0; count < lostWrites; count += 1) {
        await maps.patch('lost', { data: { count: String(count) } }, { type: 'merge' });
      }

      const informer = new SharedIndexInformer<CachedMap>({
        listerWatcher: new ListWatch(maps),
        clock,
        useWatchList,
      });
      const calls: string[] = [];
      const uids = new Map<string, string | undefined>();
      let onCall = (): void => undefined;
      const note = (type: string, object: CachedMap | undefined): void => {
        const { name = '', uid } = object?.metadata ?? {};
        calls.push(`${type} ${name}`);
        uids.set(name, uid);
        onCall();
      };
      const registration = informer.addEventHandler({
        onAdd: (object) => note('add', object),
        onUpdate: (_, object) => note('update', object),
        onDelete: (object) => note('delete', 'object' in object ? object.object : object),
      });
      const running = informer.run({ signal: new AbortController().signal });
      await using _stop = { [Symbol.asyncDispose]: () => informer.stop() };
      await waitForCacheSync([informer, registration], { signal: AbortSignal.timeout(60_000) });
      const before = Number(informer.lastSyncResourceVersion);
      calls.length = 0;

      await original[Symbol.asyncDispose]();
      await using restored = await ApiServer.start({ insecure: true, token, port, clock });
      await using fresh = new Clientset(restored.config);
      const after = fresh.coreV1.configMaps('default');
      const { metadata } = await after.create({ metadata: { name: 'changed' } });
      assert.ok(Number(metadata.resourceVersion) < before);

      const deadline = AbortSignal.timeout(60_000);
      await new Promise<void>((resolve, reject) => {
        deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
        onCall = () => {
          if (uids.get('changed') === metadata.uid && calls.includes('delete lost')) resolve();
        };
      });
      const later = await after.create({ metadata: { name: 'later' } });
      await informer.reached(later.metadata.resourceVersion, { signal: deadline });
      assert.deepEqual(
        calls.filter((call) => !call.endsWith('kube-root-ca.crt')),
        ['delete lost', 'update changed', 'add later'],
      );
      assert.equal(informer.indexer.getByKey('default/lost'), undefined);
      await informer.stop();
      await running;
    });
  });
}
