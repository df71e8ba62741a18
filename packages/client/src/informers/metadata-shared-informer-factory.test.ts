import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodes } from '../api/core/v1.ts';
import { lastKnownState } from '../cache/store.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import type { InformerFactoryOptions } from './informer-factory.ts';
import { MetadataSharedInformerFactory } from './metadata-shared-informer-factory.ts';
import { TestFactory } from './test-factory.ts';

const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const path = '/apis/apps/v1/deployments';

function start(options: InformerFactoryOptions = {}) {
  const { api, client, machinery, settle } = new TestFactory();
  const metadata = new MetadataClient(client.rest);
  const factory = new MetadataSharedInformerFactory(metadata, { ...machinery, ...options });
  return { api, factory, settle };
}

for (const useWatchList of [true, false]) {
  describe(`MetadataSharedInformerFactory, ${useWatchList ? 'streaming' : 'listing'}`, () => {
    it('delivers additions, changes and deletions of metadata', async () => {
      const { api, factory, settle } = start({ useWatchList });
      const source = api.serve(path, 'apps/v1 Deployment');
      source.write('one/a');
      const calls: string[] = [];
      const { informer, lister } = factory.forResource(deployments);
      informer.addEventHandler({
        onAdd: ({ kind, metadata }) => void calls.push(`+${kind} ${metadata.name}`),
        onUpdate: (_, { metadata }) => void calls.push(`~${metadata.labels?.['color']}`),
        onDelete: (object) => void calls.push(`-${lastKnownState(object)?.metadata.name}`),
      });
      factory.start();
      await factory.waitForCacheSync();
      const { kind, ...rest } = lister.namespace('one').get('a');
      assert.equal(kind, 'PartialObjectMetadata');
      assert.deepEqual(Object.keys(rest), ['apiVersion', 'metadata']);
      source.write('one/a', { color: 'red' });
      source.remove('one/a');
      await settle();
      assert.deepEqual(calls, ['+PartialObjectMetadata a', '~red', '-a']);
      await factory.shutdown();
    });

    it('requests only metadata', async () => {
      const { api, factory } = start({ useWatchList });
      api.serve(path, 'apps/v1 Deployment');
      factory.forResource(deployments);
      factory.start();
      await factory.waitForCacheSync();
      await factory.shutdown();
      assert.ok(api.accepts.length > 0);
      assert.ok(api.accepts.every((accept) => accept.includes('as=PartialObjectMetadata')));
    });
  });
}

describe('MetadataSharedInformerFactory', () => {
  it('shares by resource and options', () => {
    const { factory } = start({ namespace: 'one' });
    const { informer } = factory.forResource(deployments);
    assert.equal(informer.name, 'deployments.apps in one');
    assert.equal(factory.with({}).forResource(deployments).informer, informer);
    assert.notEqual(factory.namespace('').forResource(deployments).informer, informer);
    assert.equal(factory.forResource(nodes).informer.name, 'nodes');
  });
});
