import type { KubernetesObject } from './types.ts';

/** A version of an API group. The core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A kind in one version of its group: `apps`, `v1`, `Deployment`. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** A resource as in its URL. `resource` is the lower-case plural: `pods`. */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** A kind of a group, in any version. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A resource of a group, in any version. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** The operations on a resource; subresources have their own. */
export type Verb =
  | 'create'
  | 'delete'
  | 'deletecollection'
  | 'get'
  | 'list'
  | 'patch'
  | 'update'
  | 'watch';

/** Whether objects of a resource are in namespaces. */
export type Scope = 'Cluster' | 'Namespaced';

/** An endpoint below an object: `/status`, `/scale`, `/log`. */
export interface SubresourceDescriptor<Name extends string = string> {
  readonly name: Name;
  /** The kind sent and received, which need not be the parent's (`autoscaling/v1 Scale`). */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

declare const objectType: unique symbol;

/**
 * Describes one resource for a client: names, scope, verbs and subresources. The type parameters
 * make a wrong verb, scope or subresource a compile error; at run time they cost nothing.
 */
export interface ResourceDescriptor<
  T extends KubernetesObject = KubernetesObject,
  S extends Scope = Scope,
  V extends Verb = Verb,
  Sub extends string = string,
> extends GroupVersionResource {
  readonly kind: string;
  readonly singular: string;
  readonly scope: S;
  readonly verbs: readonly V[];
  readonly subresources: readonly SubresourceDescriptor<Sub>[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Holds the object type for the compiler; never present at run time. */
  readonly [objectType]?: T;
}

/** The object type that a descriptor describes. */
export type ObjectOf<D> = D extends ResourceDescriptor<infer T> ? T : never;

/** Returns the `apiVersion` of a group and version: `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Splits `apiVersion` into group and version; the core group is the empty string. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf('/');
  return slash === -1
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Returns the name of a resource in messages: `deployments.apps`, or `pods` for the core group. */
export function groupResourceName({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Returns the name of a kind in messages: `Deployment.apps`, or `Pod` for the core group. */
export function groupKindName({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
