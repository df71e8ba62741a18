import type { DeepReadonly, KubernetesObject, ListMeta, ObjectMeta } from '../meta/types.ts';

/**
 * An object as a server returns it: it has a name and what the server gave it. Kinds that no server
 * stores (reviews, metrics, component statuses) may lack all but the name; ask before you rely on it.
 */
export type Stored<T extends KubernetesObject> = T & {
  metadata: ObjectMeta & {
    name: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
  };
};

/**
 * A list as a server returns it. Its items say neither their kind nor their apiVersion, except in lists
 * that are `readOnly`.
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
 * The fields that one manager wants an object to have; nothing else. The name says which object.
 * `managedFields` are the server's to write.
 */
export type ApplyConfiguration<T extends KubernetesObject> = Omit<DeepPartial<T>, 'metadata'> & {
  metadata: Omit<DeepPartial<ObjectMeta>, 'managedFields' | 'name'> & {
    name: string;
    managedFields?: never;
  };
};

/** A merge patch: fields to set, null for fields to remove. Lists are replaced as a whole. */
export type MergePatch<T> = T extends Primitive
  ? T
  : T extends readonly unknown[]
    ? DeepReadonly<T>
    : T extends object
      ? { readonly [Key in keyof T]?: MergePatch<T[Key]> | null }
      : T;

/**
 * A strategic merge patch: a merge patch whose lists are merged item by item, by the key that each
 * list has. Directives begin with a dollar sign: `{ $patch: 'delete', name: 'sidecar' }`.
 */
export type StrategicPatch<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly StrategicPatch<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: StrategicPatch<T[Key]> | null } & Directives<keyof T & string>
      : T;

/** What a strategic merge patch says about an object besides its fields. A map has room for all. */
type Directives<Field extends string> = string extends Field ? unknown : FieldDirectives<Field>;

type FieldDirectives<Field extends string> = {
  readonly $patch?: 'delete' | 'merge' | 'replace';
  /** The only fields that stay: for structures of which one member is set. */
  readonly $retainKeys?: readonly Field[];
} & {
  readonly [
    Key in Field as `$deleteFromPrimitiveList/${Key}` | `$setElementOrder/${Key}`
  ]?: readonly unknown[];
};
