import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'client-ts/api/apps/v1';
import type { CronJob, Job, JobSpec, JobStatus } from 'client-ts/api/batch/v1';
import type {
  PersistentVolumeClaim,
  PodTemplateSpec,
  ReplicationController,
} from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { humanDuration, isControlledBy, type KubernetesObject, parseTime } from 'client-ts/meta';

import type { Describer, Surroundings } from './describer.ts';
import { block, type Column, field, indent, type Lines, optional, table } from './lines.ts';
import { podTemplate } from './pods.ts';
import {
  controllerOf,
  formatLabels,
  formatSelector,
  identity,
  labels,
  labelsAndAnnotations,
  localTime,
  type Loose,
  type LooseObject,
  type Names,
  orUnset,
  quantity,
  selectorText,
  yesOrNo,
} from './values.ts';
import { storageClassOf } from './volumes.ts';

/** Conditions of a workload. */
function conditions(
  all: readonly Loose<Record<'reason' | 'status' | 'type', string>>[] | undefined,
): Lines {
  if (all === undefined || all.length === 0) return undefined;
  const columns: readonly Column[] = ['Type', 'Status', 'Reason'];
  const rows = all.map(({ type = '', status, reason }) => [`${type} `, status, reason]);
  return block('Conditions', table(columns, rows));
}

/** Counts the pods of a workload by phase. */
async function podsStatus(
  object: KubernetesObject,
  labelSelector: string,
  { client, signal }: Surroundings,
): Promise<string> {
  const pods = client.coreV1.pods(object.metadata?.namespace ?? '');
  const { items } = await pods.listAll({ labelSelector, signal }).toList();
  const own = items.filter((pod) => isControlledBy(pod, object));
  const count = (phase: string): number =>
    own.filter(({ status }) => status?.phase === phase).length;
  const words = {
    Running: 'Running',
    Pending: 'Waiting',
    Succeeded: 'Succeeded',
    Failed: 'Failed',
  };
  return Object.entries(words)
    .map(([phase, word]) => `${count(phase)} ${word}`)
    .join(' / ');
}

/** A deployment, with its replica sets. */
export const deploymentDescriber: Describer<Deployment> = {
  hasEvents: true,
  lines: async (deployment, surroundings) => {
    const { metadata, spec = {}, status = {} } = deployment;
    const { rollingUpdate, type } = spec.strategy ?? {};
    const counts = [
      `${spec.replicas ?? 0} desired`,
      `${status.updatedReplicas ?? 0} updated`,
      `${status.replicas ?? 0} total`,
      `${status.availableReplicas ?? 0} available`,
      `${status.unavailableReplicas ?? 0} unavailable`,
    ];
    return [
      identity(deployment),
      field('CreationTimestamp', localTime(metadata?.creationTimestamp)),
      labelsAndAnnotations(deployment),
      field('Selector', selectorText(spec.selector)),
      field('Replicas', counts.join(' | ')),
      field('StrategyType', type),
      field('MinReadySeconds', spec.minReadySeconds ?? 0),
      rollingUpdate !== undefined &&
        field(
          'RollingUpdateStrategy',
          `${rollingUpdate.maxUnavailable ?? 0} max unavailable, ${rollingUpdate.maxSurge ?? 0} max surge`,
        ),
      podTemplate(spec.template),
      conditions(status.conditions),
      await replicaSets(deployment, surroundings),
    ];
  },
};

/** The replica set with the template of the deployment, and the others. */
async function replicaSets(
  deployment: LooseObject<Deployment>,
  { client, signal }: Surroundings,
): Promise<Lines> {
  const { metadata, spec } = deployment;
  const template = spec?.template as PodTemplateSpec | undefined;
  const labelSelector = selectorText(spec?.selector);
  const sets = client.appsV1.replicaSets(metadata?.namespace ?? '');
  const { items } = await sets.listAll({ labelSelector, signal }).toList();
  const own = items
    .filter((set) => isControlledBy(set, deployment))
    .sort((a, b) => orderOf(a).localeCompare(orderOf(b), 'en'));
  const current = own.find((set) =>
    jsonEqual(withoutHash(set.spec?.template), withoutHash(template)),
  );
  if (own.length === 0) return undefined;
  return [
    field('OldReplicaSets', replicaSetText(own.filter((set) => set !== current))),
    field('NewReplicaSet', replicaSetText(current === undefined ? [] : [current])),
  ];
}

function orderOf({ metadata }: KubernetesObject): string {
  return `${metadata?.creationTimestamp ?? ''} ${metadata?.name ?? ''}`;
}

/** The label that a deployment adds to the pods of each of its replica sets. */
const hashLabel = 'pod-template-hash';

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

function replicaSetText(sets: readonly ReplicaSet[]): string {
  if (sets.length === 0) return '<none>';
  return sets
    .map(({ metadata, spec, status }) => {
      const counts = `${status?.replicas ?? 0}/${spec?.replicas ?? 0} replicas created`;
      return `${metadata?.name} (${counts})`;
    })
    .join(', ');
}

/** A replica set. */
export const replicaSetDescriber: Describer<ReplicaSet> = {
  hasEvents: true,
  lines: async (set, surroundings) => {
    const { spec = {}, status = {} } = set;
    const pods = podsStatus(set, selectorText(spec.selector), surroundings);
    return [
      identity(set),
      field('Selector', formatSelector(spec.selector)),
      labelsAndAnnotations(set),
      optional('Controlled By', controllerOf(set)),
      field('Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired`),
      field(
        'Pods Status',
        await pods.catch((error: Error) => `error in fetching pods: ${error.message}`),
      ),
      podTemplate(spec.template),
      conditions(status.conditions),
    ];
  },
};

/** A replication controller. */
export const replicationControllerDescriber: Describer<ReplicationController> = {
  hasEvents: true,
  lines: async (controller, surroundings) => {
    const { spec = {}, status = {} } = controller;
    const selector = formatLabels(spec.selector);
    return [
      identity(controller),
      field('Selector', selector),
      labelsAndAnnotations(controller),
      field('Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired`),
      field('Pods Status', await podsStatus(controller, selector, surroundings)),
      podTemplate(spec.template),
      conditions(status.conditions),
    ];
  },
};

/** A stateful set, with the claims that it makes. */
export const statefulSetDescriber: Describer<StatefulSet> = {
  hasEvents: true,
  lines: async (set, surroundings) => {
    const { metadata, spec = {}, status = {} } = set;
    const { type, rollingUpdate } = spec.updateStrategy ?? {};
    const selector = selectorText(spec.selector);
    return [
      identity(set),
      field('CreationTimestamp', localTime(metadata?.creationTimestamp)),
      field('Selector', selector),
      labelsAndAnnotations(set),
      field('Replicas', `${spec.replicas ?? 0} desired | ${status.replicas ?? 0} total`),
      field('Update Strategy', type),
      rollingUpdate?.partition !== undefined && [
        indent(field('Partition', rollingUpdate.partition)),
        indent(optional('MaxUnavailable', rollingUpdate.maxUnavailable)),
      ],
      field('Pods Status', await podsStatus(set, selector, surroundings)),
      podTemplate(spec.template),
      claimTemplates(spec.volumeClaimTemplates ?? []),
    ];
  },
};

function claimTemplates(templates: readonly Loose<PersistentVolumeClaim>[]): Lines {
  if (templates.length === 0) return field('Volume Claims', '<none>');
  return block(
    'Volume Claims',
    templates.map(({ metadata, spec }) => [
      field('Name', metadata?.name),
      field('StorageClass', storageClassOf({ metadata, spec })),
      labels('Labels', metadata?.labels),
      labels('Annotations', metadata?.annotations),
      field('Capacity', storageOf(spec?.resources?.requests)),
      field('Access Modes', `[${(spec?.accessModes ?? []).join(' ')}]`),
    ]),
  );
}

function storageOf(requests: Names<number | string> | undefined): string {
  const storage = requests?.['storage'];
  return storage === undefined ? '<default>' : quantity(storage);
}

/** A daemon set. */
export const daemonSetDescriber: Describer<DaemonSet> = {
  hasEvents: true,
  lines: async (set, surroundings) => {
    const { spec = {}, status = {} } = set;
    const selector = selectorText(spec.selector);
    const counts: readonly (readonly [string, number | undefined])[] = [
      ['Desired Number of Nodes Scheduled', status.desiredNumberScheduled],
      ['Current Number of Nodes Scheduled', status.currentNumberScheduled],
      ['Number of Nodes Scheduled with Up-to-date Pods', status.updatedNumberScheduled],
      ['Number of Nodes Scheduled with Available Pods', status.numberAvailable],
      ['Number of Nodes Misscheduled', status.numberMisscheduled],
    ];
    return [
      identity(set),
      field('Selector', selector),
      field('Node-Selector', formatLabels(spec.template?.spec?.nodeSelector)),
      labelsAndAnnotations(set),
      counts.map(([label, count = 0]) => `${label}: ${count}`),
      field('Pods Status', await podsStatus(set, selector, surroundings)),
      podTemplate(spec.template),
    ];
  },
};

/** A job. */
export const jobDescriber: Describer<Job> = {
  hasEvents: true,
  lines: (job) => {
    const { spec = {}, status = {} } = job;
    const { startTime, completionTime } = status;
    return [
      identity(job),
      field('Selector', selectorText(spec.selector)),
      labelsAndAnnotations(job),
      optional('Controlled By', controllerOf(job)),
      optional('Parallelism', spec.parallelism),
      field('Completions', orUnset(spec.completions)),
      optional('Completion Mode', spec.completionMode),
      optional('Suspend', spec.suspend),
      optional('Backoff Limit', spec.backoffLimit),
      optional('TTL Seconds After Finished', spec.ttlSecondsAfterFinished),
      startTime !== undefined && field('Start Time', localTime(startTime)),
      completionTime !== undefined && field('Completed At', localTime(completionTime)),
      startTime !== undefined &&
        completionTime !== undefined &&
        field('Duration', humanDuration(parseTime(completionTime) - parseTime(startTime))),
      deadline(spec),
      field('Pods Statuses', jobPods(status)),
      spec.completionMode === 'Indexed' &&
        field('Completed Indexes', indexList(status.completedIndexes ?? '')),
      podTemplate(spec.template),
    ];
  },
};

function deadline({ activeDeadlineSeconds: seconds }: Loose<JobSpec>): Lines {
  return seconds !== undefined && field('Active Deadline Seconds', `${seconds}s`);
}

function jobPods({ active = 0, ready, succeeded = 0, failed = 0 }: Loose<JobStatus>): string {
  const readyText = ready === undefined ? '' : ` (${ready} Ready)`;
  return `${active} Active${readyText} / ${succeeded} Succeeded / ${failed} Failed`;
}

/** How many characters of a list of indexes are shown; the last index is not cut. */
const shownIndexes = 50;

function indexList(indexes: string): string {
  if (indexes === '') return '<none>';
  const end = indexes.indexOf(',', shownIndexes);
  return end === -1 ? indexes : `${indexes.slice(0, end + 1)}...`;
}

/** A cron job. */
export const cronJobDescriber: Describer<CronJob> = {
  hasEvents: true,
  lines: (cronJob) => {
    const { spec = {}, status = {} } = cronJob;
    const { suspend, startingDeadlineSeconds: starting, jobTemplate } = spec;
    const job = jobTemplate?.spec ?? {};
    return [
      identity(cronJob),
      labelsAndAnnotations(cronJob),
      field('Schedule', spec.schedule),
      field('Concurrency Policy', spec.concurrencyPolicy),
      field('Suspend', suspend === undefined ? '<unset>' : yesOrNo(suspend)),
      field('Time Zone', orUnset(spec.timeZone)),
      field('Successful Job History Limit', orUnset(spec.successfulJobsHistoryLimit)),
      field('Failed Job History Limit', orUnset(spec.failedJobsHistoryLimit)),
      field('Starting Deadline Seconds', starting === undefined ? '<unset>' : `${starting}s`),
      field('Selector', job.selector === undefined ? '<unset>' : selectorText(job.selector)),
      field('Parallelism', orUnset(job.parallelism)),
      field('Completions', orUnset(job.completions)),
      deadline(job),
      podTemplate(job.template),
      field(
        'Last Schedule Time',
        status.lastScheduleTime === undefined ? '<unset>' : localTime(status.lastScheduleTime),
      ),
      field('Active Jobs', (status.active ?? []).map(({ name }) => name).join(', ') || '<none>'),
    ];
  },
};
