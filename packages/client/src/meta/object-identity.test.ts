import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metaNamespaceKey, nameOf, namespaceOf } from './object.ts';
import { identityOf, stampIdentity } from './object-identity.ts';

test('an identity is asked instead of the object, and goes with no copy', () => {
  const object = {
    get metadata(): never {
      return assert.fail('the object was touched');
    },
  };
  stampIdentity(object, { name: 'web', namespace: 'default', resourceVersion: '7', uid: 'u' });
  assert.equal(nameOf(object), 'web');
  assert.equal(namespaceOf(object), 'default');
  assert.equal(metaNamespaceKey(object), 'default/web');
  assert.deepEqual(Reflect.ownKeys(object), ['metadata']);
  assert.equal(identityOf(Object.create(object) as object), undefined);
  assert.equal(identityOf({ metadata: { name: 'plain' } }), undefined);
});
