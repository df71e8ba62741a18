// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go:
//   ValidateConditions
import type { Condition } from 'client-ts/meta';
import { validateOptionalChoice } from './choices.ts';
import { duplicate, type FieldError, invalid, required, tooLong } from './field-error.ts';
import { validateLabelKey } from './labels.ts';
import type { Loose } from './loose.ts';

const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_RULE = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`;

/** Checks conditions of the form that `metav1.Condition` has. */
export function validateConditions(
  conditions: readonly Loose<Condition>[],
  field: string,
): FieldError[] {
  return conditions.flatMap((condition, index) => {
    const isRepeated = conditions.slice(0, index).some(({ type }) => type === condition.type);
    return [
      ...(isRepeated ? [duplicate(`${field}[${index}].type`, condition.type ?? '')] : []),
      ...validateCondition(condition, `${field}[${index}]`),
    ];
  });
}

function validateCondition(condition: Loose<Condition>, field: string): FieldError[] {
  const { type = '', status = '', observedGeneration = 0, reason = '', message = '' } = condition;
  return [
    ...validateLabelKey(type, `${field}.type`),
    ...validateOptionalChoice(status, ['False', 'True', 'Unknown'], `${field}.status`),
    ...(observedGeneration < 0
      ? [
          invalid(
            `${field}.observedGeneration`,
            observedGeneration,
            'must be greater than or equal to zero',
          ),
        ]
      : []),
    ...((condition.lastTransitionTime ?? '') === ''
      ? [required(`${field}.lastTransitionTime`)]
      : []),
    ...validateReason(reason, `${field}.reason`),
    ...(Buffer.byteLength(message) > LONGEST_MESSAGE
      ? [tooLong(`${field}.message`, LONGEST_MESSAGE)]
      : []),
  ];
}

function validateReason(reason: string, field: string): FieldError[] {
  if (reason === '') return [required(field)];
  return [
    ...(new RegExp(`^${REASON}$`).test(reason) ? [] : [invalid(field, reason, REASON_RULE)]),
    ...(Buffer.byteLength(reason) > LONGEST_REASON ? [tooLong(field, LONGEST_REASON)] : []),
  ];
}
