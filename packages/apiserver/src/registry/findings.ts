import { type KubernetesObject, validatePathSegmentName } from 'client-ts/meta';
import type { Strategy, StrategyContext } from './strategy.ts';
import type { FieldError } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';

/** What a registry knows about the resource whose object it has checked. */
export interface FindingsOptions {
  readonly strategy: Strategy;
  readonly namespaced: boolean;
  readonly context: StrategyContext;
}

/**
 * Everything that is wrong with an object to be created. What the kind has to say comes first; what
 * all kinds have in common is asked only if the kind found nothing.
 */
export function findingsOnCreate(
  object: KubernetesObject,
  { strategy, namespaced, context }: FindingsOptions,
): FieldError[] {
  const own =
    strategy.validate?.(object, context) ??
    validateObjectMeta(object.metadata, {
      namespaced,
      ...(strategy.validateName && { validateName: strategy.validateName }),
    });
  return own.length > 0 ? own : validateCommon(object, namespaced);
}

/**
 * Everything that is wrong with an update, through the main endpoint or through `/status`. A fault
 * of the metadata is found by the common rules and again by the kind; the causes of a Status show
 * each time, its message only one.
 */
export function findingsOnUpdate(
  object: KubernetesObject,
  old: KubernetesObject,
  {
    strategy,
    namespaced,
    context,
    part = 'main',
  }: FindingsOptions & { readonly part?: 'main' | 'status' },
): FieldError[] {
  const validate = part === 'status' ? strategy.validateStatusUpdate : strategy.validateUpdate;
  return [
    ...validateCommon(object, namespaced),
    ...validateObjectMetaUpdate(object.metadata, old.metadata, { kubeFinalizers: false }),
    ...(validate?.(object, old, context) ??
      validateObjectMetaUpdate(object.metadata, old.metadata)),
  ];
}

/** The rules that hold for every object: any name that fits into a URL, sound metadata. */
function validateCommon(object: KubernetesObject, namespaced: boolean): FieldError[] {
  return validateObjectMeta(object.metadata, {
    namespaced,
    validateName: validatePathSegmentName,
    kubeFinalizers: false,
  });
}
