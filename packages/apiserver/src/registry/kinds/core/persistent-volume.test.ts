import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a PersistentVolume', () => {
  const volumes = (): TestKind =>
    new TestKind('/api/v1/persistentvolumes', {
      metadata: { name: 'v' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
      },
    });
  const from = (source: object): { spec: object } => inSpec({ hostPath: undefined, ...source });

  it('rejects invalid capacities, access modes and sources', async () => {
    using kind = volumes();
    await kind.refusesToCreate([
      [inSpec({ accessModes: [] }), 'spec.accessModes: Required value'],
      [
        inSpec({ capacity: undefined }),
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: null: supported values: "storage"',
      ],
      [
        inSpec({ capacity: { cpu: '1' } }),
        'spec.capacity: Unsupported value: {"cpu":"1","storage":"1Gi"}: supported values: "storage"',
      ],
      [
        inSpec({ capacity: { storage: '0' } }),
        'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
      ],
      [
        inSpec({ persistentVolumeReclaimPolicy: 'X' }),
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "X": supported values: "Delete", "Recycle", "Retain"',
      ],
      [
        inSpec({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }),
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      ],
      [inSpec({ hostPath: undefined }), 'spec: Required value: must specify a volume type'],
      [
        inSpec({ nfs: { server: 's', path: '/x' } }),
        'spec.nfs: Forbidden: may not specify more than 1 volume type',
      ],
      [
        inSpec({ storageClassName: 'A b' }),
        "spec.storageClassName: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ volumeMode: 'X' }),
        'spec.volumeMode: Unsupported value: "X": supported values: "Block", "Filesystem"',
      ],
      [
        inSpec({ nodeAffinity: {} }),
        'spec.nodeAffinity.required: Required value: must specify required node constraints',
      ],
      [
        inSpec({ volumeAttributesClassName: 'a' }),
        'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
      ],
      [
        from({ local: { path: '/x' } }),
        'spec.nodeAffinity: Required value: Local volume requires node affinity',
      ],
      [
        from({ csi: {} }),
        'spec.csi.driver: Required value',
        'spec.csi.volumeHandle: Required value',
      ],
      [
        from({ csi: { driver: 'd', volumeHandle: 'h', nodePublishSecretRef: { name: 'a' } } }),
        'spec.csi.nodePublishSecretRef.namespace: Required value',
      ],
      [
        from({ gcePersistentDisk: { partition: 300 } }),
        'spec.persistentDisk.pdName: Required value',
        'spec.persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
      ],
      [
        from({ nfs: {} }),
        'spec.nfs.server: Required value',
        'spec.nfs.path: Required value',
        'spec.nfs.path: Invalid value: "": must be an absolute path',
      ],
      [
        { metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } } },
        'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type',
      ],
    ]);
  });

  it('rejects changes of its source', async () => {
    using kind = volumes();
    const volume = await kind.given();
    await kind.updated(volume, inSpec({ persistentVolumeReclaimPolicy: 'Delete' }));
    await kind.refusesToUpdate(volume, [
      [
        inSpec({ hostPath: { path: '/y' } }),
        'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\nchanged fields: spec.hostPath.path',
      ],
      [inSpec({ volumeMode: 'Block' }), 'volumeMode: Invalid value: "Block": field is immutable'],
    ]);
  });

  it('records the time of its phase transition', async () => {
    using kind = volumes();
    const volume = await kind.given();
    assert.deepEqual(volume.metadata.finalizers, ['kubernetes.io/pv-protection']);
    await kind.server.clock.advance(5000);
    const { status } = await kind.updated(volume, { status: { phase: 'Available' } }, '/status');
    assert.deepEqual(status, {
      phase: 'Available',
      lastPhaseTransitionTime: '2026-01-01T00:00:05Z',
    });
  });

  it('warns about unsupported sources and annotations', async () => {
    using kind = volumes();
    assert.deepEqual(await kind.warnings(inSpec({ persistentVolumeReclaimPolicy: 'Recycle' })), [
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    ]);
    assert.deepEqual(await kind.warnings(from({ rbd: { monitors: ['m'], image: 'i' } })), [
      'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
    ]);
  });
});
