import { getKey, setKey } from 'client-ts/internal';
import { type KubernetesObject, parseQuantity, type Quantity } from 'client-ts/meta';
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
  takeNulls(value, () => undefined);
}

function takeNulls(value: unknown, take: (object: object, key: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) takeNulls(item, take);
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    for (const [key, content] of Object.entries(object)) {
      if (content === null) {
        delete object[key];
        take(object, key);
      } else if (!RAW_FIELDS.has(key)) {
        takeNulls(content, take);
      }
    }
  }
}

/** Runs a hook on an object without nulls; those that it did not fill come back. */
function withoutNulls<T extends object>(object: T, hook: (object: T) => void): void {
  const taken: (readonly [object: object, key: string])[] = [];
  takeNulls(object, (...place) => taken.push(place));
  hook(object);
  for (const [owner, key] of taken) {
    if (!Object.hasOwn(owner, key)) Object.assign(owner, { [key]: null });
  }
}

/**
 * The strategy of one kind as that of any. The registry calls it only with objects of the kind that
 * it was found under, which the compiler cannot see. No hook sees nulls.
 */
export function forAnyKind<T extends KubernetesObject>(kind: Strategy<T>): Strategy {
  const { setDefaults, prepareForStatusUpdate, subresources = {} } = kind;
  const cleaned: Strategy<T> = {
    ...kind,
    ...(setDefaults && { setDefaults: (object: T): void => withoutNulls(object, setDefaults) }),
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

/**
 * Of the classes that an annotation makes a default, the newest; of those that are equally old, the
 * first by name.
 */
export function newestDefault<T extends KubernetesObject>(
  classes: Iterable<KubernetesObject>,
  annotations: readonly string[],
): T | undefined {
  const defaults = [...classes].filter(({ metadata }) =>
    annotations.some((annotation) => getKey(metadata?.annotations ?? {}, annotation) === 'true'),
  );
  const age = ({ metadata }: KubernetesObject): string => metadata?.creationTimestamp ?? '';
  const name = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';
  const [newest] = defaults.toSorted((a, b) =>
    age(a) === age(b) ? (name(a) < name(b) ? -1 : 1) : age(a) > age(b) ? -1 : 1,
  );
  return newest as T | undefined;
}

/** Resources are kept to the thousandth, rounded up. */
export function roundResources(resources: Record<string, Quantity> | undefined): void {
  if (resources === undefined) return;
  for (const [name, value] of Object.entries(resources)) {
    setKey(resources, name, parseQuantity(value).roundUp(-3).toString());
  }
}
