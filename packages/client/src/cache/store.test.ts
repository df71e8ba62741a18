import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ObjectKeyError, stampIdentity } from '../meta/object.ts';
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  ExplicitKey,
  lastKnownState,
  metaNamespaceKeyFunc,
  splitMetaNamespaceKey,
} from './store.ts';
import { testObject } from './test-objects.ts';

describe('key functions', () => {
  it('return namespace/name, or the name alone', () => {
    assert.equal(metaNamespaceKeyFunc(testObject('ns/a')), 'ns/a');
    assert.equal(metaNamespaceKeyFunc(testObject('node-1')), 'node-1');
  });

  it('read the attached identity, without decoding the object', () => {
    const object = {
      get metadata(): never {
        return assert.fail('the object was decoded');
      },
    };
    stampIdentity(object, { key: 'default/web', resourceVersion: '7' });
    assert.equal(metaNamespaceKeyFunc(object), 'default/web');
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(object), 'default/web');
  });

  it('return explicit keys unchanged', () => {
    assert.equal(metaNamespaceKeyFunc(new ExplicitKey('any/thing/at all')), 'any/thing/at all');
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(new ExplicitKey('x')), 'x');
  });

  it('refuse objects without a name', () => {
    assert.throws(() => metaNamespaceKeyFunc({ kind: 'Pod', metadata: { namespace: 'ns' } }), {
      code: 'META_OBJECT_KEY_INVALID',
      message: 'metadata.name is empty in an object of kind Pod',
    });
    assert.throws(() => deletionHandlingMetaNamespaceKeyFunc({}), ObjectKeyError);
  });

  it('return the key of a tombstone, whatever its object', () => {
    const full = new DeletedFinalStateUnknown('ns/a', testObject('ns/a'));
    const empty = new DeletedFinalStateUnknown('ns/b', undefined);
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(full), 'ns/a');
    assert.equal(deletionHandlingMetaNamespaceKeyFunc(empty), 'ns/b');
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

describe('splitMetaNamespaceKey', () => {
  it('returns an empty namespace for cluster-scoped objects', () => {
    assert.deepEqual(splitMetaNamespaceKey('a/b'), { namespace: 'a', name: 'b' });
    assert.deepEqual(splitMetaNamespaceKey('b'), { namespace: '', name: 'b' });
    assert.deepEqual(splitMetaNamespaceKey('/b'), { namespace: '', name: 'b' });
  });

  it('rejects a key with two slashes', () => {
    assert.throws(() => splitMetaNamespaceKey('a/b/c'), {
      code: 'META_OBJECT_KEY_INVALID',
      message: 'unexpected key format: "a/b/c"',
    });
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
