import type { AnyIndexers } from '../cache/indexers.ts';
import { indexFuncOf } from '../cache/key-index.ts';
import { getKey } from '../lib/json.ts';
import { checkChoice, OptionError } from '../lib/option-error.ts';
import {
  groupResourceName,
  type GroupResource,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { CacheView, type ViewMember } from './cache-view.ts';
import {
  type CachedResource,
  type CacheOptions,
  checkFields,
  type Consistency,
  optionsOf,
  type StoredOptions,
} from './cached-resource.ts';
import { ControllerError } from './controller-error.ts';

/** The defaults of all resources of a cache. */
export type CacheDefaults = Pick<
  CacheOptions,
  | 'consistency'
  | 'compress'
  | 'dropManagedFields'
  | 'fieldSelector'
  | 'labelSelector'
  | 'namespace'
  | 'namespaces'
  | 'transform'
>;

/** Options of {@link ViewRegistry}. */
export interface ViewRegistryOptions {
  readonly defaults: CacheDefaults;
  /** What a read of a resource without a view does. */
  readonly onMissing: 'error' | 'start';
  /** Makes the part of a view that caches one namespace; an empty one for all. */
  readonly memberOf: (
    descriptor: ResourceDescriptor,
    options: StoredOptions,
    namespace: string,
  ) => ViewMember;
  /** Called after a view was made. */
  readonly onMade: () => void;
}

/** The views of a cache: one for each resource and set of options, found by descriptor. */
export class ViewRegistry {
  readonly #options: ViewRegistryOptions;
  readonly #views = new Map<string, CacheView>();
  readonly #all: CacheView[] = [];
  readonly #declared = new Set<CacheView>();
  /** By group and resource: writes in one version change the objects of all. */
  readonly #byResource = new Map<string, CacheView[]>();
  readonly #transforms = new WeakMap<object, number>();
  #lastTransform = 0;
  /** The view that a descriptor reads. */
  #found = new WeakMap<object, CacheView>();

  constructor(options: ViewRegistryOptions) {
    checkConsistency(options.defaults);
    this.#options = options;
  }

  /** Makes the view of a resource, which reads with a plain descriptor prefer. */
  declare(resource: CachedResource): void {
    this.#declared.add(this.acquire(resource));
  }

  /** Returns the views of a resource, in any version of its group. */
  of(resource: GroupResource): readonly CacheView[] {
    return this.#byResource.get(groupResourceName(resource)) ?? [];
  }

  /** The views in the order in which they were made. */
  get all(): readonly CacheView[] {
    return this.#all;
  }

  /** Returns the view that a descriptor reads. Throws a `ControllerError` if there is not exactly one. */
  find(resource: CachedResource): CacheView {
    const known = this.#found.get(resource);
    if (known !== undefined) return known;
    const view = this.#exact(resource) ?? this.#only(resource);
    this.#found.set(resource, view);
    return view;
  }

  /** Returns the view of a resource and options, and makes it if there is none. */
  acquire(resource: CachedResource, options: CacheOptions = {}): CacheView {
    const merged = this.#merged({ ...optionsOf(resource), ...withoutUndefined(options) });
    checkConsistency(merged);
    checkFields(merged);
    const key = this.#keyOf(resource, merged);
    const view = this.#views.get(key) ?? this.#make(key, resource, merged);
    for (const { informer } of view.members) addMissing(informer, merged.index ?? {});
    const { consistency } = merged;
    if (consistency !== undefined && consistency !== view.consistency) {
      const message = `${groupResourceName(resource)} is already cached with ${view.consistency}`;
      throw new OptionError('consistency', message);
    }
    return view;
  }

  #exact(resource: CachedResource): CacheView | undefined {
    const own = optionsOf(resource);
    return own && this.#views.get(this.#keyOf(resource, this.#merged(own)));
  }

  #only(resource: CachedResource): CacheView {
    const own = optionsOf(resource);
    const all = this.of(resource).filter(
      ({ descriptor, options }) =>
        descriptor.version === resource.version && fieldsOf(options) === fieldsOf(own ?? {}),
    );
    const declared = all.filter((view) => this.#declared.has(view));
    const candidates = declared.length > 0 ? declared : all;
    const [only, ...others] = candidates;
    const hasOwnOptions =
      own !== undefined &&
      Object.keys(own).some((name) => name !== 'metadataOnly' && name !== 'project');
    if (only === undefined || hasOwnOptions) return this.#missing(resource);
    if (others.length === 0) return only;
    const message = `${groupResourceName(resource)} is cached with ${candidates.length} sets of options`;
    throw new ControllerError('CONTROLLER_CACHE_AMBIGUOUS', message);
  }

  #missing(resource: CachedResource): CacheView {
    if (this.#options.onMissing === 'start') return this.acquire(resource);
    const { metadataOnly = false, project } = optionsOf(resource) ?? {};
    const what = metadataOnly ? 'the metadata of ' : '';
    const fields = project === undefined ? '' : ` with the fields ${project.join(', ')}`;
    const name = groupResourceName(resource);
    throw new ControllerError('CONTROLLER_NOT_CACHED', `${what}${name}${fields} is not cached`);
  }

  #merged(options: StoredOptions): StoredOptions {
    const { namespace, namespaces, ...defaults } = this.#options.defaults;
    const isPlaced = options.namespace !== undefined || options.namespaces !== undefined;
    return { ...defaults, ...(isPlaced ? {} : { namespace, namespaces }), ...options };
  }

  #keyOf({ group, version, resource, scope }: CachedResource, options: StoredOptions): string {
    const { labelSelector = '', fieldSelector = '', shardSelector = '', transform } = options;
    return JSON.stringify([
      group,
      version,
      resource,
      namespacesOf(options, scope),
      [labelSelector, fieldSelector, shardSelector].map(String),
      fieldsOf(options),
      options.dropManagedFields ?? false,
      options.compress ?? false,
      transform === undefined ? 0 : this.#numberOf(transform),
    ]);
  }

  #numberOf(transform: object): number {
    const number = this.#transforms.get(transform) ?? (this.#lastTransform += 1);
    this.#transforms.set(transform, number);
    return number;
  }

  #make(key: string, descriptor: ResourceDescriptor, options: StoredOptions): CacheView {
    const { consistency = 'overlay' } = options;
    const members = namespacesOf(options, descriptor.scope).map((namespace) =>
      this.#options.memberOf(descriptor, options, namespace),
    );
    const view = new CacheView({ descriptor, options, consistency, members });
    this.#views.set(key, view);
    this.#all.push(view);
    const name = groupResourceName(descriptor);
    this.#byResource.set(name, [...this.of(descriptor), view]);
    this.#found = new WeakMap();
    this.#options.onMade();
    return view;
  }
}

/** Which fields of its objects a cache has: the same text for the same. */
function fieldsOf({ metadataOnly = false, project }: StoredOptions): string {
  if (metadataOnly) return 'metadata';
  return project === undefined ? 'all' : JSON.stringify([...project].sort());
}

function checkConsistency({
  consistency,
}: {
  readonly consistency?: Consistency | undefined;
}): void {
  checkChoice('consistency', consistency, ['eventual', 'overlay', 'wait']);
}

/** The namespaces to watch, sorted; one empty name for all. */
function namespacesOf(
  { namespace = '', namespaces }: CacheOptions,
  scope: ResourceDescriptor['scope'],
): readonly string[] {
  if (scope === 'Cluster') return [''];
  const names = [...new Set(namespaces ?? [namespace])].sort();
  return names.length === 0 || names.includes('') ? [''] : names;
}

/** Adds the indices that the informer does not have. Another function under a taken name throws. */
function addMissing(informer: ViewMember['informer'], indexers: AnyIndexers<CachedObject>): void {
  const present = informer.indexer.getIndexers();
  const missing = Object.entries(indexers)
    .map(([name, index]) => [name, indexFuncOf<CachedObject>(name, index)] as const)
    .filter(([name, func]) => getKey(present, name) !== func);
  if (missing.length > 0) informer.addIndexers(Object.fromEntries(missing));
}

function withoutUndefined(options: CacheOptions): StoredOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
