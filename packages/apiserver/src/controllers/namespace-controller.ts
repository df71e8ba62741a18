import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { type ApiObject, copyStored } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { StoredObject, StoreEvent } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';

/** The finalizer in a namespace's spec that this controller removes. */
const NAMESPACE_FINALIZER = 'kubernetes';

/**
 * Deletes the content of terminating namespaces, and the namespaces once they are empty. Content
 * with finalizers keeps its namespace until these are removed.
 */
export class NamespaceController implements Disposable {
  readonly #cluster: Cluster;
  readonly #namespaces: Registry;
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#namespaces = cluster.catalog.registry('', 'namespaces') as Registry;
    const process = (name: string): void => this.#process(name);
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    this.#subscription = cluster.store.subscribe('/', (event) => this.#follow(event));
    for (const { value } of cluster.store.range({ prefix: this.#namespaces.prefix() })) {
      this.#dirty.add(value.metadata?.name ?? '');
    }
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #follow({ entry, previous }: StoreEvent): void {
    const { key, value } = entry ?? previous;
    const { name = '', namespace = '', deletionTimestamp } = value.metadata ?? {};
    const isNamespace = key.startsWith(this.#namespaces.prefix());
    if (isNamespace && entry !== undefined && deletionTimestamp !== undefined) {
      this.#dirty.add(name);
    }
    // A deleted object may have been the last one in its namespace.
    if (entry === undefined && namespace !== '' && this.#isTerminating(namespace)) {
      this.#dirty.add(namespace);
    }
  }

  #isTerminating(name: string): boolean {
    return this.#namespaces.find('', name)?.value.metadata?.deletionTimestamp !== undefined;
  }

  #process(name: string): void {
    if (!this.#isTerminating(name)) return;
    let remaining = 0;
    for (const registry of this.#cluster.catalog.registries()) {
      if (registry.namespaced) remaining += this.#empty(registry, name);
    }
    if (remaining === 0) this.#finalize(name);
  }

  /** Deletes the objects of one resource; returns how many are left. */
  #empty(registry: Registry, namespace: string): number {
    const { store } = this.#cluster;
    const prefix = registry.prefix(namespace);
    for (const { value } of store.range({ prefix })) {
      const { name = '', deletionTimestamp } = value.metadata ?? {};
      if (deletionTimestamp !== undefined && registry.strategy.gracePeriodSeconds === undefined) {
        continue;
      }
      // Without a kubelet, nothing ends the grace period of a pod.
      const options = { propagationPolicy: 'Background', gracePeriodSeconds: 0 };
      withClusterContext(this.#cluster, { namespace }, (context) =>
        registry.delete(namespace, name, options, context),
      );
    }
    return store.count(prefix);
  }

  #finalize(name: string): void {
    withClusterContext(this.#cluster, {}, (context) =>
      this.#namespaces.update('', name, context, withoutFinalizer, { part: 'finalize' }),
    );
  }
}

function withoutFinalizer(existing: StoredObject | undefined): ApiObject {
  const object = copyStored(existing as StoredObject) as ApiObject & {
    spec?: { finalizers?: string[] };
  };
  const rest = (object.spec?.finalizers ?? []).filter((name) => name !== NAMESPACE_FINALIZER);
  object.spec = { ...object.spec, finalizers: rest };
  if (rest.length === 0) delete object.spec.finalizers;
  return object;
}
