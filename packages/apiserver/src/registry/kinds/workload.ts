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

/** What kinds have in common that make pods from a template. */
export interface TemplatedSpec {
  selector?: Selector;
  template?: Template;
}

/** Fills in what pods from the template would get anyway. */
export function setTemplateDefaults(template: Template | undefined): void {
  if (template === undefined) return;
  template.metadata ??= {};
  setPodSpecDefaults((template.spec ??= {}));
}

/** Checks a selector that must be there and must select something in particular. */
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

/** Checks the template against the selector; a broken selector is told instead. */
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

/** Checks that the selector is what it was; pods would be orphaned otherwise. */
export function validateSelectorUnchanged(
  spec: TemplatedSpec | undefined,
  old: TemplatedSpec | undefined,
): FieldError[] {
  return jsonEqual(spec?.selector, old?.selector)
    ? []
    : [invalid('spec.selector', printableSelector(spec?.selector), FIELD_IS_IMMUTABLE)];
}

/** Counters of a status, none of which may be negative, and some not above another. */
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

/** Hash collisions are only ever counted up. */
export function validateCollisionCount(
  count: number | undefined,
  old: number | undefined,
): FieldError[] {
  if (old === undefined || (count !== undefined && count >= old)) return [];
  return [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')];
}

/** A name that pods will carry on should be fit for a host. */
export function podNameWarning(name: string | undefined): string[] {
  const messages = validateDns1123Label(name ?? '');
  return messages.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
      ];
}

/** Remarks about the pods that a template makes. */
export function templateWarnings(template: Template | undefined, at = 'spec.template'): string[] {
  const metadata: ObjectMeta = template?.metadata ?? {};
  return podWarnings(metadata, template?.spec ?? {}, at);
}

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(value: IntOrString | undefined, field: string): FieldError[] {
  const given = value ?? 0;
  return typeof given === 'string'
    ? invalidEach(field, given, validatePercent(given))
    : nonNegative(given, field);
}

/** The number in a percentage, or the number itself; zero for text that is neither. */
export function amountOf(value: IntOrString | undefined): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? 0;
}

/** Checks that a percentage is not more than the whole; numbers are all fine. */
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
