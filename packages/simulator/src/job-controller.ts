import { type JobCondition, jobs, type JobStatus } from 'client-ts/api/batch/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  type ReconcileResult,
  requeueAfter,
} from 'client-ts/controller';
import { formatTime, isBeingDeleted, isNotFound } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { nameSuffix } from './chance.ts';
import {
  type CachedJob,
  type CachedPod,
  type Cluster,
  isActive,
  isReady,
  type SimulatedController,
} from './cluster.ts';
import { OwnedPods } from './owned-pods.ts';
import { setStatus } from './set-status.ts';

const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** The pods of a job. */
interface Progress {
  readonly active: readonly CachedPod[];
  readonly succeeded: number;
  readonly failed: number;
  /** Indices that have succeeded, ascending; empty for jobs without indices. */
  readonly indices: readonly number[];
}

/** In metrics, diagnostics and messages. */
const NAME = 'jobs';

/**
 * Runs the pods of jobs: `parallelism` at a time, until as many have succeeded as `completions` asks
 * for, or more have failed than `backoffLimit` allows. Jobs with indices, suspended jobs and
 * `ttlSecondsAfterFinished` are known; failed pods are replaced without a pause.
 */
export function jobController(cluster: Cluster): SimulatedController {
  const { cache, chance, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const pods = new OwnedPods(cluster, jobs, 'job-controller');
  let made = 0;
  cache.jobs.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.pods.informer.addEventHandler(enqueueRequestForOwner(queue, jobs), { name: NAME });

  async function createPod(job: CachedJob, index: number | undefined, signal: AbortSignal) {
    made += 1;
    const suffix = nameSuffix(chance.of('job', job.metadata.uid, made), 5);
    const infix = index === undefined ? '' : `${index}-`;
    const extras = index === undefined ? {} : { [indexAnnotation]: String(index) };
    await pods.create(
      job,
      job.spec?.template ?? {},
      { name: `${job.metadata.name}-${infix}${suffix}`, labels: extras, annotations: extras },
      signal,
    );
  }

  /** Creates and deletes pods until as many are active as should be. */
  async function run(job: CachedJob, progress: Progress, signal: AbortSignal): Promise<void> {
    const { active } = progress;
    const missing = wantedPods(job, progress) - active.length;
    for (const pod of active.slice(0, Math.max(0, -missing))) await pods.delete(job, pod, signal);
    const free = freeIndices(job, progress);
    for (let count = 0; count < missing; count += 1) await createPod(job, free[count], signal);
  }

  /** Deletes a finished job when its time is up. */
  async function expire(job: CachedJob, signal: AbortSignal): Promise<ReconcileResult> {
    const { ttlSecondsAfterFinished: seconds } = job.spec ?? {};
    const end = finishOf(job.status as JobStatus | undefined)?.lastTransitionTime;
    if (seconds === undefined || end === undefined) return;
    const left = Date.parse(end) + seconds * 1000 - clock.now();
    if (left > 0) return requeueAfter(left);
    const { name, namespace = '', uid } = job.metadata;
    const options = { propagationPolicy: 'Background', preconditions: { uid }, signal } as const;
    await client.batchV1.jobs(namespace).delete(name, options).catch(ignoreNotFound);
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }): Promise<ReconcileResult> => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const job = cache.jobs.lister.namespace(namespace).find(name);
      if (job === undefined || isBeingDeleted(job)) return;
      if (finishOf(job.status as JobStatus | undefined) !== undefined) {
        return await expire(job, signal);
      }
      const before = progressOf(job, cache.podsOf(job));
      const outcome = outcomeOf(job, before, clock.now());
      if (outcome === undefined && job.spec?.suspend !== true) await run(job, before, signal);
      else for (const pod of before.active) await pods.delete(job, pod, signal);
      const progress = progressOf(job, cache.podsOf(job));
      const status = statusOf(job, progress, outcome, formatTime(clock.now()));
      await setStatus(client.batchV1.jobs(namespace), job, status, signal);
      const deadline = deadlineOf(job, clock.now());
      return deadline === undefined ? undefined : requeueAfter(deadline);
    },
  };
}

function progressOf({ spec, status }: CachedJob, pods: readonly CachedPod[]): Progress {
  const withPhase = (phase: string): CachedPod[] =>
    pods.filter((pod) => pod.status?.phase === phase && !isBeingDeleted(pod));
  const indices = new Set(
    spec?.completionMode === 'Indexed' ? withPhase('Succeeded').map(indexOf) : [],
  );
  const done = spec?.completionMode === 'Indexed' ? indices.size : withPhase('Succeeded').length;
  return {
    active: pods.filter(isActive),
    // Pods that have been deleted are still counted.
    succeeded: Math.max(done, status?.succeeded ?? 0),
    failed: Math.max(withPhase('Failed').length, status?.failed ?? 0),
    indices: [...indices].toSorted((left, right) => left - right),
  };
}

type Outcome = Pick<JobCondition, 'message' | 'reason'> & { readonly type: 'Complete' | 'Failed' };

/** Returns how a job has ended; undefined while it has not. */
function outcomeOf(job: CachedJob, progress: Progress, nowMs: number): Outcome | undefined {
  const { completions, backoffLimit = 6, activeDeadlineSeconds } = job.spec ?? {};
  if (progress.failed > backoffLimit) {
    const message = 'Job has reached the specified backoff limit';
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message };
  }
  if (activeDeadlineSeconds !== undefined && (deadlineOf(job, nowMs) ?? 1) <= 0) {
    const message = 'Job was active longer than specified deadline';
    return { type: 'Failed', reason: 'DeadlineExceeded', message };
  }
  const isDone =
    completions === undefined
      ? progress.succeeded > 0 && progress.active.length === 0
      : progress.succeeded >= completions;
  if (!isDone) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { type: 'Complete', reason: 'CompletionsReached', message };
}

/** The milliseconds until `activeDeadlineSeconds` have passed. */
function deadlineOf({ spec, status }: CachedJob, nowMs: number): number | undefined {
  const { activeDeadlineSeconds: seconds } = spec ?? {};
  if (seconds === undefined || status?.startTime === undefined) return undefined;
  return Math.max(0, Date.parse(status.startTime) + seconds * 1000 - nowMs);
}

function wantedPods({ spec }: CachedJob, { succeeded, active }: Progress): number {
  const { parallelism = 1, completions } = spec ?? {};
  // Without a number of completions, the first success ends the creation of pods.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.min(parallelism, completions - succeeded);
}

function freeIndices({ spec }: CachedJob, { active, indices }: Progress): number[] {
  if (spec?.completionMode !== 'Indexed') return [];
  const taken = new Set([...indices, ...active.map(indexOf)]);
  return Array.from({ length: spec.completions ?? 0 }, (_, index) => index).filter(
    (index) => !taken.has(index),
  );
}

function indexOf({ metadata }: CachedPod): number {
  return Number(metadata.annotations?.[indexAnnotation] ?? 0);
}

function statusOf(
  job: CachedJob,
  { active, succeeded, failed, indices }: Progress,
  outcome: Outcome | undefined,
  now: string,
): JobStatus {
  const isSuspended = job.spec?.suspend === true;
  const before = (job.status?.conditions ?? []) as readonly JobCondition[];
  const stamp = { lastProbeTime: now, lastTransitionTime: now };
  const suspended = isSuspended
    ? { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
    : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };
  const wasSuspended = before.find(({ type }) => type === 'Suspended');
  const conditions = [
    ...before.filter(({ type }) => type !== 'Suspended'),
    ...(isSuspended || wasSuspended !== undefined
      ? [wasSuspended?.status === suspended.status ? wasSuspended : { ...suspended, ...stamp }]
      : []),
    ...(outcome === undefined ? [] : endConditions(outcome, stamp)),
  ];
  const isOver = outcome !== undefined;
  return {
    ...(isSuspended ? {} : { startTime: job.status?.startTime ?? now }),
    ...(outcome?.type === 'Complete' && { completionTime: now }),
    active: isOver ? 0 : active.length,
    ready: isOver ? 0 : active.filter(isReady).length,
    terminating: 0,
    succeeded,
    failed,
    uncountedTerminatedPods: {},
    ...(indices.length > 0 && { completedIndexes: ranges(indices) }),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** A job ends in two steps, of which the first is when its pods are still removed. */
function endConditions(
  { type, reason, message }: Outcome,
  stamp: { readonly lastProbeTime: string; readonly lastTransitionTime: string },
): JobCondition[] {
  const first = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const about = { status: 'True', ...stamp, reason, message };
  return [
    { type: first, ...about },
    { type, ...about },
  ] as JobCondition[];
}

/** True if a job has ended, in this way if one is given. */
export function isFinished({ status }: CachedJob, type?: 'Complete' | 'Failed'): boolean {
  const finish = finishOf(status as JobStatus | undefined);
  return finish !== undefined && (type === undefined || finish.type === type);
}

function finishOf(status: JobStatus | undefined): JobCondition | undefined {
  return status?.conditions?.find(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );
}

/** `0-2,4`. */
function ranges(indices: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const index of indices) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else parts.push([index, index]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
