import { hasReached } from '../cache/informer-state.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { uidOf } from '../cache/store.ts';
import { identityOf } from '../meta/object.ts';
import { compareResourceVersions, isResourceVersion } from '../meta/resource-version.ts';

/** The store under an overlay. */
export interface OverlayBase<T> {
  /** The version that the store has reached; empty before the first list. */
  readonly resourceVersion: string;
  getByKey(key: string): T | undefined;
}

/** What this process knows about a key that the store may not show yet. */
type Entry<T> =
  /** The object as one of our writes left it. */
  | {
      readonly type: 'present';
      readonly uid: string;
      readonly version: string;
      readonly read: () => T;
    }
  /**
   * The object is gone. What the store shows before `version` is old; after it, only an object with
   * this uid is. `confirmed` is a version of the server after the deletion, if one is known.
   */
  | {
      readonly type: 'gone';
      readonly uid: string;
      readonly version: string;
      readonly confirmed?: string | undefined;
    }
  /** The outcome of the last write is unknown. */
  | { readonly type: 'uncertain' };

/** Options of {@link WriteOverlay}. */
export interface WriteOverlayOptions {
  /** The most keys to remember. */
  readonly limit: number;
  /**
   * False if objects can leave the store and come back without being deleted, because the store has a
   * selector. A deletion without a version is then kept until a {@link WriteOverlay.confirmation}.
   */
  readonly isComplete: boolean;
}

/**
 * The own writes that a store has not caught up with: a layer over the store for reads, which never
 * writes to it. An entry is dropped when the store has reached its version, whatever the store then
 * shows: that is at least as new. Versions are compared by the official rule.
 *
 * Bounded: if the store does not catch up, the oldest entries are dropped beyond `limit`, and
 * {@link WriteOverlay.isBehind} is true until the store has reached their versions.
 */
export class WriteOverlay<T extends CachedObject> {
  readonly #base: OverlayBase<T>;
  readonly #options: WriteOverlayOptions;
  /** In the order of the writes. */
  readonly #entries = new Map<string, Entry<T>>();
  /** The version of the store when it was last looked at. */
  #seen = '';
  /** Reads are wrong until the store has reached this version. */
  #floor = '';
  /** The version to wait for is not known before a {@link confirmation}. */
  #hasUnknownFloor = false;
  /** Counts the calls of {@link doubtAll}. */
  #doubts = 0;
  #uncertain = 0;
  #pruneAt = 64;

  constructor(base: OverlayBase<T>, options: WriteOverlayOptions) {
    this.#base = base;
    this.#options = options;
  }

  /** True if reads of the store see every own write. */
  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#floor === '' && !this.#hasUnknownFloor;
  }

  /** The number of keys that are remembered. */
  get size(): number {
    return this.#entries.size;
  }

  /** The number of keys with an unknown outcome. */
  get uncertain(): number {
    return this.#uncertain;
  }

  /** True while the store is older than writes that are no longer remembered. */
  get isBehind(): boolean {
    if (this.#floor !== '' && this.#hasReached(this.#floor)) this.#floor = '';
    return this.#floor !== '' || this.#hasUnknownFloor;
  }

  /** The version that {@link isBehind} waits for; empty if it does not, or the version is not known. */
  get floor(): string {
    return this.#floor;
  }

  /** True if a version of the server is needed to find out whether the store has caught up. */
  get needsVersion(): boolean {
    return this.#hasUnknownFloor;
  }

  /** True if the last write of this key has an unknown outcome. */
  isUncertain(key: string): boolean {
    return this.#entries.get(key)?.type === 'uncertain';
  }

  /** Returns the keys with entries, oldest first. */
  listKeys(): string[] {
    return [...this.#entries.keys()];
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Returns the object: the own version while the store is behind it, else that of the store. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    const stored = this.#base.getByKey(key);
    if (entry === undefined || this.#isObsolete(key, entry)) return stored;
    if (entry.type === 'present') return entry.read();
    if (entry.type === 'uncertain' || !this.#hasReached(entry.version)) return undefined;
    return stored !== undefined && uidOf(stored) !== entry.uid ? stored : undefined;
  }

  /** True if the store itself shows the own write of this key, or a later state. */
  isShown(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isObsolete(key, entry)) return true;
    if (entry.type !== 'gone' || !this.#hasReached(entry.version)) return false;
    const stored = this.#base.getByKey(key);
    return stored === undefined || uidOf(stored) !== entry.uid;
  }

  /**
   * Records the answer to a write. An answer that arrives late does not replace a newer one. `keep` is called
   * if the answer is recorded, which it is not if the store is faster, and returns the function that returns
   * what readers get, for each read; by default that is the answer itself.
   */
  put(key: string, answer: T, keep: () => () => T = () => () => answer): void {
    const version = versionIn(answer);
    const uid = uidOf(answer);
    const entry = this.#entries.get(key);
    if (version === '' || this.#hasReached(version)) {
      if (entry?.type === 'uncertain') this.#delete(key);
      return;
    }
    if (entry?.type === 'gone' && entry.uid === uid) return;
    if (entry !== undefined && isOlder(version, versionOfEntry(entry))) return;
    this.#set(key, { type: 'present', uid, version, read: keep() });
  }

  /**
   * Records that the object with this uid is gone, at a version that the server did not send. The store
   * or this layer has shown the object; see {@link WriteOverlay.absent} for one that neither has.
   */
  bury(key: string, uid: string): void {
    const entry = this.#entries.get(key);
    if (entry?.type === 'present' && entry.uid !== uid) return;
    const version = entry === undefined ? '' : versionOfEntry(entry);
    this.#set(key, { type: 'gone', uid, version });
    this.get(key);
  }

  /** Records that there was no object at this version. */
  absent(key: string, version: string): void {
    if (!isResourceVersion(version) || this.#hasReached(version)) return this.#delete(key);
    const entry = this.#entries.get(key);
    if (entry?.type === 'present' && isOlder(version, entry.version)) return;
    this.#set(key, { type: 'gone', uid: '', version });
  }

  /** Records that the outcome of a write is unknown, until the next call for this key. */
  doubt(key: string): void {
    this.#set(key, { type: 'uncertain' });
  }

  /** Records a write of an unknown number of keys: reads are wrong until a {@link confirmation}. */
  doubtAll(): void {
    this.#hasUnknownFloor = true;
    this.#doubts += 1;
  }

  /** Makes reads wait for this version: of writes that are not remembered one by one. */
  raiseFloor(version: string): void {
    if (!isResourceVersion(version) || this.#hasReached(version)) return;
    if (this.#floor === '' || isOlder(this.#floor, version)) this.#floor = version;
  }

  /**
   * Returns a function for the state of an uncertain key that is read from the server after this call:
   * the object, or undefined and the version at which there was none. It does nothing if the key has
   * been written since.
   */
  settlement(key: string): (object: T | undefined, version: string) => void {
    const before = this.#entries.get(key);
    return (object, version) => {
      if (before === undefined || this.#entries.get(key) !== before) return;
      this.#delete(key);
      if (object === undefined) this.absent(key, version);
      else this.put(key, object);
    };
  }

  /**
   * Returns a function for the version of the server, read after this call. Entries that are newer
   * were made by a server that has been restored from a backup since, and are dropped. Deletions
   * without a version get this one.
   */
  confirmation(): (version: string) => void {
    const before = [...this.#entries];
    const doubts = this.#doubts;
    return (version) => {
      if (!isResourceVersion(version)) return;
      for (const [key, entry] of before) {
        if (this.#entries.get(key) !== entry || entry.type === 'uncertain') continue;
        if (isOlder(version, entry.version)) this.#delete(key);
        else if (entry.type === 'gone') this.#entries.set(key, { ...entry, confirmed: version });
      }
      if (isOlder(version, this.#floor)) this.#floor = '';
      if (this.#hasUnknownFloor && this.#doubts === doubts) {
        this.#hasUnknownFloor = false;
        this.raiseFloor(version);
      }
      this.prune();
    };
  }

  /** Drops the entries that the store has caught up with. */
  prune(): void {
    for (const [key, entry] of this.#entries) this.#isObsolete(key, entry);
    this.#pruneAt = Math.max(64, this.#entries.size * 2);
  }

  /** True if the store shows at least the state of the entry, which is then dropped. */
  #isObsolete(key: string, entry: Entry<T>): boolean {
    if (!this.#entries.has(key) || !this.#follow()) return true;
    if (entry.type === 'uncertain') return false;
    if (entry.version !== '' && !this.#hasReached(entry.version)) return false;
    if (entry.type === 'gone' && !this.#showsDeletion(key, entry)) return false;
    this.#delete(key);
    return true;
  }

  /** True if the store has caught up with a deletion. */
  #showsDeletion(
    key: string,
    { uid, confirmed = '' }: Entry<T> & { readonly type: 'gone' },
  ): boolean {
    if (uid === '' || (confirmed !== '' && this.#hasReached(confirmed))) return true;
    const stored = this.#base.getByKey(key);
    return this.#options.isComplete && (stored === undefined || uidOf(stored) !== uid);
  }

  /**
   * Follows the version of the store, and returns false if it has gone back: the server was restored
   * from a backup, and the writes in this layer never happened.
   */
  #follow(): boolean {
    const { resourceVersion } = this.#base;
    if (resourceVersion === this.#seen) return true;
    const hasGoneBack = isOlder(resourceVersion, this.#seen);
    this.#seen = resourceVersion;
    if (!hasGoneBack) return true;
    this.#entries.clear();
    this.#uncertain = 0;
    this.#floor = '';
    this.#hasUnknownFloor = false;
    return false;
  }

  #hasReached(version: string): boolean {
    this.#follow();
    return version === '' || hasReached(this.#base.resourceVersion, version);
  }

  #set(key: string, entry: Entry<T>): void {
    this.#delete(key);
    if (this.#entries.size >= this.#pruneAt) this.prune();
    this.#entries.set(key, entry);
    if (entry.type === 'uncertain') this.#uncertain += 1;
    if (this.#entries.size > this.#options.limit) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries;
    if (oldest === undefined) return;
    const [key, entry] = oldest;
    const version = versionOfEntry(entry);
    this.#delete(key);
    if (version === '') this.doubtAll();
    else this.raiseFloor(version);
  }

  #delete(key: string): void {
    if (this.isUncertain(key)) this.#uncertain -= 1;
    this.#entries.delete(key);
  }
}

function versionOfEntry(entry: Entry<unknown>): string {
  return entry.type === 'uncertain' ? '' : entry.version;
}

/** False if one of them cannot be compared. */
function isOlder(left: string, right: string): boolean {
  return (
    isResourceVersion(left) && isResourceVersion(right) && compareResourceVersions(left, right) < 0
  );
}

/** Returns the resourceVersion of an object; empty if it cannot be compared. */
export function versionIn(object: CachedObject): string {
  const version = identityOf(object)?.resourceVersion ?? object.metadata?.resourceVersion ?? '';
  return isResourceVersion(version) ? version : '';
}
