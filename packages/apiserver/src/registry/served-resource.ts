import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresourceScale,
} from 'client-ts/api/apiextensions/v1';
import type { DeepReadonly } from 'client-ts/meta';
import type { CustomKind } from '../crd/decode-custom.ts';
import type { StoredObject } from '../store/store.ts';
import type { ApiObject } from './object.ts';
import type { Registry } from './registry.ts';
import type { ResourceInfo } from './resource.ts';

/** Between the version that is stored and another one that is served. */
export interface Conversion {
  readonly fromStorage: (stored: StoredObject) => StoredObject;
  readonly toStorage: (object: ApiObject) => ApiObject;
}

/** One resource in one served version: what a URL leads to. */
export interface ServedResource {
  readonly info: ResourceInfo;
  readonly registry: Registry;
  /** Absent if objects are stored as they are served. */
  readonly conversion?: Conversion;
  /** Every label that field selectors may use; absent if they are the name and the namespace. */
  readonly fieldLabels?: readonly string[];
  /**
   * Events are served straight from the store, without the cache that keeps history of its own;
   * clients see the difference in a few errors.
   */
  readonly uncached: boolean;
  /** Custom resources: how their bodies are read. */
  readonly customKind?: CustomKind;
  /** Custom resources: the fields besides metadata that selectors may use. */
  readonly selectableFields?: readonly string[];
  /** Custom resources: where their Scale finds its numbers. */
  readonly scale?: CustomResourceSubresourceScale;
  /** Custom resources: what their tables show. */
  readonly printerColumns?: readonly CustomResourceColumnDefinition[];
  /** The text of the `Warning` on every request, for deprecated versions. */
  readonly deprecation?: string;
  /** Custom resources: aborts when they are no longer served; watches end then. */
  readonly removed?: AbortSignal;
}

const views = new WeakMap<ServedResource, WeakMap<StoredObject, StoredObject>>();

/** A stored object in the served version. The same stored object always gives the same view. */
export function viewOf(served: ServedResource, stored: StoredObject): DeepReadonly<ApiObject> {
  const { conversion } = served;
  if (conversion === undefined) return stored as DeepReadonly<ApiObject>;
  let known = views.get(served);
  if (known === undefined) views.set(served, (known = new WeakMap()));
  let view = known.get(stored);
  if (view === undefined) known.set(stored, (view = conversion.fromStorage(stored)));
  return view as DeepReadonly<ApiObject>;
}
