import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('devices', () => {
  const RESOURCE = '/apis/resource.k8s.io/v1';
  const devices = { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] };

  it('have immutable claims', async () => {
    using kind = new TestKind(`${RESOURCE}/namespaces/default/resourceclaims`, {
      metadata: { name: 'c' },
      spec: { devices },
    });
    const claim = await kind.given();
    const { body } = await kind.tryUpdate(claim, inSpec({ devices: { requests: [] } }));
    assert.deepEqual(body.details?.causes?.[0]?.field, 'spec');
    const { metadata } = await kind.updated(claim, { metadata: { labels: { a: 'b' } } }, '/status');
    assert.equal(metadata.labels, undefined);
  });

  it('get a time with every taint, and can be selected by node and driver', async () => {
    using kind = new TestKind(`${RESOURCE}/resourceslices`, {
      metadata: { name: 's' },
      spec: {
        driver: 'd',
        nodeName: 'n',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd', taints: [{ key: 'a', effect: 'NoSchedule' }] }],
      },
    });
    const slice = await kind.given();
    const [device] = (slice['spec'] as { devices: { taints: { timeAdded: string }[] }[] }).devices;
    assert.equal(device?.taints[0]?.timeAdded, '2026-01-01T00:00:00Z');
    for (const selector of ['spec.nodeName%3Dn', 'spec.driver%3Dd']) {
      const { body } = await kind.server.get(
        `${RESOURCE}/resourceslices?fieldSelector=${selector}`,
      );
      assert.equal(body.items?.length, 1);
    }
    await kind.refusesToUpdate(slice, [
      [inSpec({ driver: 'e' }), 'spec.driver: Invalid value: "e": field is immutable'],
      [inSpec({ nodeName: 'm' }), 'spec.nodeName: Invalid value: "m": field is immutable'],
      [inSpec({ pool: { name: '' } }), 'spec.pool.name: Required value'],
    ]);
  });

  it('in use are open to namespaces of administrators only', async () => {
    const requests = [{ name: 'r', exactly: { deviceClassName: 'c', adminAccess: true } }];
    using kind = new TestKind(`${RESOURCE}/namespaces/default/resourceclaims`, {
      metadata: { name: 'c' },
      spec: { devices: { requests } },
    });
    await kind.refusesToCreate([
      [
        {},
        'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
      ],
    ]);
    const labels = { 'resource.kubernetes.io/admin-access': 'true' };
    await kind.server.patch('merge', '/api/v1/namespaces/default', { metadata: { labels } });
    assert.equal((await kind.tryCreate()).status, 201);
  });
});
