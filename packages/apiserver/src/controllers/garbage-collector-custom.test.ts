import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OwnerReference } from 'client-ts/meta';

import {
  configMapNames as names,
  givenConfigMap as given,
  MAPS,
  ownedBy,
} from '../testing/ownership.ts';
import { TestServer } from '../testing/test-server.ts';

describe('GarbageCollector and custom resources', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v2',
          served: true,
          storage: false,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const widgets = '/apis/example.com/v2/namespaces/default/widgets';
  const widget = (name: string, owners: readonly OwnerReference[] = []): object => ({
    apiVersion: 'example.com/v2',
    kind: 'Widget',
    metadata: { name, ownerReferences: owners },
  });

  it('collects custom resources written in any version', async () => {
    using server = new TestServer();
    await server.given('post', definitions, definition);
    await server.settle();
    const [owner, other] = [await given(server, 'owner'), await given(server, 'other')];
    await server.given('post', widgets, widget('a', [ownedBy(owner)]));
    await server.given('post', widgets, widget('b', [ownedBy(owner), ownedBy(other)]));
    await server.delete(`${MAPS}/owner`);
    await server.settle();
    assert.deepEqual(server.errors, []);
    assert.equal((await server.get(`${widgets}/a`)).status, 404);
    const { body } = await server.get(`${widgets}/b`);
    assert.deepEqual(body.metadata.ownerReferences, [ownedBy(other)]);
  });

  it('collects their dependents, also when their definition is deleted', async () => {
    using server = new TestServer();
    await server.given('post', definitions, definition);
    await server.settle();
    const owner = await server.given('post', widgets, widget('owner'));
    await given(server, 'child', [ownedBy(owner)]);
    assert.deepEqual(await names(server), ['child']);
    await server.delete(`${definitions}/widgets.example.com`);
    assert.deepEqual(await names(server), []);
  });

  it('decides about owners of an unknown kind once the kind is served', async () => {
    using server = new TestServer();
    const missing = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: 'never' };
    await given(server, 'child', [missing]);
    assert.deepEqual(await names(server), ['child']);
    await server.given('post', definitions, definition);
    assert.deepEqual(await names(server), []);
  });
});
