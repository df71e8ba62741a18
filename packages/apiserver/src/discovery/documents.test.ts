import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { ResourceCatalog, ResourceInfo } from '../registry/resource.ts';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  type DiscoverySource,
} from './documents.ts';

function info(resource: string, rest: Partial<ResourceInfo> = {}): ResourceInfo {
  return {
    group: '',
    version: 'v1',
    resource,
    kind: resource.toUpperCase(),
    listKind: '',
    singular: resource.slice(0, -1),
    scope: 'Namespaced',
    verbs: ['get', 'update'],
    shortNames: [],
    categories: [],
    subresources: [],
    schema: {},
    ...rest,
  };
}

const pods = info('pods', {
  shortNames: ['po'],
  categories: ['all'],
  subresources: [
    { name: 'status', kind: { group: '', version: 'v1', kind: 'PODS' }, verbs: ['get'] },
    {
      name: 'eviction',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      verbs: ['create'],
    },
  ],
});
const nodes = info('nodes', { scope: 'Cluster' });
const widgets = info('widgets', { group: 'example.com', crd: 'widgets.example.com' });
const gadgets = info('gadgets', { group: 'example.com', crd: 'gadgets.example.com' });

const groupVersions = [
  { group: '', version: 'v1' },
  { group: 'example.com', version: 'v1' },
  { group: 'example.com', version: 'v1beta1' },
  { group: 'other.org', version: 'v2' },
];
const catalog: ResourceCatalog = {
  generation: 1,
  groupVersions: () => groupVersions,
  resources: (group, version) => {
    if (group === '') return [pods, nodes];
    return group === 'example.com' && version === 'v1' ? [widgets, gadgets] : [];
  },
};
const source: DiscoverySource = {
  catalog,
  storageVersion: ({ resource }) => (resource === 'nodes' ? undefined : 'v1'),
};

describe('legacy discovery', () => {
  it('lists the versions of the core group and the server address', () => {
    assert.deepEqual(apiVersions(source, '127.0.0.1:6443'), {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
  });

  it('lists the other groups, with their first version preferred', () => {
    const { groups } = apiGroupList(source) as { groups: { name: string }[] };
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['example.com', 'other.org'],
    );
    assert.deepEqual(apiGroup(source, 'example.com'), {
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'example.com',
      versions: [
        { groupVersion: 'example.com/v1', version: 'v1' },
        { groupVersion: 'example.com/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
    });
    assert.equal(apiGroup(source, 'unknown.example'), undefined);
    assert.equal(apiGroup(source, ''), undefined);
  });

  it('lists resources with their subresources, by name', () => {
    const list = apiResourceList(source, { group: '', version: 'v1' });
    assert.equal(list.groupVersion, 'v1');
    assert.ok(!('apiVersion' in list));
    assert.deepEqual(
      list.resources.map(({ name }) => name),
      ['nodes', 'pods', 'pods/eviction', 'pods/status'],
    );
    const [node, pod, eviction, status] = list.resources;
    assert.equal(node?.namespaced, false);
    assert.equal(node?.storageVersionHash, undefined);
    assert.deepEqual(pod?.shortNames, ['po']);
    assert.deepEqual(pod?.categories, ['all']);
    assert.match(pod?.storageVersionHash ?? '', /^[\w+/]{11}=$/);
    assert.equal(eviction?.group, 'policy');
    assert.equal(status?.group, undefined);
  });

  it('keeps custom resources in the order of their definitions', () => {
    const list = apiResourceList(source, { group: 'example.com', version: 'v1' });
    assert.equal(list.apiVersion, 'v1');
    assert.deepEqual(
      list.resources.map(({ name }) => name),
      ['widgets', 'gadgets'],
    );
  });
});

describe('aggregated discovery', () => {
  interface Aggregated {
    items: {
      metadata: object;
      versions: { version: string; freshness: string; resources: Record<string, unknown>[] }[];
    }[];
  }

  it('has the core group or all other groups', () => {
    const core = aggregatedDiscovery(source, 'api') as Aggregated;
    assert.deepEqual(
      core.items.map(({ metadata }) => metadata),
      [{}],
    );
    const others = aggregatedDiscovery(source, 'apis') as Aggregated;
    assert.deepEqual(
      others.items.map(({ metadata, versions }) => [
        metadata,
        versions.map((each) => each.version),
      ]),
      [
        [{ name: 'example.com' }, ['v1', 'v1beta1']],
        [{ name: 'other.org' }, ['v2']],
      ],
    );
  });

  it('describes resources, by name', () => {
    const { items } = aggregatedDiscovery(source, 'api') as Aggregated;
    const { resources = [], freshness } = items[0]?.versions[0] ?? {};
    assert.equal(freshness, 'Current');
    assert.deepEqual(resources, [
      {
        resource: 'nodes',
        responseKind: { group: '', version: '', kind: 'NODES' },
        scope: 'Cluster',
        singularResource: 'node',
        verbs: ['get', 'update'],
      },
      {
        resource: 'pods',
        responseKind: { group: '', version: '', kind: 'PODS' },
        scope: 'Namespaced',
        singularResource: 'pod',
        verbs: ['get', 'update'],
        shortNames: ['po'],
        categories: ['all'],
        subresources: [
          {
            subresource: 'status',
            responseKind: { group: '', version: '', kind: 'PODS' },
            verbs: ['get'],
          },
          {
            subresource: 'eviction',
            responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
            verbs: ['create'],
          },
        ],
      },
    ]);
    const { items: others } = aggregatedDiscovery(source, 'apis') as Aggregated;
    assert.deepEqual(others[0]?.versions[0]?.resources[0]?.['responseKind'], {
      group: 'example.com',
      version: 'v1',
      kind: 'GADGETS',
    });
  });
});
