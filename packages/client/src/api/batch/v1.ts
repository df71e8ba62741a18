// Kubernetes 1.36.4, batch/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { LabelSelector, ListMeta, ObjectMeta, Open, Time } from '../../meta/types.ts';
import type { ObjectReference, PodTemplateSpec } from '../core/v1.ts';

const everyVerb: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** `/apis/batch/v1/namespaces/{namespace}/cronjobs` */
export const cronJobs: ResourceDescriptor<CronJob, 'Namespaced', Verb, 'status'> = {
  group: 'batch',
  version: 'v1',
  resource: 'cronjobs',
  kind: 'CronJob',
  singular: 'cronjob',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'batch', version: 'v1', kind: 'CronJob' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['cj'],
  categories: ['all'],
};

/** `/apis/batch/v1/namespaces/{namespace}/jobs` */
export const jobs: ResourceDescriptor<Job, 'Namespaced', Verb, 'status'> = {
  group: 'batch',
  version: 'v1',
  resource: 'jobs',
  kind: 'Job',
  singular: 'job',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'batch', version: 'v1', kind: 'Job' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: ['all'],
};

export interface CronJob {
  apiVersion?: 'batch/v1';
  kind?: 'CronJob';
  metadata?: ObjectMeta;
  spec: CronJobSpec;
  status?: CronJobStatus;
}

export interface CronJobList {
  apiVersion?: 'batch/v1';
  items: CronJob[];
  kind?: 'CronJobList';
  metadata?: ListMeta;
}

export interface CronJobSpec {
  concurrencyPolicy?: Open<'Allow' | 'Forbid' | 'Replace'>;
  failedJobsHistoryLimit?: number;
  jobTemplate: JobTemplateSpec;
  schedule: string;
  startingDeadlineSeconds?: number;
  successfulJobsHistoryLimit?: number;
  suspend?: boolean;
  timeZone?: string;
}

export interface CronJobStatus {
  active?: ObjectReference[];
  lastScheduleTime?: Time;
  lastSuccessfulTime?: Time;
}

export interface Job {
  apiVersion?: 'batch/v1';
  kind?: 'Job';
  metadata?: ObjectMeta;
  spec?: JobSpec;
  status?: JobStatus;
}

export interface JobCondition {
  lastProbeTime?: Time;
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface JobList {
  apiVersion?: 'batch/v1';
  items: Job[];
  kind?: 'JobList';
  metadata?: ListMeta;
}

export interface JobSpec {
  activeDeadlineSeconds?: number;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  completionMode?: Open<'Indexed' | 'NonIndexed'>;
  completions?: number;
  managedBy?: string;
  manualSelector?: boolean;
  maxFailedIndexes?: number;
  parallelism?: number;
  podFailurePolicy?: PodFailurePolicy;
  podReplacementPolicy?: Open<'Failed' | 'TerminatingOrFailed'>;
  selector?: LabelSelector;
  successPolicy?: SuccessPolicy;
  suspend?: boolean;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
}

export interface JobStatus {
  active?: number;
  completedIndexes?: string;
  completionTime?: Time;
  conditions?: JobCondition[];
  failed?: number;
  failedIndexes?: string;
  ready?: number;
  startTime?: Time;
  succeeded?: number;
  terminating?: number;
  uncountedTerminatedPods?: UncountedTerminatedPods;
}

export interface JobTemplateSpec {
  metadata?: ObjectMeta;
  spec?: JobSpec;
}

export interface PodFailurePolicy {
  rules: PodFailurePolicyRule[];
}

export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: Open<'In' | 'NotIn'>;
  values: number[];
}

export interface PodFailurePolicyOnPodConditionsPattern {
  status?: string;
  type: string;
}

export interface PodFailurePolicyRule {
  action: Open<'Count' | 'FailIndex' | 'FailJob' | 'Ignore'>;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}

export interface SuccessPolicy {
  rules: SuccessPolicyRule[];
}

export interface SuccessPolicyRule {
  succeededCount?: number;
  succeededIndexes?: string;
}

export interface UncountedTerminatedPods {
  failed?: string[];
  succeeded?: string[];
}
