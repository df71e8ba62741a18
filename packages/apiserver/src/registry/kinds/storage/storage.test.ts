import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('other storage kinds', () => {
  it('CSIDriver: counts updates, not the creation', async () => {
    using kind = new TestKind('/apis/storage.k8s.io/v1/csidrivers', {
      metadata: { name: 'd' },
      spec: {},
    });
    const driver = await kind.given();
    assert.equal(driver.metadata.generation, undefined);
    const { metadata } = await kind.updated(driver, inSpec({ storageCapacity: true }));
    assert.equal(metadata.generation, 1);
    await kind.refusesToUpdate(driver, [
      [
        inSpec({ attachRequired: false }),
        'spec.attachedRequired: Invalid value: false: field is immutable',
      ],
      [
        inSpec({ fsGroupPolicy: 'X' }),
        'spec.fsGroupPolicy: Unsupported value: "X": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      ],
      [
        inSpec({ volumeLifecycleModes: ['Ephemeral'] }),
        'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable',
      ],
      [
        inSpec({ tokenRequests: [{ audience: 'a', expirationSeconds: 5 }, { audience: 'a' }] }),
        'spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
        'spec.tokenRequests[1].audience: Duplicate value: "a"',
      ],
    ]);
    assert.deepEqual(
      await kind.warnings({
        metadata: { name: 'e' },
        spec: { tokenRequests: [{ audience: 'a' }] },
      }),
      [
        'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
      ],
    );
  });

  it('CSINode: drivers are immutable', async () => {
    using kind = new TestKind('/apis/storage.k8s.io/v1/csinodes', {
      metadata: { name: 'n' },
      spec: { drivers: [{ name: 'd', nodeID: 'i', topologyKeys: ['a'] }] },
    });
    await kind.refusesToCreate([
      [inSpec({ drivers: [{ name: 'd' }] }), 'spec.drivers[0].nodeID: Required value'],
      [
        inSpec({
          drivers: [
            { name: 'd', nodeID: 'i' },
            { name: 'd', nodeID: 'i' },
          ],
        }),
        'spec.drivers[1].name: Duplicate value: "d"',
      ],
      [
        inSpec({ drivers: [{ name: 'd', nodeID: 'i', allocatable: { count: -1 } }] }),
        'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
      ],
    ]);
    const node = await kind.given();
    await kind.updated(
      node,
      inSpec({
        drivers: [{ name: 'd', nodeID: 'i', topologyKeys: ['a'], allocatable: { count: 3 } }],
      }),
    );
    await kind.refusesToUpdate(node, [
      [
        inSpec({ drivers: [{ name: 'd', nodeID: 'j', topologyKeys: ['a'] }] }),
        'spec.drivers: Invalid value: {"name":"d","nodeID":"j","topologyKeys":["a"]}: field is immutable',
      ],
    ]);
  });

  it('VolumeAttachment: has an immutable spec', async () => {
    using kind = new TestKind('/apis/storage.k8s.io/v1/volumeattachments', {
      metadata: { name: 'a' },
      spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    });
    await kind.refusesToCreate([
      [inSpec({ attacher: '' }), 'spec.attacher: Required value'],
      [
        inSpec({ source: { persistentVolumeName: undefined } }),
        'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
      ],
      [
        inSpec({ source: { persistentVolumeName: '' } }),
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        "spec.source.persistentVolumeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ nodeName: '' }),
        "spec.nodeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ]);
    const object = await kind.given();
    await kind.refusesToUpdate(object, [
      [
        inSpec({ nodeName: 'm' }),
        'spec: Invalid value: {"attacher":"d","source":{"persistentVolumeName":"v"},"nodeName":"m"}: field is immutable',
      ],
    ]);
    const { status, metadata } = await kind.updated(
      object,
      { status: { attached: true }, metadata: { labels: { a: 'b' } } },
      '/status',
    );
    assert.deepEqual(status, { attached: true });
    assert.equal(metadata.labels, undefined);
  });

  it('VolumeAttributesClass: is immutable', async () => {
    using kind = new TestKind('/apis/storage.k8s.io/v1/volumeattributesclasses', {
      metadata: { name: 'a' },
      driverName: 'd',
      parameters: { a: 'b' },
    });
    await kind.refusesToCreate([
      [
        { parameters: undefined },
        'parameters: Required value: must contain at least one key/value pair',
      ],
      [{ driverName: '' }, 'driverName: Required value'],
    ]);
    const object = await kind.given();
    await kind.refusesToUpdate(object, [
      [{ parameters: { a: 'c' } }, 'parameters: Forbidden: updates to parameters are forbidden.'],
      [{ driverName: 'e' }, 'driverName: Forbidden: updates to driverName are forbidden.'],
    ]);
  });

  it('CSIStorageCapacity: has an immutable class and topology', async () => {
    using kind = new TestKind('/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities', {
      metadata: { name: 'a' },
      storageClassName: 'c',
    });
    await kind.refusesToCreate([
      [
        { storageClassName: '' },
        "storageClassName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [{ capacity: '-1' }, 'capacity: Invalid value: "-1": must be greater than or equal to 0'],
    ]);
    const object = await kind.given();
    await kind.refusesToUpdate(object, [
      [{ storageClassName: 'd' }, 'storageClassName: Invalid value: "d": field is immutable'],
      [
        { nodeTopology: { matchLabels: { a: 'b' } } },
        'nodeTopology: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable',
      ],
    ]);
  });
});
