import assert from 'node:assert/strict';
import type { WatchedEvent } from '../../http/watch-stream.ts';
import type { Area, Kit } from '../check.ts';
import { failure, revision } from '../expect.ts';
import { core, create } from '../objects.ts';

const INITIAL = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

function endsInitialEvents({ type, object }: WatchedEvent): boolean {
  return (
    type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true'
  );
}

async function twoSecrets(kit: Kit): Promise<string> {
  const collection = core(await kit.freshNamespace(), 'secrets');
  for (const name of ['a', 'b']) await create(kit.api, collection, { metadata: { name } });
  return collection;
}

/** Streamed lists and bookmarks. */
export const watchBookmarks: Area = {
  name: 'watch bookmarks',
  checks: {
    'streams the state, marks its end, and continues': async (kit) => {
      const { api } = kit;
      const collection = await twoSecrets(kit);
      await using watch = await api.watch(
        `${collection}?watch=1&${INITIAL}&allowWatchBookmarks=true`,
      );
      const [a, b, end] = await watch.take(3);
      assert.deepEqual([a?.type, b?.type], ['ADDED', 'ADDED']);
      assert.deepEqual([a?.object.metadata.name, b?.object.metadata.name], ['a', 'b']);
      assert.ok(end !== undefined && endsInitialEvents(end));
      assert.equal(end.object.kind, 'Secret');
      assert.ok(revision(end.object) >= revision(b?.object ?? end.object));
      await create(api, collection, { metadata: { name: 'c' } });
      const events: WatchedEvent[] = [];
      while (!events.some(({ type }) => type === 'ADDED')) events.push(...(await watch.take(1)));
      assert.equal(events.at(-1)?.object.metadata.name, 'c');
    },

    'sends a version to resume from': async (kit) => {
      const { api } = kit;
      const collection = await twoSecrets(kit);
      let from = '';
      {
        await using watch = await api.watch(
          `${collection}?watch=1&${INITIAL}&allowWatchBookmarks=true`,
        );
        const events = await watch.take(3);
        from = events[2]?.object.metadata.resourceVersion ?? '';
      }
      await create(api, collection, { metadata: { name: 'c' } });
      await using resumed = await api.watch(`${collection}?watch=1&resourceVersion=${from}`);
      const [event] = await resumed.take(1);
      assert.equal(event?.object.metadata.name, 'c');
    },

    'marks the end of an empty state, too': async (kit) => {
      const { api } = kit;
      const collection = core(await kit.freshNamespace(), 'secrets');
      await using watch = await api.watch(
        `${collection}?watch=1&${INITIAL}&allowWatchBookmarks=true`,
      );
      const [end] = await watch.take(1);
      assert.ok(end !== undefined && endsInitialEvents(end));
    },

    'streams only what a selector matches': async (kit) => {
      const { api } = kit;
      const collection = await twoSecrets(kit);
      await using watch = await api.watch(
        `${collection}?watch=1&${INITIAL}&allowWatchBookmarks=true&fieldSelector=metadata.name%3Db`,
      );
      const [b, end] = await watch.take(2);
      assert.equal(b?.object.metadata.name, 'b');
      assert.ok(end !== undefined && endsInitialEvents(end));
    },

    'sends no marker to a client that did not request bookmarks': async (kit) => {
      const { api } = kit;
      const collection = await twoSecrets(kit);
      await using watch = await api.watch(`${collection}?watch=1&${INITIAL}&timeoutSeconds=1`);
      assert.deepEqual(
        (await watch.rest()).map(({ type }) => type),
        ['ADDED', 'ADDED'],
      );
    },

    'streams no initial events on request': async (kit) => {
      const { api } = kit;
      const collection = await twoSecrets(kit);
      await using watch = await api.watch(
        `${collection}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
      );
      assert.deepEqual(await watch.rest(), []);
    },

    'sends bookmarks without content': async (kit) => {
      const { api } = kit;
      const collection = await twoSecrets(kit);
      await using watch = await api.watch(
        `${collection}?watch=1&${INITIAL}&allowWatchBookmarks=true`,
      );
      const [, , bookmark] = await watch.take(3);
      const { name, uid } = bookmark?.object.metadata ?? { name: 'x' };
      assert.deepEqual([name, uid], [undefined, undefined]);
    },

    'rejects initial events without a match': async ({ api, namespace }) => {
      const path = `${core(namespace, 'secrets')}?watch=1&sendInitialEvents=true`;
      failure(await api.get(path), 422, 'Invalid');
    },

    'rejects initial events with an exact match': async ({ api, namespace }) => {
      const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1';
      failure(await api.get(`${core(namespace, 'secrets')}?${query}`), 422, 'Invalid');
    },

    'rejects initial events on a list': async ({ api, namespace }) => {
      failure(await api.get(`${core(namespace, 'secrets')}?${INITIAL}`), 422, 'Invalid');
    },

    'rejects a match without initial events': async ({ api, namespace }) => {
      const query = 'watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=0';
      failure(await api.get(`${core(namespace, 'secrets')}?${query}`), 422, 'Invalid');
    },

    'reports a future version in an ERROR event': async (kit) => {
      const { api } = kit;
      const collection = await twoSecrets(kit);
      await using watch = await api.watch(
        `${collection}?watch=1&${INITIAL}&resourceVersion=999999999&allowWatchBookmarks=true`,
      );
      const [event] = await watch.take(1);
      assert.equal(event?.type, 'ERROR');
      assert.equal(event.object.kind, 'Status');
      assert.equal(event.object['code'], 504);
    },
  },
};
