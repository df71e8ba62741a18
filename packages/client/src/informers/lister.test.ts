import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metaNamespaceIndexFunc } from '../cache/indexers.ts';
import { Indexer } from '../cache/indexer.ts';
import { metaNamespaceKeyFunc } from '../cache/store.ts';
import { type TestObject, testObject } from '../cache/test-objects.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { LabelMatcher, LabelSelectorError, parseLabelSelector } from '../meta/labels.ts';
import { Lister } from './lister.ts';

const web = testObject('one/web', '1', { app: 'web', tier: 'front' });
const db = testObject('one/db', '2', { app: 'db' });
const other = testObject('two/web', '3', { app: 'web' });
const node = testObject('node-1', '4');

function makeLister(): Lister<TestObject> {
  const indexer = new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc }).addIndexers({
    namespace: metaNamespaceIndexFunc,
  });
  indexer.replace([web, db, other, node], '9');
  return new Lister({ indexer, resource: { group: 'apps', resource: 'things' } });
}

describe('Lister', () => {
  it('lists the objects that match', () => {
    const lister = makeLister();
    assert.deepEqual(lister.list(), [web, db, other, node]);
    assert.deepEqual(lister.list(''), [web, db, other, node]);
    assert.deepEqual(lister.list('app=web'), [web, other]);
    assert.deepEqual(lister.list(parseLabelSelector('app=web,!tier')), [other]);
    assert.deepEqual(lister.list(LabelMatcher.nothing), []);
    assert.throws(() => lister.list('a=b=c'), LabelSelectorError);
  });

  it('lists one namespace', () => {
    const lister = makeLister();
    assert.deepEqual(lister.namespace('one').list(), [web, db]);
    assert.deepEqual(lister.namespace('one').list('app=web'), [web]);
    assert.deepEqual(lister.namespace('three').list(), []);
  });

  it('gets one object, or throws not found as the server would', () => {
    const lister = makeLister();
    assert.equal(lister.get('node-1'), node);
    assert.equal(lister.namespace('two').get('web'), other);
    for (const get of [() => lister.get('web'), () => lister.namespace('two').get('db')]) {
      assert.throws(get, (error) => {
        assert.ok(isNotFound(error));
        assert.match(String(error), /things\.apps "(web|db)" not found/);
        return true;
      });
    }
  });

  it('finds one object or undefined', () => {
    const lister = makeLister();
    assert.equal(lister.find('node-1'), node);
    assert.equal(lister.find('node-2'), undefined);
    assert.equal(lister.namespace('one').find('db'), db);
    assert.equal(lister.namespace('two').find('db'), undefined);
  });
});
