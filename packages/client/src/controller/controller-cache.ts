import type { CachedObject, ListableResource } from '../cache/list-watch.ts';
import type { ReflectorMetricsProvider } from '../cache/reflector-metrics.ts';
import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { type CacheSyncOptions, waitForCacheSync } from '../cache/wait-for-cache-sync.ts';
import type { SharedIndexers } from '../informers/informer-factory.ts';
import { MetadataSharedInformerFactory } from '../informers/metadata-shared-informer-factory.ts';
import { SharedInformerFactory } from '../informers/shared-informer-factory.ts';
import { type Clientset, clientsetLater } from '../kubernetes/clientset.ts';
import { type Clock, type ScheduledCall, systemClock } from '../lib/clock.ts';
import { describeError, type Logger, type LoggerOption } from '../lib/logger.ts';
import { checkChoice, checkNumbers, OptionError } from '../lib/option-error.ts';
import type { Random } from '../lib/random.ts';
import type { LabelMatcher } from '../meta/labels.ts';
import type { ObjectOf, ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import type { Cached } from '../rest/object-types.ts';
import type { NamespacedDescriptor } from '../rest/resource-client.ts';
import type { CacheView, ViewMember } from './cache-view.ts';
import { catchUp } from './catch-up.ts';
import type { CachedResource, CacheOptions, IndexQuery, StoredOptions } from './cached-resource.ts';
import { OwnVersions } from './own-versions.ts';
import { type CacheDefaults, ViewRegistry } from './view-registry.ts';
import { WriteOverlay } from './write-overlay.ts';
import { type AcceptedWriteListener, WriteTracker } from './write-tracker.ts';

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
  /** Measures lists and watches; see `reflectorMetrics` in `client-ts/observe`. Default: nothing. */
  readonly metrics?: ReflectorMetricsProvider | undefined;
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
  readonly #views: ViewRegistry;
  #run: { readonly signal: AbortSignal | undefined } | undefined;
  #sweep: ScheduledCall | undefined;

  constructor(options: ControllerCacheOptions) {
    checkChoice('onMissing', options.onMissing, ['error', 'start']);
    checkNumbers(options, { waitTimeoutMs: 'duration', maxPendingWrites: 'count' });
    const { client, clock = systemClock, random, logger = client.logger } = options;
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#base = client;
    this.#metadata = new MetadataClient(client.rest);
    const settings = { clock, logger, random, metrics: options.metrics };
    this.#factory = new SharedInformerFactory(client, settings);
    this.#metadataFactory = new MetadataSharedInformerFactory(this.#metadata, settings);
    this.#views = new ViewRegistry({
      defaults: options.defaults ?? {},
      onMissing: options.onMissing ?? 'error',
      memberOf: (...values) => this.#member(...values),
      onMade: () => {
        if (this.#run !== undefined) this.start();
      },
    });
    this.#tracker = new WriteTracker({
      viewsOf: ({ resource }) => this.#views.of(resource),
      ownVersions: this.#ownVersions,
      clock,
      logger,
      waitTimeoutMs: options.waitTimeoutMs ?? 30_000,
      onRecorded: () => this.#scheduleSweep(),
    });
    this.client = this.clientFor('');
    for (const resource of options.resources ?? []) this.#views.declare(resource);
  }

  /**
   * Returns a client as {@link client} whose writes {@link isOwnEvent} distinguishes from those of others.
   * `onAccepted` is called for each that the server has done, before its promise resolves.
   */
  clientFor(writer: string, onAccepted?: AcceptedWriteListener): Clientset {
    return clientsetLater(() =>
      this.#base.rest.with({ onWrite: this.#tracker.observer(writer, onAccepted) }),
    );
  }

  /** Returns an object; undefined if there is none. It is shared and read-only. */
  get<D extends CachedResource>(
    resource: D,
    { namespace = '', name }: ObjectName,
  ): Cached<ObjectOf<D>> | undefined {
    const view = this.#views.find(resource);
    return view.get(namespace, name) as Cached<ObjectOf<D>> | undefined;
  }

  /**
   * As {@link ControllerCache.get}, by the key of the object: `namespace/name`, and `name` or `/name`
   * for cluster-scoped objects. Throws `ObjectKeyError` for two slashes.
   */
  getByKey<D extends CachedResource>(resource: D, key: string): Cached<ObjectOf<D>> | undefined {
    const view = this.#views.find(resource);
    return view.getByKey(key) as Cached<ObjectOf<D>> | undefined;
  }

  /** Returns the objects that match. They are shared and read-only. */
  list<D extends CachedResource>(
    resource: D,
    options: CacheQuery<D> = {},
  ): readonly Cached<ObjectOf<D>>[] {
    const view = this.#views.find(resource);
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
    const view = this.#views.acquire(resource, options as CacheOptions | undefined);
    return view.members.map(({ informer }) => informer as never);
  }

  /** Returns the namespaces of the {@link informers} of a resource, one for each; empty for all. */
  namespaces(resource: CachedResource): readonly string[] {
    return this.#views.acquire(resource).members.map(({ namespace }) => namespace);
  }

  /** Starts the informers, and those that are acquired later, until the signal aborts. */
  start({ signal }: { readonly signal?: AbortSignal | undefined } = {}): void {
    this.#run ??= { signal };
    this.#factory.start(this.#run);
    this.#metadataFactory.start(this.#run);
  }

  /** Resolves when the first list of every resource is cached; see {@link waitForCacheSync}. */
  async waitForCacheSync(options: CacheSyncOptions = {}): Promise<void> {
    await this.#sync(this.#views.all, options);
  }

  /** As {@link waitForCacheSync}, for one resource. */
  async ready(resource: CachedResource, options: CacheSyncOptions = {}): Promise<void> {
    await this.#sync([this.#views.find(resource)], options);
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
    const { members } = this.#views.find(resource);
    await Promise.all(members.map(({ informer }) => informer.reached(resourceVersion, options)));
  }

  /** True if the outcome of every own write is known. */
  get isSettled(): boolean {
    return this.#views.all.every(isSettled);
  }

  /**
   * Resolves when the outcome of every own write is known: those with an unknown outcome are read from
   * the server. Await it before a reconcile. Rejects if the server cannot be read.
   */
  async settled({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.isSettled) return;
    await Promise.all(this.#views.all.map((view) => this.#tracker.settle(view, signal)));
  }

  /**
   * Resolves when the cache shows at least what the server had when this was called: what other
   * processes wrote before is visible. Costs a request for each informer, and another one, which lists
   * the metadata, for those of resources that do not change. Rejects if the server cannot be read.
   */
  async catchUp({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const options = { metadata: this.#metadata, clock: this.#clock, signal };
    const members = this.#views.all.flatMap((view) =>
      view.members.map((member) => ({ view, member })),
    );
    // A resource that the server does not have has nothing to catch up with.
    const synced = members.filter(({ member }) => member.informer.hasSynced);
    await Promise.all(synced.map(({ view, member }) => catchUp(view, member, options)));
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

  #member(descriptor: ResourceDescriptor, options: StoredOptions, namespace: string): ViewMember {
    const { labelSelector, fieldSelector, shardSelector, metadataOnly = false } = options;
    const { transform, project, dropManagedFields, compress } = options;
    const selected = { namespace, labelSelector, fieldSelector, shardSelector };
    const fields = project && { project: project as readonly never[] };
    const kept = { dropManagedFields, compress, ...fields };
    const informerOptions = {
      ...selected,
      ...kept,
      ...(transform && { transform: transform as never }),
    };
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
    for (const view of this.#views.all) {
      for (const member of view.members) {
        member.overlay.prune();
        if (member.overlay.isEmpty || !member.informer.isRunning) continue;
        isEmpty = false;
        try {
          await this.#tracker.confirm(view, member, this.#run?.signal);
        } catch (error) {
          this.#logger.debug(
            `the cache cannot be compared with the server: ${describeError(error)}`,
            { event: 'cache.behind' },
          );
        }
      }
    }
    const isClosed = this.#sweep === undefined;
    this.#sweep = undefined;
    if (!isEmpty && !isClosed) this.#scheduleSweep();
  }
}

function isSettled({ members }: CacheView): boolean {
  return members.every(({ overlay }) => overlay.uncertain === 0 && !overlay.isBehind);
}
