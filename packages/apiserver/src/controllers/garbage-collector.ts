import { jsonEqual } from 'client-ts/internal';
import { type DeepReadonly, type OwnerReference, parseApiVersion } from 'client-ts/meta';

import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../registry/deletion.ts';
import { type ApiObject, copyStored } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { Entry, StoredObject, StoreEvent } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';

const EVENTS = '//events/';
const DEFINITIONS = '/apiextensions.k8s.io/customresourcedefinitions/';

/**
 * The state of an owner: `solid` exists, `waiting` is being deleted and waits for its dependents,
 * `absent` is gone or never existed, `unknown` is of a kind that is not served.
 */
type OwnerState = 'absent' | 'solid' | 'unknown' | 'waiting';

/**
 * Deletes objects that lost their owners, and carries out foreground and orphan deletions. It
 * follows every write, but works later and never inside the write, as in a cluster. Events are
 * ignored.
 */
export class GarbageCollector implements Disposable {
  readonly #cluster: Cluster;
  readonly #graph = new OwnerGraph();
  readonly #dirty: DirtySet;
  /** Objects with an owner of a kind that is not served; a new definition may serve it. */
  readonly #undecided = new Set<string>();
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    const { clock, store } = cluster;
    this.#cluster = cluster;
    const process = (key: string): void => this.#process(key);
    this.#dirty = new DirtySet({ clock, process, onError });
    for (const entry of store.all()) {
      this.#graph.add(entry);
      this.#lookAt(entry);
    }
    this.#subscription = store.subscribe('/', (event) => this.#follow(event));
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #follow(event: StoreEvent): void {
    const { entry, previous } = event;
    const { key } = entry ?? previous;
    if (key.startsWith(EVENTS)) return;
    this.#graph.follow(event);
    if (key.startsWith(DEFINITIONS)) for (const one of this.#undecided) this.#dirty.add(one);
    if (entry === undefined) {
      const { uid = '' } = previous.value.metadata ?? {};
      for (const dependent of this.#graph.dependentsOf(uid)) this.#dirty.add(dependent);
    } else if (previous === undefined || affectsOwnership(previous.value, entry.value)) {
      this.#lookAt(entry);
    } else {
      return;
    }
    // Owners may be waiting for this object to be deleted or to drop its reference.
    for (const version of [previous, entry]) {
      for (const { uid } of version === undefined ? [] : ownersOf(version.value)) {
        const owner = this.#graph.keyOf(uid);
        if (owner !== undefined) this.#dirty.add(owner);
      }
    }
  }

  #lookAt({ key, value }: Entry): void {
    const isDeleted = value.metadata?.deletionTimestamp !== undefined;
    if (isDeleted || ownersOf(value).length > 0) this.#dirty.add(key);
  }

  #process(key: string): void {
    this.#undecided.delete(key);
    const entry = this.#cluster.store.get(key);
    const registry = this.#registryOf(key);
    if (entry === undefined || registry === undefined) return;
    const { finalizers = [], deletionTimestamp } = entry.value.metadata ?? {};
    if (deletionTimestamp === undefined) this.#collect(entry, registry);
    else if (finalizers.includes(ORPHAN_FINALIZER)) this.#orphanDependents(entry, registry);
    else if (finalizers.includes(FOREGROUND_FINALIZER)) this.#awaitDependents(entry, registry);
  }

  /** Deletes an object without a living owner; otherwise removes its dangling references. */
  #collect(entry: Entry, registry: Registry): void {
    const owners = ownersOf(entry.value);
    if (owners.length === 0) return;
    const states = new Map(owners.map((owner) => [owner.uid, this.#stateOf(owner, entry)]));
    const all = [...states.values()];
    if (all.includes('unknown')) {
      this.#undecided.add(entry.key);
    } else if (all.includes('solid')) {
      if (all.every((state) => state === 'solid')) return;
      this.#dropOwners(entry, registry, (owner) => states.get(owner.uid) !== 'solid');
    } else {
      const dependents = this.#dependentsOf(entry);
      const isForeground = all.includes('waiting') && dependents.length > 0;
      if (isForeground && dependents.some(isDeletingDependents)) this.#unblock(entry, registry);
      this.#delete(entry, registry, isForeground ? 'Foreground' : policyOf(entry.value));
    }
  }

  #stateOf(owner: DeepReadonly<OwnerReference>, { value }: Entry): OwnerState {
    const { group, version } = parseApiVersion(owner.apiVersion);
    const registry = this.#cluster.catalog.registryOfKind(group, version, owner.kind);
    const { namespace = '' } = value.metadata ?? {};
    // A cluster-scoped object cannot be owned by a namespaced one.
    if (registry === undefined || (registry.namespaced && namespace === '')) return 'unknown';
    // Only the namespace of the dependent is searched.
    const found = registry.find(namespace, owner.name);
    if (found === undefined || found.value.metadata?.uid !== owner.uid) return 'absent';
    return isDeletingDependents(found) ? 'waiting' : 'solid';
  }

  #orphanDependents(entry: Entry, registry: Registry): void {
    const { uid = '' } = entry.value.metadata ?? {};
    for (const dependent of this.#dependentsOf(entry)) {
      const itsRegistry = this.#registryOf(dependent.key);
      if (itsRegistry === undefined) continue;
      this.#dropOwners(dependent, itsRegistry, (owner) => owner.uid === uid);
    }
    this.#removeFinalizer(entry, registry, ORPHAN_FINALIZER);
  }

  /** Marks dependents of an owner that waits; the owner goes when no blocking dependent is left. */
  #awaitDependents(entry: Entry, registry: Registry): void {
    const { uid = '' } = entry.value.metadata ?? {};
    let isBlocked = false;
    for (const { key, value } of this.#dependentsOf(entry)) {
      if (value.metadata?.deletionTimestamp === undefined) this.#dirty.add(key);
      isBlocked ||= ownersOf(value).some(
        (owner) => owner.uid === uid && owner.blockOwnerDeletion === true,
      );
    }
    if (!isBlocked) this.#removeFinalizer(entry, registry, FOREGROUND_FINALIZER);
  }

  /** Otherwise, objects that own each other would wait for each other and never be deleted. */
  #unblock(entry: Entry, registry: Registry): void {
    this.#update(entry, registry, ({ metadata }) => {
      for (const owner of metadata.ownerReferences ?? []) owner.blockOwnerDeletion = false;
    });
  }

  #dropOwners(
    entry: Entry,
    registry: Registry,
    isDropped: (owner: OwnerReference) => boolean,
  ): void {
    this.#update(entry, registry, ({ metadata }) => {
      const rest = (metadata.ownerReferences ?? []).filter((owner) => !isDropped(owner));
      if (rest.length === 0) delete metadata.ownerReferences;
      else metadata.ownerReferences = rest;
    });
  }

  #removeFinalizer(entry: Entry, registry: Registry, finalizer: string): void {
    this.#update(entry, registry, ({ metadata }) => {
      const rest = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
      if (rest.length === 0) delete metadata.finalizers;
      else metadata.finalizers = rest;
    });
  }

  #update({ value }: Entry, registry: Registry, change: (object: ApiObject) => void): void {
    const { namespace = '', name = '' } = value.metadata ?? {};
    withClusterContext(this.#cluster, { namespace }, (context) =>
      registry.update(namespace, name, context, (existing) => {
        const object = copyStored(existing as StoredObject);
        change(object);
        return object;
      }),
    );
  }

  #delete({ value }: Entry, registry: Registry, propagationPolicy: string): void {
    const { namespace = '', name = '' } = value.metadata ?? {};
    withClusterContext(this.#cluster, { namespace }, (context) =>
      registry.delete(namespace, name, { propagationPolicy }, context),
    );
  }

  #dependentsOf({ value }: Entry): Entry[] {
    const { store } = this.#cluster;
    const { uid = '' } = value.metadata ?? {};
    return this.#graph.dependentsOf(uid).flatMap((key) => store.get(key) ?? []);
  }

  #registryOf(key: string): Registry | undefined {
    const [, group = '', resource = ''] = key.split('/');
    return this.#cluster.catalog.registry(group, resource);
  }
}

/** True if a write changed something that ownership or deletion depends on. */
function affectsOwnership(
  { metadata: before = {} }: StoredObject,
  { metadata: after = {} }: StoredObject,
): boolean {
  return (
    before.uid !== after.uid ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    !jsonEqual(before.finalizers, after.finalizers) ||
    !jsonEqual(before.ownerReferences, after.ownerReferences)
  );
}

function isDeletingDependents({ value }: Entry): boolean {
  const { deletionTimestamp, finalizers = [] } = value.metadata ?? {};
  return deletionTimestamp !== undefined && finalizers.includes(FOREGROUND_FINALIZER);
}

/** Returns the propagation policy that an object's finalizers demand. */
function policyOf({ metadata: { finalizers = [] } = {} }: StoredObject): string {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}

/** Returns the owner references of an object. */
function ownersOf({ metadata }: StoredObject): readonly DeepReadonly<OwnerReference>[] {
  return metadata?.ownerReferences ?? [];
}

/** The graph of owners and dependents, by uid, updated with every write. */
export class OwnerGraph {
  readonly #keyByUid = new Map<string, string>();
  readonly #dependents = new Map<string, Set<string>>();

  /** Returns the store key of the object with this uid. */
  keyOf(uid: string): string | undefined {
    return this.#keyByUid.get(uid);
  }

  /** Returns the keys of the objects that name this uid as an owner, in any namespace. */
  dependentsOf(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  add({ key, value }: Entry): void {
    this.#keyByUid.set(value.metadata?.uid ?? '', key);
    for (const { uid } of ownersOf(value)) {
      const dependents = this.#dependents.get(uid);
      if (dependents === undefined) this.#dependents.set(uid, new Set([key]));
      else dependents.add(key);
    }
  }

  follow({ entry, previous }: StoreEvent): void {
    if (previous !== undefined) this.#remove(previous);
    if (entry !== undefined) this.add(entry);
  }

  #remove({ key, value }: Entry): void {
    this.#keyByUid.delete(value.metadata?.uid ?? '');
    for (const { uid } of ownersOf(value)) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(key);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
  }
}
