// Upstream: pkg/apis/batch/validation/validation.go: ValidateJobUpdateStatus
// Upstream: pkg/registry/batch/job/strategy.go: getStatusValidationOptions
import type * as batch from 'client-ts/api/batch/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidOmitValue,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { FIELD_IS_IMMUTABLE, nonNegative } from '../../../validation/object-meta.ts';
import { findOverlap, parseIndexRanges } from './job-spec.ts';

type Job = Loose<batch.Job>;
type JobStatus = Loose<batch.JobStatus>;

/** Returns true if the Job has a condition with status `True`. */
export function isConditionTrue({ conditions = [] }: JobStatus, type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

const isComplete = (status: JobStatus): boolean => isConditionTrue(status, 'Complete');
const isFailed = (status: JobStatus): boolean => isConditionTrue(status, 'Failed');
const isFinished = (status: JobStatus): boolean => isComplete(status) || isFailed(status);

/**
 * What a status update changes. Rules apply only to changed fields, because old statuses may break
 * newer rules.
 */
interface Changes {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly finished: boolean;
  readonly failureTarget: boolean;
  readonly successCriteria: boolean;
  readonly has: (...fields: readonly (keyof JobStatus)[]) => boolean;
}

function changesBetween(status: JobStatus, old: JobStatus): Changes {
  const differ = (test: (status: JobStatus) => boolean): boolean => test(status) !== test(old);
  return {
    complete: differ(isComplete),
    failed: differ(isFailed),
    finished: differ(isFinished),
    failureTarget: differ((each) => isConditionTrue(each, 'FailureTarget')),
    successCriteria: differ((each) => isConditionTrue(each, 'SuccessCriteriaMet')),
    has: (...fields) => fields.some((field) => !jsonEqual(status[field], old[field])),
  };
}

/** Checks a status update of a Job. */
export function validateJobStatus(job: Job, old: Job): FieldError[] {
  const { status = {} } = job;
  const before = old.status ?? {};
  const changes = changesBetween(status, before);
  return [
    ...(['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap((name) =>
      nonNegative(status[name], `status.${name}`),
    ),
    ...validateUncounted(status),
    ...validateConditions(status, changes),
    ...validateFinished(job, changes),
    ...validateIndexes(job, changes),
    ...validateCounts(status, changes),
    ...validateSuccessConditions(job),
    ...validateProgress(job, old),
  ];
}

function validateUncounted({ uncountedTerminatedPods: pods = {} }: JobStatus): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((name) =>
    (pods[name] ?? []).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${name}[${index}]`;
      if (uid === '') return [invalid(field, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(field, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function validateConditions(status: JobStatus, changes: Changes): FieldError[] {
  const { completionTime: end, startTime: start } = status;
  const errors: FieldError[] = [];
  const conflict = (detail: string): void => {
    errors.push(invalidOmitValue('status.conditions', `cannot set ${detail}`));
  };
  const complete = isComplete(status);
  const failureTarget = isConditionTrue(status, 'FailureTarget');
  if ((changes.complete || changes.failed) && complete && isFailed(status)) {
    conflict('Complete=True and Failed=true conditions');
  }
  if ((changes.complete || changes.failureTarget) && complete && failureTarget) {
    conflict('Complete=True and FailureTarget=true conditions');
  }
  if (changes.complete || changes.has('completionTime')) {
    if (end !== undefined && !complete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      errors.push(invalid('status.completionTime', end, detail));
    }
    if (end === undefined && complete) {
      const detail = 'completionTime is required for Complete jobs';
      errors.push(required('status.completionTime', detail));
    }
  }
  if (changes.has('startTime', 'completionTime') && start && end && end < start) {
    const detail = 'must be equal to or after `startTime`';
    errors.push(invalid('status.completionTime', end, detail));
  }
  if ((changes.failed || changes.has('failedIndexes')) && isFailed(status) && !failureTarget) {
    conflict('Failed=True condition without the FailureTarget=true condition');
  }
  const succeeds = isConditionTrue(status, 'SuccessCriteriaMet');
  if ((changes.complete || changes.successCriteria) && complete && !succeeds) {
    conflict('Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  return errors;
}

/** Checks that a finished Job has a start time and no running pods. */
function validateFinished({ spec = {}, status = {} }: Job, changes: Changes): FieldError[] {
  if (!isFinished(status)) return [];
  const { uncountedTerminatedPods: uncounted = {} } = status;
  const neverRan = spec.suspend === true && spec.completions === 0;
  const left = (uncounted.failed ?? []).length + (uncounted.succeeded ?? []).length;
  const relevant = (...fields: (keyof JobStatus)[]): boolean =>
    changes.finished || changes.has(...fields);
  return [
    ...(relevant('active') && (status.active ?? 0) > 0
      ? [invalid('status.active', status.active, 'active>0 is invalid for finished job')]
      : []),
    ...(relevant('startTime') && !neverRan && status.startTime === undefined
      ? [required('status.startTime', 'startTime is required for finished job')]
      : []),
    ...(relevant('uncountedTerminatedPods') && left > 0
      ? [invalid('status.uncountedTerminatedPods', uncounted, 'must be empty for finished job')]
      : []),
  ];
}

function validateIndexes({ spec = {}, status = {} }: Job, changes: Changes): FieldError[] {
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const completedChanged = changes.has('completedIndexes');
  const failedChanged = changes.has('failedIndexes');
  const wrongFormat = (name: 'completedIndexes' | 'failedIndexes', text: string): FieldError[] => {
    const parsed = parseIndexRanges(text, completions ?? 0);
    return 'problem' in parsed
      ? [invalid(`status.${name}`, text, `error parsing ${name}: ${parsed.problem}`)]
      : [];
  };
  const errors: FieldError[] = [];
  if (completedChanged && completions !== undefined) {
    errors.push(...wrongFormat('completedIndexes', completed));
  }
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined) {
    errors.push(...wrongFormat('failedIndexes', failed ?? ''));
  }
  if (completedChanged && completed !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalid('status.completedIndexes', completed, detail));
  }
  if (failedChanged && backoffLimitPerIndex === undefined && failed !== undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalid('status.failedIndexes', failed, detail));
  }
  if ((failedChanged || completedChanged) && completions !== undefined && failed !== undefined) {
    const common = findOverlap(completed, failed, completions);
    if (common !== undefined) {
      const detail = `failedIndexes and completedIndexes overlap at index: ${common}`;
      errors.push(invalid('status.failedIndexes', failed, detail));
    }
  }
  return errors;
}

function validateCounts(status: JobStatus, changes: Changes): FieldError[] {
  const { active = 0, ready, terminating = 0 } = status;
  return [
    ...((changes.finished || changes.has('terminating')) && terminating > 0 && isFinished(status)
      ? [invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : []),
    ...(ready !== undefined && changes.has('ready', 'active') && ready > active
      ? [invalid('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
  ];
}

function validateSuccessConditions({ spec = {}, status = {} }: Job): FieldError[] {
  const succeeds = isConditionTrue(status, 'SuccessCriteriaMet');
  const conflict = (detail: string): FieldError =>
    invalidOmitValue('status.conditions', `cannot set ${detail}`);
  return [
    ...(succeeds && isFailed(status)
      ? [conflict('SuccessCriteriaMet=True and Failed=true conditions')]
      : []),
    ...(succeeds && isConditionTrue(status, 'FailureTarget')
      ? [conflict('SuccessCriteriaMet=True and FailureTarget=true conditions')]
      : []),
    ...(spec.successPolicy !== undefined && !succeeds && isComplete(status)
      ? [conflict('Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')]
      : []),
  ];
}

/** Checks that a status update does not undo progress. */
function validateProgress({ spec = {}, status = {} }: Job, old: Job): FieldError[] {
  const before = old.status ?? {};
  const { completionTime, startTime } = status;
  const errors: FieldError[] = [];
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (!isConditionTrue(before, type) || isConditionTrue(status, type)) continue;
    const detail = `cannot disable the terminal ${type}=True condition`;
    errors.push(invalidOmitValue('status.conditions', detail));
  }
  const isElastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  for (const name of ['failed', 'succeeded'] as const) {
    if (name === 'succeeded' && isElastic) continue;
    if ((status[name] ?? 0) >= (before[name] ?? 0)) continue;
    const detail = `cannot decrease the ${name} counter`;
    errors.push(invalid(`status.${name}`, status[name] ?? 0, detail));
  }
  if (completionTime && before.completionTime && completionTime !== before.completionTime) {
    errors.push(invalid('status.completionTime', completionTime, FIELD_IS_IMMUTABLE));
  }
  const restarts =
    before.startTime !== undefined &&
    startTime !== before.startTime &&
    spec.suspend !== true &&
    !isResuming(status, before);
  if (restarts) {
    const detail = 'field is immutable for unsuspended job once set';
    errors.push(invalid('status.startTime', startTime, detail));
  }
  const succeeds = isConditionTrue(status, 'SuccessCriteriaMet');
  const succeeded = isConditionTrue(before, 'SuccessCriteriaMet');
  if (succeeded && !succeeds) {
    const detail = 'cannot disable the SuccessCriteriaMet=True condition';
    errors.push(invalidOmitValue('status.conditions', detail));
  }
  if (isComplete(before) && !succeeded && succeeds) {
    const detail =
      'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    errors.push(invalidOmitValue('status.conditions', detail));
  }
  return errors;
}

function isResuming({ conditions = [] }: JobStatus, before: JobStatus): boolean {
  return (
    isConditionTrue(before, 'Suspended') &&
    conditions.some(({ type, status }) => type === 'Suspended' && status === 'False')
  );
}
