import type { IndexFunc } from '../cache/indexers.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import type { ObjectOf, ResourceDescriptor } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { Stored } from '../rest/object-types.ts';
import type { InformerOptions } from './informer-options.ts';
import type { Lister } from './lister.ts';

/** An object in the cache of an informer: as the server sent it, and not to be changed. */
export type Cached<T extends KubernetesObject> = DeepReadonly<Stored<T>>;

/**
 * The indices of an informer that others use too: that by namespace, and any that anybody has added.
 * The compiler cannot know those; what `addIndexers` gives back has a type that knows its own.
 */
export interface SharedIndexers<T> {
  readonly namespace: IndexFunc<T, string>;
  readonly [name: string]: IndexFunc<T>;
}

/**
 * What a factory gives: the informer of a resource, and a way to read its cache. Every call of a
 * getter gives the same informer and lister, and counts as one more user.
 */
export interface ResourceInformer<T extends CachedObject> extends AsyncDisposable {
  readonly informer: SharedIndexInformer<T, SharedIndexers<T>>;
  readonly lister: Lister<T>;
  /**
   * Says that this user needs the informer no longer. The last one stops it, and then the promise
   * resolves when it has come to rest; the factory forgets it, and would make another. Who never
   * releases keeps it until the factory shuts down. Releasing twice is harmless. Handlers stay until
   * they are removed.
   */
  release(): Promise<void>;
}

/** Gives the informer of one resource. */
export type InformerGetter<D extends ResourceDescriptor> = (
  options?: InformerOptions<Cached<ObjectOf<D>>>,
) => ResourceInformer<Cached<ObjectOf<D>>>;
