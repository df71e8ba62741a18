import { OptionError } from 'client-ts/internal';

import type { Cluster } from '../registry/cluster.ts';
import { claimAll, releaseAll } from '../registry/kinds/core/service/allocation.ts';
import type { Entry, Store, StoredObject } from '../store/store.ts';

const SERVICES = '//services/';
/** What others need to be served: it comes first, and goes last. */
const FOUNDATIONS = ['/apiextensions.k8s.io/customresourcedefinitions/', '//namespaces/'] as const;

/**
 * The objects of a server at one moment, made by `snapshot()`. It refers to them without copying:
 * stored objects never change.
 */
export class ServerSnapshot {
  /** The resourceVersion of the newest write. */
  readonly revision: number;
  readonly #store: Store;
  readonly #entries: Map<string, Entry>;

  /** Not for users: see `ApiServer.snapshot`. */
  constructor({ store }: Cluster) {
    this.revision = store.revision;
    this.#store = store;
    this.#entries = new Map(Array.from(store.all(), (entry) => [entry.key, entry]));
  }

  /**
   * Writes the difference between now and the snapshot to the store. Not for users: see
   * `ApiServer.restore`.
   */
  restore({ store, allocators }: Cluster): void {
    if (store !== this.#store) {
      throw new OptionError('snapshot', 'it is of another server');
    }
    const current = new Map(Array.from(store.all(), (entry) => [entry.key, entry]));
    const extra = [...current.values()].filter(({ key }) => !this.#entries.has(key));
    const changed = [...this.#entries.values()].filter(
      ({ key, value }) => current.get(key)?.value !== value,
    );
    for (const { key } of changed) {
      const now = current.get(key);
      if (now !== undefined && key.startsWith(SERVICES)) releaseAll(mutable(now), allocators);
    }
    for (const entry of extra.toSorted((a, b) => rank(b.key) - rank(a.key))) {
      if (entry.key.startsWith(SERVICES)) releaseAll(mutable(entry), allocators);
      store.delete(entry.key);
    }
    for (const entry of changed.toSorted((a, b) => rank(a.key) - rank(b.key))) {
      if (entry.key.startsWith(SERVICES)) claimAll(mutable(entry), allocators);
      // The same object with another version: the next restore has nothing to do for it.
      const put = store.put(entry.key, (revision) => withVersion(entry.value, revision));
      this.#entries.set(entry.key, put);
    }
  }
}

/** The allocation reads the object only. */
function mutable({ value }: Entry): Parameters<typeof releaseAll>[0] {
  return value as Parameters<typeof releaseAll>[0];
}

function rank(key: string): number {
  const index = FOUNDATIONS.findIndex((prefix) => key.startsWith(prefix));
  return index === -1 ? FOUNDATIONS.length : index;
}

function withVersion(value: StoredObject, revision: number): StoredObject {
  return { ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } };
}
