import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const BATCH = '/apis/batch/v1/namespaces/default';
const TEMPLATE = {
  spec: {
    restartPolicy: 'Never',
    containers: [{ name: 'main', image: 'registry.example.com/app:1' }],
  },
};
const JOB = { metadata: { name: 'j' }, spec: { template: TEMPLATE } };

const jobs = (): TestKind => new TestKind(`${BATCH}/jobs`, JOB);

describe('the status of a Job', () => {
  const condition = (type: string, status = 'True'): object => ({
    type,
    status,
    lastProbeTime: '2026-01-01T00:00:00Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  const done = {
    startTime: '2026-01-01T00:00:00Z',
    completionTime: '2026-01-01T00:01:00Z',
    succeeded: 1,
    conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
  };

  it('has one terminal condition, with its time', async () => {
    using kind = jobs();
    const job = await kind.given();
    const status = (change: object): { status: object } => ({ status: change });
    await kind.updated(job, status(done), '/status');
    await kind.updated(job, status({ ...done, completionTime: done.startTime }), '/status');
    await kind.refusesToUpdate(
      job,
      [
        [
          status({ active: -1 }),
          'status.active: Invalid value: -1: must be greater than or equal to 0',
        ],
        [
          status({ ...done, conditions: [condition('Complete')] }),
          'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        ],
        [
          status({ ...done, completionTime: undefined }),
          'status.completionTime: Required value: completionTime is required for Complete jobs',
        ],
        [
          status({ ...done, completionTime: '2025-01-01T00:00:00Z' }),
          'status.completionTime: Invalid value: "2025-01-01T00:00:00Z": must be equal to or after `startTime`',
        ],
        [
          status({ completionTime: '2026-01-01T00:00:00Z' }),
          'status.completionTime: Invalid value: "2026-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
        ],
        [
          status({ ...done, active: 1, ready: 2, terminating: 1 }),
          'status.active: Invalid value: 1: active>0 is invalid for finished job',
          'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
          'status.ready: Invalid value: 2: cannot set more ready pods than active',
        ],
        [
          status({ ...done, startTime: undefined }),
          'status.startTime: Required value: startTime is required for finished job',
        ],
        [
          status({ ...done, uncountedTerminatedPods: { succeeded: ['a', 'a', ''] } }),
          'status.uncountedTerminatedPods.succeeded[1]: Duplicate value: "a"',
          'status.uncountedTerminatedPods.succeeded[2]: Invalid value: "": must not be empty',
          'status.uncountedTerminatedPods: Invalid value: {"succeeded":["a","a",""]}: must be empty for finished job',
        ],
        [
          status({ conditions: [condition('Failed')] }),
          'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
          'status.startTime: Required value: startTime is required for finished job',
        ],
        [
          status({
            ...done,
            conditions: [
              condition('Failed'),
              condition('FailureTarget'),
              condition('Complete'),
              condition('SuccessCriteriaMet'),
            ],
          }),
          'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
          'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
          'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
          'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
        ],
        [
          status({ completedIndexes: '0' }),
          'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
        ],
        [
          status({ completedIndexes: 'x', failedIndexes: '0' }),
          'status.completedIndexes: Invalid value: "x": error parsing completedIndexes: cannot convert string to integer for index: "x"',
          'status.completedIndexes: Invalid value: "x": cannot set non-empty completedIndexes when non-indexed completion mode',
          'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
        ],
      ],
      '/status',
    );
  });

  it('rejects updates that undo progress', async () => {
    using kind = jobs();
    const job = await kind.given();
    const stored = await kind.server.given('put', `${BATCH}/jobs/j/status`, {
      ...job,
      status: done,
    });
    await kind.refusesToUpdate(
      stored,
      [
        [
          { status: { conditions: [] } },
          'status.completionTime: Invalid value: "2026-01-01T00:01:00Z": cannot set completionTime when there is no Complete=True condition',
          'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
          'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
        ],
        [
          { status: { succeeded: 0 } },
          'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter',
        ],
        [
          { status: { startTime: '2026-01-01T00:00:30Z' } },
          'status.startTime: Invalid value: "2026-01-01T00:00:30Z": field is immutable for unsuspended job once set',
        ],
        [
          { status: { completionTime: '2026-01-01T00:02:00Z' } },
          'status.completionTime: Invalid value: "2026-01-01T00:02:00Z": field is immutable',
        ],
      ],
      '/status',
    );
    const { body } = await kind.server.get(`${BATCH}/jobs?fieldSelector=status.successful%3D1`);
    assert.equal(body.items?.length, 1);
  });
});
