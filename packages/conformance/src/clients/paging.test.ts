import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';
import { isExpired } from 'client-ts/meta';
import { ways } from './test-targets.ts';

for (const { name, configOf } of ways) {
  describe(`a list that outlives its snapshot, ${name}`, () => {
    let server: ApiServer;
    let client: Clientset;

    before(async () => {
      server = await ApiServer.start();
      client = new Clientset(configOf(server));
      const maps = client.coreV1.configMaps('default');
      for (let index = 0; index < 9; index += 1)
        await maps.create({ metadata: { name: `map-${index}` } });
    });

    after(async () => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    /** Writes an object and compacts the history. */
    async function moveOn(round: string): Promise<void> {
      await client.coreV1.secrets('default').create({ metadata: { name: round } });
      server.compact();
    }

    it('returns every object once', async () => {
      const seen: string[] = [];
      for await (const { metadata } of client.coreV1
        .configMaps('default')
        .listAll({ pageSize: 2 })) {
        seen.push(metadata.name);
        if (seen.length === 3) await moveOn('once');
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 9 }, (_, index) => `map-${index}`),
      );
    });

    it('is restarted if a consistent snapshot is required', async () => {
      const maps = client.coreV1.configMaps('default');
      const first = await maps.list({ limit: 2 });
      await moveOn('whole');
      await assert.rejects(
        maps.list({ limit: 2, continue: first.metadata.continue ?? '' }),
        (error) => isExpired(error),
      );
      using expiring = server.faults.add({
        match: { verb: 'list', resource: 'configmaps' },
        fault: { kind: 'status', code: 410, reason: 'Expired' },
        after: 1,
        count: 1,
      });
      const list = await maps.listAll({ pageSize: 2 }).toList();
      assert.equal(expiring.hits, 1);
      assert.equal(list.items.length, 9);
      const now = await maps.list();
      assert.equal(list.metadata.resourceVersion, now.metadata.resourceVersion);
    });
  });
}
