import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodes, pods } from '../api/core/v1.ts';
import { lastKnownState } from '../cache/store.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { DynamicSharedInformerFactory } from './dynamic-shared-informer-factory.ts';
import type { InformerFactoryOptions } from './informer-factory.ts';
import { TestFactory } from './test-factory.ts';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
const path = '/apis/example.com/v1/widgets';

function start(options: InformerFactoryOptions = {}) {
  const { api, client, machinery, settle } = new TestFactory();
  const dynamic = new DynamicClient(client.rest);
  const factory = new DynamicSharedInformerFactory(dynamic, { ...machinery, ...options });
  return { api, factory, settle };
}

describe('DynamicSharedInformerFactory', () => {
  it('delivers additions, changes and deletions', async () => {
    const { api, factory, settle } = start();
    const source = api.serve(path, 'example.com/v1 Widget');
    const calls: string[] = [];
    const { informer, lister } = factory.forResource(widgets);
    informer.addEventHandler({
      onAdd: ({ kind, metadata }) => void calls.push(`+${kind} ${metadata.name}`),
      onUpdate: (_, { metadata }) => void calls.push(`~${metadata.labels?.['color']}`),
      onDelete: (object) => void calls.push(`-${lastKnownState(object)?.metadata.name}`),
    });
    factory.start();
    await factory.waitForCacheSync();
    source.write('one/a');
    source.write('one/a', { color: 'red' });
    await settle();
    assert.equal(lister.namespace('one').get('a')['kind'], 'Widget');
    source.remove('one/a');
    await settle();
    assert.deepEqual(calls, ['+Widget a', '~red', '-a']);
    assert.throws(() => lister.namespace('one').get('a'), isNotFound);
    await factory.shutdown();
  });

  it('watches one namespace, with selectors', async () => {
    const { api, factory } = start({ namespace: 'one', labelSelector: 'app=web' });
    const namespaced = '/apis/example.com/v1/namespaces/one/widgets';
    api.serve(namespaced, 'example.com/v1 Widget').write('one/a');
    const { lister } = factory.forResource(widgets);
    factory.start();
    await factory.waitForCacheSync();
    assert.equal(lister.list().length, 1);
    assert.ok(api.requests.every((request) => request.includes('labelSelector=app%3Dweb')));
    assert.ok(api.requests.every((request) => request.startsWith(namespaced)));
    await factory.shutdown();
  });

  it('ignores the namespace for a cluster-scoped descriptor', () => {
    const { factory } = start({ namespace: 'one' });
    assert.equal(factory.forResource(nodes).informer.name, 'nodes');
    assert.equal(factory.forResource(pods).informer.name, 'pods in one');
    assert.equal(factory.namespace('two').forResource(pods).informer.name, 'pods in two');
    assert.equal(factory.forResource(pods).informer, factory.forResource(pods).informer);
  });

  it('sets the kind of the items of a list', async () => {
    const { api, factory } = start({ useWatchList: false });
    const source = api.serve(path, 'example.com/v1 Widget');
    source.write('one/a');
    const { lister } = factory.forResource(widgets);
    factory.start();
    await factory.waitForCacheSync();
    assert.equal(lister.namespace('one').get('a').metadata.name, 'a');
    await factory.shutdown();
  });
});
