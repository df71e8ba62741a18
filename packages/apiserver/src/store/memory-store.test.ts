import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from 'client-ts/internal';
import { MemoryStore } from './memory-store.ts';
import { CompactedError, type Store, type StoreEvent } from './store.ts';

const PODS = '//pods/';

function put(store: Store, name: string, value = ''): number {
  return store.put(`${PODS}${name}`, (revision) => ({
    metadata: { name, resourceVersion: String(revision), annotations: { value } },
  })).modRevision;
}

function names(entries: readonly { readonly key: string }[]): string[] {
  return entries.map(({ key }) => key.slice(PODS.length));
}

describe('MemoryStore', () => {
  it('assigns increasing revisions above 1 to writes', () => {
    const store = new MemoryStore();
    const revisions = [put(store, 'a'), put(store, 'b'), put(store, 'a')];
    const deletion = store.delete(`${PODS}a`);
    assert.ok(deletion !== undefined);
    revisions.push(deletion.revision);
    assert.deepEqual(
      revisions,
      [...revisions].sort((left, right) => left - right),
    );
    assert.equal(new Set(revisions).size, 4);
    assert.ok((revisions[0] ?? 0) > 1);
    assert.equal(store.revision, revisions.at(-1));
  });

  it('counts one revision over all resources', () => {
    const store = new MemoryStore();
    const first = put(store, 'a');
    const second = store.put('/apps/deployments/x', () => ({})).modRevision;
    assert.equal(second, first + 1);
  });

  it('keeps the create revision of an object until it is deleted', () => {
    const store = new MemoryStore();
    const created = put(store, 'a');
    put(store, 'a');
    assert.equal(store.get(`${PODS}a`)?.createRevision, created);
    store.delete(`${PODS}a`);
    const again = put(store, 'a');
    assert.equal(store.get(`${PODS}a`)?.createRevision, again);
  });

  it('freezes stored objects', () => {
    const store = new MemoryStore();
    put(store, 'a');
    const { metadata } = store.get(`${PODS}a`)?.value ?? {};
    assert.throws(() => {
      (metadata as { name: string }).name = 'b';
    }, TypeError);
    assert.ok(Object.isFrozen(metadata?.annotations));
  });

  it('does not use up a revision when building an object throws', () => {
    const store = new MemoryStore();
    const before = store.revision;
    assert.throws(() => store.put(`${PODS}a`, () => assert.fail('no')));
    assert.equal(store.revision, before);
    assert.equal(store.get(`${PODS}a`), undefined);
  });

  it('lists a key that was deleted and created again, without a list in between', () => {
    const store = new MemoryStore();
    for (const name of ['b', 'a', 'c']) put(store, name);
    store.delete(`${PODS}a`);
    put(store, 'a');
    assert.deepEqual(names(store.range({ prefix: PODS })), ['a', 'b', 'c']);
    store.delete(`${PODS}b`);
    put(store, 'b');
    store.delete(`${PODS}b`);
    put(store, 'b');
    assert.equal(store.count(`${PODS}b`), 1);
    assert.deepEqual(names(store.range({ prefix: PODS })), ['a', 'b', 'c']);
  });

  it('lists in byte order: a dash sorts before a slash', () => {
    const store = new MemoryStore();
    for (const name of ['b/x', 'a/x', 'a-2/x', 'a/a']) put(store, name);
    assert.deepEqual(names(store.range({ prefix: PODS })), ['a-2/x', 'a/a', 'a/x', 'b/x']);
    assert.deepEqual(names(store.range({ prefix: `${PODS}a/` })), ['a/a', 'a/x']);
    assert.deepEqual(names(store.range({ prefix: PODS, after: `${PODS}a/a` })), ['a/x', 'b/x']);
    assert.equal(store.count(`${PODS}a/`), 2);
    assert.equal(store.count(PODS), 4);
  });

  it('rejects compacted and future revisions', () => {
    const store = new MemoryStore();
    const first = put(store, 'a');
    put(store, 'b');
    const current = store.revision;
    const future = { requested: current + 1, current };
    assert.throws(() => store.range({ prefix: PODS, revision: current + 1 }), future);
    store.compact();
    const compacted = { requested: first, compacted: current };
    assert.throws(() => store.range({ prefix: PODS, revision: first }), compacted);
    assert.throws(() => store.history(PODS, first), compacted);
    assert.deepEqual(store.history(PODS, store.revision), []);
  });

  it('limits how many events history returns', () => {
    const store = new MemoryStore();
    const before = store.revision;
    for (const name of ['a/x', 'b/x', 'a/y', 'a/z']) put(store, name);
    const revisions = (prefix: string, after: number, limit?: number): number[] =>
      store.history(prefix, after, limit).map(({ revision }) => revision - before);
    assert.deepEqual(revisions(PODS, before, 3), [1, 2, 3]);
    assert.deepEqual(revisions(`${PODS}a/`, before, 2), [1, 3]);
    assert.deepEqual(revisions(`${PODS}a/`, before + 3, 2), [4]);
    assert.deepEqual(revisions(`${PODS}a/`, before), [1, 3, 4]);
  });

  it('compacts one resource and leaves the others', () => {
    const store = new MemoryStore();
    const first = put(store, 'a');
    store.put('//events/default/e', () => ({}));
    store.compact({ prefix: '//events/' });
    assert.deepEqual(names(store.range({ prefix: PODS, revision: first })), ['a']);
    assert.throws(() => store.history('//events/', first), CompactedError);
  });

  it('compacts a resource that is first used later', () => {
    const store = new MemoryStore();
    const { revision } = store;
    put(store, 'a');
    store.compact();
    assert.throws(() => store.history('//events/', revision), CompactedError);
    assert.deepEqual(store.history('//events/', store.revision), []);
  });

  it('compacts the oldest events at the history limit', () => {
    const store = new MemoryStore({ historyLimit: 10 });
    const first = put(store, 'p0');
    for (let index = 1; index < 30; index++) put(store, `p${index}`);
    assert.throws(() => store.history(PODS, first), CompactedError);
    assert.equal(store.history(PODS, store.revision - 5).length, 5);
    assert.equal(store.count(PODS), 30);
  });

  it('notifies subscribers of their prefix in order, until disposed', () => {
    const store = new MemoryStore();
    const seen: string[] = [];
    const all: string[] = [];
    const label = ({ type, entry, previous }: StoreEvent): string =>
      `${type} ${(entry ?? previous).key}`;
    const subscription = store.subscribe(`${PODS}a/`, (event) => seen.push(label(event)));
    using _everything = store.subscribe('/', (event) => all.push(label(event)));
    put(store, 'a/x');
    put(store, 'b/x');
    store.delete(`${PODS}a/x`);
    subscription[Symbol.dispose]();
    put(store, 'a/y');
    assert.deepEqual(seen, [`put ${PODS}a/x`, `delete ${PODS}a/x`]);
    assert.equal(all.length, 4);
  });

  it('rejects keys without a group and a resource', () => {
    const store = new MemoryStore();
    for (const key of [
      '',
      'pods',
      '/',
      '/apps',
      '/apps/deployments',
      '///x',
      'x/apps/deployments/',
    ]) {
      assert.throws(() => store.get(key), /must start with/, key);
    }
  });

  it('rejects a history limit that is not a whole number above 0', () => {
    for (const historyLimit of [0, -1, 1.5, NaN, Infinity]) {
      assert.throws(() => new MemoryStore({ historyLimit }), { code: 'OPTION_INVALID' });
    }
    const store = new MemoryStore({ historyLimit: 1 });
    put(store, 'a');
    const second = put(store, 'b');
    assert.equal(store.history(PODS, second - 1).length, 1);
    assert.throws(() => store.history(PODS, second - 2), CompactedError);
  });

  it('yields every entry of every resource', () => {
    const store = new MemoryStore();
    put(store, 'b');
    store.put('/apps/deployments/x', () => ({}));
    put(store, 'a');
    put(store, 'gone');
    store.delete(`${PODS}gone`);
    const keys = Array.from(store.all(), ({ key }) => key);
    assert.deepEqual(keys.sort(), [`${PODS}a`, `${PODS}b`, '/apps/deployments/x'].sort());
  });

  it('releases the objects of compacted events and no others', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const store = new MemoryStore();
    const replaced = (name: string): WeakRef<object> => {
      const { value } = store.put(`${PODS}${name}`, () => ({ metadata: { name } }));
      put(store, name);
      return new WeakRef(value);
    };
    const old = replaced('a');
    const { revision } = store;
    const recent = ['b', 'c', 'd', 'e'].map(replaced);
    store.compact({ revision });
    // A weak reference keeps its object alive until the turn ends.
    await nextTurn();
    collectGarbage();
    assert.equal(old.deref(), undefined);
    assert.ok(recent.every((reference) => reference.deref() !== undefined));
    assert.equal(store.history(PODS, revision).length, 8);
  });

  it('keeps a write whose listener throws, and calls the others', () => {
    const errors: unknown[] = [];
    const store = new MemoryStore({ onListenerError: (error) => errors.push(error) });
    const seen: number[] = [];
    for (const prefix of ['/', '/x/things/']) {
      store.subscribe(prefix, () => {
        throw new Error(prefix);
      });
      store.subscribe(prefix, ({ revision }) => void seen.push(revision));
    }
    const { modRevision } = store.put('/x/things/a', () => ({}));
    assert.deepEqual(seen, [modRevision, modRevision]);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ['/x/things/', '/'],
    );
    assert.equal(store.get('/x/things/a')?.modRevision, modRevision);
  });
});
