import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

describe('a Node', () => {
  const nodes = (): TestKind => new TestKind('/api/v1/nodes', { metadata: { name: 'n' } });

  it('gets a not-ready taint', async () => {
    using kind = nodes();
    const { spec } = await kind.created();
    assert.deepEqual(spec, {
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    });
  });

  it('rejects invalid addresses and taints', async () => {
    using kind = nodes();
    await kind.refusesToCreate([
      [
        { spec: { podCIDRs: ['x'], podCIDR: 'x' } },
        'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
      [
        { spec: { taints: [{ key: 'a b', effect: 'NoSchedule' }] } },
        "metadata.taints[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        { spec: { taints: [{ key: 'a', effect: 'Go' }] } },
        'metadata.taints[0].effect: Unsupported value: "Go": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
      [
        {
          spec: {
            taints: [
              { key: 'a', effect: 'NoSchedule' },
              { key: 'a', effect: 'NoSchedule' },
            ],
          },
        },
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      ],
      [
        { status: { capacity: { cpu: '-1' } } },
        'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ]);
  });

  it('rejects changes of its pod CIDRs and provider ID', async () => {
    using kind = nodes();
    const node = await kind.given({ spec: { podCIDR: '10.1.0.0/24', providerID: 'a' } });
    await kind.refusesToUpdate(node, [
      [
        { spec: { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] } },
        'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      ],
      [
        { spec: { providerID: 'b' } },
        'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
      ],
    ]);
    await kind.refusesToUpdate(
      node,
      [
        [
          {
            status: {
              addresses: [
                { type: 'InternalIP', address: 'a' },
                { type: 'InternalIP', address: 'a' },
              ],
            },
          },
          'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"a"}',
        ],
      ],
      '/status',
    );
    await kind.updated(node, { spec: { unschedulable: true } });
  });
});
