import type { JsonObject } from 'client-ts/internal';
import type { Schema } from '../schema/schema.ts';
import { compare, type Comparison } from './compare.ts';
import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmpty,
  pathsOf,
  union,
} from './field-set.ts';
import { type FieldType, fieldTypeOf } from './field-type.ts';
import { type Manager, type Managers, replaceSet } from './managers.ts';
import type { PathElement } from './path-element.ts';
import { reconcileSet } from './typed-set.ts';

/** An object in some version, with the schema of that version. */
export interface VersionedObject {
  readonly object: JsonObject;
  readonly schema: Schema;
}

/** Converts an object to another version. Undefined if that version is no longer served. */
export type VersionConverter = (
  object: JsonObject,
  apiVersion: string,
) => VersionedObject | undefined;

/** Removes the fields that an endpoint does not let its clients own. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** What is constant during one request. */
export interface UpdateContext {
  readonly apiVersion: string;
  readonly schema: Schema;
  readonly converter?: VersionConverter;
  readonly resetFields?: FieldFilter;
}

/** An object with its type. */
export interface Typed {
  readonly value: JsonObject;
  readonly type: FieldType;
}

/** A field of another manager that the request would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: readonly PathElement[];
}

/**
 * Returns an object in the version of a manager's entry. Without a converter all versions have the
 * same shape. Undefined if the version is gone.
 */
export function inVersion(
  value: JsonObject,
  apiVersion: string,
  { converter, schema, ...context }: UpdateContext,
): Typed | undefined {
  const isThere = (value['apiVersion'] ?? context.apiVersion) === apiVersion;
  if (converter === undefined || (isThere && apiVersion === context.apiVersion)) {
    return { value, type: fieldTypeOf(schema) };
  }
  const converted = converter(value, apiVersion);
  return converted && { value: converted.object, type: fieldTypeOf(converted.schema) };
}

/** Adapts the sets of all managers to the current schemas. */
export function reconcileManagers(
  managers: Managers,
  live: JsonObject,
  context: UpdateContext,
): void {
  for (const [key, { apiVersion, set }] of managers) {
    const typed = inVersion(live, apiVersion, context);
    if (typed === undefined) managers.delete(key);
    else replaceSet(managers, key, reconcileSet(set, typed.type));
  }
}

/** The differences of two objects in every requested version, each computed once. */
export class Differences {
  readonly #known = new Map<string, Comparison | undefined>();
  readonly #before: JsonObject;
  readonly #after: JsonObject;
  readonly #context: UpdateContext;

  constructor(before: JsonObject, after: JsonObject, context: UpdateContext) {
    this.#before = before;
    this.#after = after;
    this.#context = context;
  }

  /** Undefined if the version is gone. */
  in(apiVersion: string): Comparison | undefined {
    const version = this.#context.converter === undefined ? this.#context.apiVersion : apiVersion;
    if (!this.#known.has(version)) this.#known.set(version, this.#compare(version));
    return this.#known.get(version);
  }

  #compare(apiVersion: string): Comparison | undefined {
    const before = inVersion(this.#before, apiVersion, this.#context);
    const after = inVersion(this.#after, apiVersion, this.#context);
    if (before === undefined || after === undefined) return undefined;
    const { added, modified, removed } = compare(before.value, after.value, before.type);
    const filter = this.#context.resetFields ?? ((set) => set);
    return { added: filter(added), modified: filter(modified), removed: filter(removed) };
  }
}

/**
 * Removes changed fields from all managers but `self`. Returns the conflicts; with conflicts and
 * without `force`, the managers stay unchanged.
 */
export function takeFromOthers(
  managers: Managers,
  self: string,
  differences: Differences,
  force: boolean,
): Conflict[] {
  const conflicts: Conflict[] = [];
  const remaining = new Map<string, FieldSet>();
  for (const [key, manager] of managers) {
    if (key === self) continue;
    const changes = differences.in(manager.apiVersion);
    if (changes === undefined) {
      remaining.set(key, emptySet);
      continue;
    }
    const lost = intersection(manager.set, union(changes.modified, changes.added));
    if (!isEmpty(lost)) {
      for (const path of pathsOf(lost)) conflicts.push({ manager, path });
    }
    remaining.set(key, difference(difference(manager.set, lost), changes.removed));
  }
  if (conflicts.length > 0 && !force) return conflicts;
  for (const [key, set] of remaining) replaceSet(managers, key, set);
  return conflicts;
}
