import type { ContainerStatus, PodStatus } from 'client-ts/api/core/v1';
import { formatTime, isBeingDeleted } from 'client-ts/meta';
import type { EventType } from 'client-ts/record';

import { between, type Chance, integerBetween } from './chance.ts';
import type { CachedPod, PodBehaviour, PodState } from './cluster.ts';

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

/**
 * The annotation of pods whose containers end as soon as they run, with this exit code. `none`: they
 * run on, where they would end otherwise.
 */
export const exitCodeAnnotation = 'client-ts/exit-code';

/** The annotation of pods that run and are not ready, with the value `false`. */
export const readyAnnotation = 'client-ts/ready';

/** Pods live as in a small, busy cluster: images take seconds, and one pod in six crashes. */
export function livePods(chance: Chance, scaled: (ms: number) => number): PodBehaviour {
  return {
    timeIn: (state, pod) => scaled(timeIn(state, pod, chance)),
    exitCode: annotatedExitCode,
  };
}

/**
 * Pods run immediately and do not crash. Those that are not restarted after a success complete
 * immediately, unless a kubelet runs a program in them.
 */
export function instantPods(runsProgram: (pod: CachedPod) => boolean): PodBehaviour {
  return {
    timeIn: (state, pod) => {
      if (state === 'crashed') return Math.min(300_000, 10_000 * 2 ** restartsOf(pod));
      return state === 'running' || state === 'completed' || state === 'unpullable' ? Infinity : 0;
    },
    exitCode: (pod) => {
      if (pod.metadata.annotations?.[exitCodeAnnotation] !== undefined)
        return annotatedExitCode(pod);
      const restarts = (pod.spec?.restartPolicy ?? 'Always') === 'Always';
      return restarts || runsProgram(pod) ? undefined : 0;
    },
  };
}

function annotatedExitCode({ metadata }: CachedPod): number | undefined {
  const text = metadata.annotations?.[exitCodeAnnotation] ?? '';
  return /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

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

/** Returns the status of a running pod whose annotation asks for another readiness. */
export function readinessOf(state: PodState, pod: CachedPod, nowMs: number): PodStatus | undefined {
  if (state !== 'running') return undefined;
  const wanted = isWantedReady(pod);
  const statuses = pod.status?.containerStatuses ?? [];
  if (statuses.every(({ ready }) => ready === wanted)) return undefined;
  const { conditions } = statusWith(pod, { ready: wanted }, nowMs);
  return {
    ...(conditions !== undefined && { conditions }),
    containerStatuses: statuses.map((each) => ({ ...(each as ContainerStatus), ready: wanted })),
  };
}

function isWantedReady({ metadata }: CachedPod): boolean {
  return metadata.annotations?.[readyAnnotation] !== 'false';
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
    status: { containerStatuses: containerStatuses(pod, { state }) },
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
    status: { containerStatuses: containerStatuses(pod, { state }) },
    events: [normal('BackOff', message), warning('Failed', `Error: ${waiting.unpullable}`)],
  };
}

function started(pod: CachedPod, nowMs: number, how: string): PodStep {
  const name = containerOf(pod);
  const hasRun = stateOf(pod) === 'crashed';
  const restartCount = restartsOf(pod) + (hasRun ? 1 : 0);
  const change = {
    state: { running: { startedAt: formatTime(nowMs) } },
    ready: isWantedReady(pod),
    started: true,
    restartCount,
    containerID: `simulated://${pod.metadata.uid}/${restartCount}`,
  };
  return {
    status: {
      ...statusWith(pod, change, nowMs),
      ...initContainerStatuses(pod, nowMs),
      phase: 'Running',
    },
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
    containerStatuses: containerStatuses(pod, change),
  };
}

/** All containers of a pod share their fate. */
function containerStatuses(pod: CachedPod, change: Partial<ContainerStatus>): ContainerStatus[] {
  return (pod.spec?.containers ?? []).map((container, index) => {
    const { lastState = {} } = pod.status?.containerStatuses?.[index] ?? {};
    const suffix = index === 0 ? '' : `/${container.name}`;
    return {
      ...containerStatus(container, restartsOf(pod)),
      lastState,
      ...change,
      ...(change.containerID !== undefined && { containerID: `${change.containerID}${suffix}` }),
    };
  });
}

function containerStatus(
  { name, image = '' }: { readonly name: string; readonly image?: string },
  restartCount: number,
): ContainerStatus {
  const imageID = `${image}@sha256:simulated`;
  return { name, image, imageID, ready: false, started: false, restartCount, state: {} };
}

/** Init containers have completed when the others start; sidecars run on. */
function initContainerStatuses({ spec, metadata }: CachedPod, nowMs: number): PodStatus {
  const all = spec?.initContainers ?? [];
  if (all.length === 0) return {};
  const at = formatTime(nowMs);
  return {
    initContainerStatuses: all.map((container) => {
      const isSidecar = container.restartPolicy === 'Always';
      const state = isSidecar
        ? { running: { startedAt: at } }
        : { terminated: { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at } };
      return {
        ...containerStatus(container, 0),
        ready: true,
        started: isSidecar,
        containerID: `simulated://${metadata.uid}/${container.name}`,
        state,
      };
    }),
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
