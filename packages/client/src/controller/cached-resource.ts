import type {
  AnyIndexers,
  IndexFuncs,
  IndexInputs,
  IndexName,
  IndexValueOf,
  NoIndexers,
} from '../cache/indexers.ts';
import type { TransformFunc } from '../cache/delta-queue.ts';
import type { KeepOptions, ProjectOptions } from '../cache/list-watch.ts';
import { checkChoice, OptionError } from '../lib/option-error.ts';
import type { Projected, ProjectionPath } from '../meta/projection.ts';
import type { ObjectOf, ResourceDescriptor, Scope, Verb } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { PartialObjectMetadata } from '../metadata/partial-object.ts';
import type { Cached } from '../rest/object-types.ts';
import type { SelectorOptions } from '../rest/options.ts';

/**
 * What reads of a cache see after an own write through the client of the cache.
 *
 * - `overlay`: at least that write, immediately. The write does not wait.
 * - `wait`: the same, and the write resolves only when the informer has reached it, so that all objects
 *   of the resource are of one version.
 * - `eventual`: what the informer has, which may be older.
 */
export type Consistency = 'eventual' | 'overlay' | 'wait';

/** Which objects of a resource are cached, and how. */
export interface CacheOptions<T extends object = object, I extends AnyIndexers<T> = AnyIndexers<T>>
  extends SelectorOptions, KeepOptions {
  /** The namespace to cache. Default: all. */
  readonly namespace?: string | undefined;
  /** Several namespaces to cache, with a watch for each. */
  readonly namespaces?: readonly string[] | undefined;
  /** Cache only the metadata. See {@link metadataOf}, which also changes the type. */
  readonly metadataOnly?: boolean | undefined;
  /** Changes objects before they are cached, to drop fields for instance. Compared by identity. */
  readonly transform?: TransformFunc<T> | undefined;
  /** Index functions, or paths to fields, by the name of their index: `{ node: 'spec.nodeName' }`. */
  readonly index?: (I & IndexInputs<T>) | undefined;
  /** Default: that of the cache, which is `overlay`. */
  readonly consistency?: Consistency | undefined;
}

const cacheOptions: unique symbol = Symbol('options of a cache');
declare const indexers: unique symbol;

/** A descriptor with options for its cache. */
export interface WithCacheOptions<I> {
  readonly [cacheOptions]: CacheOptions<never> & ProjectOptions<string>;
  /** Holds the types of the indices for the compiler; never present at run time. */
  readonly [indexers]?: I | undefined;
}

/** A resource to read from a cache: a descriptor, or the result of {@link cached}. */
export type CachedResource = ResourceDescriptor & Partial<WithCacheOptions<unknown>>;

/** A name and a value of an index of a resource. */
export type IndexQuery<D> =
  D extends WithCacheOptions<infer I>
    ? { readonly [N in IndexName<I>]: readonly [name: N, value: IndexValueOf<I, N>] }[IndexName<I>]
    : readonly [name: string, value: boolean | number | string];

/**
 * Returns a descriptor with options for its cache. It can be used wherever the descriptor can; reads
 * with it know the names and values of its indices.
 *
 * ```ts
 * const labelled = cached(secrets, {
 *   labelSelector: 'app=site',
 *   index: { site: (secret) => [secret.metadata.labels?.['site'] ?? ''] },
 * });
 * cache.list(labelled, { index: ['site', 'blog'] });
 * ```
 */
export function cached<
  D extends ResourceDescriptor,
  I extends AnyIndexers<Cached<ObjectOf<D>>> = NoIndexers,
>(
  descriptor: D,
  options: CacheOptions<Cached<ObjectOf<D>>, I>,
): D & WithCacheOptions<IndexFuncs<Cached<ObjectOf<D>>, I>> {
  checkChoice('consistency', options.consistency, ['eventual', 'overlay', 'wait']);
  return { ...descriptor, [cacheOptions]: { ...optionsOf(descriptor), ...options } } as D &
    WithCacheOptions<IndexFuncs<Cached<ObjectOf<D>>, I>>;
}

/** The descriptor of the metadata of a resource. */
export type MetadataDescriptor<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<object, infer S extends Scope, infer V extends Verb>
    ? ResourceDescriptor<PartialObjectMetadata, S, V, never> & WithCacheOptions<NoIndexers>
    : never;

/**
 * Returns a descriptor whose cache has only the metadata of objects, at a fraction of the memory. Reads
 * need the result, or another of the same resource: a read with the plain descriptor is an error.
 */
export function metadataOf<D extends ResourceDescriptor>(descriptor: D): MetadataDescriptor<D> {
  const options = { ...optionsOf(descriptor), metadataOnly: true };
  checkFields(options);
  return { ...descriptor, [cacheOptions]: options } as unknown as MetadataDescriptor<D>;
}

/** The descriptor of a projection of a resource. */
export type ProjectedDescriptor<D extends ResourceDescriptor, Path extends string> =
  D extends ResourceDescriptor<infer T extends KubernetesObject, infer S, infer V, infer Sub>
    ? ResourceDescriptor<Projected<T, Path>, S, V, Sub> & WithCacheOptions<NoIndexers>
    : never;

/**
 * Returns a descriptor whose cache keeps only the fields of these paths, besides kind and metadata:
 * reading any other does not compile. Managed fields are kept only if they are named. Reads need the
 * result: one with the plain descriptor is an error.
 *
 * ```ts
 * const scheduled = projectionOf(pods, ['spec.nodeName', 'status.phase']);
 * manager.controller('nodes', {
 *   for: nodes,
 *   watches: [{ resource: scheduled, mapTo: (pod) => [{ name: pod.spec?.nodeName ?? '' }] }],
 *   reconcile: (node, { cache }) => void cache.list(scheduled).length,
 * });
 * ```
 *
 * The objects cannot be written: a request with one, or with a copy of it, does not compile and throws
 * `REST_OBJECT_PROJECTED`. Patch the fields that change, or read the object with `client`.
 */
export function projectionOf<
  D extends ResourceDescriptor,
  Path extends ProjectionPath<ObjectOf<D>>,
>(descriptor: D, project: readonly Path[]): ProjectedDescriptor<D, Path> {
  const options = { ...optionsOf(descriptor), project };
  checkFields(options);
  return { ...descriptor, [cacheOptions]: options } as unknown as ProjectedDescriptor<D, Path>;
}

/** Returns the options of a descriptor; undefined for a plain one. */
export function optionsOf(descriptor: CachedResource): StoredOptions | undefined {
  return descriptor[cacheOptions] as StoredOptions | undefined;
}

/** The options of a descriptor. A projection is part of its type, and so not one of `cached`. */
export type StoredOptions = CacheOptions & ProjectOptions<string>;

/** Throws an `OptionError` for a projection of objects of which only the metadata is cached. */
export function checkFields({ metadataOnly = false, project }: StoredOptions): void {
  if (!metadataOnly || project === undefined) return;
  throw new OptionError('project', 'has no fields to choose from with metadataOnly');
}

/** True if the cache of a descriptor has whole objects. */
export function hasWholeObjects(descriptor: CachedResource): boolean {
  const { metadataOnly = false, project } = optionsOf(descriptor) ?? {};
  return !metadataOnly && project === undefined;
}
