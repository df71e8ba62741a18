// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/create_update.go
// Upstream: pkg/volume/util/storageclass.go: GetDefaultClass
import { getKey, setKey } from 'client-ts/internal';
import { type KubernetesObject, parseQuantity, type Quantity } from 'client-ts/meta';
import type { Strategy, StrategyContext } from '../strategy.ts';

/** Copies fields from one object to another; absent fields are deleted. */
export function copyFields<T extends object, Key extends keyof T>(
  target: T,
  source: T,
  ...fields: readonly Key[]
): void {
  for (const field of fields) {
    if (source[field] === undefined) delete target[field];
    else target[field] = source[field];
  }
}

/** Prepares a `/status` update of most kinds: the spec is kept, metadata may change. */
export function keepSpec<T extends KubernetesObject & { spec?: unknown }>(object: T, old: T): void {
  copyFields(object, old, 'spec');
}

/** Prepares a `/status` update of kinds whose spec and metadata are both kept. */
export function keepSpecAndMetadata<T extends KubernetesObject & { spec?: unknown }>(
  object: T,
  old: T,
): void {
  keepSpec(object, old);
  keepMetadata(object, old);
}

/** Restores the metadata that a `/status` update must not change. */
export function keepMetadata<T extends KubernetesObject>(object: T, old: T): void {
  copyFields(
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

/** Fields that hold arbitrary JSON, in which null is a value. */
const RAW_FIELDS = new Set(['data', 'fieldsV1', 'openAPIV3Schema', 'parameters']);

/**
 * Deletes null fields. The API writes some empty lists and times as null; validation treats absent
 * and empty fields alike.
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

/** Runs a hook on an object without nulls, and restores those that it did not set. */
function withoutNulls<T extends object>(object: T, hook: (object: T) => void): void {
  const taken: (readonly [object: object, key: string])[] = [];
  takeNulls(object, (...place) => taken.push(place));
  hook(object);
  for (const [owner, key] of taken) {
    if (!Object.hasOwn(owner, key)) Object.assign(owner, { [key]: null });
  }
}

/**
 * Returns the strategy of one kind as a strategy of any kind, whose hooks see no nulls. The
 * registry passes only objects of that kind, which the compiler cannot know.
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
          ...(update.check && { check: update.check }),
        },
      ]),
    ),
  };
  return cleaned as unknown as Strategy;
}

/**
 * Returns the newest of the classes that an annotation marks as default; of equally old ones, the
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

/** Rounds resource amounts up to thousandths. */
export function roundResources(resources: Record<string, Quantity> | undefined): void {
  if (resources === undefined) return;
  for (const [name, value] of Object.entries(resources)) {
    setKey(resources, name, parseQuantity(value).roundUp(-3).toString());
  }
}
