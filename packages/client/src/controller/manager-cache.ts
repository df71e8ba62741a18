import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { metaNamespaceKeyFunc } from '../cache/store.ts';
import type { CacheSyncOptions } from '../cache/wait-for-cache-sync.ts';
import type { InformerOptions, SharedIndexers } from '../informers/informer-factory.ts';
import { SharedInformerFactory } from '../informers/shared-informer-factory.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { Clock } from '../lib/clock.ts';
import type { LoggerOption } from '../lib/logger.ts';
import { groupResourceName, type ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Cached } from '../rest/object-types.ts';
import { ControllerError } from './controller-error.ts';

/** Options of {@link ManagerCache}. */
export interface ManagerCacheOptions extends LoggerOption {
  readonly client: Clientset;
  readonly clock?: Clock | undefined;
}

/** What to list. */
export interface CacheListOptions {
  readonly namespace?: string | undefined;
}

type AnyInformer = SharedIndexInformer<
  Cached<KubernetesObject>,
  SharedIndexers<Cached<KubernetesObject>>
>;

/** The caches of a manager: one informer for each resource and set of options. */
export class ManagerCache {
  readonly client: Clientset;
  readonly #factory: SharedInformerFactory;
  readonly #informers = new Map<string, AnyInformer>();

  constructor({ client, clock, logger }: ManagerCacheOptions) {
    this.client = client;
    this.#factory = new SharedInformerFactory(client, { clock, logger });
  }

  /** Returns the shared informer of a resource with these options. */
  informer<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    options: InformerOptions<Cached<T>> = {},
  ): SharedIndexInformer<Cached<T>, SharedIndexers<Cached<T>>> {
    const { informer } = this.#factory.forResource(resource, options);
    const name = groupResourceName(resource);
    const untyped = informer as unknown as AnyInformer;
    if (!this.#informers.has(name)) this.#informers.set(name, untyped);
    return informer;
  }

  /** True if the resource is cached. */
  has(resource: ResourceDescriptor): boolean {
    return this.#informers.has(groupResourceName(resource));
  }

  /** Returns the object of this name; undefined if there is none. */
  get<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
  ): Cached<T> | undefined {
    const key = metaNamespaceKeyFunc({ metadata: { namespace, name } });
    return this.#informerOf(resource).indexer.getByKey(key) as Cached<T> | undefined;
  }

  /** Returns the objects of a resource. */
  list<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    { namespace = '' }: CacheListOptions = {},
  ): readonly Cached<T>[] {
    const { indexer } = this.#informerOf(resource);
    const objects = namespace === '' ? indexer.list() : indexer.byIndex('namespace', namespace);
    return objects as unknown as readonly Cached<T>[];
  }

  start(options: { readonly signal?: AbortSignal | undefined } = {}): void {
    this.#factory.start(options);
  }

  async waitForCacheSync(options: CacheSyncOptions = {}): Promise<void> {
    await this.#factory.waitForCacheSync(options);
  }

  async close(): Promise<void> {
    await this.#factory.shutdown();
  }

  #informerOf(resource: ResourceDescriptor): AnyInformer {
    const name = groupResourceName(resource);
    const informer = this.#informers.get(name);
    if (informer !== undefined) return informer;
    throw new ControllerError('CONTROLLER_NOT_CACHED', `${name} are not cached`);
  }
}
