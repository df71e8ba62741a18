import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { jsonEqual } from 'client-ts/lib';
import { formatTime } from 'client-ts/meta';
import {
  CLEANUP_FINALIZER,
  definitionStatus,
  hasCondition,
  terminating,
  withCondition,
} from '../crd/definition-status.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { updateManagedFields } from '../fieldmanager/manager.ts';
import { customResources } from '../registry/custom-resources.ts';
import { type ApiObject, mutableCopy } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import { loadModel } from '../schema/model.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject, StoreEvent } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';

interface Served {
  readonly spec: CustomResourceDefinition['spec'];
  readonly removed: AbortController;
}

/**
 * Turns CustomResourceDefinitions into resources that are served, and takes them away again.
 * A definition whose names are accepted is established at once; one that is deleted loses its
 * objects first (their watchers see each go), then its place in the catalog.
 */
export class CustomResourceController implements Disposable {
  readonly #cluster: Cluster;
  readonly #definitions: Registry;
  readonly #served = new Map<string, Served>();
  readonly #schema: Schema;
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#definitions = cluster.catalog.registry(
      'apiextensions.k8s.io',
      'customresourcedefinitions',
    ) as Registry;
    this.#schema = loadModel().schemaFor({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
    }) as Schema;
    const process = (name: string): void => this.#process(name);
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    const prefix = this.#definitions.prefix();
    this.#subscription = cluster.store.subscribe(prefix, (event) => this.#follow(event));
    for (const { value } of cluster.store.range({ prefix })) {
      this.#dirty.add(value.metadata?.name ?? '');
    }
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #follow({ entry, previous }: StoreEvent): void {
    const name = (entry ?? previous).value.metadata?.name ?? '';
    this.#dirty.add(name);
    // A name that became free may be what another definition waits for.
    if (entry === undefined)
      for (const { metadata } of this.#all()) this.#dirty.add(metadata?.name ?? '');
  }

  #process(name: string): void {
    const crd = this.#find(name);
    if (crd === undefined) {
      this.#stopServing(name);
      return;
    }
    this.#updateStatus(crd);
    const current = this.#find(name) as CustomResourceDefinition;
    if (current.metadata?.deletionTimestamp !== undefined) {
      this.#cleanUp(name);
    } else if (hasCondition(current as Parameters<typeof hasCondition>[0], 'Established')) {
      this.#serve(name, current);
    }
  }

  #updateStatus(crd: CustomResourceDefinition): void {
    const now = formatTime(this.#cluster.clock.now());
    // Read-only types of a recursive schema are too deep for the compiler to compare.
    const all = this.#all() as unknown as Parameters<typeof definitionStatus>[1];
    const status = definitionStatus(crd, all, now);
    const { name = '', finalizers = [], deletionTimestamp } = crd.metadata ?? {};
    const isNew = deletionTimestamp === undefined && !finalizers.includes(CLEANUP_FINALIZER);
    if (status === crd.status && !isNew) return;
    this.#overwrite(name, (object) => ({
      ...object,
      metadata: isNew
        ? { ...object.metadata, finalizers: [...finalizers, CLEANUP_FINALIZER] }
        : object.metadata,
      status,
    }));
  }

  #noteDeletion(name: string, condition: (typeof terminating)[keyof typeof terminating]): void {
    const now = formatTime(this.#cluster.clock.now());
    this.#overwrite(name, (object) => {
      const { status = {} } = object as unknown as CustomResourceDefinition;
      const conditions = withCondition(status.conditions ?? [], condition, now);
      return { ...object, status: { ...status, conditions } };
    });
  }

  #serve(name: string, crd: CustomResourceDefinition): void {
    const known = this.#served.get(name);
    if (known !== undefined && jsonEqual(known.spec, crd.spec)) return;
    // Watches of the old form end, and their clients list again in the new one.
    known?.removed.abort();
    const removed = new AbortController();
    this.#served.set(name, { spec: crd.spec, removed });
    this.#cluster.catalog.setCustom(
      name,
      customResources(crd, this.#cluster.store, removed.signal),
    );
  }

  #cleanUp(name: string): void {
    const { catalog, store } = this.#cluster;
    const registries = new Set(
      catalog
        .stored()
        .filter(({ info }) => info.crd === name)
        .map(({ registry }) => registry),
    );
    let remaining = 0;
    for (const registry of registries) {
      for (const { value } of store.range({ prefix: registry.prefix() })) {
        const { namespace = '', name: objectName = '', deletionTimestamp } = value.metadata ?? {};
        if (deletionTimestamp !== undefined) continue;
        withClusterContext(this.#cluster, { namespace }, (context) =>
          registry.delete(namespace, objectName, {}, context),
        );
      }
      remaining += store.count(registry.prefix());
    }
    if (remaining > 0) {
      this.#noteDeletion(name, terminating.inProgress);
      // Objects with finalizers go when their owners let them; look again then.
      this.#watchForEnd(name, [...registries]);
      return;
    }
    this.#stopServing(name);
    withClusterContext(this.#cluster, {}, (context) =>
      this.#definitions.update('', name, context, (existing) => {
        const object = mutableCopy(existing as NonNullable<typeof existing>);
        const rest = (object.metadata.finalizers ?? []).filter((f) => f !== CLEANUP_FINALIZER);
        if (rest.length === 0) delete object.metadata.finalizers;
        else object.metadata.finalizers = rest;
        return object;
      }),
    );
  }

  #watchForEnd(name: string, registries: readonly Registry[]): void {
    for (const registry of registries) {
      const subscription = this.#cluster.store.subscribe(registry.prefix(), ({ entry }) => {
        if (entry !== undefined) return;
        subscription[Symbol.dispose]();
        this.#dirty.add(name);
      });
    }
  }

  #stopServing(name: string): void {
    this.#cluster.catalog.removeCustom(name);
    this.#served.get(name)?.removed.abort();
    this.#served.delete(name);
  }

  /** What the server itself writes is noted as its own, like what any other manager writes. */
  #overwrite(name: string, change: (object: ApiObject) => ApiObject): void {
    withClusterContext(this.#cluster, {}, (context) =>
      this.#definitions.overwrite('', name, context, (live) => {
        const updated = change(live);
        const managedFields = updateManagedFields({
          live: live as StoredObject,
          updated,
          schema: this.#schema,
          manager: 'kube-apiserver',
          apiVersion: 'apiextensions.k8s.io/v1',
          subresource: 'status',
          now: formatTime(this.#cluster.clock.now()),
        });
        if (managedFields === undefined) return updated;
        return { ...updated, metadata: { ...updated.metadata, managedFields } };
      }),
    );
  }

  #find(name: string): CustomResourceDefinition | undefined {
    return this.#definitions.find('', name)?.value as CustomResourceDefinition | undefined;
  }

  #all(): CustomResourceDefinition[] {
    return this.#cluster.store
      .range({ prefix: this.#definitions.prefix() })
      .map(({ value }) => value as CustomResourceDefinition);
  }
}
