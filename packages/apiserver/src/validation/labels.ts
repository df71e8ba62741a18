// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go:
//   ValidateLabels, ValidateLabelSelector
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
  collectErrors,
  forbidden,
  invalid,
  invalidEach,
  required,
} from './field-error.ts';
import { inOrder, type Loose, sortedMap } from './loose.ts';

/** Checks labels, or a map of the same form such as a node selector. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  return collectErrors(Object.entries(labels ?? {}), ([key, value]) => [
    ...validateLabelKey(key, field),
    ...invalidEach(field, value, validateLabelValue(value)),
  ]);
}

/** Checks a label key or another qualified name. */
export function validateLabelKey(key: string, field: string): FieldError[] {
  return invalidEach(field, key, validateQualifiedName(key));
}

/** Checks `matchLabels` and `matchExpressions`; an absent selector is valid. */
export function validateLabelSelector(
  selector: Loose<LabelSelector> | undefined,
  field: string,
): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(selector.matchLabels, `${field}.matchLabels`),
    ...collectErrors(selector.matchExpressions ?? [], (requirement, index) =>
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
    ...collectErrors(values, (value, index) =>
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

/** Returns true if the selector has no requirements. */
export function isEmptySelector(selector: Loose<LabelSelector>): boolean {
  return (
    Object.keys(selector.matchLabels ?? {}).length === 0 &&
    (selector.matchExpressions ?? []).length === 0
  );
}

/** Returns the matcher for a selector; undefined if the selector is invalid. */
export function matcherOf(selector: Loose<LabelSelector> | undefined): LabelMatcher | undefined {
  try {
    return labelSelectorAsSelector(selector as LabelSelector | undefined);
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined;
    throw error;
  }
}

/** Returns a selector with its keys in the order that messages print. */
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
