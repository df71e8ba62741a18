import type { Namespace, NamespaceStatus } from 'client-ts/api/core/v1';
import { cloneJson, jsonEqual } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';

import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { type ApiObject, copyStored } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject, StoreEvent } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';
import { namespaceConditions, type RemainingContent } from './namespace-conditions.ts';
import { type StatusWriter, updateStatus } from '../registry/update-status.ts';

/** The finalizer in a namespace's spec that this controller removes. */
const NAMESPACE_FINALIZER = 'kubernetes';

interface Counts {
  readonly resources: Map<string, number>;
  readonly finalizers: Map<string, number>;
}

/**
 * Deletes the content of terminating namespaces, pods first, and the namespaces once they are empty. Content
 * with finalizers keeps its namespace until these are removed.
 */
export class NamespaceController implements Disposable {
  readonly #cluster: Cluster;
  readonly #namespaces: Registry;
  readonly #writer: StatusWriter;
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#namespaces = cluster.catalog.registry('', 'namespaces') as Registry;
    this.#writer = {
      registry: this.#namespaces,
      schema: cluster.catalog.model.schemaFor({
        group: '',
        version: 'v1',
        kind: 'Namespace',
      }) as Schema,
      apiVersion: 'v1',
      manager: 'kube-controller-manager',
    };
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
    const pods = this.#cluster.catalog.registry('', 'pods') as Registry;
    const remaining = {
      resources: new Map<string, number>(),
      finalizers: new Map<string, number>(),
    };
    this.#empty(pods, name, remaining);
    if (remaining.resources.size > 0) {
      // Pods go first; as on a real server, the conditions do not mention them.
      this.#updateConditions(name, { resources: new Map(), finalizers: new Map() });
      return;
    }
    for (const registry of this.#cluster.catalog.registries()) {
      if (registry.namespaced && registry !== pods) this.#empty(registry, name, remaining);
    }
    this.#updateConditions(name, remaining);
    if (remaining.resources.size === 0) this.#finalize(name);
  }

  /** Deletes the objects of one resource and counts what is left. */
  #empty(registry: Registry, namespace: string, remaining: Counts): void {
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
    const left = store.range({ prefix });
    if (left.length === 0) return;
    remaining.resources.set(`${registry.resource}.${registry.group}`, left.length);
    for (const { value } of left) {
      for (const finalizer of value.metadata?.finalizers ?? []) {
        remaining.finalizers.set(finalizer, (remaining.finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  }

  #updateConditions(name: string, remaining: RemainingContent): void {
    const now = formatTime(this.#cluster.clock.now());
    const { status } = this.#namespaces.get('', name).value as Namespace;
    const current = status?.conditions ?? [];
    const conditions = namespaceConditions(current, remaining, now);
    if (jsonEqual(conditions, current)) return;
    updateStatus(this.#cluster, this.#writer, name, (object) => {
      object['status'] = {
        ...(object['status'] as NamespaceStatus),
        conditions: cloneJson(conditions),
      };
    });
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
