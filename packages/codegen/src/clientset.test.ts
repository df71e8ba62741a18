import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clientsetGenerator } from './clientset.ts';
import type { ApiModel, ModelResource } from './model.ts';

function resource(kind: string, plural: string, namespaced: boolean): ModelResource {
  return { kind, resource: plural, singular: plural.slice(0, -1), namespaced, verbs: ['get'] };
}

function schemaOf(group: string, kind: string): ApiModel['schemas'][string] {
  return { type: 'object', 'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind }] };
}

const model: ApiModel = {
  kubernetes: '1.2.3',
  groupVersions: [
    {
      group: '',
      version: 'v1',
      resources: [resource('Pod', 'pods', true), resource('Node', 'nodes', false)],
    },
    {
      group: 'internal.example.com',
      version: 'v1',
      resources: [resource('CSINode', 'csinodes', false)],
    },
  ],
  schemas: {
    'io.k8s.api.core.v1.Pod': schemaOf('', 'Pod'),
    'io.k8s.api.apiserverinternal.v1.CSINode': schemaOf('internal.example.com', 'CSINode'),
  },
};

const outputs = clientsetGenerator(model).outputs();
const directory = 'packages/client/src/kubernetes/generated';

test('every resource has a method of its scope', () => {
  const clients = outputs.get(`${directory}/group-version-clients.ts`) ?? '';
  assert.match(
    clients,
    /export interface CoreV1Client \{\n {2}\/\*\* `\/api\/v1\/namespaces\/\{namespace\}\/pods` \*\/\n {2}readonly pods: NamespacedResource<typeof coreV1\.pods>;/,
  );
  assert.match(clients, /readonly nodes: ClusterResource<typeof coreV1\.nodes>;/);
  assert.match(clients, /import type \* as coreV1 from '\.\.\/\.\.\/api\/core\/v1\.ts';/);
});

test('groups have the names of client-go', () => {
  const getters = outputs.get(`${directory}/group-versions.ts`) ?? '';
  assert.match(getters, /\n {2}get coreV1\(\): CoreV1Client \{/);
  assert.match(getters, /get internalV1\(\): InternalV1Client \{/);
  assert.match(
    getters,
    /import \* as internalV1 from '\.\.\/\.\.\/api\/apiserverinternal\/v1\.ts';/,
  );
  assert.match(getters, /return groupOf\(this, coreV1\);/);
});
