import assert from 'node:assert/strict';
import { firstHeader } from '../../http/exchange.ts';
import type { Area, Kit } from '../check.ts';
import { ok } from '../expect.ts';
import { configMap, core, create } from '../objects.ts';

async function largeConfigMap({ api, namespace, unique }: Kit): Promise<string> {
  const name = unique('cm');
  await create(
    api,
    core(namespace, 'configmaps'),
    configMap(name, { big: 'abcdefgh'.repeat(30_000) }),
  );
  return `${core(namespace, 'configmaps')}/${name}`;
}

/** Compression of large responses. */
export const compression: Area = {
  name: 'compression',
  checks: {
    'compresses a large response for a client that accepts gzip': async (kit) => {
      const path = await largeConfigMap(kit);
      const packed = await kit.api.get(path, { 'accept-encoding': 'gzip' });
      assert.equal(firstHeader(packed.headers, 'content-encoding'), 'gzip');
      assert.match([packed.headers['vary'] ?? ''].flat().join(), /Accept-Encoding/);
      assert.deepEqual(ok(packed), ok(await kit.api.get(path)));
    },

    'sends a large response uncompressed to other clients': async (kit) => {
      const path = await largeConfigMap(kit);
      for (const headers of [{}, { 'accept-encoding': 'identity' }]) {
        const reply = await kit.api.get(path, headers);
        assert.equal(firstHeader(reply.headers, 'content-encoding'), undefined);
        assert.ok(reply.bytes.length > 240_000);
      }
    },

    'does not compress a small response': async (kit) => {
      const reply = await kit.api.get('/version', { 'accept-encoding': 'gzip' });
      assert.equal(typeof ok(reply)['gitVersion'], 'string');
      assert.equal(firstHeader(reply.headers, 'content-encoding'), undefined);
    },

    'does not compress a watch': async (kit) => {
      const path = await largeConfigMap(kit);
      const name = path.split('/').at(-1);
      const query = `watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}`;
      const collection = core(kit.namespace, 'configmaps');
      await using watch = await kit.api.watch(`${collection}?${query}`, {
        'accept-encoding': 'gzip',
      });
      assert.equal(firstHeader(watch.headers, 'content-encoding'), undefined);
      assert.equal((await watch.rest()).length, 1);
    },
  },
};
