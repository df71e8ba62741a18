import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Scale } from '../api/autoscaling/v1.ts';
import { RESTClient } from '../rest/rest-client.ts';
import { ScriptedTransport } from '../rest/test-transport.ts';
import { RESTMapper } from './rest-mapper.ts';
import { ScaleClient } from './scale-client.ts';
import { resource, serverResources } from './test-resources.ts';

const scaleOf = (name: string, group: string, version: string): ReturnType<typeof resource> =>
  resource(`${name}/scale`, { group, version, kind: 'Scale', verbs: ['get', 'patch', 'update'] });

const mapper = new RESTMapper({
  serverResources: async () =>
    serverResources({
      'apps/v1': [
        resource('deployments', { shortNames: ['deploy'] }),
        scaleOf('deployments', 'autoscaling', 'v1'),
        resource('daemonsets'),
      ],
      'extensions/v1beta1': [
        resource('replicasets'),
        scaleOf('replicasets', 'extensions', 'v1beta1'),
      ],
      'example.com/v1': [
        resource('pools', { namespaced: false }),
        scaleOf('pools', 'autoscaling', 'v1'),
        resource('odds'),
        scaleOf('odds', 'example.com', 'v1'),
      ],
    }),
});

const deployments = { group: 'apps', resource: 'deployments' };
const scale: Scale = {
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web', namespace: 'default', resourceVersion: '5' },
  spec: { replicas: 3 },
  status: { replicas: 2, selector: 'app=web' },
};

function scalesOver(
  transport: ScriptedTransport,
  namespace = 'default',
): ReturnType<ScaleClient['scales']> {
  return new ScaleClient(RESTClient.over(transport), mapper).scales(namespace);
}

describe('ScaleClient', () => {
  it('reads, writes and patches the scale of what the mapper finds', async () => {
    const transport = new ScriptedTransport({ body: scale });
    const scales = scalesOver(transport);
    const path = '/apis/apps/v1/namespaces/default/deployments/web/scale';
    assert.deepEqual(await scales.get(deployments, 'web'), scale);
    assert.deepEqual([transport.last.method, transport.last.path], ['GET', path]);
    assert.deepEqual(await scales.update('deploy', scale, { dryRun: true }), scale);
    assert.deepEqual([transport.last.method, transport.last.path], ['PUT', `${path}?dryRun=All`]);
    assert.deepEqual(transport.lastBody, scale);
    await scales.patch({ kind: 'Deployment' }, 'web', { spec: { replicas: 1 } }, { type: 'merge' });
    assert.deepEqual([transport.last.method, transport.last.path], ['PATCH', path]);
    assert.equal(transport.last.headers['content-type'], 'application/merge-patch+json');
  });

  it('adds kind and apiVersion to what it sends', async () => {
    const transport = new ScriptedTransport({ body: scale });
    await scalesOver(transport).update(deployments, {
      metadata: { name: 'web' },
      spec: { replicas: 1 },
    });
    assert.deepEqual(transport.lastBody, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 1 },
    });
  });

  it('shows old kinds of Scale as the one of today', async () => {
    const apiVersion = 'extensions/v1beta1';
    const status = { replicas: 2, selector: { old: 'map' }, targetSelector: 'app=web' };
    const old = { ...scale, apiVersion, status };
    const transport = new ScriptedTransport({ body: old });
    const scales = scalesOver(transport);
    assert.deepEqual(await scales.get('replicasets', 'web'), scale);
    assert.deepEqual(await scales.update('replicasets', scale), scale);
    assert.deepEqual(transport.lastBody, {
      ...scale,
      apiVersion,
      status: { replicas: 2, targetSelector: 'app=web' },
    });
    const selector = { b: '2', a: '1' };
    const older = new ScriptedTransport({ body: { ...old, status: { replicas: 2, selector } } });
    const found = await scalesOver(older).get('replicasets', 'web');
    assert.equal(found.status?.selector, 'a=1,b=2');
    const { status: _, ...fresh } = old;
    const bare = await scalesOver(new ScriptedTransport({ body: fresh })).get('replicasets', 'web');
    assert.equal('status' in bare, false);
  });

  it('scales cluster-scoped resources', async () => {
    const transport = new ScriptedTransport({ body: scale });
    await scalesOver(transport, '').get('pools', 'web');
    assert.equal(transport.last.path, '/apis/example.com/v1/pools/web/scale');
    await assert.rejects(scalesOver(transport, '').get(deployments, 'web'), {
      code: 'REST_REQUEST_INVALID',
    });
  });

  it('refuses what cannot be scaled', async () => {
    const scales = scalesOver(new ScriptedTransport({ body: scale }));
    await assert.rejects(scales.get('daemonsets', 'web'), {
      name: 'DiscoveryError',
      code: 'DISCOVERY_SCALE_UNSUPPORTED',
      message: 'daemonsets.apps in version v1 cannot be scaled',
    });
    await assert.rejects(scales.get('odds', 'web'), {
      code: 'DISCOVERY_SCALE_UNSUPPORTED',
      message: 'odds.example.com has a scale of an unknown kind, example.com/v1 Scale',
    });
    await assert.rejects(scales.get('nopes', 'web'), { code: 'DISCOVERY_NO_MATCH' });
    await assert.rejects(scales.update(deployments, { spec: { replicas: 1 } }), {
      code: 'REST_REQUEST_INVALID',
    });
  });

  it('finds out by itself, over connections that it closes', async () => {
    const transport = new ScriptedTransport(({ path }) => {
      if (path.startsWith('/api?')) return { status: 404, body: 'no core group' };
      if (path.startsWith('/apis?')) {
        const versions = [{ groupVersion: 'apps/v1', version: 'v1' }];
        return { body: { kind: 'APIGroupList', groups: [{ name: 'apps', versions }] } };
      }
      if (path.startsWith('/apis/apps/v1?')) {
        const resources = [resource('deployments'), scaleOf('deployments', 'autoscaling', 'v1')];
        return { body: { kind: 'APIResourceList', resources } };
      }
      return { body: scale };
    });
    const client = new ScaleClient({ server: 'https://192.0.2.1', transport });
    assert.equal((await client.scales('default').get(deployments, 'web')).spec?.replicas, 3);
    await client[Symbol.asyncDispose]();
    await assert.rejects(client.scales('default').get(deployments, 'web'), {
      code: 'TRANSPORT_CLOSED',
    });
  });
});
