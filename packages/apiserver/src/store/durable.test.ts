import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from 'client-ts/testing';

import type { StoredRevision, StoredState } from './durable-store.ts';
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts';
import type { Store, StoreEvent } from './store.ts';
import { HeldStore } from './test-durable-store.ts';

const PODS = '//pods/';

function put(store: Store, name: string, value = ''): number {
  return store.put(`${PODS}${name}`, (revision) => ({
    metadata: { name, resourceVersion: String(revision), annotations: { value } },
  })).modRevision;
}

function names(store: Store): string[] {
  return store.range({ prefix: PODS }).map(({ key }) => key.slice(PODS.length));
}

function label({ type, entry, previous }: StoreEvent): string {
  return `${type} ${(entry ?? previous).key.slice(PODS.length)}`;
}

const EMPTY: StoredState = { revision: undefined, compactions: [], settings: {}, revisions: [] };

async function open(options: MemoryStoreOptions = {}): Promise<[MemoryStore, HeldStore]> {
  const held = new HeldStore();
  return [await MemoryStore.open(held, EMPTY, options), held];
}

describe('a durable store', () => {
  it('commits the writes of a turn together, and those during a commit in the next', async () => {
    const [store, held] = await open();
    const first = [put(store, 'a'), put(store, 'b')];
    const firstDone = store.durable();
    assert.deepEqual(await held.release(), first);
    await firstDone;
    assert.equal(store.durable(), undefined);

    const second = put(store, 'c');
    const third = new Promise<number>((resolve) => {
      void held.release().then((revisions) => {
        assert.deepEqual(revisions, [second]);
      });
      setImmediate(() => resolve(put(store, 'd')));
    });
    assert.deepEqual([await third], await held.release());
    await store.durable();
    assert.equal(store.durableRevision, store.revision);
  });

  it('shows writes to its own readers immediately, and to followers and watches when they are durable', async () => {
    const [store, held] = await open();
    const written: string[] = [];
    const followed: string[] = [];
    store.subscribe('/', (event) => void written.push(label(event)));
    store.follow(PODS, (event) => void followed.push(label(event)));
    const before = store.revision;
    put(store, 'a');
    assert.deepEqual(names(store), ['a']);
    assert.deepEqual([written, followed], [['put a'], []]);
    assert.deepEqual(store.history(PODS, before), []);
    assert.equal(store.durableRevision, before);
    await held.release();
    await store.durable();
    assert.deepEqual(followed, ['put a']);
    assert.deepEqual(store.history(PODS, before).map(label), ['put a']);
  });

  it('undoes what it could not commit, newest first, and everything that was based on it', async () => {
    const errors: unknown[] = [];
    const clock = new VirtualClock();
    const [store, held] = await open({ clock, onListenerError: (error) => errors.push(error) });
    put(store, 'kept', 'old');
    put(store, 'gone');
    await held.release();
    const { revision } = store;
    const entry = store.get(`${PODS}kept`);
    const seen: string[] = [];
    const undone: number[] = [];
    store.onUndone((event) => void undone.push(event.revision));

    put(store, 'kept', 'new');
    store.delete(`${PODS}gone`);
    put(store, 'added');
    store.subscribe('/', (event) => void seen.push(label(event)));
    const lost = assert.rejects(store.durable() ?? Promise.resolve(), /the store failed: .*EIO/);
    await held.release(new Error('EIO'));
    await lost;
    assert.deepEqual(seen, ['delete added', 'put gone', 'put kept']);
    assert.deepEqual(undone, [revision + 3, revision + 2, revision + 1]);
    assert.deepEqual(names(store), ['gone', 'kept']);
    assert.equal(store.get(`${PODS}kept`), entry);
    assert.deepEqual([store.revision, store.durableRevision], [revision, revision]);
    assert.deepEqual(store.history(PODS, revision), []);
    assert.equal(errors.length, 1);

    // The revisions were never seen, so they are used again.
    assert.equal(put(store, 'kept', 'newer'), revision + 1);
    const saved = store.durable();
    const released = held.release();
    await clock.advance(1000);
    assert.deepEqual(await released, [revision + 1]);
    await saved;
    assert.deepEqual(store.history(PODS, revision).map(label), ['put kept']);
  });

  it('commits what is pending before it closes, and nothing afterwards', async () => {
    const [store, held] = await open({ onListenerError: () => undefined });
    const last = put(store, 'a');
    const closed = store.close();
    assert.equal(held.isClosed, false);
    assert.deepEqual(await held.release(), [last]);
    await closed;
    assert.equal(held.isClosed, true);
    put(store, 'b');
    await assert.rejects(store.durable() ?? Promise.resolve(), { code: 'APISERVER_DATA_CLOSED' });
    assert.deepEqual(names(store), ['a']);
  });

  it('compacts what is durable, and the durable store with it', async () => {
    const [store, held] = await open({ historyLimit: 2000 });
    const first = put(store, 'a');
    put(store, 'a');
    await held.release();
    await store.durable();
    const second = put(store, 'a');
    store.compact();
    assert.equal(store.compactedRevision(PODS), second - 1);
    await held.release();
    await store.durable();
    assert.deepEqual(held.committed.at(-1)?.compactions, [{ prefix: '/', revision: second - 1 }]);

    for (let index = 0; index < 3001; index++) put(store, 'a');
    await held.release();
    await store.durable();
    const compactions = held.committed.at(-1)?.compactions ?? [];
    const limited = compactions.map(({ revision }) => store.revision - revision);
    assert.ok(compactions.length >= 1 && limited.every((kept) => kept >= 2000), String(limited));
    assert.ok(first > 0);
  });

  it('says which stored object is damaged', async () => {
    const revisions: StoredRevision[] = [
      {
        revision: 2,
        key: `${PODS}a`,
        value: '{"a',
        createRevision: 2,
        previousRevision: undefined,
      },
    ];
    const state = { ...EMPTY, revision: 2, revisions };
    await assert.rejects(MemoryStore.open(new HeldStore(), state), {
      code: 'APISERVER_DATA_CORRUPT',
      message: 'the stored object "//pods/a" is damaged',
    });
  });
});
