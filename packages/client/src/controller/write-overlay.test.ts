import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Indexer } from '../cache/indexer.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { metaNamespaceKeyFunc } from '../cache/store.ts';
import { WriteOverlay, type WriteOverlayOptions } from './write-overlay.ts';

function objectAt(version: number, uid = 'u1', name = 'a'): CachedObject {
  return { metadata: { name, uid, resourceVersion: String(version) } };
}

/** A store at a version, and the overlay over it. */
function layered(version: number, options: Partial<WriteOverlayOptions> = {}) {
  const store = new Indexer<CachedObject>({ keyFunc: metaNamespaceKeyFunc });
  store.replace([], String(version));
  const overlay = new WriteOverlay(store, { limit: 1000, isComplete: true, ...options });
  return { store, overlay };
}

describe('the overlay of own writes', () => {
  it('shows a write until the store has reached its version, then the store', () => {
    const { store, overlay } = layered(5);
    const own = objectAt(7);
    overlay.put('a', own);
    assert.equal(overlay.get('a'), own);
    store.add(objectAt(6));
    assert.equal(overlay.get('a'), own);
    store.bookmark('7');
    assert.notEqual(overlay.get('a'), own);
    assert.equal(overlay.isEmpty, true);
  });

  it('compares versions by length first: 100 is newer than 99', () => {
    const { store, overlay } = layered(99);
    overlay.put('a', objectAt(100));
    assert.equal(overlay.size, 1);
    store.bookmark('101');
    overlay.prune();
    assert.equal(overlay.size, 0);
  });

  it('remembers nothing that the store has', () => {
    const { overlay } = layered(9);
    overlay.put('a', objectAt(9));
    overlay.absent('b', '8');
    assert.equal(overlay.isEmpty, true);
  });

  it('ignores an answer that arrives after a newer one', () => {
    const { overlay } = layered(5);
    const newer = objectAt(8);
    overlay.put('a', newer);
    overlay.put('a', objectAt(7));
    assert.equal(overlay.get('a'), newer);
    overlay.absent('b', '9');
    overlay.put('b', objectAt(7, 'u2', 'b'));
    assert.equal(overlay.get('b'), undefined);
  });

  it('hides a deleted object by its uid, and shows the next one of its name', () => {
    const { store, overlay } = layered(5);
    store.add(objectAt(6));
    overlay.bury('a', 'u1');
    assert.equal(overlay.get('a'), undefined);
    store.update(objectAt(7));
    assert.equal(overlay.get('a'), undefined, 'an older change of the deleted object');
    overlay.put('a', objectAt(9));
    assert.equal(overlay.get('a'), undefined, 'a late answer about the deleted object');
    const next = objectAt(12, 'u2');
    store.update(next);
    assert.equal(overlay.get('a'), next);
    assert.equal(overlay.isEmpty, true);
  });

  it('hides every older object of a name that was created and deleted again', () => {
    const { store, overlay } = layered(5);
    store.add(objectAt(6, 'u1'));
    overlay.bury('a', 'u1');
    overlay.put('a', objectAt(9, 'u2'));
    overlay.bury('a', 'u2');
    assert.equal(overlay.get('a'), undefined);
    store.deleteByKey('a', objectAt(8, 'u1'));
    assert.equal(overlay.get('a'), undefined);
    store.add(objectAt(9, 'u2'));
    assert.equal(overlay.get('a'), undefined);
    store.deleteByKey('a', objectAt(10, 'u2'));
    assert.equal(overlay.get('a'), undefined);
    assert.equal(overlay.isEmpty, true);
  });

  it('keeps a deletion until it is confirmed if objects can leave the store and come back', () => {
    const { store, overlay } = layered(5, { isComplete: false });
    store.add(objectAt(6));
    overlay.bury('a', 'u1');
    store.deleteByKey('a', objectAt(7));
    assert.equal(overlay.get('a'), undefined);
    store.add(objectAt(8));
    assert.equal(overlay.get('a'), undefined);
    overlay.confirmation()('10');
    store.deleteByKey('a', objectAt(9));
    assert.equal(overlay.get('a'), undefined);
    assert.equal(overlay.size, 1);
    store.bookmark('10');
    overlay.prune();
    assert.equal(overlay.size, 0);
  });

  it('forgets everything when the store goes back: the server was restored from a backup', () => {
    const { store, overlay } = layered(90);
    overlay.put('a', objectAt(100));
    overlay.doubt('b');
    overlay.raiseFloor('120');
    assert.equal(overlay.isBehind, true);
    store.replace([], '50');
    assert.equal(overlay.get('a'), undefined);
    assert.equal(overlay.isEmpty, true);
    assert.equal(overlay.uncertain, 0);
  });

  it('drops what is newer than the server: it was restored before the store had caught up', () => {
    const { overlay } = layered(40);
    overlay.put('a', objectAt(100));
    overlay.put('b', objectAt(45, 'u2', 'b'));
    const confirm = overlay.confirmation();
    overlay.put('c', objectAt(101, 'u3', 'c'));
    confirm('50');
    assert.deepEqual(overlay.listKeys(), ['b', 'c'], 'c was written after the question');
  });

  it('settles an uncertain key, unless it was written since', () => {
    const { overlay } = layered(5);
    overlay.doubt('a');
    assert.equal(overlay.isUncertain('a'), true);
    const settle = overlay.settlement('a');
    settle(undefined, '8');
    assert.equal(overlay.isUncertain('a'), false);
    assert.equal(overlay.uncertain, 0);
    overlay.doubt('a');
    const late = overlay.settlement('a');
    const newer = objectAt(9);
    overlay.put('a', newer);
    late(undefined, '10');
    assert.equal(overlay.get('a'), newer);
    overlay.doubt('a');
    const older = overlay.settlement('a');
    overlay.doubt('a');
    older(undefined, '11');
    assert.equal(overlay.isUncertain('a'), true, 'a later write is not settled by an earlier read');
  });

  it('is bounded: beyond its limit it is behind until the store has caught up', () => {
    const { store, overlay } = layered(5, { limit: 10 });
    for (let number = 0; number < 100; number += 1) {
      overlay.put(`a${number}`, objectAt(10 + number, `u${number}`, `a${number}`));
    }
    assert.equal(overlay.size, 10);
    assert.equal(overlay.isBehind, true);
    store.bookmark('98');
    assert.equal(overlay.isBehind, true);
    store.bookmark('99');
    assert.equal(overlay.isBehind, false);
    assert.equal(overlay.size, 10);
    store.bookmark('200');
    overlay.prune();
    assert.equal(overlay.isEmpty, true);
  });

  it('is behind until a version is known if it forgot a write without one', () => {
    const { store, overlay } = layered(5, { limit: 1 });
    overlay.doubt('a');
    overlay.doubt('b');
    assert.deepEqual([overlay.size, overlay.isBehind, overlay.needsVersion], [1, true, true]);
    const early = overlay.confirmation();
    overlay.doubtAll();
    early('20');
    assert.equal(overlay.needsVersion, true, 'the version is older than the last write');
    overlay.confirmation()('30');
    assert.deepEqual([overlay.isBehind, overlay.floor], [true, '30']);
    store.bookmark('30');
    assert.equal(overlay.isBehind, false);
  });

  it('notices when the store shows a write, deletions without a version included', () => {
    const { store, overlay } = layered(5, { isComplete: false });
    store.add(objectAt(6));
    overlay.bury('a', 'u1');
    overlay.put('b', objectAt(9, 'u2', 'b'));
    assert.deepEqual([overlay.isShown('a'), overlay.isShown('b')], [false, false]);
    store.update(objectAt(7));
    assert.equal(overlay.isShown('a'), false);
    store.deleteByKey('a', objectAt(8));
    assert.deepEqual([overlay.isShown('a'), overlay.isShown('b')], [true, false]);
    store.add(objectAt(9, 'u2', 'b'));
    assert.deepEqual([overlay.isShown('b'), overlay.isShown('c')], [true, true]);
  });

  it('ignores objects whose versions cannot be compared', () => {
    const { overlay } = layered(5);
    overlay.put('a', { metadata: { name: 'a', resourceVersion: 'abc' } });
    assert.equal(overlay.isEmpty, true);
  });
});
