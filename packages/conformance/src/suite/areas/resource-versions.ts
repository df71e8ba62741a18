import { setKey } from 'client-ts/internal';
import assert from 'node:assert/strict';
import type { Area, Kit } from '../check.ts';
import { failure, names, ok, revision } from '../expect.ts';
import { core, create } from '../objects.ts';

/** Creates three Secrets, with the version after each of them. */
async function history(kit: Kit): Promise<{ collection: string; after: Record<string, string> }> {
  const collection = core(await kit.freshNamespace(), 'secrets');
  const after: Record<string, string> = {};
  for (const name of ['a', 'b', 'c']) {
    const { metadata } = await create(kit.api, collection, { metadata: { name } });
    setKey(after, name, metadata.resourceVersion ?? '');
  }
  return { collection, after };
}

/** Far above any version of a server. */
const FUTURE = '999999999';

/** Which version a read returns. */
export const resourceVersions: Area = {
  name: 'resource versions',
  checks: {
    'no version: the newest state': async (kit) => {
      const { collection, after } = await history(kit);
      const list = ok(await kit.api.get(collection));
      assert.deepEqual(names(list), ['a', 'b', 'c']);
      assert.ok(revision(list) >= BigInt(after['c'] ?? ''));
    },

    'version 0: any state': async (kit) => {
      const { collection } = await history(kit);
      const list = ok(await kit.api.get(`${collection}?resourceVersion=0`));
      assert.ok(names(list).every((name) => ['a', 'b', 'c'].includes(name)));
    },

    'a version: nothing older': async (kit) => {
      const { collection, after } = await history(kit);
      const list = ok(await kit.api.get(`${collection}?resourceVersion=${after['b']}`));
      assert.ok(names(list).includes('b'));
      assert.ok(revision(list) >= BigInt(after['b'] ?? ''));
    },

    'NotOlderThan: the same': async (kit) => {
      const { collection, after } = await history(kit);
      const query = `resourceVersion=${after['c']}&resourceVersionMatch=NotOlderThan`;
      assert.deepEqual(names(ok(await kit.api.get(`${collection}?${query}`))), ['a', 'b', 'c']);
    },

    'Exact: that version and no other': async (kit) => {
      const { collection, after } = await history(kit);
      const query = `resourceVersion=${after['b']}&resourceVersionMatch=Exact`;
      const list = ok(await kit.api.get(`${collection}?${query}`));
      assert.deepEqual(names(list), ['a', 'b']);
      assert.equal(list.metadata.resourceVersion, after['b']);
    },

    'a version with a limit: that version, too': async (kit) => {
      const { collection, after } = await history(kit);
      const list = ok(await kit.api.get(`${collection}?resourceVersion=${after['b']}&limit=10`));
      assert.deepEqual(names(list), ['a', 'b']);
    },

    'Exact shows objects that were deleted since': async (kit) => {
      const { collection, after } = await history(kit);
      ok(await kit.api.delete(`${collection}/a`));
      const query = `resourceVersion=${after['c']}&resourceVersionMatch=Exact`;
      assert.deepEqual(names(ok(await kit.api.get(`${collection}?${query}`))), ['a', 'b', 'c']);
      assert.deepEqual(names(ok(await kit.api.get(collection))), ['b', 'c']);
    },

    'rejects a match without a version': async (kit) => {
      const { collection } = await history(kit);
      failure(await kit.api.get(`${collection}?resourceVersionMatch=Exact`), 422, 'Invalid');
    },

    'rejects an exact match of version 0': async (kit) => {
      const { collection } = await history(kit);
      const query = 'resourceVersion=0&resourceVersionMatch=Exact';
      failure(await kit.api.get(`${collection}?${query}`), 422, 'Invalid');
    },

    'rejects an unknown match': async (kit) => {
      const { collection, after } = await history(kit);
      const query = `resourceVersion=${after['a']}&resourceVersionMatch=Roughly`;
      failure(await kit.api.get(`${collection}?${query}`), 422, 'Invalid');
    },

    'rejects a version that is not a number': async (kit) => {
      const { collection } = await history(kit);
      failure(await kit.api.get(`${collection}?resourceVersion=abc`), 400, 'BadRequest');
    },

    'answers 504 for a future version': async (kit) => {
      const { collection } = await history(kit);
      const status = failure(
        await kit.api.get(`${collection}?resourceVersion=${FUTURE}`),
        504,
        'Timeout',
      );
      assert.equal(status.details?.causes?.[0]?.reason, 'ResourceVersionTooLarge');
    },

    'returns an object not older than a version': async (kit) => {
      const { collection, after } = await history(kit);
      const object = ok(await kit.api.get(`${collection}/a?resourceVersion=${after['c']}`));
      assert.equal(object.metadata.name, 'a');
      ok(await kit.api.get(`${collection}/a?resourceVersion=0`));
    },
  },
};
