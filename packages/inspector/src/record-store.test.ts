import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObservedRecord } from 'client-ts/observe';
import { RecordStore } from './record-store.ts';

function record(seq: number, type: 'election' | 'queue.add' = 'queue.add'): ObservedRecord {
  const base = { at: seq * 1000, seq };
  if (type === 'queue.add') {
    return { ...base, type, queue: 'q', key: 'k', trigger: { kind: 'call' } };
  }
  return { ...base, type, lease: 'l', identity: 'a', what: 'renewed', leader: 'a', term: 1 };
}

function filled(count: number, retention = { bytes: Infinity, durationMs: Infinity }): RecordStore {
  const store = new RecordStore(retention);
  for (let seq = 1; seq <= count; seq += 1)
    store.add(record(seq, seq % 10 === 0 ? 'election' : 'queue.add'));
  return store;
}

function seqs({ records }: { readonly records: readonly ObservedRecord[] }): number[] {
  return records.map(({ seq }) => seq);
}

describe('RecordStore', () => {
  it('pages forward from a record, backward before one, and from the end', () => {
    const store = filled(100);
    assert.deepEqual(seqs(store.query({ after: 10, limit: 3 })), [11, 12, 13]);
    assert.deepEqual(seqs(store.query({ before: 10, limit: 3 })), [7, 8, 9]);
    assert.deepEqual(seqs(store.query({ limit: 2 })), [99, 100]);
    assert.deepEqual(seqs(store.query({ after: 97, before: 99, limit: 9 })), [98]);
    assert.deepEqual(seqs(store.query({ after: 100, limit: 9 })), []);
    const types = new Set(['election']);
    assert.deepEqual(seqs(store.query({ after: 5, limit: 2, types })), [10, 20]);
    assert.equal(store.query({ after: 5, limit: 2, types }).hasMore, true);
    assert.equal(store.query({ after: 5, limit: 10, types }).hasMore, false);
  });

  it('drops what is too old', () => {
    const store = filled(5000, { bytes: Infinity, durationMs: 10_000 });
    assert.deepEqual([store.oldest, store.newest, store.size], [4990, 5000, 11]);
    assert.deepEqual(seqs(store.query({ after: 0, limit: 2 })), [4990, 4991]);
    assert.equal([...store.all()].length, 11);
  });

  it('stays within its bytes, and keeps the newest record whatever its size', () => {
    const store = filled(50_000, { bytes: 100_000, durationMs: Infinity });
    assert.ok(store.bytes <= 100_000);
    assert.equal(store.newest, 50_000);
    assert.equal(filled(10, { bytes: 1, durationMs: 1 }).size, 1);
  });
});
