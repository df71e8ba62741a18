import type { ContainerStatus, PodStatus } from 'client-ts/api/core/v1';
import { formatTime, isBeingDeleted } from 'client-ts/meta';
import type { EventType } from 'client-ts/record';

import { between, type Chance, integerBetween } from './chance.ts';
import type { CachedPod } from './cluster.ts';

/**
 * The state of a pod on a node: `new`, nothing done yet; `pulling` its image; `unpullable`, there
 * is no such image; `running`; `crashed`, in back-off; `stopping`, terminating and still running;
 * `stopped`, ready to be removed; `completed`, ended for good.
 */
export type PodState =
  | 'completed'
  | 'crashed'
  | 'new'
  | 'pulling'
  | 'running'
  | 'stopped'
  | 'stopping'
  | 'unpullable';

/** An event about a pod. */
export interface PodEvent {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** A step of a kubelet: the status it writes and the events it records. */
export interface PodStep {
  readonly status: PodStatus;
  readonly events: readonly PodEvent[];
}

/** Images with this tag cannot be pulled. */
export const brokenTag = 'broken';

const waiting = {
  pulling: 'ContainerCreating',
  pullFailed: 'ErrImagePull',
  unpullable: 'ImagePullBackOff',
  crashed: 'CrashLoopBackOff',
} as const;

/** Returns the state of a pod, from the pod alone. */
export function stateOf(pod: CachedPod): PodState {
  const { state = {} } = pod.status?.containerStatuses?.[0] ?? {};
  const isRunning = state.running !== undefined;
  if (isBeingDeleted(pod)) return isRunning ? 'stopping' : 'stopped';
  if (isRunning) return 'running';
  if (state.terminated !== undefined) return 'completed';
  switch (state.waiting?.reason) {
    case undefined:
      return 'new';
    case waiting.crashed:
      return 'crashed';
    case waiting.pullFailed:
    case waiting.unpullable:
      return 'unpullable';
    default:
      return 'pulling';
  }
}

/** How long a pod stays in a state, in milliseconds; Infinity if nothing follows. */
export function timeIn(state: PodState, pod: CachedPod, chance: Chance): number {
  const { name } = pod.metadata;
  const restarts = restartsOf(pod);
  const random = chance.of('pod', name, state, restarts);
  switch (state) {
    case 'new':
    case 'stopping':
      return 0;
    case 'pulling':
      return between(random, 800, 4000);
    case 'unpullable':
      return between(random, 8000, 12_000);
    case 'stopped':
      return between(random, 500, 2500);
    case 'crashed':
      return Math.min(40_000, 5000 * 2 ** restarts);
    case 'completed':
      return Infinity;
    case 'running':
      return isFragile(pod, chance) && random.next() < 0.8
        ? between(random, 5000, 60_000)
        : Infinity;
  }
}

/** One pod in six crashes at some time. */
function isFragile(pod: CachedPod, chance: Chance): boolean {
  return chance.of('fragile', pod.metadata.name).next() < 1 / 6;
}

/**
 * Returns the step at the end of a state; undefined for `stopped`, after which the pod is deleted.
 */
export function stepFrom(
  state: PodState,
  pod: CachedPod,
  chance: Chance,
  nowMs: number,
): PodStep | undefined {
  switch (state) {
    case 'new':
      return pull(pod, chance, nowMs);
    case 'pulling':
      return isBroken(pod) ? pullFailed(pod) : started(pod, nowMs, `Successfully pulled`);
    case 'unpullable':
      return backOffPulling(pod);
    case 'running':
      return crashed(pod, chance, nowMs);
    case 'crashed':
      return started(pod, nowMs, 'Already present on machine:');
    case 'stopping':
      return stopped(pod, nowMs);
    case 'completed':
    case 'stopped':
      return undefined;
  }
}

/** Returns the step after the main process has ended by itself. */
export function exited(pod: CachedPod, exitCode: number, nowMs: number): PodStep {
  const name = containerOf(pod);
  const startedAt = pod.status?.containerStatuses?.[0]?.state?.running?.startedAt;
  const terminated = {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    finishedAt: formatTime(nowMs),
    ...(startedAt !== undefined && { startedAt }),
  };
  const { restartPolicy = 'Always' } = pod.spec ?? {};
  const restarts = restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
  if (!restarts) {
    const change = { state: { terminated }, ready: false, started: false };
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    return { status: { ...statusWith(pod, change, nowMs), phase }, events: [] };
  }
  const message = `Back-off restarting failed container ${name}`;
  const change = {
    state: { waiting: { reason: waiting.crashed, message } },
    lastState: { terminated },
    ready: false,
    started: false,
  };
  return { status: statusWith(pod, change, nowMs), events: [warning('BackOff', message)] };
}

function pull(pod: CachedPod, chance: Chance, nowMs: number): PodStep {
  const random = chance.of('address', pod.metadata.name);
  const podIP = `10.244.${integerBetween(random, 0, 255)}.${integerBetween(random, 1, 254)}`;
  return {
    status: {
      ...statusWith(pod, { state: { waiting: { reason: waiting.pulling } } }, nowMs),
      startTime: formatTime(nowMs),
      podIP,
      podIPs: [{ ip: podIP }],
    },
    events: [normal('Pulling', `Pulling image "${imageOf(pod)}"`)],
  };
}

function pullFailed(pod: CachedPod): PodStep {
  const state = { waiting: { reason: waiting.pullFailed, message: 'not found' } };
  return {
    status: { containerStatuses: [containerStatus(pod, { state })] },
    events: [
      warning('Failed', `Failed to pull image "${imageOf(pod)}": not found`),
      warning('Failed', `Error: ${waiting.pullFailed}`),
    ],
  };
}

function backOffPulling(pod: CachedPod): PodStep {
  const message = `Back-off pulling image "${imageOf(pod)}"`;
  const state = { waiting: { reason: waiting.unpullable, message } };
  return {
    status: { containerStatuses: [containerStatus(pod, { state })] },
    events: [normal('BackOff', message), warning('Failed', `Error: ${waiting.unpullable}`)],
  };
}

function started(pod: CachedPod, nowMs: number, how: string): PodStep {
  const name = containerOf(pod);
  const hasRun = stateOf(pod) === 'crashed';
  const restartCount = restartsOf(pod) + (hasRun ? 1 : 0);
  const change = {
    state: { running: { startedAt: formatTime(nowMs) } },
    ready: true,
    started: true,
    restartCount,
    containerID: `simulated://${pod.metadata.uid}/${restartCount}`,
  };
  return {
    status: { ...statusWith(pod, change, nowMs), phase: 'Running' },
    events: [
      normal('Pulled', `${how} image "${imageOf(pod)}"`),
      normal('Created', `Created container: ${name}`),
      normal('Started', `Started container ${name}`),
    ],
  };
}

function crashed(pod: CachedPod, chance: Chance, nowMs: number): PodStep {
  const name = containerOf(pod);
  const { metadata } = pod;
  const startedAt = pod.status?.containerStatuses?.[0]?.state?.running?.startedAt;
  const isOutOfMemory = chance.of('end', metadata.name, restartsOf(pod)).next() < 0.4;
  const message = `Back-off restarting failed container ${name} in pod ${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  const terminated = {
    exitCode: isOutOfMemory ? 137 : 1,
    reason: isOutOfMemory ? 'OOMKilled' : 'Error',
    finishedAt: formatTime(nowMs),
    ...(startedAt !== undefined && { startedAt }),
  };
  const change = {
    state: { waiting: { reason: waiting.crashed, message } },
    lastState: { terminated },
    ready: false,
    started: false,
  };
  const events = [warning('BackOff', message)];
  const unhealthy = 'Liveness probe failed: HTTP probe failed with statuscode: 503';
  if (!isOutOfMemory) events.unshift(warning('Unhealthy', unhealthy));
  return { status: statusWith(pod, change, nowMs), events };
}

function stopped(pod: CachedPod, nowMs: number): PodStep {
  const state = { terminated: { exitCode: 0, reason: 'Completed', finishedAt: formatTime(nowMs) } };
  return {
    status: statusWith(pod, { state, ready: false, started: false }, nowMs),
    events: [normal('Killing', `Stopping container ${containerOf(pod)}`)],
  };
}

function statusWith(pod: CachedPod, change: Partial<ContainerStatus>, nowMs: number): PodStatus {
  const ready = change.ready === true ? 'True' : 'False';
  const conditions = pod.status?.conditions ?? [];
  const condition = (type: string, status: string) => {
    const before = conditions.find((one) => one.type === type && one.status === status);
    return before === undefined
      ? { type, status, lastTransitionTime: formatTime(nowMs) }
      : { ...before };
  };
  return {
    conditions: [
      condition('PodScheduled', 'True'),
      condition('Initialized', 'True'),
      condition('ContainersReady', ready),
      condition('Ready', ready),
    ],
    containerStatuses: [containerStatus(pod, change)],
  };
}

function containerStatus(pod: CachedPod, change: Partial<ContainerStatus>): ContainerStatus {
  const { lastState = {} } = pod.status?.containerStatuses?.[0] ?? {};
  const image = imageOf(pod);
  return {
    name: containerOf(pod),
    image,
    imageID: `${image}@sha256:simulated`,
    ready: false,
    started: false,
    restartCount: restartsOf(pod),
    lastState,
    state: {},
    ...change,
  };
}

function restartsOf({ status }: CachedPod): number {
  return status?.containerStatuses?.[0]?.restartCount ?? 0;
}

function containerOf({ spec }: CachedPod): string {
  return spec?.containers[0]?.name ?? '';
}

function imageOf({ spec }: CachedPod): string {
  return spec?.containers[0]?.image ?? '';
}

function isBroken(pod: CachedPod): boolean {
  return imageOf(pod).endsWith(`:${brokenTag}`);
}

function normal(reason: string, message: string): PodEvent {
  return { type: 'Normal', reason, message };
}

function warning(reason: string, message: string): PodEvent {
  return { type: 'Warning', reason, message };
}
