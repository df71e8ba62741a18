// Upstream: pkg/apis/core/validation/validation.go:
//   validateAffinity, validateTopologySpreadConstraints, ValidateTolerations
import type * as core from 'client-ts/api/core/v1';
import { type LabelSelector, validateLabelValue } from 'client-ts/meta';
import { validateOptionalChoice } from '../choices.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../field-error.ts';
import { validateLabelKey, validateLabelSelector } from '../labels.ts';
import type { Loose } from '../loose.ts';
import { nameIsDnsLabel, nameIsDnsSubdomain } from '../names.ts';

const NOT_AN_OPERATOR = 'not a valid selector operator';

/** Checks node affinity, pod affinity and pod anti-affinity. */
export function validateAffinity(
  affinity: Loose<core.Affinity> | undefined,
  field: string,
): FieldError[] {
  if (affinity === undefined) return [];
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, `${field}.nodeAffinity`) : []),
    ...(podAffinity ? validatePodAffinity(podAffinity, `${field}.podAffinity`) : []),
    ...(podAntiAffinity ? validatePodAffinity(podAntiAffinity, `${field}.podAntiAffinity`) : []),
  ];
}

function validateNodeAffinity(affinity: Loose<core.NodeAffinity>, field: string): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity;
  const preferredField = `${field}.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...(needed
      ? validateNodeSelector(needed, `${field}.requiredDuringSchedulingIgnoredDuringExecution`)
      : []),
    ...preferred.flatMap(({ weight = 0, preference = {} }, index) => [
      ...validateWeight(weight, `${preferredField}[${index}].weight`),
      // Upstream does not check the values of preferences.
      ...validateNodeSelectorTerm(preference, `${preferredField}[${index}].preference`, false),
    ]),
  ];
}

function validateWeight(weight: number, field: string): FieldError[] {
  return weight <= 0 || weight > 100 ? [invalid(field, weight, 'must be in the range 1-100')] : [];
}

/** Checks node selector terms; at least one is required. */
export function validateNodeSelector(
  { nodeSelectorTerms = [] }: Loose<core.NodeSelector>,
  field: string,
): FieldError[] {
  const path = `${field}.nodeSelectorTerms`;
  if (nodeSelectorTerms.length === 0) {
    return [required(path, 'must have at least one node selector term')];
  }
  return nodeSelectorTerms.flatMap((term, index) =>
    validateNodeSelectorTerm(term, `${path}[${index}]`, true),
  );
}

function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: Loose<core.NodeSelectorTerm>,
  field: string,
  checkValues: boolean,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((requirement, index) =>
      validateNodeLabel(requirement, `${field}.matchExpressions[${index}]`, checkValues),
    ),
    ...matchFields.flatMap((requirement, index) =>
      validateNodeField(requirement, `${field}.matchFields[${index}]`),
    ),
  ];
}

function validateNodeLabel(
  { key = '', operator = '', values = [] }: Loose<core.NodeSelectorRequirement>,
  field: string,
  checkValues: boolean,
): FieldError[] {
  return [
    ...validateNodeOperator(operator, values.length, field),
    ...validateLabelKey(key, `${field}.key`),
    ...(checkValues ? values : []).flatMap((value, index) =>
      invalidEach(`${field}.values[${index}]`, value, validateLabelValue(value)),
    ),
  ];
}

function validateNodeOperator(operator: string, values: number, field: string): FieldError[] {
  const path = `${field}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values === 0
        ? [required(path, "must be specified when `operator` is 'In' or 'NotIn'")]
        : [];
    case 'DoesNotExist':
    case 'Exists':
      return values > 0
        ? [forbidden(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
        : [];
    case 'Gt':
    case 'Lt':
      return values === 1
        ? []
        : [required(path, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${field}.operator`, operator, NOT_AN_OPERATOR)];
  }
}

function validateNodeField(
  { key = '', operator = '', values = [] }: Loose<core.NodeSelectorRequirement>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${field}.operator`, operator, NOT_AN_OPERATOR));
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${field}.values`, detail));
  }
  if (key !== 'metadata.name') {
    return [...errors, invalid(`${field}.key`, key, 'not a valid field selector key')];
  }
  return [
    ...errors,
    ...values.flatMap((value, index) =>
      invalidEach(`${field}.values[${index}]`, value, nameIsDnsSubdomain(value, false)),
    ),
  ];
}

function validatePodAffinity(
  affinity: Loose<core.PodAffinity | core.PodAntiAffinity>,
  field: string,
): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity;
  const preferredField = `${field}.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...needed.flatMap((term, index) =>
      validatePodAffinityTerm(
        term,
        `${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`,
      ),
    ),
    ...preferred.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => [
      ...validateWeight(weight, `${preferredField}[${index}].weight`),
      ...validatePodAffinityTerm(podAffinityTerm, `${preferredField}[${index}].podAffinityTerm`),
    ]),
  ];
}

function validatePodAffinityTerm(term: Loose<core.PodAffinityTerm>, field: string): FieldError[] {
  const { namespaces = [], topologyKey = '' } = term;
  return [
    ...validateLabelSelector(term.labelSelector, `${field}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${field}.namespaceSelector`),
    ...namespaces.flatMap((name) =>
      invalidEach(`${field}.namespace`, name, nameIsDnsLabel(name, false)),
    ),
    ...validateLabelKeys(term, field),
    ...(topologyKey === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...validateLabelKey(topologyKey, `${field}.topologyKey`),
  ];
}

/** Label keys whose values come from the pod itself. */
interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: Loose<LabelSelector>;
}

function validateLabelKeys(term: LabelKeys, field: string): FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = term;
  const known = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  const errors: FieldError[] = [];
  for (const { key = '' } of labelSelector?.matchExpressions ?? []) {
    const index = matchLabelKeys.lastIndexOf(key);
    if (index !== -1 && known.has(key)) {
      const detail = 'exists in both matchLabelKeys and labelSelector';
      errors.push(invalid(`${field}[${index}]`, key, detail));
    }
    known.add(key);
  }
  return [
    ...validateKeyList(matchLabelKeys, labelSelector, `${field}.matchLabelKeys`),
    ...validateKeyList(mismatchLabelKeys, labelSelector, `${field}.mismatchLabelKeys`),
    ...errors,
    ...matchLabelKeys.flatMap((key, index) =>
      mismatchLabelKeys.includes(key)
        ? [
            invalid(
              `${field}.matchLabelKeys[${index}]`,
              key,
              'exists in both matchLabelKeys and mismatchLabelKeys',
            ),
          ]
        : [],
    ),
  ];
}

function validateKeyList(
  keys: readonly string[],
  selector: Loose<LabelSelector> | undefined,
  field: string,
): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) {
    return [forbidden(field, 'must not be specified when labelSelector is not set')];
  }
  return keys.flatMap((key, index) => validateLabelKey(key, `${field}[${index}]`));
}

/** Checks topology spread constraints. */
export function validateTopologySpread(
  constraints: readonly Loose<core.TopologySpreadConstraint>[],
  field: string,
): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const path = `${field}[${index}]`;
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' } = constraint;
    const isRepeated = constraints
      .slice(index + 1)
      .some(
        (other) =>
          (other.topologyKey ?? '') === topologyKey &&
          (other.whenUnsatisfiable ?? '') === whenUnsatisfiable,
      );
    return [
      ...positive(maxSkew, `${path}.maxSkew`),
      ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
      ...validateOptionalChoice(
        whenUnsatisfiable,
        ['DoNotSchedule', 'ScheduleAnyway'],
        `${path}.whenUnsatisfiable`,
      ),
      ...(isRepeated
        ? [
            duplicate(
              `${path}.{topologyKey, whenUnsatisfiable}`,
              `{${topologyKey}, ${whenUnsatisfiable}}`,
            ),
          ]
        : []),
      ...validateMinDomains(constraint, `${path}.minDomains`),
      ...validateOptionalChoice(
        constraint.nodeAffinityPolicy,
        ['Honor', 'Ignore'],
        `${path}.nodeAffinityPolicy`,
      ),
      ...validateOptionalChoice(
        constraint.nodeTaintsPolicy,
        ['Honor', 'Ignore'],
        `${path}.nodeTaintsPolicy`,
      ),
      ...validateLabelKeys(constraint, path),
      ...validateLabelSelector(constraint.labelSelector, `${path}.labelSelector`),
    ];
  });
}

function validateMinDomains(
  { minDomains, whenUnsatisfiable = '' }: Loose<core.TopologySpreadConstraint>,
  field: string,
): FieldError[] {
  if (minDomains === undefined) return [];
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  return [
    ...positive(minDomains, field),
    ...(whenUnsatisfiable === 'DoNotSchedule' ? [] : [invalid(field, minDomains, detail)]),
  ];
}

/** Checks that a number is positive. */
export function positive(value: number, field: string): FieldError[] {
  return value > 0 ? [] : [invalid(field, value, 'must be greater than zero')];
}

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Checks the tolerations of a pod. */
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

/** Checks the taints of a node, which are unique by key and effect. */
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
