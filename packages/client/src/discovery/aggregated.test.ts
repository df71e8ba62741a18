import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ACCEPT_AGGREGATED,
  ACCEPT_NO_PEER,
  isAggregated,
  joinDiscovered,
  splitGroupsAndResources,
} from './aggregated.ts';

const ours = { group: '', version: '' };

const deployments = {
  resource: 'deployments',
  responseKind: { ...ours, kind: 'Deployment' },
  scope: 'Namespaced',
  singularResource: 'deployment',
  verbs: ['get', 'list'],
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: [
    {
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'update'],
    },
    { subresource: 'status', responseKind: { ...ours, kind: 'Deployment' }, verbs: ['get'] },
  ],
};

function group(name: string, ...versions: readonly object[]): object {
  return { metadata: name === '' ? {} : { name }, versions };
}

function split(...items: readonly object[]): ReturnType<typeof splitGroupsAndResources> {
  return splitGroupsAndResources({ kind: 'APIGroupDiscoveryList', items });
}

describe('aggregated discovery', () => {
  it('prefers the newest form, with the parameters in the order that servers require', () => {
    assert.equal(
      ACCEPT_AGGREGATED,
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
        'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,' +
        'application/json',
    );
    assert.ok(ACCEPT_NO_PEER.startsWith(`${ACCEPT_AGGREGATED.split(',')[0]};profile=nopeer,`));
  });

  const contentTypes: readonly (readonly [string, boolean])[] = [
    ['application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', true],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', true],
    ['application/json; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.k8s.io', true],
    ['application/json;as="APIGroupDiscoveryList";v=v2;g=apidiscovery.k8s.io;charset=utf-8', true],
    ['application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList', false],
    ['application/json;g=apidiscovery.k8s.io;v=v2;as=Table', false],
    ['application/json;g=example.com;v=v2;as=APIGroupDiscoveryList', false],
    ['application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', false],
    ['application/json', false],
    ['', false],
  ];
  for (const [contentType, expected] of contentTypes) {
    it(`${expected ? 'is' : 'is not'} what comes as ${JSON.stringify(contentType)}`, () => {
      assert.equal(isAggregated(contentType), expected);
    });
  }

  it('becomes groups, and resources with their subresources', () => {
    const { groups, resources, failures } = split(
      group('', { version: 'v1', resources: [], freshness: 'Current' }),
      group(
        'apps',
        { version: 'v1', resources: [deployments], freshness: 'Current' },
        { version: 'v1beta1', resources: null },
      ),
    );
    const v1 = { groupVersion: 'v1', version: 'v1' };
    const appsV1 = { groupVersion: 'apps/v1', version: 'v1' };
    const appsV1beta1 = { groupVersion: 'apps/v1beta1', version: 'v1beta1' };
    assert.deepEqual(groups, [
      { name: '', versions: [v1], preferredVersion: v1 },
      { name: 'apps', versions: [appsV1, appsV1beta1], preferredVersion: appsV1 },
    ]);
    assert.deepEqual([...resources.keys()], ['v1', 'apps/v1', 'apps/v1beta1']);
    const common = { singularName: 'deployment', namespaced: true };
    assert.deepEqual(resources.get('apps/v1'), {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'apps/v1',
      resources: [
        {
          name: 'deployments',
          ...common,
          kind: 'Deployment',
          verbs: ['get', 'list'],
          shortNames: ['deploy'],
          categories: ['all'],
        },
        {
          name: 'deployments/scale',
          ...common,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'update'],
        },
        { name: 'deployments/status', ...common, kind: 'Deployment', verbs: ['get'] },
      ],
    });
    assert.equal(failures.size, 0);
  });

  it('takes stale versions out of their group and reports them', () => {
    const { groups, resources, failures } = split(
      group(
        'metrics.example.com',
        { version: 'v2', resources: [deployments], freshness: 'Stale' },
        { version: 'v1', resources: [], freshness: 'Current' },
      ),
      group('gone.example.com', { version: 'v1', freshness: 'Stale' }),
    );
    const v1 = { groupVersion: 'metrics.example.com/v1', version: 'v1' };
    assert.deepEqual(groups, [
      { name: 'metrics.example.com', versions: [v1], preferredVersion: v1 },
      { name: 'gone.example.com', versions: [] },
    ]);
    assert.deepEqual([...resources.keys()], ['metrics.example.com/v1']);
    assert.deepEqual([...failures.keys()], ['metrics.example.com/v2', 'gone.example.com/v1']);
    assert.deepEqual(
      [...failures.values()].map((error) => [Reflect.get(error, 'code'), error.message]),
      [
        ['DISCOVERY_STALE', 'stale GroupVersion discovery: metrics.example.com/v2'],
        ['DISCOVERY_STALE', 'stale GroupVersion discovery: gone.example.com/v1'],
      ],
    );
  });

  it('leaves out what has no kind, but not the subresources below it', () => {
    const { resources } = split(
      group('apps', {
        version: 'v1',
        resources: [
          { ...deployments, responseKind: undefined },
          { ...deployments, resource: 'others', responseKind: { ...ours, kind: '' } },
          {
            ...deployments,
            resource: 'thirds',
            subresources: [{ subresource: 'status', verbs: [] }, null],
          },
        ],
      }),
    );
    assert.deepEqual(
      resources.get('apps/v1')?.resources.map(({ name }) => name),
      ['deployments/scale', 'deployments/status', 'others/scale', 'others/status', 'thirds'],
    );
  });

  it('has resources only if both halves have them', () => {
    const core = split(group('', { version: 'v1', resources: [] }));
    const others = split(
      group('apps', { version: 'v1', resources: [] }, { version: 'v2', freshness: 'Stale' }),
    );
    const both = joinDiscovered([core, others]);
    assert.deepEqual([...(both.resources?.keys() ?? [])], ['v1', 'apps/v1']);
    const { groups, failures } = others;
    for (const mixed of [
      [core, { groups, failures }],
      [{ groups: core.groups, failures: new Map() }, others],
    ]) {
      const joined = joinDiscovered(mixed);
      assert.equal(joined.resources, undefined);
      assert.deepEqual(
        joined.groups.map(({ name }) => name),
        ['', 'apps'],
      );
      assert.deepEqual([...joined.failures.keys()], ['apps/v2']);
    }
  });

  it('survives entries that make no sense', () => {
    const { groups, resources } = splitGroupsAndResources({
      items: [null, 7, group('x', { resources: [] }), { versions: 'none' }],
    });
    assert.deepEqual(groups, [
      { name: 'x', versions: [] },
      { name: '', versions: [] },
    ]);
    assert.equal(resources.size, 0);
    assert.throws(() => splitGroupsAndResources('text'), { code: 'DISCOVERY_DOCUMENT_INVALID' });
  });
});
