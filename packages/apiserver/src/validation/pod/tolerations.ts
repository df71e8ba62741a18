import type * as core from 'client-ts/api/core/v1';
import { validateLabelValue } from 'client-ts/meta';
import { validateOptionalChoice } from '../choices.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../field-error.ts';
import { validateLabelKey } from '../labels.ts';
import type { Loose } from '../loose.ts';

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Checks which taints a pod tolerates. */
export function validateTolerations(
  tolerations: readonly Loose<core.Toleration>[],
  field: string,
): FieldError[] {
  return tolerations.flatMap((toleration, index) =>
    validateToleration(toleration, `${field}[${index}]`),
  );
}

function validateToleration(toleration: Loose<core.Toleration>, field: string): FieldError[] {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const errors: FieldError[] = [];
  if (key !== '') errors.push(...validateLabelKey(key, `${field}.key`));
  if (key === '' && operator !== 'Exists') {
    const detail =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(`${field}.operator`, operator, detail));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalid(`${field}.effect`, effect, detail));
  }
  errors.push(...validateTolerationValue(operator, value, `${field}.operator`));
  if (effect !== '') {
    errors.push(...validateOptionalChoice(effect, TAINT_EFFECTS, `${field}.effect`));
  }
  return errors;
}

function validateTolerationValue(operator: string, value: string, field: string): FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const messages = validateLabelValue(value);
      return messages.length === 0 ? [] : [invalid(field, value, messages.join(';'))];
    }
    case 'Exists':
      return value === ''
        ? []
        : [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
    case 'Gt':
    case 'Lt':
      return [notSupported(field, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(field, operator, ['Equal', 'Exists'])];
  }
}

/** Checks the taints of a node: unique by key and effect. */
export function validateTaints(taints: readonly Loose<core.Taint>[], field: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const path = `${field}[${index}]`;
    const { key = '', value = '', effect = '' } = taint;
    const messages = validateLabelValue(value);
    const pair = `${effect} ${key}`;
    const isRepeated = seen.has(pair);
    seen.add(pair);
    return [
      ...validateLabelKey(key, `${path}.key`),
      ...(messages.length === 0 ? [] : [invalid(`${path}.value`, value, messages.join(';'))]),
      ...(effect === ''
        ? [required(`${path}.effect`)]
        : validateOptionalChoice(effect, TAINT_EFFECTS, `${path}.effect`)),
      ...(isRepeated ? [repeatedTaint(taint, path)] : []),
    ];
  });
}

function repeatedTaint(
  { key = '', value = '', effect = '', timeAdded }: Loose<core.Taint>,
  field: string,
): FieldError {
  const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
  return duplicate(field, shown, 'taints must be unique by key and effect pair');
}
