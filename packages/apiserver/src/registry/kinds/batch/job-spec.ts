// Upstream: pkg/apis/batch/validation/validation.go:
//   validateJobSpec, validatePodFailurePolicy, validateSuccessPolicy
import type * as batch from 'client-ts/api/batch/v1';
import { quoteGo } from 'client-ts/internal';
import { validateQualifiedName } from 'client-ts/meta';
import { validateOptionalChoice } from '../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidEach,
  invalidOmitValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nonNegative } from '../../../validation/object-meta.ts';
import { validatePodTemplate } from '../../../validation/pod/spec.ts';
import { validateDomainPrefixedPath } from '../../../validation/signer-name.ts';

type JobSpec = Loose<batch.JobSpec>;

const MOST_PARALLEL = 100_000;
const MOST_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
const MOST_WITH_MANY_COMPLETIONS = 10_000;
const LONGEST_MANAGED_BY = 63;

/** Checks the spec of a Job or of a CronJob's template, without its selector. */
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
    ...validatePodsFinish(spec, `${field}.template.spec.restartPolicy`),
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
    : [invalid(field, successPolicy, 'requires indexed completion mode')];
}

/** Checks that the pods of a Job can finish: they must not always restart. */
function validatePodsFinish({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
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

type ExitCodes = Loose<batch.PodFailurePolicyOnExitCodesRequirement>;
type ConditionPattern = Loose<batch.PodFailurePolicyOnPodConditionsPattern>;

const MOST_RULES = 20;
const MOST_PATTERNS = 20;
const MOST_EXIT_CODES = 255;
const LONGEST_INDEXES = 64 * 1024;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const CONDITION_STATUSES = ['False', 'True', 'Unknown'];

/** Checks the pod failure policy. */
function validateFailurePolicy(spec: JobSpec, field: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
  return [
    ...(rules.length > MOST_RULES ? [tooMany(`${field}.rules`, rules.length, MOST_RULES)] : []),
    ...rules.flatMap((rule, index) =>
      validateFailureRule(rule, {
        field: `${field}.rules[${index}]`,
        names,
        limitsIndexes: spec.backoffLimitPerIndex !== undefined,
      }),
    ),
  ];
}

interface FailureRuleContext {
  readonly field: string;
  /** The names of the containers. */
  readonly names: ReadonlySet<string>;
  /** Whether the Job has `backoffLimitPerIndex`. */
  readonly limitsIndexes: boolean;
}

function validateFailureRule(
  { action = '', onExitCodes, onPodConditions = [] }: Loose<batch.PodFailurePolicyRule>,
  { field, names, limitsIndexes }: FailureRuleContext,
): FieldError[] {
  const hasConditions = onPodConditions.length > 0;
  return [
    ...(action === 'FailIndex'
      ? limitsIndexes
        ? []
        : [invalid(`${field}.action`, action, 'requires the backoffLimitPerIndex to be set')]
      : validateOneOf(action, ACTIONS, `${field}.action`)),
    ...(onExitCodes === undefined
      ? []
      : validateExitCodes(onExitCodes, names, `${field}.onExitCodes`)),
    ...validateConditions(onPodConditions, `${field}.onPodConditions`),
    ...(onExitCodes !== undefined && hasConditions
      ? [
          invalidOmitValue(
            field,
            'specifying both OnExitCodes and OnPodConditions is not supported',
          ),
        ]
      : []),
    ...(onExitCodes === undefined && !hasConditions
      ? [invalidOmitValue(field, 'specifying one of OnExitCodes and OnPodConditions is required')]
      : []),
  ];
}

function validateOneOf(value: string, choices: readonly string[], field: string): FieldError[] {
  if (value === '') {
    return [required(field, `valid values: [${choices.map(quoteGo).join(' ')}]`)];
  }
  return choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

function validateConditions(patterns: readonly ConditionPattern[], field: string): FieldError[] {
  return [
    ...(patterns.length > MOST_PATTERNS ? [tooMany(field, patterns.length, MOST_PATTERNS)] : []),
    ...patterns.flatMap(({ type = '', status = '' }, index) => [
      ...invalidEach(`${field}[${index}].type`, type, validateQualifiedName(type)),
      ...validateOneOf(status, CONDITION_STATUSES, `${field}[${index}].status`),
    ]),
  ];
}

function validateExitCodes(
  { operator = '', containerName, values = [] }: ExitCodes,
  names: ReadonlySet<string>,
  field: string,
): FieldError[] {
  return [
    ...validateOneOf(operator, OPERATORS, `${field}.operator`),
    ...(containerName === undefined || names.has(containerName)
      ? []
      : [
          invalid(
            `${field}.containerName`,
            containerName,
            'must be one of the container or initContainer names in the pod template',
          ),
        ]),
    ...validateExitCodeValues(values, operator, `${field}.values`),
  ];
}

function validateExitCodeValues(
  values: readonly number[],
  operator: string,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (values.length === 0) errors.push(invalid(field, values, 'at least one value is required'));
  if (values.length > MOST_EXIT_CODES) errors.push(tooMany(field, values.length, MOST_EXIT_CODES));
  for (const [index, value] of values.entries()) {
    const path = `${field}[${index}]`;
    if (operator === 'In' && value === 0) {
      errors.push(invalid(path, value, 'must not be 0 for the In operator'));
    }
    if (values.indexOf(value) < index) errors.push(duplicate(path, value));
  }
  if (values.some((value, index) => value < (values[index - 1] ?? value))) {
    errors.push(invalid(field, values, 'must be ordered'));
  }
  return errors;
}

/** Checks the success policy of an indexed Job. */
function validateSuccessPolicy(spec: JobSpec, field: string): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  return [
    ...(rules.length === 0
      ? [
          required(
            `${field}.rules`,
            'at least one rules must be specified when the successPolicy is specified',
          ),
        ]
      : []),
    ...(rules.length > MOST_RULES ? [tooMany(`${field}.rules`, rules.length, MOST_RULES)] : []),
    ...rules.flatMap((rule, index) =>
      validateSuccessRule(rule, spec.completions ?? 0, `${field}.rules[${index}]`),
    ),
  ];
}

function validateSuccessRule(
  { succeededCount: count, succeededIndexes: indexes }: Loose<batch.SuccessPolicyRule>,
  completions: number,
  field: string,
): FieldError[] {
  const parsed = parseIndexRanges(indexes ?? '', completions);
  const total = 'ranges' in parsed ? countIndexes(parsed.ranges) : 0;
  const countField = `${field}.succeededCount`;
  return [
    ...(count === undefined && indexes === undefined
      ? [required(field, 'at least one of succeededCount or succeededIndexes must be specified')]
      : []),
    ...(Buffer.byteLength(indexes ?? '') > LONGEST_INDEXES
      ? [tooLong(`${field}.succeededIndexes`, LONGEST_INDEXES)]
      : []),
    ...('problem' in parsed
      ? [
          invalid(
            `${field}.succeededIndexes`,
            indexes,
            `error parsing succeededIndexes: ${parsed.problem}`,
          ),
        ]
      : []),
    ...nonNegative(count, countField),
    ...atMost(count, completions, 'the number of specified completions', countField),
    ...(indexes === undefined
      ? []
      : atMost(
          count,
          total,
          'the number of indexes in the specified succeededIndexes field',
          countField,
        )),
  ];
}

function atMost(
  count: number | undefined,
  limit: number,
  meaning: string,
  field: string,
): FieldError[] {
  return count !== undefined && count > limit
    ? [invalid(field, count, `must be less than or equal to ${limit} (${meaning})`)]
    : [];
}

/** The first and last index of a range; equal for a single index. */
type IndexRange = readonly [number, number];

/** The parsed ranges, or what is wrong with the text. */
type ParsedRanges = { readonly ranges: readonly IndexRange[] } | { readonly problem: string };

/** Parses `1,3-5,7`: ascending indexes below a limit. */
export function parseIndexRanges(text: string, limit: number): ParsedRanges {
  if (text === '') return { ranges: [] };
  const ranges: IndexRange[] = [];
  for (const part of text.split(',')) {
    const range = parseRange(part, limit);
    if (typeof range === 'string') return { problem: range };
    const last = ranges.at(-1)?.[1];
    if (last !== undefined && last >= range[0]) return { problem: notIncreasing(last, range[0]) };
    ranges.push(range);
  }
  return { ranges };
}

/** Returns the number of indexes in the ranges. */
function countIndexes(ranges: readonly IndexRange[]): number {
  return ranges.reduce((total, [first, last]) => total + last - first + 1, 0);
}

/** Returns the first index that two texts share; invalid parts are ignored. */
export function findOverlap(left: string, right: string, limit: number): number | undefined {
  const readable = (text: string): IndexRange[] =>
    text
      .split(',')
      .map((part) => parseRange(part, limit))
      .filter((range) => typeof range !== 'string');
  const others = readable(right);
  for (const [first, last] of readable(left)) {
    const common = others.find((other) => first <= other[1] && other[0] <= last);
    if (common !== undefined) return Math.max(first, common[0]);
  }
  return undefined;
}

function parseRange(text: string, limit: number): IndexRange | string {
  const [start = '', end, ...rest] = text.split('-');
  if (rest.length > 0) {
    return `the fragment ${quoteGo(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const first = parseIndex(start, limit);
  if (typeof first === 'string') return first;
  if (end === undefined) return [first, first];
  const last = parseIndex(end, limit);
  if (typeof last === 'string') return last;
  return first >= last ? notIncreasing(first, last) : [first, last];
}

function parseIndex(text: string, limit: number): number | string {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return `cannot convert string to integer for index: ${quoteGo(text)}`;
  }
  const index = Number(text);
  return index >= limit ? `too large index: ${quoteGo(text)}` : index;
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
