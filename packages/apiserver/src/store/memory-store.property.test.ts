import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MemoryStore } from './memory-store.ts';
import { CompactedError, type Entry, FutureRevisionError, type StoreEvent } from './store.ts';

const historyLimit = 12;
const keys = ['a', 'a-1', 'a/b', 'a/c', 'b', 'b/c'].map((name) => `//pods/${name}`);
const prefixes = ['//pods/', '//pods/a', '//pods/a/', '//pods/b', '/apps/deployments/'];

interface Version {
  readonly created: number;
  readonly modified: number;
}

/** A reference store that keeps every state and searches them linearly. */
class Model {
  readonly #states: ReadonlyMap<string, Version>[] = [new Map()];
  readonly #events: { readonly key: string; readonly text: string }[] = [];
  readonly #first: number;
  readonly #compacted = new Map<string, number>();

  constructor(revision: number) {
    this.#first = revision;
  }

  get revision(): number {
    return this.#first + this.#events.length;
  }

  put(key: string): void {
    const revision = this.revision + 1;
    const previous = this.#states.at(-1)?.get(key);
    const version = { created: previous?.created ?? revision, modified: revision };
    this.#write(key, 'put', previous, version);
  }

  delete(key: string): void {
    const previous = this.#states.at(-1)?.get(key);
    if (previous !== undefined) this.#write(key, 'delete', previous, undefined);
  }

  #write(key: string, type: string, previous: Version | undefined, now: Version | undefined): void {
    const state = new Map(this.#states.at(-1));
    if (now === undefined) state.delete(key);
    else state.set(key, now);
    this.#states.push(state);
    const revision = this.revision + 1;
    const before = previous?.modified ?? 'nothing';
    this.#events.push({ key, text: `${revision} ${type} ${key} after ${before}` });
    const gone = this.#events.at(-1 - historyLimit);
    if (gone !== undefined) this.compact(bucketOf(gone.key), revision - historyLimit);
  }

  compact(prefix: string, revision: number): void {
    const bucket = bucketOf(prefix);
    const wanted = Math.min(revision, this.revision);
    this.#compacted.set(bucket, Math.max(this.compacted(bucket), wanted));
  }

  compacted(prefix: string): number {
    return this.#compacted.get(bucketOf(prefix)) ?? this.#first;
  }

  range(prefix: string, revision: number, after = ''): string[] {
    return Array.from(this.#states[revision - this.#first] ?? [])
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .map(([key, { created, modified }]) => `${key} ${created} ${modified}`)
      .sort();
  }

  history(prefix: string, revision: number, limit: number): string[] {
    return this.#events
      .slice(revision - this.#first)
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ text }) => text)
      .slice(0, limit);
  }
}

function bucketOf(key: string): string {
  return `${key.split('/').slice(0, 3).join('/')}/`;
}

function describeEntry({ key, createRevision, modRevision }: Entry): string {
  return `${key} ${createRevision} ${modRevision}`;
}

function describeEvent({ type, revision, entry, previous }: StoreEvent): string {
  const { key } = entry ?? previous;
  return `${revision} ${type} ${key} after ${previous?.modRevision ?? 'nothing'}`;
}

type Step = (store: MemoryStore, model: Model) => void;

const anyKey = fc.constantFrom(...keys, '/apps/deployments/a');
const anyPrefix = fc.constantFrom(...prefixes);

const put = anyKey.map((key): Step => (store, model) => {
  store.put(key, (revision) => ({ metadata: { resourceVersion: String(revision) } }));
  model.put(key);
});

const remove = anyKey.map((key): Step => (store, model) => {
  const isThere = store.get(key) !== undefined;
  const deletion = store.delete(key);
  model.delete(key);
  assert.equal(deletion?.revision, isThere ? model.revision : undefined);
});

const compact = fc
  .tuple(fc.option(anyPrefix), fc.integer({ min: -1, max: 8 }))
  .map(([prefix, back]): Step => (store, model) => {
    const revision = store.revision - back;
    store.compact(prefix === null ? { revision } : { prefix, revision });
    for (const one of prefix === null ? ['//pods/', '/apps/deployments/'] : [prefix]) {
      model.compact(one, revision);
    }
  });

const read = fc
  .record({
    prefix: anyPrefix,
    back: fc.integer({ min: -1, max: historyLimit + 2 }),
    after: fc.option(fc.constantFrom(...keys, '//pods/', '//pods/a/a', '//pods/z')),
    limit: fc.constantFrom(1, 2, Infinity),
  })
  .map(({ prefix, back, after, limit }): Step => (store, model) => {
    const revision = store.revision - back;
    const range = (): string[] =>
      store.range({ prefix, revision, ...(after === null ? {} : { after }) }).map(describeEntry);
    assert.equal(store.compactedRevision(prefix), model.compacted(prefix));
    if (revision > model.revision) {
      assert.throws(range, FutureRevisionError);
    } else if (revision < model.compacted(prefix)) {
      assert.throws(range, CompactedError);
      assert.throws(() => store.history(prefix, revision), CompactedError);
    } else {
      assert.deepEqual(range(), model.range(prefix, revision, after ?? ''));
      const events = store.history(prefix, revision, limit).map(describeEvent);
      assert.deepEqual(events, model.history(prefix, revision, limit));
    }
  });

const readNow = anyPrefix.map((prefix): Step => (store, model) => {
  const expected = model.range(prefix, model.revision);
  assert.deepEqual(store.range({ prefix }).map(describeEntry), expected);
  assert.equal(store.count(prefix), expected.length);
});

const step = fc.oneof(
  { weight: 6, arbitrary: put },
  { weight: 3, arbitrary: remove },
  { weight: 1, arbitrary: compact },
  { weight: 6, arbitrary: read },
  { weight: 2, arbitrary: readNow },
);

describe('MemoryStore', () => {
  it('reads, counts and remembers the same as the reference store', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const store = new MemoryStore({ historyLimit });
        const model = new Model(store.revision);
        const delivered: string[] = [];
        const { revision } = store;
        using _subscription = store.subscribe('//pods/a', (event) =>
          delivered.push(describeEvent(event)),
        );
        for (const run of steps) {
          run(store, model);
          assert.equal(store.revision, model.revision);
        }
        assert.deepEqual(delivered, model.history('//pods/a', revision, Infinity));
      }),
      { numRuns: 150 },
    );
  });
});
