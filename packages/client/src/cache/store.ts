import { valuesIn } from '../codec/lazy/lazy-fields.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { quoteGo } from '../lib/go-format.ts';
import { Slices } from '../lib/slices.ts';
import { parsePath } from '../meta/field-path.ts';
import { identityOf, nameOf, namespaceOf, ObjectKeyError } from '../meta/object.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import { CacheError } from './cache-error.ts';

/** What a reflector writes to: a store, or a queue in front of one. */
export interface ReflectorStore<T extends object> {
  add(object: T): void;
  update(object: T): void;
  /** Only the key of a tombstone is used. */
  delete(object: DeletedFinalStateUnknown<T> | T): void;
  /** Replaces everything by `objects`, the complete state at `resourceVersion`. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /**
   * As `replace`, which it is called in place of: lists may be long. Resolves with the number of objects; until then a
   * reflector calls no other method.
   */
  replaceInSlices?(objects: Iterable<T>, resourceVersion: string, slices: Slices): Promise<number>;
  /** Delivers all known objects again; does nothing where there are no handlers. */
  resync(): void;
  /** Notes that nothing else happened up to `resourceVersion`. */
  bookmark(resourceVersion: string): void;
}

/**
 * Replaces everything in a store, in slices if it can. Resolves with the number of objects. Rejects with `CACHE_STORE_FAILED`
 * if the store refuses the list.
 */
export async function writeList<T extends object>(
  store: ReflectorStore<T>,
  objects: Iterable<T>,
  resourceVersion: string,
  clock: Clock,
): Promise<number> {
  try {
    if (store.replaceInSlices !== undefined) {
      return await store.replaceInSlices(objects, resourceVersion, new Slices(clock));
    }
    const list = [...objects];
    store.replace(list, resourceVersion);
    return list.length;
  } catch (cause) {
    const message = `the store refused the list: ${messageOf(cause)}`;
    throw new CacheError('CACHE_STORE_FAILED', message, { cause });
  }
}

/**
 * Objects by key. `add` and `update` do the same: the last write wins.
 *
 * Objects from a store are shared by all its readers and must not be changed: the indices would no
 * longer agree with them.
 */
export interface Store<T extends object> extends ReflectorStore<T> {
  readonly size: number;
  /** The version of the last write, replacement or bookmark; empty before the first. */
  readonly resourceVersion: string;
  /** Returns the object stored under the key of `object`. */
  get(object: DeletedFinalStateUnknown<T> | T): T | undefined;
  getByKey(key: string): T | undefined;
  has(key: string): boolean;
  /** Returns a new array of all objects. */
  list(): T[];
  listKeys(): string[];
  /** Iterates over the objects without a copy. */
  values(): IterableIterator<T>;
}

/** The part of a store that a {@link DeltaFIFO} compares lists with. */
export interface KeyListerGetter<T extends object> {
  getByKey(key: string): T | undefined;
  has(key: string): boolean;
  keys(): Iterable<string>;
}

/** Returns the key under which a store keeps an object: always the same for the same object. */
export type KeyFunc<T> = (object: T) => string;

type AnyObject = DeepReadonly<KubernetesObject>;

/** A key in place of an object: {@link metaNamespaceKeyFunc} returns it unchanged. */
export class ExplicitKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/**
 * Returns `namespace/name`, or `name` for cluster-scoped objects: the key of an object in stores
 * and work queues. Throws `ObjectKeyError` for an object without a name, which would otherwise share
 * its key with all others of its kind. {@link splitMetaNamespaceKey} is the inverse.
 */
export function metaNamespaceKeyFunc(object: AnyObject | ExplicitKey): string {
  const key = identityOf(object)?.key;
  if (key !== undefined && key !== '') return key;
  if (object instanceof ExplicitKey) return object.key;
  const name = nameOf(object);
  if (name === '') {
    throw new ObjectKeyError(`metadata.name is empty in an object of kind ${object.kind ?? '?'}`);
  }
  const namespace = namespaceOf(object);
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Splits a key; the namespace is empty for `name`. Throws `ObjectKeyError` for two slashes. */
export function splitMetaNamespaceKey(key: string): {
  readonly namespace: string;
  readonly name: string;
} {
  const slash = key.indexOf('/');
  if (slash === -1) return { namespace: '', name: key };
  if (key.includes('/', slash + 1)) {
    throw new ObjectKeyError(`unexpected key format: ${quoteGo(key)}`);
  }
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** {@link metaNamespaceKeyFunc} that also accepts the tombstones that `onDelete` receives. */
export function deletionHandlingMetaNamespaceKeyFunc(
  object: AnyObject | DeletedFinalStateUnknown<unknown> | ExplicitKey,
): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : metaNamespaceKeyFunc(object);
}

/**
 * The tombstone of an object whose deletion was missed: a list showed that it is gone. `object` is
 * its last known state, which may be older than the state in which it was deleted; undefined if none
 * is known.
 */
export class DeletedFinalStateUnknown<T> {
  readonly key: string;
  readonly object: T | undefined;

  constructor(key: string, object: T | undefined) {
    this.key = key;
    this.object = object;
  }
}

/** Returns the object itself, or the last known state in a tombstone. */
export function lastKnownState<T extends object>(
  object: DeletedFinalStateUnknown<T> | T,
): T | undefined {
  return object instanceof DeletedFinalStateUnknown ? object.object : object;
}

/**
 * Returns true if both are the same state of the same object: the same uid and resourceVersion. The
 * version alone is not enough, as a re-created cluster counts from the start again. Objects without
 * a version are never the same.
 */
export function isSameState(left: object, right: object): boolean {
  const version = versionOf(left) ?? '';
  return version !== '' && version === versionOf(right) && uidOf(left) === uidOf(right);
}

const uidPath = parsePath('metadata.uid', 'the uid of an object');

/** Returns the uid of an object; empty if it has none. It is read from the bytes of a lazy object. */
export function uidOf(object: object): string {
  const uid = valuesIn(object, uidPath);
  return typeof uid === 'string' ? uid : '';
}

/** Returns the resourceVersion of an object; undefined for objects that are not of the API. */
export function versionOf(object: object): string | undefined {
  const identity = identityOf(object);
  if (identity !== undefined) return identity.resourceVersion;
  const { metadata } = object as { readonly metadata?: { readonly resourceVersion?: unknown } };
  const version = metadata?.resourceVersion;
  return typeof version === 'string' ? version : undefined;
}
