import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { MemoryStore } from '../store/memory-store.ts';
import { OwnerGraph } from './garbage-collector.ts';

function setUp(): {
  graph: OwnerGraph;
  put: (uid: string, ...owners: string[]) => void;
  store: MemoryStore;
} {
  const store = new MemoryStore();
  const graph = new OwnerGraph();
  store.subscribe('/', (event) => graph.follow(event));
  const put = (uid: string, ...owners: string[]): void => {
    const ownerReferences = owners.map((owner) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: owner,
      uid: owner,
    }));
    store.put(`//configmaps/${uid}`, () => ({ metadata: { uid, ownerReferences } }));
  };
  return { graph, put, store };
}

describe('OwnerGraph', () => {
  it('finds objects by uid while they exist', () => {
    const { graph, put, store } = setUp();
    put('a');
    assert.equal(graph.keyOf('a'), '//configmaps/a');
    put('a');
    assert.equal(graph.keyOf('a'), '//configmaps/a');
    store.delete('//configmaps/a');
    assert.equal(graph.keyOf('a'), undefined);
  });

  it('follows references as they are added, changed and removed', () => {
    const { graph, put, store } = setUp();
    put('child', 'first', 'second');
    put('other', 'second');
    assert.deepEqual(graph.dependentsOf('first'), ['//configmaps/child']);
    assert.deepEqual(graph.dependentsOf('second').toSorted(), [
      '//configmaps/child',
      '//configmaps/other',
    ]);
    put('child', 'second', 'third');
    assert.deepEqual(graph.dependentsOf('first'), []);
    assert.deepEqual(graph.dependentsOf('third'), ['//configmaps/child']);
    store.delete('//configmaps/child');
    assert.deepEqual(graph.dependentsOf('second'), ['//configmaps/other']);
    assert.deepEqual(graph.dependentsOf('third'), []);
  });

  it('returns lists that later writes do not change', () => {
    const { graph, put } = setUp();
    put('a', 'owner');
    const before = graph.dependentsOf('owner');
    put('b', 'owner');
    assert.equal(before.length, 1);
  });
});
