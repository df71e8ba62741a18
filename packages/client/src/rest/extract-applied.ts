import {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  type JsonValue,
  setKey,
} from '../lib/json.ts';
import { nameOf, namespaceOf } from '../meta/object.ts';
import type { FieldsV1, KubernetesObject } from '../meta/types.ts';
import type { ApplyConfiguration } from './object-types.ts';

/** Options of {@link extractApplied}. */
export interface ExtractOptions {
  /** Returns what was applied to this subresource. Default: to the object itself. */
  readonly subresource?: string | undefined;
}

/**
 * Returns the fields that a manager has applied, with their current values. Change the result and
 * apply it again: since it has all fields of the manager, none is removed by accident. It always has
 * kind, name and namespace; for a manager that has applied nothing, it has nothing else.
 *
 * ```ts
 * const mine = extractApplied(deployment, 'my-controller');
 * await deployments.apply({ ...mine, spec: { ...mine.spec, replicas: 3 } }, { fieldManager: 'my-controller' });
 * ```
 */
export function extractApplied<T extends KubernetesObject>(
  object: T,
  fieldManager: string,
  { subresource = '' }: ExtractOptions = {},
): ApplyConfiguration<T> {
  const entry = object.metadata?.managedFields?.find(
    (entry) =>
      entry.manager === fieldManager &&
      entry.operation === 'Apply' &&
      (entry.subresource ?? '') === subresource,
  );
  const owned = extract(object as unknown as JsonObject, entry?.fieldsV1 ?? {}) as JsonObject;
  const { apiVersion, kind } = object;
  const namespace = namespaceOf(object);
  const extracted = {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    ...owned,
    metadata: {
      ...(owned['metadata'] as JsonObject | undefined),
      name: nameOf(object),
      ...(namespace !== '' && { namespace }),
    },
  };
  return extracted as unknown as ApplyConfiguration<T>;
}

/**
 * The part of a value that a set of fields names. A set is a tree: `f:x` leads to a field, `k:{…}`
 * to the item of a list with these keys, `v:…` to an item that is a plain value, and `.` means the
 * place itself. A place with nothing below it is owned as a whole.
 */
function extract(value: JsonValue, fields: FieldsV1): JsonValue | undefined {
  const below = Object.entries(fields).filter(([path]) => path !== '.');
  if (Array.isArray(value)) return extractItems(value, below);
  return isJsonObject(value) ? extractFields(value, below) : undefined;
}

type Below = readonly (readonly [path: string, fields: FieldsV1])[];

function extractFields(value: JsonObject, below: Below): JsonObject {
  const result: JsonObject = {};
  for (const [path, fields] of below) {
    if (!path.startsWith('f:')) continue;
    const key = path.slice(2);
    const part = extractPlace(getKey(value, key), fields);
    if (part !== undefined) setKey(result, key, part);
  }
  return result;
}

function extractItems(items: readonly JsonValue[], below: Below): JsonValue[] {
  const found = below.flatMap(([path, fields]) => {
    const index = indexOf(items, path);
    const item = items[index];
    const part = item === undefined ? undefined : extractPlace(item, fields);
    if (part === undefined) return [];
    const keys = path.startsWith('k:') ? (JSON.parse(path.slice(2)) as JsonObject) : {};
    return [{ index, part: isJsonObject(part) ? { ...keys, ...part } : part }];
  });
  return found.toSorted((left, right) => left.index - right.index).map(({ part }) => part);
}

function extractPlace(value: JsonValue | undefined, fields: FieldsV1): JsonValue | undefined {
  if (value === undefined) return undefined;
  const isWhole = Object.keys(fields).every((path) => path === '.');
  return isWhole ? cloneJson(value) : extract(value, fields);
}

/** Where the item is that a path element names; -1 if it is gone. */
function indexOf(items: readonly JsonValue[], path: string): number {
  const named = path.slice(2);
  switch (path.slice(0, 2)) {
    case 'k:': {
      const keys = Object.entries(JSON.parse(named) as JsonObject);
      return items.findIndex(
        (item) =>
          isJsonObject(item) && keys.every(([key, value]) => jsonEqual(getKey(item, key), value)),
      );
    }
    case 'v:': {
      const value: unknown = JSON.parse(named);
      return items.findIndex((item) => jsonEqual(item, value));
    }
    case 'i:':
      return Number(named);
    default:
      return -1;
  }
}
