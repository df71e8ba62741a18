import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DaemonSet, StatefulSet } from '../api/apps/v1.ts';
import { statusOf } from './rollout-status.ts';

function statefulSet(spec: object, status: object): StatefulSet {
  const object: object = { metadata: { name: 'db', generation: 2 }, spec, status };
  return object;
}

describe('the status of a rollout', () => {
  it('of a stateful set with a partition ends when the updated part is ready', () => {
    const spec = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } };
    const ready = { observedGeneration: 2, readyReplicas: 3 };
    const at = (updatedReplicas: number) =>
      statusOf('StatefulSet', statefulSet(spec, { ...ready, updatedReplicas }));
    assert.deepEqual(at(0), {
      isDone: false,
      message:
        'Waiting for partitioned roll out to finish: 0 out of 1 new pods have been updated...',
    });
    assert.deepEqual(at(1), {
      isDone: true,
      message: 'partitioned roll out complete: 1 new pods have been updated...',
    });
  });

  it('of a stateful set compares revisions', () => {
    const at = (currentRevision: string) =>
      statusOf(
        'StatefulSet',
        statefulSet(
          { replicas: 1 },
          {
            observedGeneration: 2,
            readyReplicas: 1,
            currentReplicas: 1,
            updatedReplicas: 1,
            updateRevision: 'b',
            currentRevision,
          },
        ),
      );
    assert.equal(
      at('a').message,
      'waiting for statefulset rolling update to complete 1 pods at revision b...',
    );
    assert.deepEqual(at('b'), {
      isDone: true,
      message: 'statefulset rolling update complete 1 pods at revision b...',
    });
  });

  it('of an older generation is not the current one', () => {
    assert.equal(
      statusOf('StatefulSet', statefulSet({}, { observedGeneration: 1 })).message,
      'Waiting for statefulset spec update to be observed...',
    );
  });

  it('is refused for OnDelete, which has no rollout', () => {
    const spec = { updateStrategy: { type: 'OnDelete' } } as DaemonSet['spec'];
    for (const kind of ['DaemonSet', 'StatefulSet'] as const) {
      assert.throws(() => statusOf(kind, { spec } as DaemonSet), {
        code: 'OPERATIONS_ROLLOUT_UNSUPPORTED',
      });
    }
  });
});
