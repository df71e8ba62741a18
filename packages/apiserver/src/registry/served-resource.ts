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

/** Converts between the stored and a served version. */
export interface Conversion {
  fromStorage(stored: StoredObject): StoredObject;
  toStorage(object: ApiObject): ApiObject;
  /**
   * Fetches what `fromStorage` needs from a webhook. Returns undefined if that is nothing, or all is
   * known already.
   */
  load?(stored: readonly StoredObject[]): Promise<void> | undefined;
  /** Asks a webhook again, whatever it has said before; undefined if none converts the object. */
  reload?(stored: StoredObject): Promise<StoredObject> | undefined;
  /** Whether a webhook converts, also for the storage. */
  readonly usesWebhook?: boolean;
  /** Converts between any two versions of a custom resource. */
  convert?(object: ApiObject, apiVersion: string): Promise<ApiObject>;
}

/** One resource in one served version, as a URL addresses it. */
export interface ServedResource {
  readonly info: ResourceInfo;
  readonly registry: Registry;
  /** Absent if objects are stored in this version. */
  readonly conversion?: Conversion;
  /** Labels that field selectors accept; absent for name and namespace alone. */
  readonly fieldLabels?: readonly string[];
  /**
   * Whether requests bypass the watch cache, as for Events; clients see the difference in a few
   * errors.
   */
  readonly uncached: boolean;
  /** Custom resources only: how bodies are decoded. */
  readonly customKind?: CustomKind;
  /** Custom resources only: selectable fields besides metadata. */
  readonly selectableFields?: readonly string[];
  /** Custom resources only: the paths of their scale. */
  readonly scale?: CustomResourceSubresourceScale;
  /** Custom resources only: the columns of their tables. */
  readonly printerColumns?: readonly CustomResourceColumnDefinition[];
  /** The `Warning` header of every request to a deprecated version. */
  readonly deprecation?: string;
  /**
   * Custom resources only: aborts when the resource is no longer served, which ends its watches.
   */
  readonly removed?: AbortSignal;
}

/** Fetches views that need a webhook, before {@link viewOf} can show them. */
export function loadViews(
  { conversion }: ServedResource,
  stored: readonly StoredObject[],
): Promise<void> | undefined {
  return conversion?.load?.(stored);
}

/** Returns a stored object in the served version, converted by a webhook if need be. */
export async function loadedView(
  served: ServedResource,
  stored: StoredObject,
): Promise<DeepReadonly<ApiObject>> {
  await loadViews(served, [stored]);
  return viewOf(served, stored);
}

/**
 * Returns a stored object in the served version as {@link loadedView} does, with what a conversion
 * webhook says now: on a real server only lists and watches are served from converted objects.
 */
export async function currentView(
  served: ServedResource,
  stored: StoredObject,
): Promise<DeepReadonly<ApiObject>> {
  const view = await served.conversion?.reload?.(stored);
  return (view as DeepReadonly<ApiObject> | undefined) ?? viewOf(served, stored);
}

const views = new WeakMap<ServedResource, WeakMap<StoredObject, StoredObject>>();

/**
 * Returns a stored object in the served version. Returns the same view for the same stored object.
 */
export function viewOf(served: ServedResource, stored: StoredObject): DeepReadonly<ApiObject> {
  const { conversion } = served;
  if (conversion === undefined) return stored as DeepReadonly<ApiObject>;
  let known = views.get(served);
  if (known === undefined) views.set(served, (known = new WeakMap()));
  let view = known.get(stored);
  if (view === undefined) known.set(stored, (view = conversion.fromStorage(stored)));
  return view as DeepReadonly<ApiObject>;
}
