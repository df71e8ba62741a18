import type { CacheError } from '../cache/cache-error.ts';
import type { TransformFunc } from '../cache/delta-queue.ts';
import type { ExpectedKind } from '../cache/list-watch.ts';
import { metaNamespaceIndexFunc } from '../cache/indexers.ts';
import type { IndexFunc } from '../cache/indexers.ts';
import {
  type CachedObject,
  type KeepOptions,
  type ListableResource,
  ListWatch,
  type ProjectOptions,
} from '../cache/list-watch.ts';
import { checkReflectorNumbers, type ReflectorFailure } from '../cache/reflector.ts';
import { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import type { SharedIndexInformerOptions } from '../cache/shared-index-informer.ts';
import { type CacheSyncOptions, waitForCacheSync } from '../cache/wait-for-cache-sync.ts';
import type { Logger } from '../lib/logger.ts';
import { checkNumber, checkNumbers, OptionError } from '../lib/option-error.ts';
import { onAbort } from '../lib/signal.ts';
import { groupResourceName, type GroupVersionResource, type Scope } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { selectsNothing } from '../rest/select-nothing.ts';
import type { SelectorOptions } from '../rest/options.ts';
import { Lister } from './lister.ts';

/**
 * The indices of a shared informer: `namespace`, and any that other users have added. The compiler
 * cannot know those; the result of `addIndexers` has a type that knows its own.
 */
export interface SharedIndexers<T> {
  readonly namespace: IndexFunc<T, string>;
  readonly [name: string]: IndexFunc<T>;
}

/**
 * The informer of a resource and a lister of its cache, for one user. Every call of a getter returns
 * the same informer and lister, and counts as one more user.
 */
export interface ResourceInformer<T extends CachedObject> extends AsyncDisposable {
  readonly informer: SharedIndexInformer<T, SharedIndexers<T>>;
  readonly lister: Lister<T>;
  /**
   * Ends the use of the informer. The last user stops it, and the promise resolves when it has
   * stopped; the factory then forgets it. A user that does not release keeps the informer until the
   * factory shuts down. Releasing twice is harmless. Handlers stay until they are removed.
   */
  release(): Promise<void>;
}

/** Which objects an informer caches, and how. Calls with the same options share one informer. */
export interface InformerOptions<T extends CachedObject> extends KeepOptions {
  /** The namespace to watch; empty for all. Ignored for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  /** Label selector: only objects that match are cached. */
  readonly labelSelector?: SelectorOptions['labelSelector'] | undefined;
  /** Field selector: only objects that match are cached. */
  readonly fieldSelector?: SelectorOptions['fieldSelector'] | undefined;
  /** Shard selector: only objects of this shard are cached. */
  readonly shardSelector?: SelectorOptions['shardSelector'] | undefined;
  /** Resync period of handlers without one of their own. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /**
   * Changes objects before they are cached, to drop fields for instance. Functions are compared by
   * identity: a function written inline makes a new informer at every call.
   */
  readonly transform?: TransformFunc<T> | undefined;
}

/** Defaults of all informers of a factory; the options of a getter override them. */
export interface FactoryDefaults extends InformerOptions<CachedObject> {
  /**
   * Returns the selectors for a resource, given those of the options. Called at every call of a
   * getter, because informers are shared by their selectors: it must be cheap and return the same
   * for the same. As client-go's `TweakListOptionsFunc`, but it returns the result.
   */
  readonly tweakListOptions?:
    | ((options: SelectorOptions, resource: GroupVersionResource) => SelectorOptions)
    | undefined;
  /** Resync periods of particular resources, before `resyncPeriodMs`: `[[pods, 60_000]]`. */
  readonly customResyncMs?: Iterable<readonly [GroupVersionResource, number]> | undefined;
}

/** Options of a factory: defaults for its informers, and settings that all of them share. */
export interface InformerFactoryOptions
  extends
    FactoryDefaults,
    Pick<
      SharedIndexInformerOptions<CachedObject>,
      | 'clock'
      | 'gracePeriodMs'
      | 'initialEventsTimeoutMs'
      | 'logger'
      | 'maxInternalErrorRetryMs'
      | 'metrics'
      | 'minWatchTimeoutMs'
      | 'pageSize'
      | 'queue'
      | 'random'
      | 'useWatchList'
    > {
  /** Called when a list or watch of the named informer fails. It is retried. */
  readonly onWatchError?: ((failure: ReflectorFailure, informer: string) => void) | undefined;
  /** Called for objects that were not cached, or not indexed. Default: logs a warning. */
  readonly onError?: ((error: CacheError, informer: string) => void) | undefined;
  /** Called for handlers that throw, or are removed for being too slow. Default: logs a warning. */
  readonly onHandlerError?: ((error: CacheError, informer: string) => void) | undefined;
}

/** A resource, and how the factory's client reads it. */
export interface InformerTarget {
  readonly resource: GroupVersionResource;
  /** Absent if it is not known. */
  readonly scope?: Scope;
  readonly expectedKind?: ExpectedKind;
  /** Returns the client of the resource in a namespace, or in all if it is empty. */
  readonly client: (namespace: string) => ListableResource<KubernetesObject>;
}

/** One informer, and the factories that use it. */
interface Entry {
  readonly key: string;
  readonly informer: SharedIndexInformer<CachedObject, SharedIndexers<CachedObject>>;
  readonly lister: Lister<CachedObject>;
  readonly uses: Map<InformerFactory, Use>;
  /** Stops the current run, if a factory started it. */
  stop: AbortController | undefined;
}

/** How one factory uses an informer. */
interface Use {
  users: number;
  isStarted: boolean;
  /** The tie to the signal of {@link InformerFactory.start}. */
  tie: Disposable | undefined;
}

type Settings = Omit<InformerFactoryOptions, keyof FactoryDefaults>;

/** Shared by a factory and all that were made from it by `with`. */
interface SharedState {
  readonly settings: Settings;
  readonly informers: Map<string, Entry>;
  /** Numbers for transform functions, which are compared by identity. */
  readonly transforms: WeakMap<object, number>;
  lastTransform: number;
}

/** The options that make one informer. */
type ResolvedOptions = Required<Pick<InformerOptions<CachedObject>, 'resyncPeriodMs'>> &
  Pick<InformerOptions<CachedObject>, 'compress' | 'dropManagedFields' | 'transform'> &
  ProjectOptions<string> & {
    readonly namespace: string;
    readonly selectors: SelectorOptions;
  };

/**
 * The base of all factories: one informer for each resource and set of options, started, awaited and
 * stopped together. `await using` shuts the factory down at the end of a block.
 *
 * Guarantees: an informer that several factories share (see `with`) runs as long as one of them
 * uses it. After {@link InformerFactory.shutdown} no informer that only this factory used makes
 * requests or calls handlers. A forbidden or missing kind delays no other.
 */
export abstract class InformerFactory implements AsyncDisposable {
  readonly #defaults: FactoryDefaults;
  readonly #shared: SharedState;
  readonly #releases = new Set<Promise<void>>();
  readonly #client: { readonly rest: { readonly id: number } };

  /** `parent` is the factory whose informers this one shares. */
  constructor(
    client: { readonly logger?: Logger; readonly rest: { readonly id: number } },
    options: InformerFactoryOptions,
    parent?: InformerFactory,
  ) {
    if (typeof Reflect.get(Object(client), 'resource') !== 'function') {
      throw new OptionError('client', `is not a client of the API but of type ${typeof client}`);
    }
    this.#client = client;
    const { namespace, labelSelector, fieldSelector, shardSelector, ...rest } = options;
    const { resyncPeriodMs, transform, dropManagedFields, compress, ...others } = rest;
    const { tweakListOptions, customResyncMs, ...settings } = others;
    checkPeriods(options);
    checkReflectorNumbers(settings);
    checkNumbers(settings, { gracePeriodMs: 'duration' });
    this.#shared =
      parent === undefined
        ? {
            settings: { ...settings, logger: settings.logger ?? client.logger },
            informers: new Map(),
            transforms: new WeakMap(),
            lastTransform: 0,
          }
        : parent.#shared;
    this.#defaults = {
      ...(parent === undefined ? {} : parent.#defaults),
      ...withoutUndefined({ namespace, labelSelector, fieldSelector, shardSelector }),
      ...withoutUndefined({ resyncPeriodMs, transform, tweakListOptions }),
      ...withoutUndefined({ dropManagedFields, compress }),
      ...(customResyncMs !== undefined && { customResyncMs: [...customResyncMs] }),
    };
  }

  /** The id of the client that reads for its informers; see `RESTClient.id`. */
  get clientIds(): readonly number[] {
    return [this.#client.rest.id];
  }

  /** The informers that were requested from this factory and not released. */
  get informers(): readonly SharedIndexInformer<CachedObject, SharedIndexers<CachedObject>>[] {
    const own = [...this.#shared.informers.values()].filter(({ uses }) => uses.has(this));
    return own.map(({ informer }) => informer);
  }

  /**
   * Starts the informers that were requested and do not run, until the signal aborts or the factory
   * is shut down. Call it again after requesting more: those that run are not affected, and do not
   * stop with the signal of a later start.
   */
  start({ signal }: { readonly signal?: AbortSignal | undefined } = {}): void {
    if (signal?.aborted === true) return;
    for (const entry of this.#shared.informers.values()) {
      const use = entry.uses.get(this);
      if (use === undefined) continue;
      // A second start keeps the signal of the first.
      use.tie ??= onAbort(signal, () => void stopUse(entry, use));
      use.isStarted = true;
      if (entry.stop === undefined && !entry.informer.isRunning) void runWhileWanted(entry);
    }
  }

  /**
   * Resolves when the first list of every requested informer is in its cache. Rejects with
   * `CacheSyncError` when the signal aborts, after `timeoutMs`, and as soon as all have synced except
   * those that cannot; see {@link waitForCacheSync}.
   */
  async waitForCacheSync(options: CacheSyncOptions = {}): Promise<void> {
    const { clock } = this.#shared.settings;
    const own = [...this.#shared.informers.values()].filter(({ uses }) => uses.has(this));
    const informers = own.map(({ informer }) => informer);
    await waitForCacheSync(informers, { clock, ...options });
  }

  /**
   * Releases every informer, and resolves when those that no other factory uses have stopped. The
   * factory can then be used again, with new informers and empty caches. Called in a handler, it
   * does not wait for that call.
   */
  async shutdown(): Promise<void> {
    for (const entry of this.#shared.informers.values()) {
      const use = entry.uses.get(this);
      if (use !== undefined) void this.#release(entry, use);
    }
    await Promise.all(this.#releases);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown();
  }

  /** Returns the informer of a resource, for one more user. */
  protected inform<T extends CachedObject>(
    target: InformerTarget,
    options: InformerOptions<T> & ProjectOptions<string> = {},
  ): ResourceInformer<T> {
    checkPeriods(options);
    const { project, ...others } = options as unknown as InformerOptions<CachedObject> &
      ProjectOptions<string>;
    const resolved = { ...this.#resolve(target, others), project };
    const key = this.#keyOf(target, resolved);
    const entry = this.#shared.informers.get(key) ?? this.#make(key, target, resolved);
    this.#shared.informers.set(key, entry);
    const use = entry.uses.get(this) ?? { users: 0, isStarted: false, tie: undefined };
    entry.uses.set(this, use);
    use.users += 1;
    let isReleased = false;
    const release = async (): Promise<void> => {
      if (isReleased) return;
      isReleased = true;
      use.users -= 1;
      if (use.users === 0) await this.#release(entry, use);
    };
    const { informer, lister } = entry;
    const user = { informer, lister, release, [Symbol.asyncDispose]: release };
    // The target's client returns objects of type T; entries do not record the type.
    return user as unknown as ResourceInformer<T>;
  }

  /** Forgets the informer if no other factory uses it, and resolves when it has then stopped. */
  #release(entry: Entry, use: Use): Promise<void> {
    const { informers } = this.#shared;
    if (entry.uses.get(this) === use) entry.uses.delete(this);
    if (entry.uses.size === 0 && informers.get(entry.key) === entry) informers.delete(entry.key);
    const release = stopUse(entry, use).finally(() => this.#releases.delete(release));
    this.#releases.add(release);
    return release;
  }

  #resolve(
    { resource, scope }: InformerTarget,
    options: InformerOptions<CachedObject>,
  ): ResolvedOptions {
    const merged: FactoryDefaults = { ...this.#defaults, ...withoutUndefined(options) };
    const { namespace = '', labelSelector, fieldSelector, shardSelector } = merged;
    const { transform, dropManagedFields, compress } = merged;
    const selectors = withoutUndefined({ labelSelector, fieldSelector, shardSelector });
    const { tweakListOptions = () => selectors } = merged;
    return {
      namespace: scope === 'Cluster' ? '' : namespace,
      selectors: tweakListOptions(selectors, resource),
      resyncPeriodMs: options.resyncPeriodMs ?? this.#resyncPeriodOf(resource),
      transform,
      dropManagedFields,
      compress,
    };
  }

  #resyncPeriodOf({ group, version, resource }: GroupVersionResource): number {
    const { customResyncMs = [], resyncPeriodMs = 0 } = this.#defaults;
    for (const [of, period] of customResyncMs) {
      if (of.group === group && of.version === version && of.resource === resource) return period;
    }
    return resyncPeriodMs;
  }

  #keyOf({ resource }: InformerTarget, options: ResolvedOptions): string {
    const { namespace, selectors, resyncPeriodMs, transform } = options;
    const { project, dropManagedFields = false, compress = false } = options;
    return JSON.stringify([
      resource.group,
      resource.version,
      resource.resource,
      namespace,
      selectsNothing(selectors) ? null : selectorTexts(selectors),
      resyncPeriodMs,
      transform === undefined ? 0 : this.#numberOf(transform),
      project === undefined ? dropManagedFields : [...project].sort(),
      compress,
    ]);
  }

  #numberOf(transform: TransformFunc<CachedObject>): number {
    const number = this.#shared.transforms.get(transform) ?? (this.#shared.lastTransform += 1);
    this.#shared.transforms.set(transform, number);
    return number;
  }

  #make(
    key: string,
    { resource, expectedKind, client }: InformerTarget,
    options: ResolvedOptions,
  ): Entry {
    const { namespace, selectors, resyncPeriodMs, transform } = options;
    const { project, dropManagedFields, compress } = options;
    const { onWatchError, onError, onHandlerError, ...settings } = this.#shared.settings;
    const name = nameOf(resource, namespace, selectors);
    const informer = new SharedIndexInformer<CachedObject, SharedIndexers<CachedObject>>({
      ...settings,
      name,
      listerWatcher: new ListWatch<KubernetesObject>(client(namespace), {
        ...selectors,
        dropManagedFields,
        compress,
        // The compiler has checked the paths where they were written.
        project: project as readonly never[] | undefined,
      }),
      indexers: { namespace: metaNamespaceIndexFunc },
      resyncPeriodMs,
      onWatchError: (failure) => onWatchError?.(failure, name),
      ...(onError && { onError: (error) => onError(error, name) }),
      ...(onHandlerError && { onHandlerError: (error) => onHandlerError(error, name) }),
      ...(expectedKind !== undefined && { expectedKind }),
      ...(transform !== undefined && { transform }),
    });
    const lister = new Lister({ indexer: informer.indexer, resource });
    return { key, informer, lister, uses: new Map(), stop: undefined };
  }
}

/** Runs an informer until no factory uses it. */
async function runWhileWanted(entry: Entry): Promise<void> {
  try {
    while (isWanted(entry)) {
      const stop = new AbortController();
      entry.stop = stop;
      await entry.informer.run({ signal: stop.signal });
      // A user called `stop` of the informer: it stays stopped until the next start.
      if (!stop.signal.aborted) break;
    }
  } finally {
    entry.stop = undefined;
  }
}

/** Stops the informer if no other factory uses it, and resolves when it has stopped. */
async function stopUse(entry: Entry, use: Use): Promise<void> {
  use.isStarted = false;
  use.tie?.[Symbol.dispose]();
  use.tie = undefined;
  if (isWanted(entry) || entry.stop === undefined) return;
  entry.stop.abort();
  await entry.informer.stop();
}

function isWanted({ uses }: Entry): boolean {
  return [...uses.values()].some(({ isStarted }) => isStarted);
}

/** `pods`, `deployments.apps in shop`, `pods with app=web`: the name of an informer in messages. */
function nameOf(
  resource: GroupVersionResource,
  namespace: string,
  selectors: SelectorOptions,
): string {
  const selected = selectsNothing(selectors)
    ? ['a selector that selects nothing']
    : selectorTexts(selectors).filter(Boolean);
  return [
    groupResourceName(resource),
    ...(namespace === '' ? [] : [`in ${namespace}`]),
    ...(selected.length === 0 ? [] : [`with ${selected.join(' and ')}`]),
  ].join(' ');
}

/** Empty texts for selectors that are absent or select everything. */
function selectorTexts(selectors: SelectorOptions): string[] {
  const { labelSelector = '', fieldSelector = '', shardSelector = '' } = selectors;
  return [labelSelector, fieldSelector, shardSelector].map(String);
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Returns a copy without the options that are present but undefined, so that they inherit. */
function withoutUndefined<T extends object>(options: T): Defined<T> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}

function checkPeriods({
  resyncPeriodMs,
  customResyncMs = [],
}: Pick<FactoryDefaults, 'customResyncMs' | 'resyncPeriodMs'>): void {
  checkNumber('resyncPeriodMs', resyncPeriodMs, 'period');
  for (const [{ resource }, period] of customResyncMs) {
    checkNumber(`customResyncMs of ${resource}`, period, 'period');
  }
}
