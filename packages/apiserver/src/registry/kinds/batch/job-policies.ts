import type * as batch from 'client-ts/api/batch/v1';
import { quoteGo } from 'client-ts/internal';
import { validateQualifiedName } from 'client-ts/meta';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidEach,
  invalidUnshown,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../../validation/field-error.ts';
import { countIndexes, parseIndexRanges } from './index-ranges.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nonNegative } from '../../../validation/object-meta.ts';

type JobSpec = Loose<batch.JobSpec>;
type ExitCodes = Loose<batch.PodFailurePolicyOnExitCodesRequirement>;
type ConditionPattern = Loose<batch.PodFailurePolicyOnPodConditionsPattern>;

const MOST_RULES = 20;
const MOST_PATTERNS = 20;
const MOST_EXIT_CODES = 255;
const LONGEST_INDEXES = 64 * 1024;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const CONDITION_STATUSES = ['False', 'True', 'Unknown'];

/** Checks what a job does about pods that fail. */
export function validateFailurePolicy(spec: JobSpec, field: string): FieldError[] {
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
  /** The containers of the template. */
  readonly names: ReadonlySet<string>;
  /** Whether each index has a limit of its own. */
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
      ? [invalidUnshown(field, 'specifying both OnExitCodes and OnPodConditions is not supported')]
      : []),
    ...(onExitCodes === undefined && !hasConditions
      ? [invalidUnshown(field, 'specifying one of OnExitCodes and OnPodConditions is required')]
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

/** Checks when an indexed job counts as done before all of its indexes are. */
export function validateSuccessPolicy(spec: JobSpec, field: string): FieldError[] {
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
