import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setOf } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import { type Endpoint, resetFieldsOf } from './reset-fields.ts';

function endpoint(name: string, rest: Partial<Endpoint> = {}): Endpoint {
  const [full = '', subresource = ''] = name.split('/');
  const [resource = '', ...group] = full.split('.');
  return { group: group.join('.'), resource, subresource, hasStatus: true, custom: false, ...rest };
}

const set = setOf(
  ['f:metadata', 'f:labels'],
  ['f:metadata', 'f:labels', 'f:a'],
  ['f:metadata', 'f:ownerReferences'],
  ['f:spec', 'f:a'],
  ['f:status'],
  ['f:status', 'f:conditions'],
  ['f:status', 'f:phase'],
);
const metadata = { 'f:labels': { '.': {}, 'f:a': {} }, 'f:ownerReferences': {} };
const spec = { 'f:a': {} };
const status = { '.': {}, 'f:conditions': {}, 'f:phase': {} };

describe('the fields that clients of an endpoint can own', () => {
  const cases: readonly [Endpoint, unknown][] = [
    [endpoint('services'), { 'f:metadata': metadata, 'f:spec': spec }],
    [endpoint('services/status'), { 'f:metadata': metadata, 'f:status': status }],
    [
      endpoint('deployments.apps/status'),
      { 'f:metadata': { 'f:ownerReferences': {} }, 'f:status': status },
    ],
    [
      endpoint('pods/status'),
      { 'f:metadata': { 'f:labels': metadata['f:labels'] }, 'f:status': status },
    ],
    [endpoint('flowschemas.flowcontrol.apiserver.k8s.io/status'), { 'f:status': status }],
    [endpoint('namespaces/finalize'), { 'f:metadata': metadata, 'f:spec': spec }],
    [endpoint('certificatesigningrequests.certificates.k8s.io'), { 'f:metadata': metadata }],
    [
      endpoint('certificatesigningrequests.certificates.k8s.io/status'),
      { 'f:metadata': metadata, 'f:status': { '.': {}, 'f:phase': {} } },
    ],
    [endpoint('things.example.com', { custom: true }), { 'f:metadata': metadata, 'f:spec': spec }],
    [endpoint('things.example.com/status', { custom: true }), { 'f:status': status }],
  ];
  for (const [each, expected] of cases) {
    const { group, resource, subresource } = each;
    test([resource, group, subresource].filter(Boolean).join(' '), () => {
      assert.deepEqual(resetFieldsOf(each)?.(set), expected);
    });
  }

  test('are all fields without a status subresource', () => {
    assert.equal(resetFieldsOf(endpoint('configmaps', { hasStatus: false })), undefined);
    assert.equal(resetFieldsOf(endpoint('deployments.apps/scale')), undefined);
  });

  test('are only resources through pods/resize', () => {
    const containers: PathElement[] = ['f:spec', 'f:containers'];
    const item: PathElement[] = [...containers, 'k:{"name":"a"}'];
    const owned = setOf(
      containers,
      item,
      [...item, 'f:image'],
      [...item, 'f:resources', 'f:limits', 'f:cpu'],
      ['f:spec', 'f:hostname'],
      ['f:status'],
    );
    assert.deepEqual(resetFieldsOf(endpoint('pods/resize'))?.(owned), {
      'f:spec': {
        'f:containers': {
          '.': {},
          'k:{"name":"a"}': { '.': {}, 'f:resources': { 'f:limits': { 'f:cpu': {} } } },
        },
      },
    });
  });

  test('are only ephemeral containers through their endpoint', () => {
    const item: PathElement[] = ['f:spec', 'f:ephemeralContainers', 'k:{"name":"a"}'];
    const owned = setOf(item, [...item, 'f:image'], ['f:spec', 'f:containers']);
    assert.deepEqual(resetFieldsOf(endpoint('pods/ephemeralcontainers'))?.(owned), {
      'f:spec': { 'f:ephemeralContainers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {} } } },
    });
  });
});
