import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { groupVersions } from '../api/all.ts';
import { pods } from '../api/core/v1.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import { RESTClient } from '../rest/rest-client.ts';
import { ScriptedTransport } from '../rest/test-transport.ts';
import { Clientset } from './clientset.ts';
import { GroupVersions } from './generated/group-versions.ts';

const transport = new ScriptedTransport({ body: {} });
const client = new Clientset({ server: '' }, { transport });

type AnyGroup = Readonly<Record<string, () => { readonly descriptor: ResourceDescriptor }>>;

/** Every getter of the clientset, by name. */
function groups(): [string, AnyGroup][] {
  const names = Object.entries(Object.getOwnPropertyDescriptors(GroupVersions.prototype));
  return names
    .filter(([, property]) => 'get' in property)
    .map(([name]) => [name, Reflect.get(client, name) as AnyGroup]);
}

describe('Clientset', () => {
  it('has a getter for each group-version, named as in client-go', () => {
    const names = groups().map(([name]) => name);
    assert.equal(names.length, 32);
    for (const name of [
      'coreV1',
      'appsV1',
      'rbacV1',
      'autoscalingV2',
      'internalV1alpha1',
      'storageV1beta1',
    ]) {
      assert.ok(names.includes(name), name);
    }
  });

  it('has a method for each resource, and no others', () => {
    const found = groups().flatMap(([, group]) =>
      Object.values(group).map((method) => method().descriptor),
    );
    const known = groupVersions.flatMap(({ resources }) => resources);
    assert.equal(found.length, known.length);
    assert.deepEqual(new Set(found), new Set(known));
  });

  it('creates each group client once, on first use', () => {
    assert.equal(client.coreV1, client.coreV1);
    assert.notEqual(new Clientset({ server: '' }, { transport }).coreV1, client.coreV1);
  });

  it('has methods that can be taken out of their group', async () => {
    const { nodes } = client.coreV1;
    const other = new ScriptedTransport({ body: {} });
    void new Clientset({ server: '' }, { transport: other }).coreV1.nodes();
    await nodes().get('n2');
    assert.equal(transport.last.path, '/api/v1/nodes/n2');
    assert.equal(other.requests.length, 0);
  });

  it('has methods that a test can replace', (t) => {
    const { coreV1 } = new Clientset({ server: '' }, { transport });
    const { nodes, pods } = coreV1;
    const spy = t.mock.method(coreV1, 'nodes');
    assert.equal(coreV1.nodes().descriptor.resource, 'nodes');
    assert.equal(spy.mock.callCount(), 1);
    spy.mock.restore();
    assert.equal(coreV1.nodes, nodes);
    Object.assign(coreV1, { pods: nodes });
    assert.equal(coreV1.pods, nodes);
    const mixed = { ...client.coreV1, nodes: pods };
    assert.equal(mixed.pods('ns').descriptor.resource, 'pods');
    assert.equal(new Proxy(client.coreV1, {}).pods('ns').descriptor.resource, 'pods');
  });

  it("knows the context's namespace, and passes it on to other clients", () => {
    const named = new Clientset({ server: '', namespace: 'shop' }, { transport });
    assert.equal(named.namespace, 'shop');
    assert.equal(new DynamicClient(named.rest).namespace, 'shop');
    assert.equal(new MetadataClient(named.rest.with({ codec: 'protobuf' })).namespace, 'shop');
    assert.equal(new Clientset({ server: '', namespace: '' }, { transport }).namespace, 'default');
    assert.equal(client.namespace, 'default');
  });

  it('shares one transport among its clients', async () => {
    await client.coreV1.pods('default').get('web');
    assert.equal(transport.last.path, '/api/v1/namespaces/default/pods/web');
    await client.coreV1.pods().list();
    assert.equal(transport.last.path, '/api/v1/pods');
    await client.coreV1.nodes().get('n1');
    assert.equal(transport.last.path, '/api/v1/nodes/n1');
    await client.appsV1.deployments('default').getScale('web');
    assert.equal(transport.last.path, '/apis/apps/v1/namespaces/default/deployments/web/scale');
  });

  it('has clients for any other resource', async () => {
    const widgets: ResourceDescriptor<object, 'Namespaced'> = {
      ...pods,
      group: 'example.com',
      resource: 'widgets',
      kind: 'Widget',
    };
    await client.resource(widgets, 'default').get('one');
    assert.equal(transport.last.path, '/apis/example.com/v1/namespaces/default/widgets/one');
    await client.resource(widgets).list();
    assert.equal(transport.last.path, '/apis/example.com/v1/widgets');
    const gadgets: ResourceDescriptor<object, 'Cluster'> = { ...widgets, scope: 'Cluster' };
    await client.resource(gadgets).get('one');
    assert.equal(transport.last.path, '/apis/example.com/v1/widgets/one');
  });

  it('closes what it created', async () => {
    await using own = new Clientset({ server: 'http://server', transport });
    await own.coreV1.nodes().list();
    await own[Symbol.asyncDispose]();
    await assert.rejects(own.coreV1.nodes().list(), { code: 'TRANSPORT_CLOSED' });
  });

  it('accepts a config or a RESTClient, and closes only what it opened', async () => {
    for (const Client of [Clientset, DynamicClient, MetadataClient]) {
      const transport = new ScriptedTransport({ body: {} });
      await using rest = new RESTClient({ server: 'http://server', transport });
      const shared = new Client(rest);
      assert.equal(shared.logger, rest.logger);
      await shared.close();
      await rest.get().absPath('/version').do();
      const own = new Client({ server: 'http://server', transport }, { maxRetries: 0 });
      await own.close();
    }
    const own = new Clientset({ server: 'http://server', transport: new ScriptedTransport({}) });
    await own.close();
    await assert.rejects(own.coreV1.nodes().list(), { code: 'TRANSPORT_CLOSED' });
  });
});
