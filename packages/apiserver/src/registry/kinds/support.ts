import type { KubernetesObject } from 'client-ts/meta';
import type { Strategy, StrategyContext } from '../strategy.ts';

/** Makes a field of an object what it is in another, also if that is nothing. */
export function takeOver<T extends object, Key extends keyof T>(
  target: T,
  source: T,
  ...fields: readonly Key[]
): void {
  for (const field of fields) {
    if (source[field] === undefined) delete target[field];
    else target[field] = source[field];
  }
}

/** For `/status` of most kinds: what was asked for stays, metadata may change along. */
export function keepSpec<T extends KubernetesObject & { spec?: unknown }>(object: T, old: T): void {
  takeOver(object, old, 'spec');
}

/** For `/status` of kinds whose labels, annotations and the like cannot change along. */
export function keepSpecAndMetadata<T extends KubernetesObject & { spec?: unknown }>(
  object: T,
  old: T,
): void {
  keepSpec(object, old);
  keepMetadata(object, old);
}

/** Keeps everything of the metadata that a status has no business with. */
export function keepMetadata<T extends KubernetesObject>(object: T, old: T): void {
  takeOver(
    (object.metadata ??= {}),
    old.metadata ?? {},
    'deletionTimestamp',
    'generation',
    'selfLink',
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
  );
}

/** Raw JSON, in which a null is a value like any other. */
const RAW_FIELDS = new Set(['data', 'fieldsV1', 'openAPIV3Schema', 'parameters']);

/**
 * Takes away fields that hold null. Objects carry them where the API writes empty lists and times as
 * null; to the rules a missing field and an empty one are the same.
 */
export function dropNulls(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item);
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    for (const [key, content] of Object.entries(object)) {
      if (content === null) delete object[key];
      else if (!RAW_FIELDS.has(key)) dropNulls(content);
    }
  }
}

/**
 * The strategy of one kind as that of any. The registry calls it only with objects of the kind that
 * it was found under, which the compiler cannot see. Nulls are gone before any other hook looks.
 */
export function forAnyKind<T extends KubernetesObject>(kind: Strategy<T>): Strategy {
  const { prepareForStatusUpdate, subresources = {} } = kind;
  const cleaned: Strategy<T> = {
    ...kind,
    setDefaults: (object) => {
      dropNulls(object);
      kind.setDefaults?.(object);
    },
    prepareForCreate: (object, context) => {
      dropNulls(object);
      kind.prepareForCreate?.(object, context);
    },
    prepareForUpdate: (object, old, context) => {
      dropNulls(object);
      dropNulls(old);
      kind.prepareForUpdate?.(object, old, context);
    },
    ...(prepareForStatusUpdate && {
      prepareForStatusUpdate: (object: T, old: T, context: StrategyContext): void => {
        dropNulls(object);
        dropNulls(old);
        prepareForStatusUpdate(object, old, context);
      },
    }),
    subresources: Object.fromEntries(
      Object.entries(subresources).map(([name, update]) => [
        name,
        {
          prepare: (object: T, old: T, context: StrategyContext): void => {
            dropNulls(object);
            dropNulls(old);
            update.prepare(object, old, context);
          },
          validate: update.validate,
        },
      ]),
    ),
  };
  return cleaned as unknown as Strategy;
}
