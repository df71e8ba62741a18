import { type KubernetesObject, validatePathSegmentName } from 'client-ts/meta';
import type { Strategy, StrategyContext } from './strategy.ts';
import type { FieldError } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';

/** The resource of the validated object. */
export interface ValidateOptions {
  readonly strategy: Strategy;
  readonly namespaced: boolean;
  readonly context: StrategyContext;
}

/** Returns the errors of a new object. The common rules run only if the kind finds no errors. */
export function validateCreate(
  object: KubernetesObject,
  { strategy, namespaced, context }: ValidateOptions,
): FieldError[] {
  const own =
    strategy.validate?.(object, context) ??
    validateObjectMeta(object.metadata, {
      namespaced,
      validateName: strategy.validateName,
    });
  return own.length > 0 ? own : validateCommon(object, namespaced);
}

/**
 * Returns the errors of an update through the main endpoint or `/status`. Metadata errors are found
 * by the common rules and again by the kind; the causes of the Status list both, its message one.
 */
export function validateUpdate(
  object: KubernetesObject,
  old: KubernetesObject,
  {
    strategy,
    namespaced,
    context,
    part = 'main',
  }: ValidateOptions & { readonly part?: 'main' | 'status' },
): FieldError[] {
  const validate = part === 'status' ? strategy.validateStatusUpdate : strategy.validateUpdate;
  return [
    ...validateCommon(object, namespaced),
    ...validateObjectMetaUpdate(object.metadata, old.metadata, { kubeFinalizers: false }),
    ...(validate?.(object, old, context) ??
      validateObjectMetaUpdate(object.metadata, old.metadata)),
  ];
}

/** Checks the rules of all objects: a name that fits into a URL, and valid metadata. */
function validateCommon(object: KubernetesObject, namespaced: boolean): FieldError[] {
  return validateObjectMeta(object.metadata, {
    namespaced,
    validateName: validatePathSegmentName,
    kubeFinalizers: false,
  });
}
