import assert from 'node:assert/strict';
import { firstHeader } from '../../http/exchange.ts';
import type { WatchedEvent } from '../../http/watch-stream.ts';
import type { Area, Kit } from '../check.ts';
import { failure, ok, revision } from '../expect.ts';
import { configMap, core, create, customKind } from '../objects.ts';

const FINALIZER = 'conformance.example.com/hold';

function told(events: readonly WatchedEvent[]): string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata.name}`);
}

/** Creates a namespace for Secrets, and returns the version of the empty list. */
async function quietPlace(kit: Kit): Promise<{ collection: string; from: string }> {
  const collection = core(await kit.freshNamespace(), 'secrets');
  const list = ok(await kit.api.get(collection));
  return { collection, from: `resourceVersion=${list.metadata.resourceVersion}` };
}

const secret = (name: string, labels: Record<string, string> = {}): object => ({
  metadata: { name, labels },
});

/** Watches. */
export const watching: Area = {
  name: 'watching',
  checks: {
    'reports additions, modifications and deletions, in order': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      await using watch = await api.watch(`${collection}?watch=1&${from}`);
      await create(api, collection, secret('a'));
      ok(await api.patch('merge', `${collection}/a`, { data: { x: '' } }));
      await create(api, collection, secret('b'));
      ok(await api.delete(`${collection}/a`));
      const events = await watch.take(4);
      assert.deepEqual(told(events), ['ADDED a', 'MODIFIED a', 'ADDED b', 'DELETED a']);
      const revisions = events.map(({ object }) => revision(object));
      assert.deepEqual(
        revisions,
        revisions.toSorted((a, b) => Number(a - b)),
      );
      assert.equal(new Set(revisions).size, 4);
    },

    'sends whole objects with their kind': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      const created = await create(api, collection, secret('a'));
      await using watch = await api.watch(`${collection}?watch=1&${from}`);
      assert.equal(watch.status, 200);
      assert.equal(firstHeader(watch.headers, 'content-type'), 'application/json');
      const [event] = await watch.take(1);
      assert.deepEqual(event?.object, created);
    },

    'replays what has happened since the given version': async (kit) => {
      const { api } = kit;
      const { collection } = await quietPlace(kit);
      const { metadata } = await create(api, collection, secret('a'));
      await create(api, collection, secret('b'));
      ok(await api.delete(`${collection}/a`));
      await using watch = await api.watch(
        `${collection}?watch=1&resourceVersion=${metadata.resourceVersion}`,
      );
      assert.deepEqual(told(await watch.take(2)), ['ADDED b', 'DELETED a']);
    },

    'starts with the current state, without a version': async (kit) => {
      const { api } = kit;
      const { collection } = await quietPlace(kit);
      for (const name of ['a', 'b']) await create(api, collection, secret(name));
      for (const query of ['', '&resourceVersion=0']) {
        await using watch = await api.watch(`${collection}?watch=1${query}&timeoutSeconds=1`);
        assert.deepEqual(told(await watch.rest()), ['ADDED a', 'ADDED b']);
      }
    },

    'does not report a write that changes nothing': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      await using watch = await api.watch(`${collection}?watch=1&${from}`);
      await create(api, collection, secret('a'));
      ok(await api.patch('merge', `${collection}/a`, {}));
      ok(await api.delete(`${collection}/a?dryRun=All`));
      await create(api, collection, secret('b'));
      assert.deepEqual(told(await watch.take(2)), ['ADDED a', 'ADDED b']);
    },

    'reports the last state of a deleted object, at the new version': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      await using watch = await api.watch(`${collection}?watch=1&${from}`);
      const created = await create(api, collection, secret('a', { x: 'y' }));
      ok(await api.delete(`${collection}/a`));
      const [, deleted] = await watch.take(2);
      assert.deepEqual(deleted?.object.metadata.labels, { x: 'y' });
      assert.ok(revision(deleted.object) > revision(created));
    },

    'reports a deletion that waits for finalizers as a modification': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      await using watch = await api.watch(`${collection}?watch=1&${from}`);
      await create(api, collection, { metadata: { name: 'a', finalizers: [FINALIZER] } });
      ok(await api.delete(`${collection}/a`));
      ok(await api.patch('merge', `${collection}/a`, { metadata: { finalizers: null } }));
      const events = await watch.take(3);
      assert.deepEqual(told(events), ['ADDED a', 'MODIFIED a', 'DELETED a']);
      assert.ok(events[1]?.object.metadata.deletionTimestamp !== undefined);
    },

    'turns a change of labels into an addition or deletion': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      await using watch = await api.watch(`${collection}?watch=1&${from}&labelSelector=in%3Dyes`);
      await create(api, collection, secret('a', { in: 'no' }));
      const label = (value: string): object => ({ metadata: { labels: { in: value } } });
      ok(await api.patch('merge', `${collection}/a`, label('yes')));
      ok(await api.patch('merge', `${collection}/a`, { metadata: { labels: { other: 'x' } } }));
      const left = ok(await api.patch('merge', `${collection}/a`, label('no')));
      const events = await watch.take(3);
      assert.deepEqual(told(events), ['ADDED a', 'MODIFIED a', 'DELETED a']);
      // The last matching state, at the version at which it no longer matches.
      assert.equal(events[2]?.object.metadata.labels?.['in'], 'yes');
      assert.equal(revision(events[2].object), revision(left));
    },

    'watches one object by its name': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      await using watch = await api.watch(
        `${collection}?watch=1&${from}&fieldSelector=metadata.name%3Db`,
      );
      for (const name of ['a', 'b', 'c']) await create(api, collection, secret(name));
      ok(await api.delete(`${collection}/b`));
      assert.deepEqual(told(await watch.take(2)), ['ADDED b', 'DELETED b']);
    },

    'watches all namespaces': async (kit) => {
      const { api, unique } = kit;
      const label = unique('l');
      const places = [await kit.freshNamespace(), await kit.freshNamespace()];
      const list = ok(await api.get('/api/v1/secrets?limit=1'));
      await using watch = await api.watch(
        `/api/v1/secrets?watch=1&resourceVersion=${list.metadata.resourceVersion}&labelSelector=label%3D${label}`,
      );
      for (const place of places) await create(api, core(place, 'secrets'), secret('a', { label }));
      const events = await watch.take(2);
      assert.deepEqual(
        events.map(({ object }) => object.metadata.namespace),
        places,
      );
    },

    'reports every object of a deleted collection': async (kit) => {
      const { api } = kit;
      const { collection } = await quietPlace(kit);
      for (const name of ['a', 'b', 'c']) await create(api, collection, secret(name));
      const list = ok(await api.get(collection));
      await using watch = await api.watch(
        `${collection}?watch=1&resourceVersion=${list.metadata.resourceVersion}`,
      );
      ok(await api.delete(collection));
      const events = await watch.take(3);
      assert.deepEqual(told(events).toSorted(), ['DELETED a', 'DELETED b', 'DELETED c']);
    },

    'ends after the given timeout': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      await using watch = await api.watch(`${collection}?watch=1&${from}&timeoutSeconds=1`);
      assert.deepEqual(await watch.rest(), []);
    },

    'supports the old watch paths': async (kit) => {
      const { api } = kit;
      const { collection } = await quietPlace(kit);
      await create(api, collection, secret('a'));
      const path = collection.replace('/api/v1/', '/api/v1/watch/');
      await using watch = await api.watch(`${path}?timeoutSeconds=1`);
      assert.deepEqual(told(await watch.rest()), ['ADDED a']);
    },

    'rejects a version that is not a number': async ({ api, namespace }) => {
      const reply = await api.get(`${core(namespace, 'secrets')}?watch=1&resourceVersion=abc`);
      assert.equal(reply.body.kind, 'Status');
      assert.ok(reply.status >= 400);
    },

    'rejects an invalid selector': async ({ api, namespace }) => {
      const path = `${core(namespace, 'secrets')}?watch=1&labelSelector=a%20b`;
      failure(await api.get(path), 400, 'BadRequest');
    },

    'is silent about future versions': async (kit) => {
      const { api } = kit;
      const { collection } = await quietPlace(kit);
      await using watch = await api.watch(
        `${collection}?watch=1&resourceVersion=999999999&timeoutSeconds=1`,
      );
      assert.equal(watch.status, 200);
      await create(api, collection, secret('a'));
      assert.deepEqual(await watch.rest(), []);
    },

    'serves many watchers of the same resource': async (kit) => {
      const { api } = kit;
      const { collection, from } = await quietPlace(kit);
      const watches = await Promise.all(
        Array.from({ length: 10 }, () => api.watch(`${collection}?watch=1&${from}`)),
      );
      await create(api, collection, secret('a'));
      for (const watch of watches) {
        assert.deepEqual(told(await watch.take(1)), ['ADDED a']);
        await watch[Symbol.asyncDispose]();
      }
    },

    'reports changes of custom resources, including status': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit, { version: { subresources: { status: {} } } });
      const collection = things.collection(namespace);
      const list = ok(await api.get(collection));
      await using watch = await api.watch(
        `${collection}?watch=1&resourceVersion=${list.metadata.resourceVersion}`,
      );
      await create(api, collection, things.object('a'));
      ok(await api.patch('merge', `${collection}/a/status`, { status: { ready: true } }));
      ok(await api.delete(`${collection}/a`));
      const events = await watch.take(3);
      assert.deepEqual(told(events), ['ADDED a', 'MODIFIED a', 'DELETED a']);
      assert.deepEqual(events[1]?.object['status'], { ready: true });
    },

    'watches ConfigMaps in a shared namespace': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('cm');
      const collection = core(namespace, 'configmaps');
      await create(api, collection, configMap(name, { a: '1' }));
      await using watch = await api.watch(
        `${collection}?watch=1&fieldSelector=metadata.name%3D${name}&timeoutSeconds=1`,
      );
      assert.deepEqual(told(await watch.rest()), [`ADDED ${name}`]);
    },
  },
};
