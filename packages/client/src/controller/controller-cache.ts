import type { IndexFunc } from '../cache/indexers.ts';
import type { CachedObject, ListableResource } from '../cache/list-watch.ts';
import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { type CacheSyncOptions, waitForCacheSync } from '../cache/wait-for-cache-sync.ts';
import type { SharedIndexers } from '../informers/informer-factory.ts';
import { MetadataSharedInformerFactory } from '../informers/metadata-shared-informer-factory.ts';
import { SharedInformerFactory } from '../informers/shared-informer-factory.ts';
import { Clientset } from '../kubernetes/clientset.ts';
import { type Clock, type ScheduledCall, systemClock } from '../lib/clock.ts';
import { getKey } from '../lib/json.ts';
import { describeError, type Logger, type LoggerOption } from '../lib/logger.ts';
import { checkChoice, checkNumbers, OptionError } from '../lib/option-error.ts';
import type { Random } from '../lib/random.ts';
import type { LabelMatcher } from '../meta/labels.ts';
import { groupResourceName, type ObjectOf, type ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import type { Cached } from '../rest/object-types.ts';
import type { NamespacedDescriptor } from '../rest/resource-client.ts';
import { CacheView, type ViewMember } from './cache-view.ts';
import {
  type CachedResource,
  type CacheOptions,
  type Consistency,
  type IndexQuery,
  optionsOf,
} from './cached-resource.ts';
import { ControllerError } from './controller-error.ts';
import { OwnVersions } from './own-versions.ts';
import { WriteOverlay } from './write-overlay.ts';
import { WriteTracker } from './write-tracker.ts';

/** What a cached object is called. */
export interface ObjectName {
  /** Absent or empty for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Selects objects of a cached resource. All conditions must hold. */
export interface CacheQuery<D> {
  /** Default: every cached namespace. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: LabelMatcher | string | undefined;
  /** The name and the value of an index. */
  readonly index?: IndexQuery<D> | undefined;
}

/** The defaults of all resources of a cache. */
export type CacheDefaults = Pick<
  CacheOptions,
  'consistency' | 'fieldSelector' | 'labelSelector' | 'namespace' | 'namespaces' | 'transform'
>;

/** Options of {@link ControllerCache}. */
export interface ControllerCacheOptions extends LoggerOption {
  /** Its connections are shared, and it stays open. Its own writes are not seen by the cache. */
  readonly client: Clientset;
  /** The resources to cache: descriptors, or results of `cached` and `metadataOf`. */
  readonly resources?: readonly CachedResource[] | undefined;
  readonly defaults?: CacheDefaults | undefined;
  /**
   * What a read of a resource without an informer does: fail with `CONTROLLER_NOT_CACHED`, or start an
   * informer, and fail with `CONTROLLER_NOT_SYNCED` until it has synced. Default `error`.
   */
  readonly onMissing?: 'error' | 'start' | undefined;
  /**
   * How long a write waits for an informer (`consistency: 'wait'`), or for a read of the server that
   * its answer makes necessary. The write then resolves; reads stay right, or throw. Default 30 s.
   */
  readonly waitTimeoutMs?: number | undefined;
  /**
   * The most own writes per informer that are remembered while it does not catch up. Beyond that, reads
   * of the resource throw `CONTROLLER_CACHE_BEHIND` until it has. Default 10,000.
   */
  readonly maxPendingWrites?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Pick<Random, 'next'> | undefined;
}

/** How often own writes that an informer does not catch up with are compared with the server. */
const SWEEP_MS = 60_000;

/**
 * The shared caches of a program: one informer for each resource and set of options, and reads that are
 * never older than the own writes made through {@link ControllerCache.client}.
 *
 * ```ts
 * await using cache = new ControllerCache({ client, resources: [sites, metadataOf(pods)] });
 * cache.start({ signal });
 * await cache.waitForCacheSync({ signal });
 * await cache.client.resource(sites, 'default').update(site);
 * cache.get(sites, { namespace: 'default', name: 'blog' }); // at least that version
 * ```
 *
 * Guarantees, with `overlay` and `wait`: after a write has resolved, reads by name, lists and index
 * lookups see at least its version, or that the object is gone. A read for which that is not known
 * throws. Informers and their handlers are not affected: the own writes are a layer over the store.
 */
export class ControllerCache implements AsyncDisposable {
  /** The client whose writes this cache sees. It reads from the server. */
  readonly client: Clientset;
  readonly #base: Clientset;
  readonly #metadata: MetadataClient;
  readonly #factory: SharedInformerFactory;
  readonly #metadataFactory: MetadataSharedInformerFactory;
  readonly #options: ControllerCacheOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #tracker: WriteTracker;
  readonly #ownVersions = new OwnVersions();
  readonly #views = new Map<string, CacheView>();
  readonly #declared = new Set<CacheView>();
  /** By group and resource: writes in one version change the objects of all. */
  readonly #viewsOf = new Map<string, CacheView[]>();
  readonly #transforms = new WeakMap<object, number>();
  #lastTransform = 0;
  /** The view that a descriptor reads. */
  #found = new WeakMap<object, CacheView>();
  #run: { readonly signal: AbortSignal | undefined } | undefined;
  #sweep: ScheduledCall | undefined;

  constructor(options: ControllerCacheOptions) {
    checkChoice('onMissing', options.onMissing, ['error', 'start']);
    checkNumbers(options, { waitTimeoutMs: 'duration', maxPendingWrites: 'count' });
    checkConsistency(options.defaults ?? {});
    const { client, clock = systemClock, random, logger = client.logger } = options;
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#base = client;
    this.#metadata = new MetadataClient(client.rest);
    const settings = { clock, logger, random };
    this.#factory = new SharedInformerFactory(client, settings);
    this.#metadataFactory = new MetadataSharedInformerFactory(this.#metadata, settings);
    this.#tracker = new WriteTracker({
      viewsOf: ({ resource }) => this.#viewsOf.get(groupResourceName(resource)) ?? [],
      ownVersions: this.#ownVersions,
      clock,
      logger,
      waitTimeoutMs: options.waitTimeoutMs ?? 30_000,
      onRecorded: () => this.#scheduleSweep(),
    });
    this.client = this.clientFor('');
    for (const resource of options.resources ?? []) this.#declared.add(this.#acquire(resource));
  }

  /** Returns a client as {@link client} whose writes {@link isOwnEvent} tells from those of others. */
  clientFor(writer: string): Clientset {
    return new Clientset(this.#base.rest.with({ onWrite: this.#tracker.observer(writer) }));
  }

  /** Returns an object; undefined if there is none. It is shared and read-only. */
  get<D extends CachedResource>(
    resource: D,
    { namespace = '', name }: ObjectName,
  ): Cached<ObjectOf<D>> | undefined {
    const view = this.#found.get(resource) ?? this.#find(resource);
    return view.get(namespace, name) as Cached<ObjectOf<D>> | undefined;
  }

  /** Returns the objects that match. They are shared and read-only. */
  list<D extends CachedResource>(
    resource: D,
    options: CacheQuery<D> = {},
  ): readonly Cached<ObjectOf<D>>[] {
    const view = this.#found.get(resource) ?? this.#find(resource);
    return view.list(options) as unknown as readonly Cached<ObjectOf<D>>[];
  }

  /**
   * Returns the one informer of a resource and these options, before or after the start. Throws an
   * `OptionError` if they name several namespaces: see {@link informers}.
   */
  informer<D extends CachedResource>(
    resource: D,
    options?: CacheOptions<Cached<ObjectOf<D>>>,
  ): SharedIndexInformer<Cached<ObjectOf<D>>, SharedIndexers<Cached<ObjectOf<D>>>> {
    const [only, ...others] = this.informers(resource, options);
    if (only !== undefined && others.length === 0) return only;
    throw new OptionError('namespaces', 'has not one namespace: call informers');
  }

  /** Returns the informers of a resource and these options: one for each of its namespaces. */
  informers<D extends CachedResource>(
    resource: D,
    options?: CacheOptions<Cached<ObjectOf<D>>>,
  ): readonly SharedIndexInformer<Cached<ObjectOf<D>>, SharedIndexers<Cached<ObjectOf<D>>>>[] {
    const view = this.#acquire(resource, options as CacheOptions | undefined);
    return view.members.map(({ informer }) => informer as never);
  }

  /** Returns the namespaces of the {@link informers} of a resource, one for each; empty for all. */
  namespaces(resource: CachedResource): readonly string[] {
    return this.#acquire(resource).members.map(({ namespace }) => namespace);
  }

  /** Starts the informers, and those that are acquired later, until the signal aborts. */
  start({ signal }: { readonly signal?: AbortSignal | undefined } = {}): void {
    this.#run ??= { signal };
    this.#factory.start(this.#run);
    this.#metadataFactory.start(this.#run);
  }

  /** Resolves when the first list of every resource is cached; see {@link waitForCacheSync}. */
  async waitForCacheSync(options: CacheSyncOptions = {}): Promise<void> {
    await this.#sync([...this.#views.values()], options);
  }

  /** As {@link waitForCacheSync}, for one resource. */
  async ready(resource: CachedResource, options: CacheSyncOptions = {}): Promise<void> {
    await this.#sync([this.#find(resource)], options);
  }

  /**
   * Resolves when the cache of a resource has the state of the server at `resourceVersion`. Rejects as
   * `SharedIndexInformer.reached` does.
   */
  async reached(
    resource: CachedResource,
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const { members } = this.#find(resource);
    await Promise.all(members.map(({ informer }) => informer.reached(resourceVersion, options)));
  }

  /** True if the outcome of every own write is known. */
  get isSettled(): boolean {
    for (const view of this.#views.values()) {
      for (const { overlay } of view.members) {
        if (overlay.uncertain > 0 || overlay.isBehind) return false;
      }
    }
    return true;
  }

  /**
   * Resolves when the outcome of every own write is known: those with an unknown outcome are read from
   * the server. Await it before a reconcile. Rejects if the server cannot be read.
   */
  async settled({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.isSettled) return;
    await Promise.all([...this.#views.values()].map((view) => this.#tracker.settle(view, signal)));
  }

  /**
   * Returns true if this version of the object is exactly one that this writer wrote (see
   * {@link clientFor}), and no change of others can be in between: the write was a creation, or it
   * carried the resourceVersion that the cache had.
   */
  isOwnEvent(resource: CachedResource, object: CachedObject, writer = ''): boolean {
    return this.#ownVersions.writerOf(resource, object) === writer;
  }

  /** Stops the informers. The client stays open. */
  async close(): Promise<void> {
    this.#sweep?.cancel();
    this.#sweep = undefined;
    await Promise.all([this.#factory.shutdown(), this.#metadataFactory.shutdown()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #sync(views: readonly CacheView[], options: CacheSyncOptions): Promise<void> {
    const informers = views.flatMap(({ members }) => members.map(({ informer }) => informer));
    await waitForCacheSync(informers, { clock: this.#clock, ...options });
  }

  /** Returns the view that a descriptor reads. */
  #find(resource: CachedResource): CacheView {
    const view = this.#exact(resource) ?? this.#only(resource);
    this.#found.set(resource, view);
    return view;
  }

  #exact(resource: CachedResource): CacheView | undefined {
    const own = optionsOf(resource);
    return own && this.#views.get(this.#keyOf(resource, this.#merged(own)));
  }

  #only(resource: CachedResource): CacheView {
    const own = optionsOf(resource);
    const { metadataOnly = false } = own ?? {};
    const all = (this.#viewsOf.get(groupResourceName(resource)) ?? []).filter(
      ({ descriptor, options }) =>
        descriptor.version === resource.version && (options.metadataOnly ?? false) === metadataOnly,
    );
    const declared = all.filter((view) => this.#declared.has(view));
    const candidates = declared.length > 0 ? declared : all;
    const [only, ...others] = candidates;
    const hasOwnOptions =
      own !== undefined && Object.keys(own).some((name) => name !== 'metadataOnly');
    if (only === undefined || hasOwnOptions) return this.#missing(resource);
    if (others.length === 0) return only;
    const message = `${groupResourceName(resource)} is cached with ${candidates.length} sets of options`;
    throw new ControllerError('CONTROLLER_CACHE_AMBIGUOUS', message);
  }

  #missing(resource: CachedResource): CacheView {
    if (this.#options.onMissing === 'start') return this.#acquire(resource);
    const what = optionsOf(resource)?.metadataOnly === true ? 'the metadata of ' : '';
    const name = groupResourceName(resource);
    throw new ControllerError('CONTROLLER_NOT_CACHED', `${what}${name} is not cached`);
  }

  /** Returns the view of a resource and options, and makes it if there is none. */
  #acquire(resource: CachedResource, options: CacheOptions = {}): CacheView {
    const merged = this.#merged({ ...optionsOf(resource), ...withoutUndefined(options) });
    checkConsistency(merged);
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

  #merged(options: CacheOptions): CacheOptions {
    const { namespace, namespaces, ...defaults } = this.#options.defaults ?? {};
    const isPlaced = options.namespace !== undefined || options.namespaces !== undefined;
    return { ...defaults, ...(isPlaced ? {} : { namespace, namespaces }), ...options };
  }

  #keyOf({ group, version, resource, scope }: CachedResource, options: CacheOptions): string {
    const { labelSelector = '', fieldSelector = '', shardSelector = '', transform } = options;
    return JSON.stringify([
      group,
      version,
      resource,
      namespacesOf(options, scope),
      [labelSelector, fieldSelector, shardSelector].map(String),
      options.metadataOnly ?? false,
      transform === undefined ? 0 : this.#numberOf(transform),
    ]);
  }

  #numberOf(transform: object): number {
    const number = this.#transforms.get(transform) ?? (this.#lastTransform += 1);
    this.#transforms.set(transform, number);
    return number;
  }

  #make(key: string, descriptor: ResourceDescriptor, options: CacheOptions): CacheView {
    const { consistency = 'overlay' } = options;
    const members = namespacesOf(options, descriptor.scope).map((namespace) =>
      this.#member(descriptor, options, namespace),
    );
    const view = new CacheView({ descriptor, options, consistency, members });
    this.#views.set(key, view);
    const name = groupResourceName(descriptor);
    this.#viewsOf.set(name, [...(this.#viewsOf.get(name) ?? []), view]);
    this.#found = new WeakMap();
    if (this.#run !== undefined) this.start();
    return view;
  }

  #member(descriptor: ResourceDescriptor, options: CacheOptions, namespace: string): ViewMember {
    const {
      labelSelector,
      fieldSelector,
      shardSelector,
      transform,
      metadataOnly = false,
    } = options;
    const selected = { namespace, labelSelector, fieldSelector, shardSelector };
    const informerOptions = { ...selected, ...(transform && { transform: transform as never }) };
    const factory = metadataOnly ? this.#metadataFactory : this.#factory;
    const { informer } = factory.forResource(descriptor, informerOptions);
    const client = (place: string): ListableResource<KubernetesObject> =>
      metadataOnly
        ? this.#metadata.resource(descriptor).namespace(place)
        : this.#base.resource(descriptor as NamespacedDescriptor, place);
    const isComplete = [labelSelector, fieldSelector, shardSelector].every(
      (selector) => selector === undefined || String(selector) === '',
    );
    const limit = this.#options.maxPendingWrites ?? 10_000;
    const { indexer } = informer;
    const overlay = new WriteOverlay<CachedObject>(indexer, { limit, isComplete });
    return { namespace, informer: informer as never, overlay, client };
  }

  /** Runs only while there are own writes that an informer has not caught up with. */
  #scheduleSweep(): void {
    if (this.#sweep !== undefined) return;
    this.#sweep = this.#clock.schedule(SWEEP_MS, () => void this.#sweepAll(), { background: true });
  }

  async #sweepAll(): Promise<void> {
    let isEmpty = true;
    for (const view of this.#views.values()) {
      for (const member of view.members) {
        member.overlay.prune();
        if (member.overlay.isEmpty || !member.informer.isRunning) continue;
        isEmpty = false;
        try {
          await this.#tracker.confirm(view, member, this.#run?.signal);
        } catch (error) {
          this.#logger.debug(
            `the cache cannot be compared with the server: ${describeError(error)}`,
          );
        }
      }
    }
    const isClosed = this.#sweep === undefined;
    this.#sweep = undefined;
    if (!isEmpty && !isClosed) this.#scheduleSweep();
  }
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
function addMissing(
  informer: ViewMember['informer'],
  indexers: Readonly<Record<string, IndexFunc<never>>>,
): void {
  const present = informer.indexer.getIndexers();
  const missing = Object.entries(indexers).filter(([name, func]) => getKey(present, name) !== func);
  if (missing.length === 0) return;
  informer.addIndexers(
    Object.fromEntries(missing) as Readonly<Record<string, IndexFunc<CachedObject>>>,
  );
}

function withoutUndefined(options: CacheOptions): CacheOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
