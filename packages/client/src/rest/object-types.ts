import type { ProjectedFields, ProjectionOf } from '../meta/projection.ts';
import type { DeepReadonly, KubernetesObject, ListMeta, ObjectMeta } from '../meta/types.ts';

/**
 * An object as a server returns it: with a name, and the fields that the server sets. Kinds that no
 * server stores (reviews, metrics, component statuses) may lack all but the name.
 */
export type Stored<T extends KubernetesObject> = T & { metadata: StoredMetadata };

/** The metadata of a {@link Stored} object. */
export interface StoredMetadata extends ObjectMeta {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
}

/**
 * An object of a cache: a {@link Stored} object that is read-only at every depth. `mutableCopy`
 * returns one that can be changed.
 *
 * A function that only reads a `Pod` accepts a `Cached<Pod>` if it does not ask for arrays:
 * TypeScript lets read-only fields pass as writable ones, but not read-only arrays as writable
 * arrays. Such a function takes `DeepReadonly<Pod>`, which accepts `Pod`, `Stored<Pod>` and
 * `Cached<Pod>`.
 */
export type Cached<T extends KubernetesObject> = DeepReadonly<T> & {
  // An intersection, and not an alias of DeepReadonly<Stored<T>>, so that editors show `Cached<Pod>`.
  readonly metadata: DeepReadonly<StoredMetadata>;
};

/**
 * An object of a cache that keeps only the fields of `Path`, besides kind and metadata: reading any
 * other does not compile. It cannot be written back.
 */
export type CachedProjection<
  T extends KubernetesObject,
  Path extends string,
> = Cached<KubernetesObject> & DeepReadonly<ProjectedFields<T, Path>> & ProjectionOf<T, Path>;

/**
 * A list as a server returns it. Its items have no `kind` and `apiVersion`, except in lists that are
 * `readOnly`.
 */
export interface ResourceList<T> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta & { resourceVersion: string };
  items: T[];
}

type Primitive = bigint | boolean | number | string | symbol | null | undefined;

/** Every field of `T`, at every depth, may be left out. */
export type DeepPartial<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? DeepPartial<Item>[]
    : T extends object
      ? { [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;

/**
 * The fields of an object that one manager owns, and nothing else. The name identifies the object.
 * Only servers write `managedFields`.
 */
export type ApplyConfiguration<T extends KubernetesObject> = {
  [Key in keyof T as Key extends 'metadata' ? never : Key]?: DeepPartial<T[Key]>;
} & { metadata: ApplyMetadata };

/** The metadata of an {@link ApplyConfiguration}. */
export interface ApplyMetadata extends Omit<DeepPartial<ObjectMeta>, 'managedFields' | 'name'> {
  name: string;
  managedFields?: never;
}

/** A merge patch: fields to set, and null for fields to remove. Lists are replaced as a whole. */
export type MergePatch<T> = T extends Primitive
  ? T
  : T extends readonly unknown[]
    ? DeepReadonly<T>
    : T extends object
      ? { readonly [Key in keyof T]?: MergePatch<T[Key]> | null }
      : T;

/**
 * A strategic merge patch: a merge patch whose lists are merged item by item, by the key of each
 * list. Directives begin with a dollar sign: `{ $patch: 'delete', name: 'sidecar' }`.
 */
export type StrategicPatch<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly StrategicPatch<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: StrategicPatch<T[Key]> | null } & Directives<keyof T & string>
      : T;

/** The directives of a strategic merge patch. A map accepts any key anyway. */
type Directives<Field extends string> = string extends Field ? unknown : FieldDirectives<Field>;

type FieldDirectives<Field extends string> = {
  readonly $patch?: 'delete' | 'merge' | 'replace';
  /** The only fields to keep: for unions, of which one member is set. */
  readonly $retainKeys?: readonly Field[];
} & {
  readonly [
    Key in Field as `$deleteFromPrimitiveList/${Key}` | `$setElementOrder/${Key}`
  ]?: readonly unknown[];
};
