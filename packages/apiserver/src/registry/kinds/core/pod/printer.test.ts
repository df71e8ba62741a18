import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { ContainerState, ContainerStatus, Pod } from 'client-ts/api/core/v1';
import { podPrinter } from './printer.ts';
import type { Printable } from '../../../printers/printer.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

type PodStatus = NonNullable<Printable<Pod>['status']>;

function row(pod: Printable<Pod>): Record<string, unknown> {
  const cells = podPrinter.cells(pod, NOW);
  return Object.fromEntries(podPrinter.columns.map(({ name }, index) => [name, cells[index]]));
}

function container(
  state: Printable<ContainerState>,
  rest: Printable<ContainerStatus> = {},
): Printable<ContainerStatus> {
  return { name: 'main', ready: false, restartCount: 0, state, ...rest };
}

const running = { running: { startedAt: '2026-03-01T11:00:00Z' } };
const completed = { terminated: { exitCode: 0, reason: 'Completed' } };
const failed = { terminated: { exitCode: 1, reason: 'Error' } };
const ready = { ready: true };
const isReady = [{ type: 'Ready', status: 'True' }];
const deleted = { deletionTimestamp: '2026-03-01T11:59:00Z' };

/** The pod, and the cells Ready and Status. */
const cases: Readonly<Record<string, [Printable<Pod>, string, string]>> = {
  'without container statuses': [pod({ phase: 'Pending' }), '0/1', 'Pending'],
  running: [
    pod({ phase: 'Running', containerStatuses: [container(running, ready)] }),
    '1/1',
    'Running',
  ],
  'running but not ready': [
    pod({ phase: 'Running', containerStatuses: [container(running)] }),
    '0/1',
    'Running',
  ],
  'crashing repeatedly': [
    pod({
      phase: 'Running',
      containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } })],
    }),
    '0/1',
    'CrashLoopBackOff',
  ],
  completed: [
    pod({ phase: 'Succeeded', containerStatuses: [container(completed)] }),
    '0/1',
    'Completed',
  ],
  failed: [pod({ phase: 'Failed', containerStatuses: [container(failed)] }), '0/1', 'Error'],
  'killed by a signal': [
    pod({ containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })] }),
    '0/1',
    'Signal:9',
  ],
  'with an exit code and no reason': [
    pod({ containerStatuses: [container({ terminated: { exitCode: 3 } })] }),
    '0/1',
    'ExitCode:3',
  ],
  evicted: [pod({ phase: 'Failed', reason: 'Evicted' }), '0/1', 'Evicted'],
  'with scheduling gates': [
    pod({
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    }),
    '0/1',
    'SchedulingGated',
  ],
  'with one container completed and one running': [
    pod({
      phase: 'Running',
      conditions: isReady,
      containerStatuses: [container(completed), container(running, ready)],
    }),
    '1/1',
    'Running',
  ],
  'with one container completed and the pod not ready': [
    pod({ containerStatuses: [container(completed), container(running, ready)] }),
    '1/1',
    'NotReady',
  ],
  'with one container completed and one failed': [
    pod({ containerStatuses: [container(completed), container(failed)] }),
    '0/1',
    'Error',
  ],
  'with two failures, of which the first is shown': [
    pod({ containerStatuses: [container({ waiting: { reason: 'First' } }), container(failed)] }),
    '0/1',
    'First',
  ],
  'at its first init container': [
    pod({ initContainerStatuses: [container({ waiting: { reason: 'PodInitializing' } })] }, 2),
    '0/1',
    'Init:0/2',
  ],
  'at its second init container': [
    pod({ initContainerStatuses: [container(completed), container(running)] }, 2),
    '0/1',
    'Init:1/2',
  ],
  'whose init container failed': [
    pod({ initContainerStatuses: [container(failed)] }, 1),
    '0/1',
    'Init:Error',
  ],
  'whose init container was killed': [
    pod({ initContainerStatuses: [container({ terminated: { exitCode: 1, signal: 15 } })] }, 1),
    '0/1',
    'Init:Signal:15',
  ],
  'whose init container has no image': [
    pod({ initContainerStatuses: [container({ waiting: { reason: 'ErrImagePull' } })] }, 1),
    '0/1',
    'Init:ErrImagePull',
  ],
  'being deleted': [
    pod({ phase: 'Running', containerStatuses: [container(running, ready)] }, 0, deleted),
    '1/1',
    'Terminating',
  ],
  'being deleted after it completed': [
    pod({ phase: 'Succeeded', containerStatuses: [container(completed)] }, 0, deleted),
    '0/1',
    'Completed',
  ],
  'being deleted on an unreachable node': [
    pod({ phase: 'Running', reason: 'NodeLost' }, 0, deleted),
    '0/1',
    'Unknown',
  ],
};

function pod(status: PodStatus, inits = 0, metadata = {}): Printable<Pod> {
  const initContainers = Array.from({ length: inits }, (_, index) => ({ name: `init-${index}` }));
  return { metadata, spec: { containers: [{ name: 'main' }], initContainers }, status };
}

describe('the row of a pod', () => {
  for (const [name, [object, readyCell, statusCell]] of Object.entries(cases)) {
    it(`shows ${readyCell} ${statusCell} for a pod ${name}`, () => {
      const { Ready, Status } = row(object);
      assert.deepEqual([Ready, Status], [readyCell, statusCell]);
    });
  }

  const ended = (finishedAt: string): Printable<ContainerStatus> => ({
    lastState: { terminated: { exitCode: 1, finishedAt } },
  });

  it('sums up restarts, with the time since the last one', () => {
    const containerStatuses = [
      container(running, { restartCount: 2, ...ended('2026-03-01T11:00:00Z') }),
      container(running, { restartCount: 3, ...ended('2026-03-01T11:55:00Z') }),
    ];
    assert.equal(row(pod({ containerStatuses }))['Restarts'], '5 (5m ago)');
    assert.equal(
      row(pod({ containerStatuses: containerStatuses.toReversed() }))['Restarts'],
      '5 (5m ago)',
    );
  });

  it('omits the time if it is unknown or there was no restart', () => {
    const known = ended('2026-03-01T11:00:00Z');
    assert.equal(row(pod({ containerStatuses: [container(running, known)] }))['Restarts'], '0');
    const unknown = container(running, { restartCount: 1 });
    assert.equal(row(pod({ containerStatuses: [unknown] }))['Restarts'], '1');
  });

  it('counts restarts of init containers only during initialization', () => {
    const initContainerStatuses = [container(failed, { restartCount: 4 })];
    assert.equal(row(pod({ initContainerStatuses }, 1))['Restarts'], '4');
    const done = [container(completed, { restartCount: 4 })];
    const containerStatuses = [container(running, { restartCount: 1 })];
    assert.equal(row(pod({ initContainerStatuses: done, containerStatuses }, 1))['Restarts'], '1');
  });

  it('counts sidecars among the containers', () => {
    const sidecar = container(running, {
      name: 'side',
      ready: true,
      started: true,
      restartCount: 2,
    });
    const status: PodStatus = {
      phase: 'Running',
      initContainerStatuses: [sidecar],
      containerStatuses: [container(running, { ready: true, restartCount: 1 })],
    };
    const spec = {
      containers: [{ name: 'main' }],
      initContainers: [{ name: 'side', restartPolicy: 'Always' }],
    };
    const { Ready, Status, Restarts } = row({ spec, status });
    assert.deepEqual([Ready, Status, Restarts], ['2/2', 'Running', '3']);
    const starting = { ...status, initContainerStatuses: [{ ...sidecar, started: false }] };
    assert.equal(row({ spec, status: starting })['Status'], 'Init:0/1');
  });

  it('shows the number of true readiness gates', () => {
    const spec = { readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] };
    const conditions = [
      { type: 'a', status: 'True' },
      { type: 'b', status: 'False' },
    ];
    assert.equal(row({ spec, status: { conditions } })['Readiness Gates'], '1/2');
    assert.equal(row({ spec })['Readiness Gates'], '0/2');
    assert.equal(row({})['Readiness Gates'], '<none>');
  });

  it('has a condition when the pod is finished', () => {
    const conditionsIn = (phase: string): unknown => podPrinter.conditions?.({ status: { phase } });
    assert.deepEqual(conditionsIn('Failed'), [
      { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
    ]);
    assert.notEqual(conditionsIn('Succeeded'), undefined);
    for (const phase of ['Running', 'toString', '']) assert.equal(conditionsIn(phase), undefined);
  });
});
