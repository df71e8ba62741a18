import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Deployment } from '../api/apps/v1.ts';
import type { FieldsV1, ManagedFieldsEntry } from '../meta/types.ts';
import { extractApplied } from './extract-applied.ts';

const everything: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'default',
    uid: '1',
    labels: { app: 'web', team: 'a' },
    finalizers: ['x/1', 'x/2', 'x/3'],
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      spec: {
        containers: [
          {
            name: 'first',
            image: 'a',
            ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }],
          },
          { name: 'second', image: 'b', command: ['run', 'it'] },
        ],
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    },
  },
  status: { replicas: 2, readyReplicas: 1 },
};

function owned(fieldsV1: object, entry: Partial<ManagedFieldsEntry> = {}): Deployment {
  const managedFields = [
    { manager: 'other', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
    { manager: 'me', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    { manager: 'me', operation: 'Apply', fieldsV1: fieldsV1 as FieldsV1, ...entry },
  ];
  return { ...everything, metadata: { ...everything.metadata, managedFields } };
}

const identity = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
};

describe('extractApplied', () => {
  it('returns the fields that were applied, with kind, name and namespace', () => {
    const object = owned({
      'f:spec': { 'f:replicas': {} },
      'f:metadata': { 'f:labels': { 'f:team': {} } },
    });
    assert.deepEqual(extractApplied(object, 'me'), {
      ...identity,
      metadata: { ...identity.metadata, labels: { team: 'a' } },
      spec: { replicas: 3 },
    });
  });

  it('finds items by their keys, and includes the keys', () => {
    const object = owned({
      'f:spec': {
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"second"}': { '.': {}, 'f:image': {}, 'f:command': {} },
              'k:{"name":"first"}': {
                'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { 'f:name': {} } },
              },
              'k:{"name":"gone"}': { 'f:image': {} },
            },
            'f:volumes': { 'k:{"name":"tmp"}': { '.': {}, 'f:emptyDir': {}, 'f:name': {} } },
          },
        },
      },
    });
    assert.deepEqual(extractApplied(object, 'me'), {
      ...identity,
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'first', ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] },
              { name: 'second', image: 'b', command: ['run', 'it'] },
            ],
            volumes: [{ name: 'tmp', emptyDir: {} }],
          },
        },
      },
    });
  });

  it('finds the items of a set, in list order', () => {
    const object = owned({
      'f:metadata': { 'f:finalizers': { 'v:"x/3"': {}, 'v:"x/1"': {}, 'v:"x/9"': {} } },
    });
    assert.deepEqual(extractApplied(object, 'me').metadata.finalizers, ['x/1', 'x/3']);
  });

  it('returns a node without children as a whole', () => {
    const object = owned({ 'f:spec': { 'f:selector': {}, 'f:template': { '.': {} } } });
    assert.deepEqual(extractApplied(object, 'me').spec, {
      selector: everything.spec?.selector,
      template: everything.spec?.template,
    });
  });

  it('separates fields applied to a subresource', () => {
    const object = owned({ 'f:status': { 'f:replicas': {} } }, { subresource: 'status' });
    assert.deepEqual(extractApplied(object, 'me'), identity);
    assert.deepEqual(extractApplied(object, 'me', { subresource: 'status' }), {
      ...identity,
      status: { replicas: 2 },
    });
  });

  it('omits what is gone, and returns no fields for a manager without any', () => {
    assert.deepEqual(extractApplied(owned({ 'f:spec': { 'f:paused': {} } }), 'me'), {
      ...identity,
      spec: {},
    });
    assert.deepEqual(extractApplied(owned({}), 'another'), identity);
    assert.deepEqual(extractApplied(everything, 'me'), identity);
  });

  it('returns a copy', () => {
    const object = owned({ 'f:spec': { 'f:selector': {} } });
    const mine = extractApplied(object, 'me');
    assert.ok(mine.spec?.selector?.matchLabels);
    mine.spec.selector.matchLabels['app'] = 'other';
    assert.deepEqual(object.spec?.selector.matchLabels, { app: 'web' });
  });
});
