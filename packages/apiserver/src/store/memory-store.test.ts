import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MemoryStore } from './memory-store.ts';
import { CompactedError, FutureRevisionError, type Store, type StoreEvent } from './store.ts';

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
  it('gives every write its own revision, above 1 and growing', () => {
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

  it('freezes what it keeps', () => {
    const store = new MemoryStore();
    put(store, 'a');
    const { metadata } = store.get(`${PODS}a`)?.value ?? {};
    assert.throws(() => {
      (metadata as { name: string }).name = 'b';
    }, TypeError);
  });

  it('does not lose a revision when building an object fails', () => {
    const store = new MemoryStore();
    const before = store.revision;
    assert.throws(() => store.put(`${PODS}a`, () => assert.fail('no')));
    assert.equal(store.revision, before);
    assert.equal(store.get(`${PODS}a`), undefined);
  });

  it('lists a key that was deleted and put again, also if nothing was listed in between', () => {
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

  it('lists what a plain map has, however many writes there were since the last list', () => {
    const write = fc.tuple(fc.boolean(), fc.constantFrom('a', 'a-1', 'a/b', 'b', 'c'));
    fc.assert(
      fc.property(fc.array(fc.array(write, { maxLength: 8 }), { maxLength: 8 }), (bursts) => {
        const store = new MemoryStore();
        const expected = new Set<string>();
        for (const burst of bursts) {
          for (const [isPut, name] of burst) {
            if (isPut) put(store, name);
            else store.delete(`${PODS}${name}`);
            if (isPut) expected.add(name);
            else expected.delete(name);
          }
          assert.deepEqual(names(store.range({ prefix: PODS })), [...expected].sort());
          assert.equal(store.count(PODS), expected.size);
          assert.equal(
            store.count(`${PODS}a`),
            [...expected].filter((n) => n.startsWith('a')).length,
          );
        }
      }),
    );
  });

  it('lists in byte order: a dash sorts before the slash', () => {
    const store = new MemoryStore();
    for (const name of ['b/x', 'a/x', 'a-2/x', 'a/a']) put(store, name);
    assert.deepEqual(names(store.range({ prefix: PODS })), ['a-2/x', 'a/a', 'a/x', 'b/x']);
    assert.deepEqual(names(store.range({ prefix: `${PODS}a/` })), ['a/a', 'a/x']);
    assert.deepEqual(names(store.range({ prefix: PODS, after: `${PODS}a/a` })), ['a/x', 'b/x']);
    assert.equal(store.count(`${PODS}a/`), 2);
    assert.equal(store.count(PODS), 4);
  });

  it('refuses revisions that are gone or have not happened', () => {
    const store = new MemoryStore();
    const first = put(store, 'a');
    put(store, 'b');
    assert.throws(
      () => store.range({ prefix: PODS, revision: store.revision + 1 }),
      FutureRevisionError,
    );
    store.compact();
    assert.throws(() => store.range({ prefix: PODS, revision: first }), CompactedError);
    assert.throws(() => store.history(PODS, first), CompactedError);
    assert.deepEqual(store.history(PODS, store.revision), []);
  });

  it('gives history in portions, if asked to', () => {
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

  it('compacts by itself when the limit of retained events is reached', () => {
    const store = new MemoryStore({ historyLimit: 10 });
    const first = put(store, 'p0');
    for (let index = 1; index < 30; index++) put(store, `p${index}`);
    assert.throws(() => store.history(PODS, first), CompactedError);
    assert.equal(store.history(PODS, store.revision - 5).length, 5);
    assert.equal(store.count(PODS), 30);
  });

  it('tells subscribers of their prefix, in order, and stops when disposed', () => {
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

  it('refuses keys without a resource', () => {
    assert.throws(() => new MemoryStore().get('pods'), /must start with/);
  });

  it('reads every retained revision as it was, whatever happened since', () => {
    const write = fc.record({
      kind: fc.constantFrom('put', 'put', 'put', 'delete', 'compact'),
      name: fc.constantFrom('a', 'a-1', 'a/b', 'b', 'b/c', 'c'),
      back: fc.nat(10),
    });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
        const store = new MemoryStore({ historyLimit: 25 });
        const snapshots = new Map<number, string[]>([[store.revision, []]]);
        for (const { kind, name, back } of writes) {
          if (kind === 'put') put(store, name, String(store.revision));
          else if (kind === 'delete') store.delete(`${PODS}${name}`);
          else store.compact({ revision: store.revision - back });
          snapshots.set(store.revision, versions(store));
        }
        for (const [revision, expected] of snapshots) {
          if (revision < store.compactedRevision(PODS)) {
            assert.throws(() => store.range({ prefix: PODS, revision }), CompactedError);
            continue;
          }
          assert.deepEqual(versions(store, revision), expected);
          assert.deepEqual(replay(expected, store.history(PODS, revision)), versions(store));
        }
      }),
    );
  });
});

/** Names with versions, in order. */
function versions(store: Store, revision?: number): string[] {
  const entries = store.range({ prefix: PODS, ...(revision !== undefined && { revision }) });
  return entries.map(({ key, modRevision }) => `${key} ${modRevision}`);
}

/** What a watcher makes of a snapshot and the events after it. */
function replay(snapshot: readonly string[], events: readonly StoreEvent[]): string[] {
  const state = new Map(snapshot.map((item) => item.split(' ') as [string, string]));
  for (const { entry, previous } of events) {
    if (entry === undefined) state.delete(previous.key);
    else state.set(entry.key, String(entry.modRevision));
  }
  return [...state]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, version]) => `${key} ${version}`);
}
