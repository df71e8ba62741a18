import assert from 'node:assert/strict';
import type { ApiObject } from '../../http/exchange.ts';
import type { Area, Kit } from '../check.ts';
import { failure, names, ok } from '../expect.ts';
import { configMap, core, create } from '../objects.ts';

/** Secrets, because no controller creates any in a new namespace. */
async function fiveSecrets(kit: Kit): Promise<string> {
  const collection = core(await kit.freshNamespace(), 'secrets');
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await create(kit.api, collection, { metadata: { name } });
  return collection;
}

async function page(kit: Kit, path: string): Promise<ApiObject> {
  return ok(await kit.api.get(path));
}

function next(list: ApiObject): string {
  return `continue=${encodeURIComponent(list.metadata.continue ?? '')}`;
}

/** Paged lists of one snapshot. */
export const paging: Area = {
  name: 'paging',
  checks: {
    'returns pages in order, with the number of remaining items': async (kit) => {
      const collection = await fiveSecrets(kit);
      const first = await page(kit, `${collection}?limit=2`);
      assert.deepEqual(names(first), ['a', 'b']);
      assert.equal(first.metadata.remainingItemCount, 3);
      const second = await page(kit, `${collection}?limit=2&${next(first)}`);
      assert.deepEqual(names(second), ['c', 'd']);
      assert.equal(second.metadata.remainingItemCount, 1);
      const third = await page(kit, `${collection}?limit=2&${next(second)}`);
      assert.deepEqual(names(third), ['e']);
      assert.equal(third.metadata.continue, undefined);
      assert.equal(third.metadata.remainingItemCount, undefined);
    },

    'shows the version of the first page on every page': async (kit) => {
      const { api } = kit;
      const collection = await fiveSecrets(kit);
      const first = await page(kit, `${collection}?limit=2`);
      await create(api, collection, { metadata: { name: 'cc' } });
      ok(await api.delete(`${collection}/d`));
      ok(await api.patch('merge', `${collection}/e`, { metadata: { labels: { late: 'true' } } }));
      const rest = await page(kit, `${collection}?${next(first)}`);
      assert.deepEqual(names(rest), ['c', 'd', 'e']);
      assert.equal(rest.items?.[2]?.metadata.labels, undefined);
      assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
    },

    'can continue more than once from the same token': async (kit) => {
      const collection = await fiveSecrets(kit);
      const first = await page(kit, `${collection}?limit=3`);
      const once = await page(kit, `${collection}?${next(first)}`);
      const twice = await page(kit, `${collection}?${next(first)}`);
      assert.deepEqual(names(twice), names(once));
    },

    'needs no further page if the limit equals the number of items': async (kit) => {
      const collection = await fiveSecrets(kit);
      const all = await page(kit, `${collection}?limit=5`);
      assert.equal(names(all).length, 5);
      assert.equal(all.metadata.continue, undefined);
    },

    'does not count remaining items with a selector': async (kit) => {
      const { api } = kit;
      const collection = await fiveSecrets(kit);
      for (const name of ['a', 'c', 'e']) {
        ok(
          await api.patch('merge', `${collection}/${name}`, {
            metadata: { labels: { odd: 'true' } },
          }),
        );
      }
      const first = await page(kit, `${collection}?limit=2&labelSelector=odd%3Dtrue`);
      assert.deepEqual(names(first), ['a', 'c']);
      assert.equal(first.metadata.remainingItemCount, undefined);
      const rest = await page(kit, `${collection}?limit=2&labelSelector=odd%3Dtrue&${next(first)}`);
      assert.deepEqual(names(rest), ['e']);
    },

    'pages across namespaces': async (kit) => {
      const { api, unique } = kit;
      const label = unique('l');
      const places = [await kit.freshNamespace(), await kit.freshNamespace()].toSorted();
      for (const place of places) {
        for (const name of ['a', 'b']) {
          await create(api, core(place, 'configmaps'), configMap(name, {}, { labels: { label } }));
        }
      }
      const base = `/api/v1/configmaps?limit=1&labelSelector=label%3D${label}`;
      const seen: string[] = [];
      let list = ok(await api.get(base));
      for (;;) {
        seen.push(
          ...(list.items ?? []).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
        );
        if ((list.metadata.continue ?? '') === '') break;
        list = ok(await api.get(`${base}&${next(list)}`));
      }
      assert.deepEqual(
        seen,
        places.flatMap((place) => [`${place}/a`, `${place}/b`]),
      );
    },

    'rejects a continue token that it did not issue': async (kit) => {
      const { api, namespace } = kit;
      failure(
        await api.get(`${core(namespace, 'secrets')}?limit=2&continue=nonsense`),
        400,
        'BadRequest',
      );
    },

    'rejects a continue token with a resourceVersion': async (kit) => {
      const { api } = kit;
      const collection = await fiveSecrets(kit);
      const first = await page(kit, `${collection}?limit=2`);
      failure(await api.get(`${collection}?${next(first)}&resourceVersion=1`), 400, 'BadRequest');
    },

    'treats a limit below one as no limit': async (kit) => {
      const collection = await fiveSecrets(kit);
      assert.equal(names(await page(kit, `${collection}?limit=0`)).length, 5);
      assert.equal(names(await page(kit, `${collection}?limit=-1`)).length, 5);
    },
  },
};
