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

/**
 * Creates Jobs on a schedule. A run can be skipped or, rarely, happen twice, so Jobs should
 * be idempotent.
 */
export interface CronJob {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'batch/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CronJob';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The schedule and the Job to create. */
  spec: CronJobSpec;
  /** The observed state. Read-only. */
  status?: CronJobStatus;
}

/** A list of CronJob objects, as a list request returns it. Large lists come in pages. */
export interface CronJobList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'batch/v1';
  /** The objects of this page. */
  items: CronJob[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CronJobList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** When to create Jobs, and which. */
export interface CronJobSpec {
  /**
   * What happens if the previous Job still runs. `Allow` (the default) runs both, `Forbid`
   * skips the new one, `Replace` deletes the old one.
   */
  concurrencyPolicy?: Open<'Allow' | 'Forbid' | 'Replace'>;
  /** How many failed Jobs to keep. Default 1. */
  failedJobsHistoryLimit?: number;
  /** The Job to create. */
  jobTemplate: JobTemplateSpec;
  /**
   * Times in cron notation with five fields, such as `*\/15 * * * *`, or `@hourly`, `@daily`
   * and the like.
   */
  schedule: string;
  /**
   * Seconds after its time within which a missed run may still start. Later ones are skipped.
   * The default is no limit, where more than 100 missed runs stop the schedule.
   */
  startingDeadlineSeconds?: number;
  /** How many successful Jobs to keep. Default 3. */
  successfulJobsHistoryLimit?: number;
  /**
   * While true, no Jobs are created. Running ones continue; missed runs may start when it
   * ends. Default false.
   */
  suspend?: boolean;
  /**
   * Time zone of the schedule, such as `Europe/Berlin`. The default is that of the controller
   * manager. `TZ=` in the schedule is not allowed.
   */
  timeZone?: string;
}

/** The observed state of a CronJob. */
export interface CronJobStatus {
  /** Jobs that are running. */
  active?: ObjectReference[];
  /** Scheduled time of the last Job that was created. */
  lastScheduleTime?: Time;
  /** When a Job last finished successfully. */
  lastSuccessfulTime?: Time;
}

/** Runs pods until a number of them has succeeded. Failed pods are tried again up to a limit. */
export interface Job {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'batch/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Job';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The desired state. Most of it cannot change after creation. */
  spec?: JobSpec;
  /** The observed state. Read-only. */
  status?: JobStatus;
}

/**
 * One aspect of a Job's state. `Complete` and `Failed` are final; `SuccessCriteriaMet` and
 * `FailureTarget` precede them; `Suspended` can end.
 */
export interface JobCondition {
  /** When the condition was last checked. */
  lastProbeTime?: Time;
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/** A list of Job objects, as a list request returns it. Large lists come in pages. */
export interface JobList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'batch/v1';
  /** The objects of this page. */
  items: Job[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'JobList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What a Job runs, how often, and when it has failed. */
export interface JobSpec {
  /**
   * Seconds that the Job may be active, retries included, before its pods are stopped and it
   * fails. Time in suspension does not count. Default no limit.
   */
  activeDeadlineSeconds?: number;
  /**
   * How many failed pods are tried again before the Job fails. Default 6, or no limit if
   * `backoffLimitPerIndex` is set. Retries back off exponentially, up to 10 minutes.
   */
  backoffLimit?: number;
  /**
   * How many failures of one index are tried again before that index fails. Only with
   * completion mode `Indexed` and restart policy `Never`. Cannot change.
   */
  backoffLimitPerIndex?: number;
  /**
   * `NonIndexed` (the default) counts successful pods; `Indexed` assigns an index to each pod,
   * and each index must succeed once.
   */
  completionMode?: Open<'Indexed' | 'NonIndexed'>;
  /**
   * How many pods must succeed. Without it, the success of any pod completes the Job. Cannot
   * change, except together with `parallelism` for `Indexed` Jobs.
   */
  completions?: number;
  /**
   * Controller that manages the Job in place of the built-in one, such as
   * `kueue.x-k8s.io/multikueue`. Cannot change.
   */
  managedBy?: string;
  /**
   * With true, `selector` and its labels are taken as written. Leave it out, or the Job may
   * adopt pods of others. Default false.
   */
  manualSelector?: boolean;
  /**
   * How many indexes may fail before the whole Job fails. Needs `backoffLimitPerIndex`.
   * Default no limit.
   */
  maxFailedIndexes?: number;
  /** How many pods may run at the same time. Default 1; 0 pauses the Job. Can change. */
  parallelism?: number;
  /**
   * Rules for failed pods that decide whether they count, are ignored or fail the Job. Needs
   * restart policy `Never`. Cannot change.
   */
  podFailurePolicy?: PodFailurePolicy;
  /**
   * Whether a replacement starts when a pod begins to terminate (`TerminatingOrFailed`, the
   * default) or after it is gone (`Failed`, required with a pod failure policy).
   */
  podReplacementPolicy?: Open<'Failed' | 'TerminatingOrFailed'>;
  /** Selects the pods of the Job. Generated; leave it out. */
  selector?: LabelSelector;
  /**
   * Rules by which the Job succeeds before every index has succeeded. Only with completion
   * mode `Indexed`. Cannot change.
   */
  successPolicy?: SuccessPolicy;
  /** While true, the Job runs no pods; active ones are deleted. Default false. Can change. */
  suspend?: boolean;
  /** The pod to run. Its restart policy must be `OnFailure` or `Never`. Mostly cannot change. */
  template: PodTemplateSpec;
  /** Seconds after its end at which the Job is deleted, with its pods. The default is never. */
  ttlSecondsAfterFinished?: number;
}

/** The observed state of a Job. */
export interface JobStatus {
  /** Pods that are pending or running and not terminating. */
  active?: number;
  /**
   * Indexes that have succeeded, as a string such as `1,3-5,7`. Only with completion mode
   * `Indexed`.
   */
  completedIndexes?: string;
  /** When the Job completed successfully. */
  completionTime?: Time;
  /** Aspects of the state. The Job has finished when `Complete` or `Failed` is true. */
  conditions?: JobCondition[];
  /** Pods that have failed. */
  failed?: number;
  /**
   * Indexes that have failed for good, as a string such as `1,3-5,7`. Only with
   * `backoffLimitPerIndex`.
   */
  failedIndexes?: string;
  /** Active pods whose `Ready` condition is true. */
  ready?: number;
  /** When the Job was first started. Reset when a suspended Job resumes. */
  startTime?: Time;
  /** Pods that have succeeded. */
  succeeded?: number;
  /** Pods that are being deleted but still exist. */
  terminating?: number;
  /**
   * Pods that have finished but are not in the counts yet. Used by the controller to count
   * each pod once.
   */
  uncountedTerminatedPods?: UncountedTerminatedPods;
}

/** The Job that a CronJob creates. */
export interface JobTemplateSpec {
  /**
   * Labels and annotations of the Job. The name is made from the CronJob's and the scheduled
   * time.
   */
  metadata?: ObjectMeta;
  /** The desired state of the Job. */
  spec?: JobSpec;
}

/** Rules for failed pods of a Job. */
export interface PodFailurePolicy {
  /**
   * Rules, tried in order; the first that matches decides. Without a match the failure counts.
   * At most 20.
   */
  rules: PodFailurePolicyRule[] | null;
}

/** A condition on the exit codes of a failed pod's containers. */
export interface PodFailurePolicyOnExitCodesRequirement {
  /** The container to look at. The default is all containers. */
  containerName?: string;
  /**
   * `In` matches if a container exited with one of the codes, `NotIn` if one exited with
   * another code. Code 0 is not looked at.
   */
  operator: Open<'In' | 'NotIn'>;
  /** The exit codes, in increasing order. At most 255; 0 is not allowed with `In`. */
  values: number[];
}

/** A condition that a failed pod has, such as `DisruptionTarget`. */
export interface PodFailurePolicyOnPodConditionsPattern {
  /** Status that the condition must have. Default `True`. */
  status?: string;
  /** Type of the condition. */
  type: string;
}

/**
 * What to do with a failed pod that matches. Exactly one of `onExitCodes` and
 * `onPodConditions` is set.
 */
export interface PodFailurePolicyRule {
  /**
   * `FailJob` fails the Job, `FailIndex` the pod's index, `Ignore` replaces the pod without
   * counting, `Count` counts the failure as usual.
   */
  action: Open<'Count' | 'FailIndex' | 'FailJob' | 'Ignore'>;
  /** Matches exit codes of the pod's containers. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  /** Matches conditions of the pod; one is enough. At most 20. */
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}

/** Rules by which a Job succeeds early. */
export interface SuccessPolicy {
  /** Rules, tried in order; the first that matches ends the Job as a success. At most 20. */
  rules: SuccessPolicyRule[];
}

/**
 * A condition on the indexes that have succeeded. At least one field is set; if both are,
 * that many of the listed indexes must have succeeded.
 */
export interface SuccessPolicyRule {
  /** How many indexes must have succeeded. */
  succeededCount?: number;
  /** Indexes that must have succeeded, as a string such as `0,2-4`. */
  succeededIndexes?: string;
}

/** Finished pods that a Job has not counted yet. */
export interface UncountedTerminatedPods {
  /** UIDs of failed pods. */
  failed?: string[];
  /** UIDs of successful pods. */
  succeeded?: string[];
}
