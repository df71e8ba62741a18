import type { Pod } from '../api/core/v1.ts';
import type { ScalarPath, FieldValue, ValueAt } from '../meta/field-path.ts';
import { namespaceOf } from '../meta/object.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';

/** The values of an index. */
export type IndexValue = FieldValue;

/**
 * Returns the values under which an index finds an object: none, one or several. It must depend on
 * nothing but the object, and accept every object of the store.
 */
export type IndexFunc<T, V extends IndexValue = IndexValue> = (object: T) => readonly V[];

/** Index functions by the name of their index. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/**
 * Indices by name: index functions, or paths to fields. A path costs a fraction of a function that
 * reads the same field, because it is read from the bytes of a cached object without decoding what is
 * around it. Objects without the field are not in the index; see {@link ScalarPath}.
 *
 * ```ts
 * informer.addIndexers({
 *   node: 'spec.nodeName',
 *   owner: 'metadata.ownerReferences[*].uid',
 *   app: (pod) => [pod.metadata.labels?.['app'] ?? 'none'],
 * });
 * ```
 */
export type IndexInputs<T> = Readonly<Record<string, ScalarPath<T> | IndexFunc<T>>>;

/** Indices of any objects: {@link IndexInputs} before the compiler has checked its paths. */
export type AnyIndexers<T> = Readonly<Record<string, IndexFunc<T> | string>>;

/** No indices: what a store starts with. */
export type NoIndexers = { readonly [Name in never]: never };

/** The names of the indices in `I`. */
export type IndexName<I> = keyof I & string;

/** The type of the values of the index called `N`. */
export type IndexValueOf<I, N extends keyof I> = I[N] extends (
  object: never,
) => readonly (infer V extends IndexValue)[]
  ? V
  : I[N] extends string
    ? IndexValue
    : never;

/** `I` with index functions in place of its paths: the type of their values is that of the field. */
export type IndexFuncs<T, I> = {
  readonly [Name in keyof I]: I[Name] extends string ? IndexFunc<T, ValueAt<T, I[Name]>> : I[Name];
};

/**
 * The indices of `I` and of `More`, by name. If `I` allows any name, as for a shared informer, the
 * result has the names that are known.
 */
export type MoreIndexers<T, I, More extends AnyIndexers<T>> = string extends keyof I
  ? NamedIndexers<I> & IndexFuncs<T, More> extends infer Known extends AnyIndexers<T>
    ? Known
    : More
  : I & IndexFuncs<T, More>;

type NamedIndexers<I> = {
  readonly [Name in keyof I as string extends Name ? never : Name]: I[Name];
};

type AnyObject = DeepReadonly<KubernetesObject>;
type CachedPod = DeepReadonly<Pod>;

/** The name of the index by namespace, which every informer of a factory has. */
export const namespaceIndex = 'namespace';

/** Indexes by namespace. Cluster-scoped objects are under the empty string. */
export function metaNamespaceIndexFunc(object: AnyObject): readonly string[] {
  return [namespaceOf(object)];
}

/** Indexes pods by the node they run on. Finished and unscheduled pods are left out. */
export function podNodeNameIndexFunc(pod: CachedPod): readonly string[] {
  const nodeName = pod.spec?.nodeName ?? '';
  const phase = pod.status?.phase;
  return nodeName === '' || phase === 'Succeeded' || phase === 'Failed' ? [] : [nodeName];
}

/**
 * Indexes pods by the `namespace/name` of the claims they use. A generic ephemeral volume uses the
 * claim `<pod>-<volume>`, which Kubernetes creates for it.
 */
export function podPersistentVolumeClaimIndexFunc(pod: CachedPod): readonly string[] {
  const claims: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const claim =
      volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral == null ? '' : `${pod.metadata?.name ?? ''}-${volume.name}`);
    if (claim !== '') claims.push(`${namespaceOf(pod)}/${claim}`);
  }
  return claims;
}

/** Indexes by the uid of every owner, whether it is the controller or not. */
export function ownerUidIndexFunc(object: AnyObject): readonly string[] {
  return (object.metadata?.ownerReferences ?? []).map(({ uid }) => uid);
}
