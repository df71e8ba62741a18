import type * as batch from 'client-ts/api/batch/v1';
import { validateOptionalChoice } from '../../../validation/choices.ts';
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../../validation/field-error.ts';
import { internalJson } from '../../../validation/internal-json.ts';
import { validateFailurePolicy, validateSuccessPolicy } from './job-policies.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nonNegative } from '../../../validation/object-meta.ts';
import { validatePodTemplate } from '../../../validation/pod/template.ts';
import { validateDomainPrefixedPath } from '../../../validation/signer-name.ts';

type JobSpec = Loose<batch.JobSpec>;

const MOST_PARALLEL = 100_000;
const MOST_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
const MOST_WITH_MANY_COMPLETIONS = 10_000;
const LONGEST_MANAGED_BY = 63;

/** Checks what a job does, selectors aside; the same for jobs and for templates of them. */
export function validateJobSpec(spec: JobSpec, field: string): FieldError[] {
  const { completionMode, managedBy } = spec;
  return [
    ...(
      [
        'parallelism',
        'completions',
        'activeDeadlineSeconds',
        'backoffLimit',
        'ttlSecondsAfterFinished',
        'backoffLimitPerIndex',
        'maxFailedIndexes',
      ] as const
    ).flatMap((name) => nonNegative(spec[name], `${field}.${name}`)),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...(managedBy === undefined ? [] : validateManagedBy(managedBy, `${field}.managedBy`)),
    ...validateOptionalChoice(completionMode, ['NonIndexed', 'Indexed'], `${field}.completionMode`),
    ...(completionMode === 'Indexed' ? validateIndexed(spec, field) : []),
    ...(completionMode === undefined || completionMode === 'NonIndexed'
      ? validateNotIndexed(spec, field)
      : []),
    ...(spec.podFailurePolicy === undefined
      ? []
      : validateFailurePolicy(spec, `${field}.podFailurePolicy`)),
    ...validateSuccess(spec, `${field}.successPolicy`),
    ...validateOptionalChoice(
      spec.podReplacementPolicy,
      spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'],
      `${field}.podReplacementPolicy`,
    ),
    ...validatePodTemplate(spec.template, `${field}.template`),
    ...validateEnds(spec, `${field}.template.spec.restartPolicy`),
  ];
}

function validateManagedBy(managedBy: string, field: string): FieldError[] {
  return [
    ...validateDomainPrefixedPath(managedBy, field),
    ...(Buffer.byteLength(managedBy) > LONGEST_MANAGED_BY
      ? [tooLong(field, LONGEST_MANAGED_BY)]
      : []),
  ];
}

function validateIndexed(spec: JobSpec, field: string): FieldError[] {
  const { completions, maxFailedIndexes: maxFailed, parallelism = 0 } = spec;
  const errors: FieldError[] = [];
  const tooHigh = (name: 'maxFailedIndexes' | 'parallelism', detail: string): void => {
    errors.push(invalid(`${field}.${name}`, spec[name], `must be less than or equal to ${detail}`));
  };
  if (completions === undefined) {
    errors.push(required(`${field}.completions`, 'when completion mode is Indexed'));
  }
  if (parallelism > MOST_PARALLEL) {
    tooHigh('parallelism', `${MOST_PARALLEL} when completion mode is Indexed`);
  }
  if (maxFailed !== undefined && completions !== undefined && maxFailed > completions) {
    tooHigh('maxFailedIndexes', 'completions');
  }
  if ((maxFailed ?? 0) > MOST_FAILED_INDEXES) tooHigh('maxFailedIndexes', `${MOST_FAILED_INDEXES}`);
  if ((completions ?? 0) > MANY_COMPLETIONS && spec.backoffLimitPerIndex !== undefined) {
    const limit = `${MOST_WITH_MANY_COMPLETIONS} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
    if (maxFailed === undefined) {
      const detail = `must be specified when completions is above ${MANY_COMPLETIONS}`;
      errors.push(required(`${field}.maxFailedIndexes`, detail));
    }
    if (parallelism > MOST_WITH_MANY_COMPLETIONS) tooHigh('parallelism', limit);
    if ((maxFailed ?? 0) > MOST_WITH_MANY_COMPLETIONS) tooHigh('maxFailedIndexes', limit);
  }
  return errors;
}

function validateNotIndexed(spec: JobSpec, field: string): FieldError[] {
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((name) =>
    spec[name] === undefined
      ? []
      : [invalid(`${field}.${name}`, spec[name], 'requires indexed completion mode')],
  );
}

function validateSuccess(spec: JobSpec, field: string): FieldError[] {
  const { successPolicy, completionMode } = spec;
  if (successPolicy === undefined) return [];
  return completionMode === 'Indexed'
    ? validateSuccessPolicy(spec, field)
    : [
        invalid(
          field,
          internalJson('SuccessPolicy', successPolicy),
          'requires indexed completion mode',
        ),
      ];
}

/** Pods of a job have to end, so they cannot restart for ever. */
function validateEnds({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') {
    return [required(field, 'valid values: "OnFailure", "Never"')];
  }
  if (policy !== 'OnFailure' && policy !== 'Never') {
    return [notSupported(field, policy, ['OnFailure', 'Never'])];
  }
  return podFailurePolicy !== undefined && policy !== 'Never'
    ? [invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}
