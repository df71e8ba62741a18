import {
  type LabelMatcher,
  type LabelSelector,
  labelSelectorAsSelector,
  LabelSelectorError,
  type LabelSelectorRequirement,
  validateLabelValue,
  validateQualifiedName,
} from 'client-ts/meta';
import {
  type FieldError,
  findEach,
  forbidden,
  invalid,
  invalidEach,
  required,
} from './field-error.ts';
import { inOrder, type Loose, sortedMap } from './loose.ts';

/** Checks a set of labels, or a map of the same form such as a node selector. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  return findEach(Object.entries(labels ?? {}), ([key, value]) => [
    ...validateLabelKey(key, field),
    ...invalidEach(field, value, validateLabelValue(value)),
  ]);
}

/** Checks the key of a label or of anything named like one. */
export function validateLabelKey(key: string, field: string): FieldError[] {
  return invalidEach(field, key, validateQualifiedName(key));
}

/** Checks `matchLabels` and `matchExpressions`; no selector at all is fine. */
export function validateLabelSelector(
  selector: Loose<LabelSelector> | undefined,
  field: string,
): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(selector.matchLabels, `${field}.matchLabels`),
    ...findEach(selector.matchExpressions ?? [], (requirement, index) =>
      validateRequirement(requirement, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

function validateRequirement(
  { key = '', operator = '', values = [] }: Loose<LabelSelectorRequirement>,
  field: string,
): FieldError[] {
  return [
    ...validateOperator(operator, values, field),
    ...validateLabelKey(key, `${field}.key`),
    ...findEach(values, (value, index) =>
      invalidEach(`${field}.values[${index}]`, value, validateLabelValue(value)),
    ),
  ];
}

function validateOperator(
  operator: string,
  values: readonly string[],
  field: string,
): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length === 0
        ? [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
        : [];
    case 'DoesNotExist':
    case 'Exists':
      return values.length > 0
        ? [
            forbidden(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ]
        : [];
    default:
      return [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

/** True if the selector has no requirement at all. */
export function isEmptySelector(selector: Loose<LabelSelector>): boolean {
  return (
    Object.keys(selector.matchLabels ?? {}).length === 0 &&
    (selector.matchExpressions ?? []).length === 0
  );
}

/** The matcher for a selector; undefined if it is so wrong that it cannot have one. */
export function matcherOf(selector: Loose<LabelSelector> | undefined): LabelMatcher | undefined {
  try {
    return labelSelectorAsSelector(selector as LabelSelector | undefined);
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined;
    throw error;
  }
}

/** A selector as messages print it. */
export function printableSelector(selector: Loose<LabelSelector> | undefined): unknown {
  if (selector === undefined) return undefined;
  const ordered = inOrder(selector, ['matchLabels', 'matchExpressions']);
  return {
    ...ordered,
    ...(selector.matchLabels && { matchLabels: sortedMap(selector.matchLabels) }),
    ...(selector.matchExpressions && {
      matchExpressions: selector.matchExpressions.map((requirement) =>
        inOrder(requirement, ['key', 'operator', 'values']),
      ),
    }),
  };
}
