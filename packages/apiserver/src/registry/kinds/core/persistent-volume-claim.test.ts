import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const CLASS = { metadata: { name: 'c' }, provisioner: 'example.com/p' };

describe('a PersistentVolumeClaim', () => {
  const CLAIM = {
    metadata: { name: 'p' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const claims = (): TestKind => new TestKind(CLAIMS, CLAIM);

  it('rejects invalid access modes, resources and sources', async () => {
    using kind = claims();
    await kind.refusesToCreate([
      [
        inSpec({ accessModes: [] }),
        'spec.accessModes: Required value: at least 1 access mode is required',
      ],
      [
        inSpec({ accessModes: ['X'] }),
        'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
      [
        inSpec({ accessModes: ['ReadWriteOncePod', 'ReadWriteMany'] }),
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      ],
      [inSpec({ resources: { requests: undefined } }), 'spec.resources[storage]: Required value'],
      [
        inSpec({ resources: { requests: { storage: '0' } } }),
        'spec.resources[storage]: Invalid value: "0": must be greater than zero',
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
        inSpec({ selector: { matchLabels: { 'a b': 'c' } } }),
        "spec.selector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        inSpec({ dataSource: { kind: 'PersistentVolumeClaim' } }),
        'spec.dataSource.name: Required value',
        'spec.dataSourceRef.name: Required value',
      ],
      [
        inSpec({ dataSourceRef: { kind: 'X', name: 'x' } }),
        'spec.dataSource: Invalid value: "X": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
        'spec.dataSourceRef: Invalid value: "X": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
      ],
      [
        inSpec({
          dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
          dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
        }),
        'spec: Invalid value: "spec.dataSource": must match dataSourceRef',
      ],
    ]);
  });

  it('gets a finalizer and a phase, and aligns its data sources', async () => {
    using kind = claims();
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'a' };
    const claim = await kind.created(inSpec({ dataSource }));
    assert.deepEqual(claim.metadata.finalizers, ['kubernetes.io/pvc-protection']);
    assert.deepEqual(claim['status'], { phase: 'Pending' });
    const { dataSourceRef } = claim['spec'] as { dataSourceRef: object };
    assert.deepEqual(dataSourceRef, { apiGroup: null, ...dataSource });
    const { spec } = await kind.created(inSpec({ dataSource: { kind: 'Other', name: 'a' } }));
    assert.equal((spec as { dataSource?: object }).dataSource, undefined);
  });

  it('gets the newest default class', async () => {
    using kind = claims();
    const classOf = async (): Promise<unknown> =>
      ((await kind.created())['spec'] as { storageClassName?: string }).storageClassName;
    assert.equal(await classOf(), undefined);
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await kind.server.given('post', CLASSES, { ...CLASS, metadata: { name: 'b', annotations } });
    await kind.server.given('post', CLASSES, { ...CLASS, metadata: { name: 'a', annotations } });
    assert.equal(await classOf(), 'a');
    await kind.server.clock.advance(1000);
    await kind.server.given('post', CLASSES, { ...CLASS, metadata: { name: 'z', annotations } });
    assert.equal(await classOf(), 'z');
  });

  it('can be expanded only if its class allows it', async () => {
    using kind = claims();
    await kind.server.given('post', CLASSES, { ...CLASS, allowVolumeExpansion: true });
    const larger = inSpec({ resources: { requests: { storage: '2Gi' } } });
    const claim = await kind.given(inSpec({ storageClassName: 'c' }));
    await kind.refusesToUpdate(claim, [
      [
        larger,
        'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\nchanged fields: spec.resources.requests.storage',
      ],
    ]);
    const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
    const bound = await kind.server.given('put', `${CLAIMS}/p/status`, { ...claim, status });
    await kind.updated(bound, larger);
    await kind.refusesToUpdate(bound, [
      [
        inSpec({ resources: { requests: { storage: '1Mi' } } }),
        'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
      ],
      [
        inSpec({ storageClassName: 'd' }),
        'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\nchanged fields: spec.storageClassName',
      ],
      [
        inSpec({ volumeMode: 'Block' }),
        'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\nchanged fields: spec.volumeMode',
        'volumeMode: Invalid value: "Block": field is immutable',
      ],
    ]);
    await kind.server.given('post', CLASSES, { ...CLASS, metadata: { name: 'fixed' } });
    const other = await kind.given({
      metadata: { name: 'q' },
      spec: { storageClassName: 'fixed' },
    });
    const stuck = await kind.server.given('put', `${CLAIMS}/q/status`, { ...other, status });
    await kind.refusesToUpdate(stuck, [
      [
        larger,
        '403: persistentvolumeclaims "q" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      ],
    ]);
  });

  it('can be bound through /status', async () => {
    using kind = claims();
    const claim = await kind.given();
    await kind.updated(claim, inSpec({ volumeName: 'v' }));
    await kind.refusesToUpdate(
      claim,
      [
        [
          { status: { capacity: { storage: '-1' } } },
          'status.capacity[storage]: Invalid value: "-1": must be greater than or equal to 0',
        ],
        [
          { status: { allocatedResourceStatuses: { cpu: 'X' } } },
          'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"',
          'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
        ],
        [
          { status: { allocatedResources: { cpu: '1' } } },
          'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
        ],
      ],
      '/status',
    );
  });
});
