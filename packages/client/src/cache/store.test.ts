import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { keyOf, ObjectKeyError, splitMetaNamespaceKey } from '../meta/object.ts';
import {
  deletionHandlingMetaNamespaceKeyFunc,
  ExplicitKey,
  metaNamespaceKeyFunc,
} from './store.ts';
import { testObject } from './test-objects.ts';
import { DeletedFinalStateUnknown, lastKnownState } from './store.ts';

describe('key functions', () => {
  it('return namespace/name, or the name alone', () => {
    assert.equal(metaNamespaceKeyFunc(testObject('ns/a')), 'ns/a');
    assert.equal(metaNamespaceKeyFunc(testObject('node-1')), 'node-1');
  });

  it('return explicit keys unchanged', () => {
    assert.equal(metaNamespaceKeyFunc(new ExplicitKey('any/thing/at all')), 'any/thing/at all');
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(new ExplicitKey('x')), 'x');
  });

  it('refuse objects without a name', () => {
    assert.throws(() => metaNamespaceKeyFunc({ metadata: { namespace: 'ns' } }), ObjectKeyError);
    assert.throws(() => deletionHandlingMetaNamespaceKeyFunc({}), ObjectKeyError);
  });

  it('return the key of a tombstone, whatever its object', () => {
    const full = new DeletedFinalStateUnknown('ns/a', testObject('ns/a'));
    const empty = new DeletedFinalStateUnknown('ns/b', undefined);
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(full), 'ns/a');
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(empty), 'ns/b');
    assert.equal(keyOf(full), 'ns/a');
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(testObject('ns/c')), 'ns/c');
  });

  it('are reversed by splitMetaNamespaceKey', () => {
    const segment = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,20}$/);
    fc.assert(
      fc.property(fc.option(segment, { nil: '' }), segment, (namespace, name) => {
        const key = metaNamespaceKeyFunc({ metadata: { namespace, name } });
        assert.deepEqual(splitMetaNamespaceKey(key), { namespace, name });
      }),
    );
  });
});

describe('lastKnownState', () => {
  it('unwraps tombstones', () => {
    const object = testObject('a');
    assert.equal(lastKnownState(object), object);
    assert.equal(lastKnownState(new DeletedFinalStateUnknown('a', object)), object);
    assert.equal(lastKnownState(new DeletedFinalStateUnknown('a', undefined)), undefined);
  });
});
