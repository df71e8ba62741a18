import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  metaNamespaceIndexFunc,
  ownerUidIndexFunc,
  podNodeNameIndexFunc,
  podPersistentVolumeClaimIndexFunc,
} from './indexers.ts';
import { testObject } from './test-objects.ts';

const metadata = { namespace: 'ns', name: 'web-0' };

describe('metaNamespaceIndexFunc', () => {
  it('indexes cluster-scoped objects under the empty string', () => {
    assert.deepEqual(metaNamespaceIndexFunc(testObject('ns/a')), ['ns']);
    assert.deepEqual(metaNamespaceIndexFunc(testObject('node-1')), ['']);
    assert.deepEqual(metaNamespaceIndexFunc({}), ['']);
  });
});

describe('podNodeNameIndexFunc', () => {
  const onNode = (phase?: string) =>
    podNodeNameIndexFunc({
      metadata,
      spec: { nodeName: 'node-1', containers: [] },
      ...(phase === undefined ? {} : { status: { phase } }),
    });

  it('indexes pods by their node', () => {
    assert.deepEqual(onNode(), ['node-1']);
    assert.deepEqual(onNode('Pending'), ['node-1']);
    assert.deepEqual(onNode('Running'), ['node-1']);
  });

  it('leaves out finished and unscheduled pods', () => {
    assert.deepEqual(onNode('Succeeded'), []);
    assert.deepEqual(onNode('Failed'), []);
    assert.deepEqual(podNodeNameIndexFunc({ metadata, spec: { containers: [] } }), []);
    assert.deepEqual(podNodeNameIndexFunc({ metadata }), []);
  });
});

describe('podPersistentVolumeClaimIndexFunc', () => {
  it('indexes claims by name, and those of ephemeral volumes', () => {
    const volumes = [
      { name: 'data', persistentVolumeClaim: { claimName: 'web-data' } },
      { name: 'scratch', ephemeral: {} },
      { name: 'config', configMap: { name: 'web' } },
    ];
    assert.deepEqual(
      podPersistentVolumeClaimIndexFunc({ metadata, spec: { containers: [], volumes } }),
      ['ns/web-data', 'ns/web-0-scratch'],
    );
    assert.deepEqual(podPersistentVolumeClaimIndexFunc({ metadata }), []);
  });
});

describe('ownerUidIndexFunc', () => {
  it('indexes every owner', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' };
    const ownerReferences = [
      { ...owner, uid: 'one', controller: true },
      { ...owner, uid: 'two' },
    ];
    assert.deepEqual(ownerUidIndexFunc({ metadata: { name: 'x', ownerReferences } }), [
      'one',
      'two',
    ]);
    assert.deepEqual(ownerUidIndexFunc({}), []);
  });
});
