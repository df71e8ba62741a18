import {
  type CronJobStatus,
  cronJobs as cronJobDescriptor,
  type Job,
  jobs as jobDescriptor,
} from 'client-ts/api/batch/v1';
import type { ObjectReference } from 'client-ts/api/core/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  type ReconcileResult,
  requeueAfter,
  setControllerReference,
} from 'client-ts/controller';
import {
  formatTime,
  getControllerOf,
  isAlreadyExists,
  isBeingDeleted,
  isNotFound,
} from 'client-ts/meta';
import { getReference } from 'client-ts/record';
import { RateLimitingQueue } from 'client-ts/workqueue';

import type { CachedCronJob, CachedJob, Cluster, SimulatedController } from './cluster.ts';
import { type CronSchedule, parseCronSchedule } from './cron-schedule.ts';
import { isFinished } from './job-controller.ts';
import { setStatus } from './set-status.ts';

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** In metrics, diagnostics and messages. */
const NAME = 'cron jobs';

/**
 * Creates the jobs of cron jobs when they are due, and deletes the oldest. A moment that was missed
 * is made up for once; `startingDeadlineSeconds`, `concurrencyPolicy`, `suspend` and `timeZone` are obeyed.
 */
export function cronJobController(cluster: Cluster): SimulatedController {
  const { cache, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const recorder = cluster.recorders.of('cronjob-controller');
  cache.cronJobs.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.jobs.informer.addEventHandler(enqueueRequestForOwner(queue, cronJobDescriptor), {
    name: NAME,
  });

  async function remove({ metadata }: CachedJob, signal: AbortSignal): Promise<void> {
    const { name, namespace = '', uid } = metadata;
    const options = { propagationPolicy: 'Background', preconditions: { uid }, signal } as const;
    await client.batchV1.jobs(namespace).delete(name, options).catch(ignoreNotFound);
  }

  /** Creates the job of one moment. Returns it, also if it exists already. */
  async function create(cronJob: CachedCronJob, timeMs: number, signal: AbortSignal) {
    const job = jobFor(cronJob, timeMs);
    const jobs = client.batchV1.jobs(cronJob.metadata.namespace ?? '');
    try {
      const created = await jobs.create(job, { signal });
      const regarding = getReference(cronJob, { descriptor: cronJobDescriptor });
      recorder.event(regarding, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      return created;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return await jobs.get(job.metadata.name, { signal });
    }
  }

  /** Starts the job of a moment, unless others forbid it. */
  async function start(
    cronJob: CachedCronJob,
    timeMs: number,
    running: readonly CachedJob[],
    signal: AbortSignal,
  ) {
    const { concurrencyPolicy } = cronJob.spec ?? {};
    const others = running.filter(({ metadata }) => metadata.name !== jobName(cronJob, timeMs));
    if (concurrencyPolicy === 'Forbid' && others.length > 0) return undefined;
    if (concurrencyPolicy === 'Replace') for (const job of others) await remove(job, signal);
    return await create(cronJob, timeMs, signal);
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }): Promise<ReconcileResult> => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const cronJob = cache.cronJobs.lister.namespace(namespace).find(name);
      if (cronJob === undefined || isBeingDeleted(cronJob)) return;
      const own = cache.jobs.lister
        .namespace(namespace)
        .list()
        .filter((job) => getControllerOf(job)?.uid === cronJob.metadata.uid);
      for (const job of surplus(cronJob, own)) await remove(job, signal);
      const running = own.filter((job) => !isFinished(job) && !isBeingDeleted(job));
      const schedule = parseCronSchedule(cronJob.spec?.schedule ?? '', cronJob.spec?.timeZone);
      const isSuspended = cronJob.spec?.suspend === true;
      const due = isSuspended ? undefined : dueTime(cronJob, schedule, clock.now());
      const started = due === undefined ? undefined : await start(cronJob, due, running, signal);
      const cronJobs = client.batchV1.cronJobs(namespace);
      const status = statusOf(cronJob, own, { running, started, due });
      await setStatus(cronJobs, cronJob, status, signal);
      const next = isSuspended ? undefined : schedule.next(clock.now());
      return next === undefined ? undefined : requeueAfter(next - clock.now());
    },
  };
}

function jobName({ metadata }: CachedCronJob, timeMs: number): string {
  return `${metadata.name}-${Math.floor(timeMs / 60_000)}`;
}

function jobFor(cronJob: CachedCronJob, timeMs: number): Job & { metadata: { name: string } } {
  const { metadata, spec } = (cronJob.spec?.jobTemplate ?? {}) as Pick<Job, 'metadata' | 'spec'>;
  const job = {
    metadata: {
      name: jobName(cronJob, timeMs),
      labels: { ...metadata?.labels },
      annotations: { ...metadata?.annotations, [scheduledAnnotation]: formatTime(timeMs) },
    },
    ...(spec !== undefined && { spec }),
  };
  return setControllerReference(cronJob, job, cronJobDescriptor);
}

/** Returns the newest moment that has passed without a job and is not too late; undefined if there is none. */
function dueTime(
  { metadata, spec, status }: CachedCronJob,
  schedule: CronSchedule,
  nowMs: number,
): number | undefined {
  const { startingDeadlineSeconds: seconds } = spec ?? {};
  const last = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp);
  const from = seconds === undefined ? last : Math.max(last, nowMs - seconds * 1000);
  let due: number | undefined;
  let time = schedule.next(from);
  while (time !== undefined && time <= nowMs) {
    due = time;
    time = schedule.next(time);
  }
  return due;
}

/** Returns the finished jobs beyond the limits of the history, oldest first. */
function surplus({ spec }: CachedCronJob, jobs: readonly CachedJob[]): CachedJob[] {
  const { successfulJobsHistoryLimit: good = 3, failedJobsHistoryLimit: bad = 1 } = spec ?? {};
  const oldest = (type: 'Complete' | 'Failed', limit: number): CachedJob[] => {
    const finished = jobs
      .filter((job) => isFinished(job, type) && !isBeingDeleted(job))
      .toSorted((left, right) => startOf(left) - startOf(right));
    return finished.slice(0, Math.max(0, finished.length - limit));
  };
  return [...oldest('Complete', good), ...oldest('Failed', bad)];
}

function startOf({ metadata, status }: CachedJob): number {
  return Date.parse(status?.startTime ?? metadata.creationTimestamp);
}

interface Progress {
  readonly running: readonly CachedJob[];
  /** The job of this reconcile. */
  readonly started: CachedJob | undefined;
  readonly due: number | undefined;
}

function statusOf(
  { spec, status }: CachedCronJob,
  jobs: readonly CachedJob[],
  { running, started, due }: Progress,
): CronJobStatus {
  const isReplaced = started !== undefined && spec?.concurrencyPolicy === 'Replace';
  const active = [
    ...(isReplaced ? [] : running.filter(({ metadata }) => metadata.uid !== started?.metadata.uid)),
    ...(started === undefined || isFinished(started) ? [] : [started]),
  ];
  const successes = jobs.flatMap((job) => job.status?.completionTime ?? []);
  const [success] = [
    ...successes,
    ...(status?.lastSuccessfulTime === undefined ? [] : [status.lastSuccessfulTime]),
  ].toSorted((left, right) => Date.parse(right) - Date.parse(left));
  const before = (status?.active ?? []) as ObjectReference[];
  const references = active.map(
    (job) =>
      before.find(({ uid }) => uid === job.metadata.uid) ??
      getReference(job, { descriptor: jobDescriptor }),
  );
  return {
    ...((references.length > 0 || before.length > 0) && { active: references }),
    ...(started !== undefined && due !== undefined && { lastScheduleTime: formatTime(due) }),
    ...(success !== undefined && { lastSuccessfulTime: success }),
  };
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
