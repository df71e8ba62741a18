import { deepFreeze } from '../lib/deep-freeze.ts';
import { isJsonObject, setKey } from '../lib/json.ts';
import { OptionError } from '../lib/option-error.ts';
import { parsePath, type PathStep } from './field-path.ts';
import type { KubernetesObject } from './types.ts';

/**
 * The key under which an object with only some of its fields has the paths of those. A symbol, so that
 * JSON and `Object.keys` ignore it; enumerable, so that copies have it, which requests refuse to write.
 */
export const PROJECTION: unique symbol = Symbol.for('client-ts.projection');

/**
 * The paths to the fields of `T` that a projection can name: `spec`, `spec.nodeName`. Lists are kept
 * whole. Any string, if the fields of `T` are not known.
 */
export type ProjectionPath<T> = PathsIn<T, 4>;

/** One less, to bound the recursion of types that contain themselves. */
type Less = [never, 0, 1, 2, 3];

type PathsIn<T, Depth extends number> = {
  [Key in keyof T & string]-?: unknown extends T[Key]
    ? string
    : Key | PathsBelow<Key, NonNullable<T[Key]>, Less[Depth]>;
}[keyof T & string];

type PathsBelow<Key extends string, Value, Depth extends number> = [Depth] extends [never]
  ? never
  : Value extends boolean | number | string | readonly unknown[]
    ? never
    : Value extends object
      ? `${Key}.${PathsIn<Value, Depth>}`
      : never;

/**
 * An object of type `T` with the fields of a projection. `apiVersion`, `kind` and `metadata` are always
 * there; reading anything else that `Path` does not name does not compile.
 */
export type Projected<T extends KubernetesObject, Path extends string> = KubernetesObject &
  ProjectedFields<T, Path> &
  ProjectionOf<T, Path>;

/** What marks a projected object. */
export interface ProjectionOf<T, Path extends string> {
  readonly [PROJECTION]: readonly Path[];
  /** Holds the type of the whole object for the compiler; never present at run time. */
  readonly [whole]?: T;
}

/** The fields of a {@link Projected} object besides those that every object has. */
export type ProjectedFields<T, Path> = FieldsAt<Omit<T, AlwaysKept>, Exclude<Path, AlwaysKept>>;

declare const whole: unique symbol;

/** The type of the whole object, for a {@link Projected} one; `T` itself for any other. */
export type WholeOf<T> = T extends { readonly [whole]?: infer W } ? NonNullable<W> : T;

type AlwaysKept = 'apiVersion' | 'kind' | 'metadata' | `metadata.${string}`;

/** As TypeScript's own, for types with an index signature too. */
type Omit<T, Name> = { [Key in keyof T as Key extends Name ? never : Key]: T[Key] };

type FieldsAt<T, Path> = string extends keyof T
  ? ProjectedMap<T, Path>
  : {
      [Key in keyof T as Key extends FirstOf<Path> ? Key : never]: Key extends Path
        ? T[Key]
        : ProjectedField<T[Key], RestOf<Path, Key & string>>;
    };

type ProjectedField<Value, Path> = Value extends object ? FieldsAt<Value, Path> : Value;

/** Of a map only its keys are not known; of other objects without known fields the paths name them. */
type ProjectedMap<T, Path> = unknown extends T[keyof T]
  ? { [Key in FirstOf<Path>]?: Key extends Path ? unknown : ProjectedUnknown<RestOf<Path, Key>> }
  : T;

type ProjectedUnknown<Path> = {
  [Key in FirstOf<Path>]?: Key extends Path ? unknown : ProjectedUnknown<RestOf<Path, Key>>;
};

type FirstOf<Path> = Path extends `${infer First}.${string}` ? First : Path & string;

type RestOf<Path, Key extends string> = Path extends `${Key}.${infer Rest}` ? Rest : never;

/** Which fields of an object are kept. */
export class FieldMask {
  /** Whether fields without an entry of their own are kept. */
  readonly keepsRest: boolean;
  /** By name: all of it, nothing, or a part. */
  readonly fields: ReadonlyMap<string, FieldMask | boolean>;

  constructor(keepsRest: boolean, fields: ReadonlyMap<string, FieldMask | boolean>) {
    this.keepsRest = keepsRest;
    this.fields = fields;
  }

  of(name: string): FieldMask | boolean {
    return this.fields.get(name) ?? this.keepsRest;
  }

  /** True if the field that a path leads to is kept. */
  keeps([first, ...rest]: readonly PathStep[]): boolean {
    if (first === undefined) return false;
    const part = this.of(first.name);
    return typeof part === 'boolean' ? part : part.keeps(rest);
  }
}

/** The metadata of a cached object: `managedFields` are left out unless they are named. */
function metadataMask(keepsManagedFields: boolean): FieldMask {
  return new FieldMask(true, new Map([['managedFields', keepsManagedFields]]));
}

/** Returns the mask that drops the managed fields and nothing else. */
export function withoutManagedFields(): FieldMask {
  return new FieldMask(true, new Map([['metadata', metadataMask(false)]]));
}

/**
 * Returns the mask of a projection: the fields that are named, the kind, and the metadata. Throws an
 * `OptionError` for a path that is not one, or goes into a list.
 */
export function projectionMask(paths: readonly string[]): FieldMask {
  const fields: Branch = new Map<string, Branch | true>([
    ['apiVersion', true],
    ['kind', true],
  ]);
  let keepsManagedFields = false;
  for (const text of paths) {
    const { steps, isMany } = parsePath(text, 'project');
    if (isMany) throw new OptionError('project', `"${text}" goes into a list, which is kept whole`);
    const [first, second] = steps;
    if (first?.name !== 'metadata') grow(fields, steps);
    else if (second?.name === 'managedFields') keepsManagedFields = true;
  }
  const masks = maskOf(fields).fields;
  return new FieldMask(false, new Map([...masks, ['metadata', metadataMask(keepsManagedFields)]]));
}

type Branch = Map<string, Branch | true>;

function grow(fields: Branch, steps: readonly PathStep[]): void {
  let branch = fields;
  for (const [position, { name }] of steps.entries()) {
    const known = branch.get(name);
    if (known === true) return;
    if (position === steps.length - 1) branch.set(name, true);
    else {
      const next: Branch = known ?? new Map<string, Branch | true>();
      branch.set(name, next);
      branch = next;
    }
  }
}

function maskOf(fields: Branch): FieldMask {
  const masks = [...fields].map(
    ([name, part]) => [name, part === true ? true : maskOf(part)] as const,
  );
  return new FieldMask(false, new Map(masks));
}

/**
 * Returns a frozen copy of a plain object with the fields of a mask, marked with the paths of its
 * projection if it has one.
 */
export function maskObject<T extends object>(
  object: T,
  mask: FieldMask,
  projection: readonly string[] | undefined,
): T {
  const copy = masked(object, mask);
  if (projection !== undefined) markProjected(copy, projection);
  return deepFreeze(copy) as T;
}

function masked(object: object, mask: FieldMask): object {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    const part = mask.of(name);
    if (part === true) setKey(copy, name, value as never);
    else if (part !== false && isJsonObject(value))
      setKey(copy, name, masked(value, part) as never);
  }
  return copy;
}

/** Marks an object, before it is frozen, as one with only the fields of a projection. */
export function markProjected(object: object, paths: readonly string[]): void {
  (object as { [PROJECTION]?: readonly string[] })[PROJECTION] = paths;
}

/** Returns the paths of a projected object, or of a copy of one; undefined for others. */
export function projectedPaths(object: object): readonly string[] | undefined {
  return (object as { readonly [PROJECTION]?: readonly string[] })[PROJECTION];
}
