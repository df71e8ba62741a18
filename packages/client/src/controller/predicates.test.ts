import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CachedObject } from '../cache/list-watch.ts';
import type { ObjectMeta } from '../meta/types.ts';
import {
  allOf,
  annotationsChanged,
  anyOf,
  changed,
  generationChanged,
  labelsChanged,
  not,
  type Predicate,
  resourceVersionChanged,
} from './predicates.ts';

const base: ObjectMeta = {
  name: 'web',
  generation: 1,
  resourceVersion: '1',
  labels: { app: 'web' },
  annotations: { note: 'a' },
};

function passesUpdate(
  predicate: Predicate<CachedObject>,
  metadata: ObjectMeta,
  before: ObjectMeta = base,
): boolean {
  const object = { metadata: { ...base, ...metadata } };
  const change = { type: 'update', object, oldObject: { metadata: before } } as const;
  return predicate({ ...change, isInInitialList: false });
}

const never = (): boolean => false;
const always = (): boolean => true;

describe('predicates', () => {
  for (const [name, predicate, change] of [
    ['generationChanged', generationChanged, { generation: 2 }],
    ['resourceVersionChanged', resourceVersionChanged, { resourceVersion: '2' }],
    ['labelsChanged', labelsChanged, { labels: { app: 'db' } }],
    ['annotationsChanged', annotationsChanged, { annotations: {} }],
    ['changed', changed((object: CachedObject) => object.metadata?.uid), { uid: 'b' }],
  ] as const) {
    it(`${name} passes its own change, additions and deletions, and no other update`, () => {
      const all: ObjectMeta = {
        generation: 2,
        resourceVersion: '2',
        labels: { app: 'db' },
        annotations: {},
        uid: 'b',
      };
      assert.equal(passesUpdate(predicate, change), true);
      assert.equal(passesUpdate(predicate, all, { ...base, ...all, ...change }), false);
      const object = { metadata: base };
      for (const type of ['add', 'delete'] as const) {
        assert.equal(predicate({ type, object, isInInitialList: true }), true);
      }
    });
  }

  it('compares labels by value: absent equals empty, the order does not matter', () => {
    const before = { name: 'web' };
    assert.equal(passesUpdate(labelsChanged, { labels: {} }, before), false);
    const labels = { a: '1', b: '2' };
    assert.equal(passesUpdate(labelsChanged, { labels: { b: '2', a: '1' } }, { labels }), false);
  });

  it('combine', () => {
    assert.equal(passesUpdate(anyOf(never, always), {}), true);
    assert.equal(passesUpdate(anyOf(never, never), {}), false);
    assert.equal(passesUpdate(allOf(always, always), {}), true);
    assert.equal(passesUpdate(allOf(always, never), {}), false);
    assert.equal(passesUpdate(not(always), {}), false);
    assert.equal(passesUpdate(allOf(), {}), true);
    assert.equal(passesUpdate(anyOf(), {}), false);
    const own: Predicate<CachedObject> = ({ object }) => object.metadata?.generation === 7;
    assert.equal(passesUpdate(anyOf(labelsChanged, own), { generation: 7 }), true);
  });
});
