import assert from 'node:assert/strict';
import { isJsonObject } from 'client-ts/internal';
import { firstHeader } from '../../http/exchange.ts';
import type { Area } from '../check.ts';
import { eventually, failure, field, ok } from '../expect.ts';
import { customKind } from '../objects.ts';

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

function objects(value: unknown): Record<string, unknown>[] {
  assert.ok(Array.isArray(value), 'a list');
  return value.filter((item) => isJsonObject(item));
}

/** Versions, groups, resources and health. */
export const discovery: Area = {
  name: 'discovery',
  checks: {
    'returns its version': async ({ api }) => {
      const version = ok(await api.get('/version'));
      assert.match(String(version['gitVersion']), /^v\d+\.\d+\.\d+/);
      assert.match(String(version['major']), /^\d+$/);
      assert.match(String(version['minor']), /^\d+/);
    },

    'lists the versions of the core group': async ({ api }) => {
      const versions = ok(await api.get('/api'));
      assert.equal(versions.kind, 'APIVersions');
      assert.deepEqual(versions['versions'], ['v1']);
    },

    'lists the groups, each with a preferred version': async ({ api }) => {
      const list = ok(await api.get('/apis'));
      assert.equal(list.kind, 'APIGroupList');
      const groups = objects(list['groups']);
      const apps = groups.find(({ name }) => name === 'apps');
      assert.equal(field(apps, 'preferredVersion.groupVersion'), 'apps/v1');
      for (const group of groups) {
        const preferred = field(group, 'preferredVersion.version');
        assert.ok(objects(group['versions']).some(({ version }) => version === preferred));
      }
    },

    'describes a single group': async ({ api }) => {
      const group = ok(await api.get('/apis/apps'));
      assert.equal(group.kind, 'APIGroup');
      assert.equal(group['name'], 'apps');
    },

    'lists the resources of a version with verbs, scope and short names': async ({ api }) => {
      const list = ok(await api.get('/api/v1'));
      assert.equal(list.kind, 'APIResourceList');
      assert.equal(list['groupVersion'], 'v1');
      const resources = objects(list['resources']);
      const pods = resources.find(({ name }) => name === 'pods');
      assert.equal(pods?.['kind'], 'Pod');
      assert.equal(pods?.['namespaced'], true);
      assert.deepEqual(pods?.['shortNames'], ['po']);
      const verbs = pods?.['verbs'] as string[];
      for (const verb of [
        'create',
        'delete',
        'deletecollection',
        'get',
        'list',
        'patch',
        'update',
        'watch',
      ]) {
        assert.ok(verbs.includes(verb), verb);
      }
      assert.equal(resources.find(({ name }) => name === 'nodes')?.['namespaced'], false);
    },

    'lists subresources next to their parents': async ({ api }) => {
      const resources = objects(ok(await api.get('/apis/apps/v1'))['resources']);
      const scale = resources.find(({ name }) => name === 'deployments/scale');
      assert.equal(scale?.['kind'], 'Scale');
      assert.equal(scale?.['group'], 'autoscaling');
      assert.ok(resources.some(({ name }) => name === 'deployments/status'));
    },

    'aggregates discovery in one response on request': async ({ api }) => {
      const reply = await api.get('/apis', { accept: AGGREGATED });
      const list = ok(reply);
      assert.equal(list.kind, 'APIGroupDiscoveryList');
      assert.match(firstHeader(reply.headers, 'content-type') ?? '', /as=APIGroupDiscoveryList/);
      const apps = list.items?.find(({ metadata }) => metadata.name === 'apps');
      const resources = objects(field(apps, 'versions.0.resources'));
      const deployments = resources.find(({ resource }) => resource === 'deployments');
      assert.equal(field(deployments, 'responseKind.kind'), 'Deployment');
      assert.equal(deployments?.['scope'], 'Namespaced');
      assert.ok(
        objects(deployments?.['subresources']).some(({ subresource }) => subresource === 'scale'),
      );
    },

    'answers 304 for unchanged aggregated discovery': async ({ api }) => {
      const first = await api.get('/api', { accept: AGGREGATED });
      const etag = firstHeader(first.headers, 'etag') ?? '';
      assert.match(etag, /^".+"$/);
      const second = await api.get('/api', { accept: AGGREGATED, 'if-none-match': etag });
      assert.equal(second.status, 304);
      assert.equal(second.bytes.length, 0);
    },

    'shows a new custom resource in discovery': async (kit) => {
      const { api, clock } = kit;
      const { group, plural, kind } = await customKind(kit, { names: { shortNames: [] } });
      const legacy = await eventually(clock, 'legacy discovery', async () => {
        const resources = objects(ok(await api.get(`/apis/${group}/v1`))['resources']);
        return resources.find(({ name }) => name === plural);
      });
      assert.equal(legacy['kind'], kind);
      await eventually(clock, 'aggregated discovery', async () => {
        const list = ok(await api.get('/apis', { accept: AGGREGATED }));
        return JSON.stringify(list.items).includes(plural) ? true : undefined;
      });
    },

    'answers an unknown group in plain text': async ({ api }) => {
      const reply = await api.get('/apis/nope.example.com/v1');
      assert.equal(reply.status, 404);
      assert.equal(reply.text, '404 page not found\n');
    },

    'answers an unknown resource of a known group with a Status': async ({ api, namespace }) => {
      const status = failure(
        await api.get(`/api/v1/namespaces/${namespace}/nopes`),
        404,
        'NotFound',
      );
      assert.match(status.message ?? '', /could not find the requested resource/);
    },

    'answers the health endpoints': async ({ api }) => {
      for (const path of ['/healthz', '/livez', '/readyz']) {
        const reply = await api.get(path);
        assert.equal(reply.status, 200, path);
        assert.equal(reply.text, 'ok', path);
      }
    },

    'lists its health checks if verbose': async ({ api }) => {
      const reply = await api.get('/readyz?verbose');
      assert.equal(reply.status, 200);
      assert.match(reply.text, /^\[\+\]ping ok$/m);
      assert.match(reply.text, /readyz check passed\n$/);
    },

    'indexes OpenAPI v3 documents by hash': async ({ api }) => {
      const index = ok(await api.get('/openapi/v3'));
      const address = String(field(index, 'paths.apis/apps/v1.serverRelativeURL'));
      assert.match(address, /^\/openapi\/v3\/apis\/apps\/v1\?hash=/);
      const document = await api.get(address);
      assert.equal(ok(document)['openapi'], '3.0.0');
      const schemas = field(document.body, 'components.schemas') as Record<string, unknown>;
      assert.ok('io.k8s.api.apps.v1.Deployment' in schemas);
      const etag = firstHeader(document.headers, 'etag') ?? '';
      const again = await api.get('/openapi/v3/apis/apps/v1', { 'if-none-match': etag });
      assert.equal(again.status, 304);
    },
  },
};
