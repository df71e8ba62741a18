import type { ExpectedKind } from '../cache/event-sink.ts';
import type { CachedObject, ListableResource } from '../cache/list-watch.ts';
import { type CacheSyncOptions, waitForCacheSync } from '../cache/wait-for-cache-sync.ts';
import type { Logger } from '../lib/logger.ts';
import { checkNumber } from '../lib/option-error.ts';
import type { GroupVersionResource, Scope } from '../meta/resource.ts';
import type { SelectorOptions } from '../rest/options.ts';
import type { FactoryDefaults, InformerFactoryOptions } from './factory-options.ts';
import type { InformerOptions } from './informer-options.ts';
import { InformerHold } from './informer-hold.ts';
import { type InformerOrder, InformerRegistry } from './informer-registry.ts';
import type { ResourceInformer } from './resource-informer.ts';

/** A resource as a factory of one sort sees it. */
export interface InformerTarget {
  readonly resource: GroupVersionResource;
  /** Undefined if it is not known. */
  readonly scope?: Scope;
  readonly expectedKind?: ExpectedKind;
  /** The client of the resource in a namespace, or in all if it is empty. */
  readonly reach: (namespace: string) => ListableResource<CachedObject, SelectorOptions>;
}

/**
 * What all factories have in common: one informer for each resource and options, started, waited for
 * and stopped together. `await using` shuts the factory down at the end of a block.
 *
 * Guarantees: an informer that several factories of one registry share runs as long as one of them
 * wants it to. After {@link InformerFactory.shutdown} no informer of this factory alone makes
 * requests or calls handlers. A kind that is forbidden or missing holds up none of the others.
 */
export abstract class InformerFactory implements AsyncDisposable {
  readonly #client: object;
  readonly #defaults: FactoryDefaults;
  readonly #registry: InformerRegistry;
  readonly #holds = new Map<string, InformerHold>();
  readonly #releases = new Set<Promise<void>>();

  constructor(client: { readonly logger?: Logger }, options: InformerFactoryOptions) {
    const { registry, ...rest } = options;
    const { namespace, selection, resyncPeriod, transform, customResync, ...machinery } = rest;
    checkPeriods(options);
    this.#client = client;
    this.#registry = registry ?? new InformerRegistry({ logger: client.logger, ...machinery });
    this.#defaults = {
      ...(namespace !== undefined && { namespace }),
      ...(selection !== undefined && { selection }),
      ...(resyncPeriod !== undefined && { resyncPeriod }),
      ...(transform !== undefined && { transform }),
      ...(customResync !== undefined && { customResync: [...customResync] }),
    };
  }

  /**
   * Starts the informers that were asked for and do not run, until the signal aborts or the factory
   * is shut down. Call it again when more have been asked for: those that run are not disturbed.
   */
  start(signal?: AbortSignal): void {
    for (const hold of this.#holds.values()) hold.start(signal);
  }

  /**
   * Resolves when the first list of every informer that this factory was asked for is in its cache.
   * Rejects as {@link waitForCacheSync} does, with `CacheSyncError`: when the signal aborts, and as
   * soon as only informers are left that cannot sync. All others have synced then.
   */
  async waitForCacheSync(signal?: AbortSignal, options?: CacheSyncOptions): Promise<void> {
    const informers = Array.from(this.#holds.values(), ({ registered }) => registered.informer);
    await waitForCacheSync(informers, signal, options);
  }

  /**
   * Releases every informer that was asked for, and resolves when those that nobody else uses have
   * come to rest. The factory can then be asked for informers again, which start with empty caches.
   * Within a handler it does not wait for the call that it is made in.
   */
  async shutdown(): Promise<void> {
    const held = Array.from(this.#holds, ([key, hold]) => this.#release(key, hold));
    await Promise.all([...held, ...this.#releases]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown();
  }

  /** The informer of a resource, for one more user. */
  protected inform<T extends CachedObject>(
    target: InformerTarget,
    options: InformerOptions<T> = {},
  ): ResourceInformer<T> {
    checkPeriods(options);
    const order = this.#order(target, options as unknown as InformerOptions<CachedObject>);
    const key = this.#registry.keyOf(order);
    const hold = this.#holds.get(key) ?? new InformerHold(this.#registry, order);
    this.#holds.set(key, hold);
    const user = hold.use(() => this.#release(key, hold));
    // The caller says what the objects are; the machinery does not look into them.
    return user as unknown as ResourceInformer<T>;
  }

  /** The options of a factory that shares informers with this one. */
  protected optionsWith(defaults: FactoryDefaults): InformerFactoryOptions {
    return { ...this.#defaults, ...defaults, registry: this.#registry };
  }

  #order(target: InformerTarget, options: InformerOptions<CachedObject>): InformerOrder {
    const { resource, scope, expectedKind, reach } = target;
    const { namespace = '', selection = {}, transform } = { ...this.#defaults, ...options };
    const place = scope === 'Cluster' ? '' : namespace;
    return {
      client: this.#client,
      resource,
      namespace: place,
      selection: typeof selection === 'function' ? selection(resource) : selection,
      resyncPeriod: options.resyncPeriod ?? this.#resyncPeriodOf(resource),
      transform,
      expectedKind,
      reach: () => reach(place),
    };
  }

  #resyncPeriodOf({ group, version, resource }: GroupVersionResource): number {
    const { customResync = [], resyncPeriod = 0 } = this.#defaults;
    for (const [of, period] of customResync) {
      if (of.group === group && of.version === version && of.resource === resource) return period;
    }
    return resyncPeriod;
  }

  #release(key: string, hold: InformerHold): Promise<void> {
    if (this.#holds.get(key) === hold) this.#holds.delete(key);
    const release = hold.release().finally(() => this.#releases.delete(release));
    this.#releases.add(release);
    return release;
  }
}

function checkPeriods({
  resyncPeriod,
  customResync = [],
}: Pick<FactoryDefaults, 'customResync' | 'resyncPeriod'>): void {
  checkNumber('resyncPeriod', resyncPeriod, 'period');
  for (const [{ resource }, period] of customResync) {
    checkNumber(`customResync of ${resource}`, period, 'period');
  }
}
