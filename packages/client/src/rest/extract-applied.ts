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
 * Returns the part of a value that a field set selects. A set is a tree of path elements: `f:x` is a
 * field, `k:{…}` the list item with these keys, `v:…` the list item with this value, `i:…` the item
 * at an index, and `.` the node itself. A node without children is owned as a whole.
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
    const part = extractNode(getKey(value, key), fields);
    if (part !== undefined) setKey(result, key, part);
  }
  return result;
}

function extractItems(items: readonly JsonValue[], below: Below): JsonValue[] {
  const found = below.flatMap(([path, fields]) => {
    const index = indexOf(items, path);
    const item = items[index];
    const part = item === undefined ? undefined : extractNode(item, fields);
    if (part === undefined) return [];
    const keys = path.startsWith('k:') ? (JSON.parse(path.slice(2)) as JsonObject) : {};
    return [{ index, part: isJsonObject(part) ? { ...keys, ...part } : part }];
  });
  return found.toSorted((left, right) => left.index - right.index).map(({ part }) => part);
}

function extractNode(value: JsonValue | undefined, fields: FieldsV1): JsonValue | undefined {
  if (value === undefined) return undefined;
  const isWhole = Object.keys(fields).every((path) => path === '.');
  return isWhole ? cloneJson(value) : extract(value, fields);
}

/** Returns the index of the item that a path element selects; -1 if it no longer exists. */
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
