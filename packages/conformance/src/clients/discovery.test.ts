import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import {
  CachedDiscoveryClient,
  DiscoveryClient,
  MemCacheClient,
  NoMatchError,
  RESTMapper,
  ScaleClient,
  type ServerResources,
} from 'client-ts/discovery';
import { DynamicClient } from 'client-ts/dynamic';
import { systemClock } from 'client-ts/internal';
import type { APIResource } from 'client-ts/meta';
import type { Config, Middleware } from 'client-ts/transport';
import { eventually } from '../suite/expect.ts';
import { installCustomResource } from './test-custom-resources.ts';
import { type RunningTarget, targets } from './test-targets.ts';
import { Directory } from './test-transports.ts';

/** Answers like a server before 1.26. */
const withoutAggregation: Middleware = (request, next) =>
  next({ ...request, headers: { ...request.headers, accept: 'application/json' } });

/** Counts outgoing requests. */
function counting(config: Config): { readonly config: Config; readonly paths: string[] } {
  const paths: string[] = [];
  const count: Middleware = (request, next) => {
    paths.push(request.path.replace(/\?.*/, ''));
    return next(request);
  };
  return { config: { ...config, middleware: [count] }, paths };
}

/**
 * Returns what both forms of discovery have; only the old one has hashes, and no singular names of
 * subresources.
 */
function comparable({ groups, resources }: ServerResources): unknown {
  const plain = ({ storageVersionHash: _, ...resource }: APIResource): object =>
    resource.name.includes('/') ? { ...resource, singularName: '' } : withoutOwnGroup(resource);
  return {
    groups,
    resources: resources.map((list) => ({
      groupVersion: list.groupVersion,
      resources: list.resources
        .map(plain)
        .map((resource) => JSON.stringify(resource, Object.keys(resource).sort()))
        .sort(),
    })),
  };
}

/** Custom resources repeat their group in aggregated discovery. */
function withoutOwnGroup({ group: _, version: __, ...resource }: APIResource): object {
  return resource;
}

for (const { name, start } of targets) {
  describe(`discovery ${name}`, () => {
    let target: RunningTarget;

    before(async () => {
      target = await start();
    });

    after(async () => {
      await target[Symbol.asyncDispose]();
    });

    it('returns the same with and without aggregation', async () => {
      await using aggregated = new DiscoveryClient(target.config);
      await using single = new DiscoveryClient({
        ...target.config,
        middleware: [withoutAggregation],
      });
      const everything = await aggregated.serverResources();
      const legacy = await single.serverResources();
      assert.deepEqual(comparable(everything), comparable(legacy));
      assert.equal(everything.failures.size, 0);
      assert.equal(legacy.failures.size, 0);
      const [core] = everything.resources;
      assert.equal(core?.groupVersion, 'v1');
      const pods = core.resources.find((resource) => resource.name === 'pods');
      assert.deepEqual(pods?.shortNames, ['po']);
      assert.ok(core.resources.some((resource) => resource.name === 'pods/log'));
      const { resources } = await single.preferredNamespacedResources();
      assert.equal(
        resources.some((list) => list.resources.some((resource) => resource.name === 'nodes')),
        false,
      );
    });

    it('reads everything with two requests, and revalidates with two', async () => {
      const { config, paths } = counting(target.config);
      await using client = new DiscoveryClient(config);
      const first = await client.serverResources();
      const second = await client.serverResources();
      assert.deepEqual(paths.toSorted(), ['/api', '/api', '/apis', '/apis']);
      assert.equal(second.resources[0], first.resources[0], 'confirmed, not sent again');
    });

    it('returns the version and the OpenAPI documents', async () => {
      await using client = new DiscoveryClient(target.config);
      assert.match((await client.serverVersion()).gitVersion, /^v1\.\d+/);
      const openapi = new MemCacheClient(client).openAPIV3();
      const paths = await openapi.paths();
      assert.match(paths.get('apis/apps/v1')?.hash ?? '', /./);
      const document = await openapi.documentFor('apps/v1');
      assert.match(JSON.stringify(document['paths']), /deployments/);
      assert.equal(await openapi.documentFor('apps/v1'), document);
    });

    it('maps existing resources, and definitions that are added and removed', async () => {
      await using client = new DiscoveryClient(target.config);
      const mapper = new RESTMapper(new MemCacheClient(client));
      assert.equal((await mapper.mapping('deploy')).resource, 'deployments');
      assert.equal((await mapper.mapping('Pod')).scope, 'Namespaced');
      assert.deepEqual(await mapper.kindFor('events'), { group: '', version: 'v1', kind: 'Event' });
      const categories = await mapper.expandCategory('all');
      assert.ok(categories.some(({ resource }) => resource === 'deployments'));

      await using custom = await installCustomResource(target.config);
      const { gvr, shortName, namespace } = custom;
      const mapping = await eventually(systemClock, 'discovery of a new definition', () =>
        mapper.mapping(shortName).catch(() => undefined),
      );
      assert.equal(mapping.resource, gvr.resource);
      assert.deepEqual(await mapper.resourceFor({ group: gvr.group, kind: 'Widget' }), gvr);
      assert.deepEqual(await mapper.expandCategory(`${namespace}things`), [
        { group: gvr.group, resource: gvr.resource },
      ]);

      await using dynamic = new DynamicClient(target.config);
      const widgets = dynamic.resource(mapping).namespace(namespace);
      const widget = await widgets.create({ metadata: { name: 'one' }, spec: { replicas: 2 } });
      assert.equal(widget.kind, 'Widget', 'the descriptor knows what the object is');

      await using scales = new ScaleClient(target.config, mapper);
      const scale = await scales.scales(namespace).get(gvr, 'one');
      assert.equal(scale.spec?.replicas, 2);
      const more = { ...scale, spec: { replicas: 5 } };
      assert.equal((await scales.scales(namespace).update(shortName, more)).spec?.replicas, 5);
      const less = { spec: { replicas: 1 } };
      await scales.scales(namespace).patch(gvr, 'one', less, { type: 'merge' });
      assert.deepEqual((await widgets.get('one'))['spec'], { replicas: 1 });

      await custom.uninstall();
      await eventually(systemClock, 'discovery without the definition', async () => {
        mapper.reset();
        return mapper.mapping(shortName).then(
          () => undefined,
          (error: unknown) => error instanceof NoMatchError,
        );
      });
    });

    it('is cached on disk for the next process', async () => {
      await using directory = await Directory.create();
      const options = { cacheDirectory: directory.path };
      await using first = CachedDiscoveryClient.forConfig(target.config, options);
      const live = await first.serverResources();
      const { config, paths } = counting(target.config);
      await using second = CachedDiscoveryClient.forConfig(config, options);
      assert.deepEqual(await second.serverResources(), live);
      const mapper = new RESTMapper(second);
      assert.equal((await mapper.mapping('deploy')).kind, 'Deployment');
      assert.deepEqual(paths, []);

      await using custom = await installCustomResource(target.config);
      const mapping = await eventually(systemClock, 'discovery of a new definition', () =>
        mapper.mapping(custom.shortName).catch(() => undefined),
      );
      assert.equal(mapping.kind, 'Widget');
      await using third = CachedDiscoveryClient.forConfig(target.config, options);
      const known = await third.serverGroups();
      assert.ok(
        known.some((group) => group.name === custom.gvr.group),
        'the files are new too',
      );
    });
  });
}

describe('discovery of a failing server', () => {
  it('returns what works together with the failures, and finds the rest later', async () => {
    await using server = await ApiServer.start();
    const config = { ...server.config, middleware: [withoutAggregation] };
    await using client = new DiscoveryClient(config);
    const cache = new MemCacheClient(client);
    using outage = server.faults.add({
      match: { path: '/apis/apps/v1' },
      fault: { kind: 'status', code: 503 },
    });
    const found = await cache.serverResources();
    assert.deepEqual([...found.failures.keys()], ['apps/v1']);
    assert.ok(found.resources.length > 20);
    const mapper = new RESTMapper(client);
    await assert.rejects(mapper.mapping('deployments'), (error) => {
      assert.ok(error instanceof NoMatchError);
      assert.deepEqual([...error.failures.keys()], ['apps/v1']);
      return true;
    });
    assert.equal((await mapper.mapping('pods')).kind, 'Pod');
    outage.remove();
    assert.equal((await cache.serverResources()).failures.size, 0);
    assert.equal((await mapper.mapping('deployments')).kind, 'Deployment');
  });

  it('fails as a whole if the groups cannot be read, and caches nothing', async () => {
    await using server = await ApiServer.start();
    await using directory = await Directory.create();
    await using cache = CachedDiscoveryClient.forConfig(server.config, {
      cacheDirectory: directory.path,
    });
    using outage = server.faults.add({
      match: { path: '/apis' },
      fault: { kind: 'status', code: 500 },
    });
    await assert.rejects(cache.serverResources(), { code: 'API_INTERNAL_ERROR' });
    outage.remove();
    assert.ok((await cache.serverResources()).resources.length > 20);
  });
});
