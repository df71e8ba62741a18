import type { OwnerReference } from 'client-ts/meta';
import { isConflict, isNotFound } from 'client-ts/meta';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../registry/deletion.ts';
import { type ApiObject, mutableCopy } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { Entry, StoredObject, StoreEvent } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';

/**
 * Removes what lost its owners, and carries out foreground and orphan deletions.
 *
 * It follows every write and keeps two indices: which object has a uid, and which objects name a
 * uid as their owner. Work happens later, never inside the write that caused it, as in a cluster.
 */
export class GarbageCollector implements Disposable {
  readonly #cluster: Cluster;
  readonly #keyByUid = new Map<string, string>();
  readonly #dependentsByOwner = new Map<string, Set<string>>();
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    const process = (key: string): void => this.#process(key);
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    for (const entry of cluster.store.all()) this.#index(entry);
    this.#subscription = cluster.store.subscribe('/', (event) => this.#follow(event));
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #follow(event: StoreEvent): void {
    if (event.previous !== undefined) this.#forget(event.previous, event.entry);
    if (event.entry !== undefined) {
      this.#index(event.entry);
      return;
    }
    const { uid = '' } = event.previous.value.metadata ?? {};
    for (const dependent of this.#dependentsByOwner.get(uid) ?? []) this.#dirty.add(dependent);
    // Owners in foreground deletion wait for their dependents to go.
    for (const owner of ownersOf(event.previous.value)) this.#touch(owner.uid);
  }

  #index(entry: Entry): void {
    const { uid, deletionTimestamp } = entry.value.metadata ?? {};
    if (uid !== undefined) this.#keyByUid.set(uid, entry.key);
    const owners = ownersOf(entry.value);
    for (const owner of owners) {
      let dependents = this.#dependentsByOwner.get(owner.uid);
      if (dependents === undefined) {
        this.#dependentsByOwner.set(owner.uid, (dependents = new Set()));
      }
      dependents.add(entry.key);
    }
    if (owners.length > 0 || deletionTimestamp !== undefined) this.#dirty.add(entry.key);
  }

  #forget(previous: Entry, next: Entry | undefined): void {
    const { uid = '' } = previous.value.metadata ?? {};
    if (next === undefined) this.#keyByUid.delete(uid);
    const kept = new Set(next === undefined ? [] : ownersOf(next.value).map((owner) => owner.uid));
    for (const owner of ownersOf(previous.value)) {
      if (kept.has(owner.uid)) continue;
      const dependents = this.#dependentsByOwner.get(owner.uid);
      dependents?.delete(previous.key);
      if (dependents?.size === 0) this.#dependentsByOwner.delete(owner.uid);
      this.#touch(owner.uid);
    }
  }

  #touch(uid: string): void {
    const key = this.#keyByUid.get(uid);
    if (key !== undefined) this.#dirty.add(key);
  }

  #process(key: string): void {
    const entry = this.#cluster.store.get(key);
    const registry = this.#registryOf(key);
    if (entry === undefined || registry === undefined) return;
    const { finalizers = [], deletionTimestamp } = entry.value.metadata ?? {};
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(ORPHAN_FINALIZER)) this.#orphanDependents(entry, registry);
      else if (finalizers.includes(FOREGROUND_FINALIZER)) this.#waitForDependents(entry, registry);
      return;
    }
    this.#collectIfOrphaned(entry, registry);
  }

  /** An object whose owners are all gone goes too; references to some that are gone are dropped. */
  #collectIfOrphaned(entry: Entry, registry: Registry): void {
    const owners = ownersOf(entry.value);
    if (owners.length === 0) return;
    const alive = owners.filter((owner) => this.#keyByUid.has(owner.uid));
    if (alive.length === owners.length) return;
    if (alive.length > 0) {
      this.#update(entry, registry, ({ metadata }) => {
        metadata.ownerReferences = (metadata.ownerReferences ?? []).filter((owner) =>
          this.#keyByUid.has(owner.uid),
        );
      });
      return;
    }
    this.#delete(entry, registry, 'Background');
  }

  #orphanDependents(entry: Entry, registry: Registry): void {
    const { uid = '' } = entry.value.metadata ?? {};
    for (const key of [...(this.#dependentsByOwner.get(uid) ?? [])]) {
      const dependent = this.#cluster.store.get(key);
      const itsRegistry = this.#registryOf(key);
      if (dependent === undefined || itsRegistry === undefined) continue;
      this.#update(dependent, itsRegistry, ({ metadata }) => {
        const rest = (metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
        if (rest.length === 0) delete metadata.ownerReferences;
        else metadata.ownerReferences = rest;
      });
    }
    this.#removeFinalizer(entry, registry, ORPHAN_FINALIZER);
  }

  #waitForDependents(entry: Entry, registry: Registry): void {
    const { uid = '' } = entry.value.metadata ?? {};
    let blocked = false;
    for (const key of [...(this.#dependentsByOwner.get(uid) ?? [])]) {
      const dependent = this.#cluster.store.get(key);
      const itsRegistry = this.#registryOf(key);
      if (dependent === undefined || itsRegistry === undefined) continue;
      if (dependent.value.metadata?.deletionTimestamp === undefined) {
        this.#delete(dependent, itsRegistry, 'Foreground');
      }
      const remains = this.#cluster.store.get(key) !== undefined;
      const blocks = ownersOf(dependent.value).some(
        (owner) => owner.uid === uid && owner.blockOwnerDeletion === true,
      );
      blocked ||= remains && blocks;
    }
    if (!blocked) this.#removeFinalizer(entry, registry, FOREGROUND_FINALIZER);
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
    this.#ignoringRaces(() => {
      withClusterContext(this.#cluster, { namespace }, (context) =>
        registry.update(namespace, name, context, (existing) => {
          const object = mutableCopy(existing as StoredObject);
          change(object);
          return object;
        }),
      );
    });
  }

  #delete({ value }: Entry, registry: Registry, propagationPolicy: string): void {
    const { namespace = '', name = '', uid = '' } = value.metadata ?? {};
    const options = { propagationPolicy, preconditions: { uid } };
    this.#ignoringRaces(() => {
      withClusterContext(this.#cluster, { namespace }, (context) =>
        registry.delete(namespace, name, options, context),
      );
    });
  }

  /** What is gone or replaced meanwhile needs no collecting. */
  #ignoringRaces(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #registryOf(key: string): Registry | undefined {
    const [, group = '', resource = ''] = key.split('/');
    return this.#cluster.catalog.registry(group, resource);
  }
}

function ownersOf(object: StoredObject): readonly OwnerReference[] {
  return object.metadata?.ownerReferences ?? [];
}
