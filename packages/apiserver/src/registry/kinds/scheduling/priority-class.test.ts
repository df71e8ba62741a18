import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';
import { TestServer } from '../../../testing/test-server.ts';

describe('a PriorityClass', () => {
  it('has an immutable value, and only one can be the default', async () => {
    using kind = new TestKind('/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: 'c' },
      value: 5,
    });
    await kind.refusesToCreate([
      [
        { value: 1_000_000_001 },
        'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
      ],
      [
        { metadata: { name: 'system-x' } },
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
      ],
      [
        { metadata: { name: 'system-node-critical' }, value: 3 },
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
      ],
      [
        { preemptionPolicy: 'X' },
        'preemptionPolicy: Unsupported value: "X": supported values: "PreemptLowerPriority", "Never"',
      ],
    ]);
    const object = await kind.given({ globalDefault: true });
    await kind.updated(object, { description: 'x' });
    await kind.refusesToUpdate(object, [
      [{ value: 6 }, 'value: Forbidden: may not be changed in an update.'],
      [
        { preemptionPolicy: 'Never' },
        'preemptionPolicy: Invalid value: "Never": field is immutable',
      ],
    ]);
    await kind.refusesToCreate([
      [
        { metadata: { name: 'd' }, globalDefault: true },
        '403: priorityclasses.scheduling.k8s.io "d" is forbidden: PriorityClass c is already marked as default. Only one default can exist',
      ],
    ]);
  });

  it('of the system cannot be deleted', async () => {
    using server = new TestServer();
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical';
    const { status, body } = await server.delete(path);
    assert.equal(status, 403);
    assert.equal(
      body['message'],
      'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
    );
  });
});
