// Upstream: pkg/apis/apps/validation/validation.go
// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_PodSpec
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  type IntOrString,
  type LabelSelector,
  type ObjectMeta,
  validateDns1123Label,
} from 'client-ts/meta';
import { type FieldError, invalid, invalidEach, required } from '../../validation/field-error.ts';
import {
  isEmptySelector,
  matcherOf,
  printableSelector,
  validateLabelSelector,
} from '../../validation/labels.ts';
import type { Loose } from '../../validation/loose.ts';
import { validatePercent } from '../../validation/names.ts';
import { FIELD_IS_IMMUTABLE, nonNegative } from '../../validation/object-meta.ts';
import {
  validatePodTemplate,
  validateRunsForever,
  validateSelected,
} from '../../validation/pod/spec.ts';
import { setPodSpecDefaults } from './core/pod/defaults.ts';
import { podWarnings } from './core/pod/warnings.ts';

type Selector = Loose<LabelSelector>;
type Template = Loose<core.PodTemplateSpec>;

/** The common fields of kinds with a pod template. */
export interface TemplatedSpec {
  selector?: Selector;
  template?: Template;
}

/** Sets the defaults of a pod template. */
export function setTemplateDefaults(template: Template | undefined): void {
  if (template === undefined) return;
  template.metadata ??= {};
  setPodSpecDefaults((template.spec ??= {}));
}

/** Checks a selector that is required and must not be empty. */
export function validateRequiredSelector(
  selector: Selector | undefined,
  kind: string,
): FieldError[] {
  const field = 'spec.selector';
  if (selector === undefined) return [required(field)];
  return [
    ...validateLabelSelector(selector, field),
    ...(isEmptySelector(selector)
      ? [invalid(field, printableSelector(selector), `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/** Checks that the template matches the selector. An invalid selector is reported instead. */
export function validateSelectedTemplate({ selector, template }: TemplatedSpec): FieldError[] {
  const field = 'spec.template';
  const matcher = matcherOf(selector);
  if (matcher === undefined) {
    return [invalid('spec.selector', printableSelector(selector), 'invalid label selector')];
  }
  return [
    ...validateSelected(matcher, template, field),
    ...validatePodTemplate(template, field),
    ...validateRunsForever(template, 'ReplicaSet', field),
  ];
}

/** Checks that the selector does not change, which would orphan pods. */
export function validateSelectorUnchanged(
  spec: TemplatedSpec | undefined,
  old: TemplatedSpec | undefined,
): FieldError[] {
  return jsonEqual(spec?.selector, old?.selector)
    ? []
    : [invalid('spec.selector', printableSelector(spec?.selector), FIELD_IS_IMMUTABLE)];
}

/** Checks that status counters are not negative, and that some do not exceed others. */
export function validateCounters<T extends object>(
  status: T,
  counters: readonly (keyof T & string)[],
  limited: readonly (readonly [keyof T & string, keyof T & string, string])[],
): FieldError[] {
  const count = (name: keyof T & string): number => (status[name] as number | undefined) ?? 0;
  return [
    ...counters.flatMap((name) => nonNegative(count(name), `status.${name}`)),
    ...limited.flatMap(([name, limit, shown]) =>
      count(name) > count(limit)
        ? [invalid(`status.${name}`, count(name), `cannot be greater than ${shown}`)]
        : [],
    ),
  ];
}

/** Checks that the number of hash collisions does not decrease. */
export function validateCollisionCount(
  count: number | undefined,
  old: number | undefined,
): FieldError[] {
  if (old === undefined || (count !== undefined && count >= old)) return [];
  return [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')];
}

/** Warns about a name that is not a valid hostname, because pod names derive from it. */
export function podNameWarning(name: string | undefined): string[] {
  const messages = validateDns1123Label(name ?? '');
  return messages.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
      ];
}

/** Returns the warnings about a pod template. */
export function templateWarnings(template: Template | undefined, at = 'spec.template'): string[] {
  const metadata: ObjectMeta = template?.metadata ?? {};
  return podWarnings(metadata, template?.spec ?? {}, at);
}

/** Checks a non-negative number or a percentage. */
export function validateIntOrPercent(value: IntOrString | undefined, field: string): FieldError[] {
  const given = value ?? 0;
  return typeof given === 'string'
    ? invalidEach(field, given, validatePercent(given))
    : nonNegative(given, field);
}

/** Returns the number, or the number of a percentage; zero for other text. */
export function amountOf(value: IntOrString | undefined): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? 0;
}

/** Checks that a percentage is at most 100%; numbers are not limited. */
export function validateAtMost100Percent(
  value: IntOrString | undefined,
  field: string,
): FieldError[] {
  return (percentOf(value) ?? 0) > 100
    ? [invalid(field, value, 'must not be greater than 100%')]
    : [];
}

function percentOf(value: IntOrString | undefined): number | undefined {
  const isPercent = typeof value === 'string' && validatePercent(value).length === 0;
  return isPercent ? Number(value.slice(0, -1)) : undefined;
}
