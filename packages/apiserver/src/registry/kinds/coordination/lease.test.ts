import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';
import { TestServer } from '../../../testing/test-server.ts';

describe('a Lease', () => {
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

  it('rejects invalid durations and transitions', async () => {
    using kind = new TestKind(LEASES, { metadata: { name: 'l' }, spec: {} });
    await kind.refusesToCreate([
      [
        { spec: { leaseDurationSeconds: 0 } },
        'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      ],
      [
        { spec: { leaseTransitions: -1 } },
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
      ],
    ]);
  });

  it('is created by an update; an existing one needs a resourceVersion', async () => {
    using kind = new TestKind(LEASES, { metadata: { name: 'l' }, spec: {} });
    const { status } = await kind.server.put(`${LEASES}/l`, { metadata: { name: 'l' } });
    assert.equal(status, 201);
    const { body } = await kind.server.put(`${LEASES}/l`, { metadata: { name: 'l' } });
    assert.equal(
      body.message,
      'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });
});

describe('a LeaseCandidate', () => {
  it('requires a lease name, versions and a strategy', async () => {
    using kind = new TestKind(
      '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates',
      {
        metadata: { name: 'Any_name' },
        spec: { leaseName: 'l', binaryVersion: '1.0.0', strategy: 'OldestEmulationVersion' },
      },
      new TestServer({ runtimeConfig: { 'coordination.k8s.io/v1beta1': true } }),
    );
    await kind.refusesToCreate([
      [
        { metadata: { name: 'a/b' } },
        "metadata.name: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      [
        { spec: { leaseName: '', binaryVersion: '', strategy: '' } },
        'spec.leaseName: Required value',
        'spec.binaryVersion: Required value',
        'spec.strategy: Required value',
      ],
    ]);
    const candidate = await kind.given();
    await kind.refusesToUpdate(candidate, [
      [{ spec: { leaseName: 'm' } }, 'spec.leaseName: Invalid value: "m": field is immutable'],
    ]);
  });
});
