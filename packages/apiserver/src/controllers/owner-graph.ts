import type { DeepReadonly, OwnerReference } from 'client-ts/meta';

import type { Entry, StoredObject, StoreEvent } from '../store/store.ts';

/** The owners that an object names. */
export function ownersOf({ metadata }: StoredObject): readonly DeepReadonly<OwnerReference>[] {
  return metadata?.ownerReferences ?? [];
}

/** Who is whose dependent, by uid, kept up to date with every write. */
export class OwnerGraph {
  readonly #keyByUid = new Map<string, string>();
  readonly #dependents = new Map<string, Set<string>>();

  /** The store's key of the object with this uid. */
  keyOf(uid: string): string | undefined {
    return this.#keyByUid.get(uid);
  }

  /** The keys of the objects that name this uid as an owner, in whatever namespace. */
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
