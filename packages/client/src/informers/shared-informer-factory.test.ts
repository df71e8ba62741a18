import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupVersions } from '../api/all.ts';
import { configMaps, pods as podDescriptor } from '../api/core/v1.ts';
import { Clientset } from '../kubernetes/clientset.ts';
import { FieldMatcher } from '../meta/fields.ts';
import { LabelMatcher } from '../meta/labels.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import { GroupVersionInformers } from './generated/group-version-informers.ts';
import type { ResourceInformer } from './informer-factory.ts';
import { SharedInformerFactory } from './shared-informer-factory.ts';
import { TestFactory } from './test-factory.ts';

type AnyGetter = () => ResourceInformer<object>;

describe('SharedInformerFactory, getters', () => {
  it('exist for each resource that can be listed and watched, and for no other', () => {
    const factory = new SharedInformerFactory(new Clientset({ server: 'http://none' }));
    const groups = Object.entries(Object.getOwnPropertyDescriptors(GroupVersionInformers.prototype))
      .filter(([, property]) => 'get' in property)
      .map(([name]) => Reflect.get(factory, name) as Readonly<Record<string, AnyGetter>>);
    const found = groups.flatMap((group) =>
      Object.values(group).map((getter) => getter().informer.name),
    );
    const known = groupVersions
      .flatMap(({ resources }): readonly ResourceDescriptor[] => resources)
      .filter(({ verbs }) => verbs.includes('list') && verbs.includes('watch'))
      .map(({ group, resource }) => (group === '' ? resource : `${resource}.${group}`));
    assert.equal(groups.length, 30);
    assert.deepEqual(found.toSorted(), known.toSorted());
    assert.equal(factory.coreV1, factory.coreV1);
  });

  it('return the same informer and lister each time', () => {
    const { factory } = new TestFactory();
    const first = factory.coreV1.pods();
    const second = factory.coreV1.pods();
    assert.equal(first.informer, second.informer);
    assert.equal(first.lister, second.lister);
    assert.equal(factory.forResource(podDescriptor).informer, first.informer);
    const place = { group: '', version: 'v1', resource: 'pods' };
    assert.equal(factory.forResource(place).informer, first.informer);
    assert.notEqual(factory.coreV1.configMaps().informer, first.informer);
  });

  it('keep an informer that selects nothing apart, and make no requests for it', async () => {
    const { api, factory, settle } = new TestFactory();
    api.serve('/api/v1/configmaps').write('a');
    const all = factory.coreV1.configMaps();
    const selections = [
      { labelSelector: LabelMatcher.nothing },
      { fieldSelector: FieldMatcher.nothing },
      { labelSelector: LabelMatcher.nothing, fieldSelector: 'metadata.name=a' },
    ];
    const [none, ...same] = selections.map((selection) => factory.coreV1.configMaps(selection));
    assert.ok(none !== undefined);
    assert.notEqual(none.informer, all.informer);
    for (const { informer } of same) assert.equal(informer, none.informer);
    assert.equal(none.informer.name, 'configmaps with a selector that selects nothing');
    factory.start();
    await factory.waitForCacheSync();
    await settle();
    await none.informer.reached('5000');
    assert.equal(all.informer.indexer.size, 1);
    assert.equal(none.informer.indexer.size, 0);
    assert.equal(none.informer.state.state, 'live');
    assert.equal(api.openWatches, 1);
    assert.equal(api.requests.length, 1);
    await factory.shutdown();
  });

  it('return one informer for the same options, another for others', () => {
    const { factory } = new TestFactory();
    const transform = <T>(pod: T): T => pod;
    const informers = [
      factory.coreV1.pods(),
      factory.coreV1.pods({ namespace: 'one' }),
      factory.coreV1.pods({ labelSelector: 'app=web' }),
      factory.coreV1.pods({ fieldSelector: 'app=web' }),
      factory.coreV1.pods({ resyncPeriodMs: 5000 }),
      factory.coreV1.pods({ transform }),
    ].map(({ informer }) => informer);
    assert.equal(new Set(informers).size, informers.length);
    const web = { labelSelector: 'app=web' };
    assert.equal(factory.with(web).coreV1.pods().informer, informers[2]);
    assert.equal(factory.namespace('one').coreV1.pods().informer, informers[1]);
    assert.equal(factory.with({ resyncPeriodMs: 5000 }).coreV1.pods().informer, informers[4]);
    assert.equal(factory.coreV1.pods({ transform }).informer, informers[5]);
    assert.equal(
      factory.namespace('one').with({ namespace: '' }).coreV1.pods().informer,
      informers[0],
    );
    assert.equal(
      factory
        .with({
          tweakListOptions: (options, { resource }) => (resource === 'pods' ? web : options),
        })
        .coreV1.pods().informer,
      informers[2],
    );
  });

  it('ignore the namespace for cluster-scoped resources', () => {
    const { factory } = new TestFactory({ namespace: 'one' });
    assert.equal(factory.coreV1.nodes().informer.name, 'nodes');
    assert.equal(
      factory.coreV1.nodes().informer,
      factory.coreV1.nodes({ namespace: 'two' }).informer,
    );
  });

  it('name informers by what they watch', () => {
    const { factory } = new TestFactory();
    const narrowed = factory.with({
      namespace: 'shop',
      labelSelector: 'app=web',
      fieldSelector: 'metadata.name=a',
    });
    assert.equal(
      narrowed.appsV1.deployments().informer.name,
      'deployments.apps in shop with app=web and metadata.name=a',
    );
  });

  it('share informers with the factories made by with, and with no others', () => {
    const { client, factory } = new TestFactory();
    assert.equal(factory.with({}).coreV1.pods().informer, factory.coreV1.pods().informer);
    const other = new SharedInformerFactory(client);
    assert.notEqual(other.coreV1.pods().informer, factory.coreV1.pods().informer);
  });

  it('call tweakListOptions with the selectors of the options', () => {
    const { factory } = new TestFactory({
      labelSelector: 'app=web',
      tweakListOptions: (options) => ({ ...options, fieldSelector: 'metadata.name=a' }),
    });
    assert.equal(factory.coreV1.pods().informer.name, 'pods with app=web and metadata.name=a');
    const { name } = factory.coreV1.pods({ labelSelector: 'app=db' }).informer;
    assert.equal(name, 'pods with app=db and metadata.name=a');
  });

  it('treat an undefined option as absent', () => {
    const { factory } = new TestFactory({ namespace: 'one', labelSelector: 'app=web' });
    const options = { namespace: undefined, labelSelector: undefined, transform: undefined };
    assert.equal(factory.coreV1.pods(options).informer.name, 'pods in one with app=web');
    assert.equal(factory.with(options).coreV1.pods().informer, factory.coreV1.pods().informer);
  });

  it('need a client', () => {
    const make = SharedInformerFactory as unknown as new (client?: unknown) => unknown;
    for (const client of [undefined, null, 'https://one']) {
      assert.throws(() => new make(client), { code: 'OPTION_INVALID', option: 'client' });
    }
  });
});

describe('SharedInformerFactory, requests', () => {
  it('are for all namespaces, or one, with the selectors given', async () => {
    const { factory, api, settle } = new TestFactory({ useWatchList: false });
    api.serve('/api/v1/configmaps').write('one/a');
    api.serve('/api/v1/namespaces/one/configmaps').write('one/b');
    const all = factory.coreV1.configMaps();
    const selection = { labelSelector: 'app in (web)', fieldSelector: 'metadata.name=b' };
    const some = factory.with({ namespace: 'one', ...selection });
    const one = some.coreV1.configMaps();
    factory.start();
    some.start();
    await settle();
    assert.deepEqual(
      all.lister.list().map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.deepEqual(one.lister.namespace('one').list().length, 1);
    const selected = 'labelSelector=app+in+%28web%29&fieldSelector=metadata.name%3Db';
    const asked = api.requests.filter((request) => request.includes(selected));
    assert.equal(asked.length, 2);
    assert.ok(asked.every((request) => request.startsWith('/api/v1/namespaces/one/configmaps?')));
    await Promise.all([factory.shutdown(), some.shutdown()]);
    assert.equal(api.openWatches, 0);
  });

  for (const useWatchList of [true, false]) {
    it(`${useWatchList ? 'streams' : 'lists'} the first state`, async () => {
      const { factory, api, settle } = new TestFactory({ useWatchList });
      api.serve('/api/v1/configmaps').write('one/a');
      factory.coreV1.configMaps();
      factory.start();
      await settle();
      assert.match(
        api.requests[0] ?? '',
        useWatchList ? /sendInitialEvents=true/ : /^\/api\/v1\/configmaps\?resourceVersion=0/,
      );
      await factory.shutdown();
    });
  }

  it('are indexed by namespace, and by what is added before or after the start', async () => {
    const { factory, api, settle } = new TestFactory();
    const source = api.serve('/api/v1/configmaps');
    source.write('one/a', { color: 'red' });
    source.write('two/b', { color: 'blue' });
    const maps = factory.coreV1.configMaps();
    maps.informer.addIndexers({ color: ({ metadata }) => [metadata.labels?.['color'] ?? ''] });
    factory.start();
    await factory.waitForCacheSync();
    assert.deepEqual(maps.informer.indexer.indexKeys('color', 'red'), ['one/a']);
    assert.deepEqual(maps.informer.indexer.indexKeys('namespace', 'two'), ['two/b']);
    assert.equal(maps.lister.namespace('one').get('a').metadata.name, 'a');
    source.write('two/c', { color: 'red' });
    await settle();
    maps.informer.addIndexers({ name: ({ metadata }) => [metadata.name] });
    assert.deepEqual(maps.informer.indexer.indexKeys('color', 'red'), ['one/a', 'two/c']);
    assert.deepEqual(maps.informer.indexer.indexKeys('name', 'c'), ['two/c']);
    await factory.shutdown();
  });

  it('are transformed, by the factory or by the getter', async () => {
    const { factory, api } = new TestFactory({
      transform: (object) => ({ ...object, metadata: { ...object.metadata, labels: {} } }),
    });
    api.serve('/api/v1/configmaps').write('one/a', { color: 'red' });
    const bare = factory.coreV1.configMaps();
    const marked = factory.coreV1.configMaps({ transform: (map) => ({ ...map, immutable: true }) });
    factory.start();
    await factory.waitForCacheSync();
    assert.deepEqual(bare.lister.namespace('one').get('a').metadata.labels, {});
    assert.equal(marked.lister.namespace('one').get('a').immutable, true);
    await factory.shutdown();
  });

  it('are reported and skipped if they are of another kind', async () => {
    const problems: string[] = [];
    const { factory, api, settle } = new TestFactory({
      onError: ({ code }, informer) => problems.push(`${informer}: ${code}`),
    });
    const source = api.serve('/api/v1/configmaps');
    source.write('one/a');
    const maps = factory.coreV1.configMaps();
    factory.start();
    await factory.waitForCacheSync();
    const metadata = { name: 'b', namespace: 'one', resourceVersion: '9' };
    source.send({ type: 'ADDED', object: { apiVersion: 'v1', kind: 'Secret', metadata } });
    await settle();
    assert.deepEqual(maps.informer.indexer.listKeys(), ['one/a']);
    assert.deepEqual(problems, ['configmaps: CACHE_OBJECT_UNEXPECTED']);
    await factory.shutdown();
  });
});

describe('SharedInformerFactory, resync', () => {
  it('uses the period of the resource, else of the factory, else never', async () => {
    const { factory, api, clock, settle } = new TestFactory({
      resyncPeriodMs: 10_000,
      customResyncMs: [
        [configMaps, 30_000],
        [{ group: '', version: 'v1', resource: 'nodes' }, 0],
      ],
    });
    const resyncs: Record<string, number> = { pods: 0, configmaps: 0, nodes: 0, quick: 0 };
    const count = (name: string) => ({
      onUpdate: () => void (resyncs[name] = (resyncs[name] ?? 0) + 1),
    });
    api.serve('/api/v1/pods', 'v1 Pod').write('one/a');
    api.serve('/api/v1/configmaps').write('one/b');
    api.serve('/api/v1/nodes', 'v1 Node').write('n');
    factory.coreV1.pods().informer.addEventHandler(count('pods'));
    factory.coreV1.configMaps().informer.addEventHandler(count('configmaps'));
    factory.coreV1.nodes().informer.addEventHandler(count('nodes'));
    factory.coreV1.configMaps({ resyncPeriodMs: 2000 }).informer.addEventHandler(count('quick'));
    factory.start();
    await factory.waitForCacheSync();
    await clock.advance(60_500);
    await settle();
    assert.deepEqual(resyncs, { pods: 6, configmaps: 2, nodes: 0, quick: 30 });
    await factory.shutdown();
    assert.equal(clock.pending, 0);
  });
});
