import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  nameOfKind,
  nameOfResource,
  parseResourceArgument,
  ResourceTable,
} from './resource-table.ts';
import { resource, serverResources } from './test-resources.ts';

const scale = resource('deployments/scale', {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  verbs: ['get', 'update'],
});
const status = resource('deployments/status', { kind: 'Deployment', verbs: ['get'] });

const table = new ResourceTable(
  serverResources({
    'apps/v1': [
      resource('deployments', { shortNames: ['deploy'], categories: ['all'] }),
      scale,
      status,
    ],
    'apps/v1beta1': [resource('deployments', { categories: ['all'] }), resource('legacies')],
    'storage.k8s.io/v1': [resource('storageclasses', { namespaced: false, shortNames: ['sc'] })],
    'b.example.com/v1': [resource('widgets'), resource('pods', { shortNames: ['wd'] })],
    'a.example.com/v1': [
      resource('widgets'),
      resource('gears', { singularName: '', kind: 'Gear', verbs: ['get', 'proxy'] }),
      resource('sc'),
    ],
    v1: [resource('pods', { shortNames: ['po'], categories: ['all'] }), resource('pods/log')],
  }),
);

function places(found: readonly { group: string; version: string; resource: string }[]): string[] {
  return found.map(nameOfResource);
}

describe('the table of resources', () => {
  const byName: readonly (readonly [
    string,
    Parameters<typeof table.findResources>[0],
    string[],
  ])[] = [
    [
      'the plural',
      { resource: 'deployments' },
      ['deployments.v1.apps', 'deployments.v1beta1.apps'],
    ],
    ['the singular', { resource: 'deployment', version: 'v1' }, ['deployments.v1.apps']],
    ['any case', { resource: 'DEPLOYMENTS', version: 'v1beta1' }, ['deployments.v1beta1.apps']],
    ['a short name', { resource: 'deploy' }, ['deployments.v1.apps']],
    ['a guessed singular', { resource: 'gear' }, ['gears.v1.a.example.com']],
    ['a version that only exists there', { resource: 'legacies' }, ['legacies.v1beta1.apps']],
    ['core before other groups', { resource: 'pods' }, ['pods.v1', 'pods.v1.b.example.com']],
    ['only the core group, if it is empty', { group: '', resource: 'pods' }, ['pods.v1']],
    [
      'other groups in the order of the server',
      { resource: 'widgets' },
      ['widgets.v1.b.example.com', 'widgets.v1.a.example.com'],
    ],
    ['a full name before a short one', { resource: 'sc' }, ['sc.v1.a.example.com']],
    [
      'a short name within a group',
      { group: 'storage.k8s.io', resource: 'sc' },
      ['storageclasses.v1.storage.k8s.io'],
    ],
    [
      'the beginning of a group',
      { group: 'storage', resource: 'storageclasses' },
      ['storageclasses.v1.storage.k8s.io'],
    ],
    [
      'a short name and the beginning of a group',
      { group: 'stor', resource: 'sc' },
      ['storageclasses.v1.storage.k8s.io'],
    ],
    ['no beginnings beside a version', { group: 'stor', version: 'v1', resource: 'sc' }, []],
    ['no beginnings of the empty group', { group: '', resource: 'widgets' }, []],
    ['no subresources', { resource: 'pods/log' }, []],
    ['no other version', { version: 'v7', resource: 'pods' }, []],
    ['nothing', { resource: 'constructor' }, []],
  ];
  for (const [what, wanted, expected] of byName) {
    it(`finds ${what}: ${JSON.stringify(wanted)}`, () => {
      assert.deepEqual(places(table.findResources(wanted)), expected);
    });
  }

  it('finds kinds, the right case first', () => {
    const cased = new ResourceTable(
      serverResources({
        'x/v1': [resource('a', { kind: 'Thing' }), resource('b', { kind: 'THING' })],
      }),
    );
    assert.deepEqual(places(cased.findKinds({ kind: 'THING' })), ['b.v1.x']);
    assert.deepEqual(places(cased.findKinds({ kind: 'thing' })), ['a.v1.x', 'b.v1.x']);
    assert.deepEqual(places(table.findKinds({ group: 'apps', kind: 'Deployment' })), [
      'deployments.v1.apps',
      'deployments.v1beta1.apps',
    ]);
    assert.deepEqual(
      places(table.findKinds({ group: 'apps', version: 'v1beta1', kind: 'deployment' })),
      ['deployments.v1beta1.apps'],
    );
    assert.deepEqual(table.findKinds({ group: '', kind: 'Deployment' }), []);
    assert.deepEqual(table.findKinds({ kind: 'Scale' }), [], 'kinds of subresources do not count');
  });

  it('takes a plural before what is called the same in the singular', () => {
    const confusing = new ResourceTable(
      serverResources({
        'x/v1': [resource('data', { singularName: 'datum' }), resource('datas')],
        'y/v1': [resource('datas')],
      }),
    );
    assert.deepEqual(places(confusing.findResources({ resource: 'data' })), [
      'data.v1.x',
      'datas.v1.y',
    ]);
  });

  it('puts the preferred version of a group first, wherever the server lists it', () => {
    const { groups, resources, failures } = serverResources({
      'x/v2': [resource('things')],
      'x/v1': [resource('things')],
    });
    const [group] = groups;
    assert.ok(group !== undefined);
    const preferred = { ...group, preferredVersion: { groupVersion: 'x/v1', version: 'v1' } };
    const ordered = new ResourceTable({ groups: [preferred], resources, failures });
    assert.deepEqual(places(ordered.findResources({ resource: 'things' })), [
      'things.v1.x',
      'things.v2.x',
    ]);
  });

  it('describes resources as clients need it', () => {
    assert.deepEqual(table.findResources({ resource: 'deployments' })[0], {
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      kind: 'Deployment',
      singular: 'deployment',
      scope: 'Namespaced',
      verbs: ['create', 'get', 'list', 'watch'],
      subresources: [
        {
          name: 'scale',
          kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: ['get', 'update'],
        },
        {
          name: 'status',
          kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
          verbs: ['get'],
        },
      ],
      shortNames: ['deploy'],
      categories: ['all'],
    });
    const [gears] = table.findResources({ resource: 'gears' });
    assert.deepEqual(gears?.verbs, ['get'], 'verbs that no client has are left out');
    assert.equal(table.findResources({ resource: 'storageclasses' })[0]?.scope, 'Cluster');
  });

  it('expands categories, each member once', () => {
    assert.deepEqual(table.findCategory('all'), [
      { group: '', resource: 'pods' },
      { group: 'apps', resource: 'deployments' },
    ]);
    assert.deepEqual(table.findCategory('none'), []);
  });

  it('names things for messages', () => {
    assert.equal(nameOfResource({ resource: 'pods' }), 'pods');
    assert.equal(nameOfResource({ resource: 'pods', group: '', version: 'v1' }), 'pods.v1');
    assert.equal(nameOfKind({ kind: 'Pod' }), 'kind "Pod"');
    assert.equal(nameOfKind({ kind: 'Pod', group: 'x' }), 'kind "Pod" in group "x"');
    assert.equal(
      nameOfKind({ kind: 'Pod', group: '', version: 'v1' }),
      'kind "Pod" in version "v1"',
    );
  });
});

describe('a word for a resource', () => {
  const words: readonly (readonly [string, readonly object[]])[] = [
    ['pods', [{ resource: 'pods' }]],
    ['deployments.apps', [{ resource: 'deployments', group: 'apps' }]],
    [
      'deployments.v1.apps',
      [
        { resource: 'deployments', version: 'v1', group: 'apps' },
        { resource: 'deployments', group: 'v1.apps' },
      ],
    ],
    [
      'widgets.example.com',
      [
        { resource: 'widgets', version: 'example', group: 'com' },
        { resource: 'widgets', group: 'example.com' },
      ],
    ],
    [
      'pods.v1.',
      [
        { resource: 'pods', version: 'v1', group: '' },
        { resource: 'pods', group: 'v1.' },
      ],
    ],
  ];
  for (const [word, expected] of words) {
    it(`can be ${word}`, () => {
      assert.deepEqual(parseResourceArgument(word).resources, expected);
    });
  }

  it('can be a kind as well', () => {
    assert.deepEqual(parseResourceArgument('Deployment.v1.apps').kinds, [
      { kind: 'Deployment', version: 'v1', group: 'apps' },
      { kind: 'Deployment', group: 'v1.apps' },
    ]);
  });
});
