import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '../api/core/v1.ts';
import { compareForExec, compareForLogs } from './pod-order.ts';

interface Facts {
  readonly node?: string;
  readonly phase?: string;
  readonly ready?: string;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly created?: number;
}

function podOf(name: string, facts: Facts): Pod {
  const { node = 'node-1', phase = 'Running', ready, restarts = 0, sidecarRestarts = 0 } = facts;
  const time = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`;
  const condition = { type: 'Ready', status: 'True', lastTransitionTime: time(Number(ready)) };
  const status = { ready: true, image: '', imageID: '' };
  return {
    metadata: { name, creationTimestamp: time(facts.created ?? 0) },
    spec: {
      nodeName: node,
      containers: [],
      initContainers: [{ name: 'proxy', restartPolicy: 'Always' }],
    },
    status: {
      phase,
      conditions: ready === undefined ? [] : [condition],
      containerStatuses: [{ name: 'app', restartCount: restarts, ...status }],
      initContainerStatuses: [{ name: 'proxy', restartCount: sidecarRestarts, ...status }],
    },
  };
}

/** Returns the names in order. */
function sorted(compare: (left: Pod, right: Pod) => number, pods: readonly Pod[]): string {
  return pods
    .toReversed()
    .toSorted(compare)
    .map(({ metadata }) => metadata?.name)
    .join(' ');
}

describe('the order of pods', () => {
  it('is for logs: assigned, phase, ready, restarts, age', () => {
    const pods = [
      podOf('ready-longer', { ready: '1', created: 9 }),
      podOf('ready', { ready: '2' }),
      podOf('restarted', { restarts: 2, created: 9 }),
      podOf('sidecar-restarted', { restarts: 1, sidecarRestarts: 3, created: 9 }),
      podOf('restarted-once', { restarts: 1 }),
      podOf('older', { created: 1 }),
      podOf('failed', { phase: 'Failed', created: 2 }),
      podOf('newer', { created: 3 }),
      podOf('unknown', { phase: 'Unknown' }),
      podOf('pending', { phase: 'Pending' }),
      podOf('unassigned', { node: '', phase: 'Pending' }),
    ];
    assert.equal(
      sorted(compareForLogs, pods),
      pods.map(({ metadata }) => metadata?.name).join(' '),
    );
  });

  it('is for exec: ready, fewer restarts, age', () => {
    const pods = [
      podOf('ready-longer', { ready: '1', restarts: 5, created: 9 }),
      podOf('ready', { ready: '2' }),
      podOf('older', { created: 1 }),
      podOf('newer', { created: 3 }),
      podOf('sidecar-restarted', { sidecarRestarts: 1 }),
      podOf('restarted', { restarts: 1 }),
    ];
    assert.equal(
      sorted(compareForExec, pods),
      pods.map(({ metadata }) => metadata?.name).join(' '),
    );
  });
});
