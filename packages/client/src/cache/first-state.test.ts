import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FirstState } from './first-state.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { type TestObject, testObject } from './test-objects.ts';

const textOf = ({ metadata }: TestObject): string =>
  `${metadata?.name}@${metadata?.resourceVersion}`;

describe('a streamed first state', () => {
  it('has the last state of every object, in the order of the stream', () => {
    const change = fc.record({
      type: fc.constantFrom('add', 'update', 'delete'),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const state = new FirstState<TestObject>(metaNamespaceKeyFunc);
        const model = new Map<string, TestObject>();
        for (const [version, { type, name }] of changes.entries()) {
          const object = testObject(name, String(version));
          if (type === 'delete') state.delete(object);
          else if (type === 'add') state.add(object);
          else state.update(object);
          if (type === 'delete') model.delete(name);
          else model.set(name, object);
        }
        // Of objects that are added twice, the last one counts.
        const last = new Map([...state].map((object) => [metaNamespaceKeyFunc(object), object]));
        assert.deepEqual(
          [...last.values()].map(textOf).sort(),
          [...model.values()].map(textOf).sort(),
        );
      }),
    );
  });

  it('forgets what was deleted, however much comes and goes before it is complete', () => {
    let keys = 0;
    const state = new FirstState<TestObject>((object) => {
      keys += 1;
      return metaNamespaceKeyFunc(object);
    });
    for (const name of ['a', 'b']) state.add(testObject(name, '1'));
    state.update(testObject('b', '2'));
    for (let index = 0; index < 10_000; index += 1) {
      state.add(testObject(`job-${index}`, '3'));
      state.delete(testObject(`job-${index}`, '4'));
    }
    keys = 0;
    assert.deepEqual([...state].map(textOf), ['a@1', 'b@2']);
    assert.ok(keys < 5000, `${keys} of 20,000 changes were kept`);
  });

  it('keeps the places of objects that are changed, and the last of several additions', () => {
    const state = new FirstState<TestObject>(metaNamespaceKeyFunc);
    for (const name of ['a', 'b', 'c', 'b']) state.add(testObject(name, '1'));
    assert.deepEqual([...state].map(textOf), ['a@1', 'b@1', 'c@1', 'b@1']);
    state.update(testObject('new', '2'));
    state.update(testObject('b', '3'));
    assert.deepEqual([...state].map(textOf), ['a@1', 'b@3', 'c@1', 'new@2']);
    state.delete(testObject('a', '4'));
    state.delete(testObject('unknown', '5'));
    state.add(testObject('a', '6'));
    assert.deepEqual([...state].map(textOf), ['a@6', 'b@3', 'c@1', 'new@2']);
  });
});
