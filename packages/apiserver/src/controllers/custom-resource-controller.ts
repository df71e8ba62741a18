import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from 'client-ts/api/apiextensions/v1';
import { cloneJson, jsonEqual } from 'client-ts/internal';
import { apiVersionOf, formatTime } from 'client-ts/meta';

import {
  CLEANUP_FINALIZER,
  definitionStatus,
  hasCondition,
  type NameClaim,
  terminating,
  withCondition,
} from '../crd/definition-status.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { customResource } from '../registry/custom-resource.ts';
import type { ApiObject } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoreEvent } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';
import { type StatusWriter, updateStatus } from '../registry/update-status.ts';

const DEFINITION = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
} as const;

/** The part of a definition that determines how its resources are served. */
interface Served {
  readonly uid: string | undefined;
  readonly spec: CustomResourceDefinition['spec'];
  readonly acceptedNames: unknown;
  readonly removed: AbortController;
}

/**
 * Serves the resources of CustomResourceDefinitions and stops serving them on deletion. A
 * definition is established as soon as its names are accepted. A deleted definition first loses its
 * objects (watchers see each deletion), then its entry in the catalog.
 */
export class CustomResourceController implements Disposable {
  readonly #cluster: Cluster;
  readonly #definitions: Registry;
  /** Writes under the server's own manager name. */
  readonly #writer: StatusWriter;
  readonly #served = new Map<string, Served>();
  /** Definitions that wait for the deletion of their last object, by storage prefix. */
  readonly #emptying = new Map<string, string>();
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    const { catalog, clock, store } = cluster;
    this.#cluster = cluster;
    const resource = 'customresourcedefinitions';
    this.#definitions = catalog.registry(DEFINITION.group, resource) as Registry;
    this.#writer = {
      registry: this.#definitions,
      schema: catalog.model.schemaFor(DEFINITION) as Schema,
      apiVersion: apiVersionOf(DEFINITION),
      manager: 'kube-apiserver',
    };
    const process = (name: string): void => this.#process(name);
    this.#dirty = new DirtySet({ clock, process, onError });
    this.#subscription = store.subscribe('/', (event) => this.#follow(event));
    // What was served before a restart is served from the first request on.
    for (const { metadata } of this.#all()) this.#serveEstablished(metadata?.name ?? '');
    this.#addAll();
  }

  /** Serves changed definitions now instead of in a later turn. */
  flush(): void {
    this.#dirty.flush();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #follow({ entry, previous }: StoreEvent): void {
    const { key, value } = entry ?? previous;
    if (key.startsWith(this.#definitions.prefix())) {
      this.#dirty.add(value.metadata?.name ?? '');
      // A freed name may be the one that another definition waits for.
      if (entry === undefined) this.#addAll();
    } else if (entry === undefined) {
      for (const [prefix, name] of this.#emptying)
        if (key.startsWith(prefix)) this.#dirty.add(name);
    }
  }

  #addAll(): void {
    for (const { metadata } of this.#all()) this.#dirty.add(metadata?.name ?? '');
  }

  #process(name: string): void {
    const crd = this.#find(name);
    if (crd === undefined) {
      this.#stopServing(name);
      return;
    }
    this.#updateStatus(crd);
    this.#serveEstablished(name);
    const current = this.#find(name) as CustomResourceDefinition;
    const { deletionTimestamp, finalizers = [] } = current.metadata ?? {};
    if (deletionTimestamp !== undefined && finalizers.includes(CLEANUP_FINALIZER)) {
      this.#empty(name, current);
    }
  }

  #updateStatus(crd: CustomResourceDefinition): void {
    const now = formatTime(this.#cluster.clock.now());
    const status = definitionStatus(crd, this.#all(), now);
    if (status === crd.status) return;
    this.#update(crd.metadata?.name ?? '', (object) => {
      // Conditions of the stored object are frozen.
      object['status'] = cloneJson(status);
    });
  }

  #serveEstablished(name: string): void {
    const crd = this.#find(name);
    if (crd !== undefined && hasCondition(crd, 'Established')) this.#serve(name, crd);
  }

  #serve(name: string, crd: CustomResourceDefinition): void {
    const { spec, metadata, status } = crd;
    const next = { uid: metadata?.uid, spec, acceptedNames: status?.acceptedNames };
    const known = this.#served.get(name);
    if (known !== undefined) {
      const { removed: _, ...current } = known;
      if (jsonEqual(current, next)) return;
    }
    // Ends watches of the old form; their clients list again in the new one.
    known?.removed.abort();
    const removed = new AbortController();
    this.#served.set(name, { ...next, removed });
    this.#cluster.catalog.setCustom(customResource(crd, this.#cluster, removed.signal));
  }

  /** Deletes the objects of a definition, and removes its finalizer when none is left. */
  #empty(name: string, crd: CustomResourceDefinition): void {
    if (!hasCondition(crd, 'Established')) {
      this.#release(name, terminating.neverEstablished);
      return;
    }
    this.#update(name, (object) => this.#setCondition(object, terminating.inProgress));
    const { catalog, store } = this.#cluster;
    const registry = catalog.registry(crd.spec.group, crd.spec.names.plural) as Registry;
    this.#emptying.delete(registry.prefix());
    for (const { value } of store.range({ prefix: registry.prefix() })) {
      const { namespace = '', name: objectName = '' } = value.metadata ?? {};
      withClusterContext(this.#cluster, { namespace }, (context) =>
        registry.delete(namespace, objectName, {}, context),
      );
    }
    // Objects with finalizers stay until these are removed.
    const isEmpty = store.count(registry.prefix()) === 0;
    if (isEmpty) this.#release(name, terminating.completed);
    else this.#emptying.set(registry.prefix(), name);
  }

  #release(name: string, condition: (typeof terminating)[keyof typeof terminating]): void {
    this.#update(name, (object) => {
      this.#setCondition(object, condition);
      const { metadata } = object;
      const rest = (metadata.finalizers ?? []).filter((each) => each !== CLEANUP_FINALIZER);
      if (rest.length === 0) delete metadata.finalizers;
      else metadata.finalizers = rest;
    });
  }

  #stopServing(name: string): void {
    this.#cluster.catalog.removeCustom(name);
    this.#served.get(name)?.removed.abort();
    this.#served.delete(name);
  }

  #setCondition(
    object: ApiObject,
    condition: Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>,
  ): void {
    const now = formatTime(this.#cluster.clock.now());
    const { status = {} } = object as unknown as CustomResourceDefinition;
    const conditions = withCondition(status.conditions ?? [], condition, now);
    object['status'] = { ...status, conditions };
  }

  #update(name: string, change: (object: ApiObject) => void): void {
    updateStatus(this.#cluster, this.#writer, name, change);
  }

  #find(name: string): CustomResourceDefinition | undefined {
    return this.#definitions.find('', name)?.value as CustomResourceDefinition | undefined;
  }

  #all(): NameClaim[] {
    const prefix = this.#definitions.prefix();
    return this.#cluster.store.range({ prefix }).map(({ value }) => value as unknown as NameClaim);
  }
}
