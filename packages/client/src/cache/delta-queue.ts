import { leaveSlab } from '../codec/lazy/lazy-fields.ts';
import { guardCallback } from '../lib/callback.ts';
import { loggerOf } from '../lib/logger.ts';
import type { Slices } from '../lib/slices.ts';
import { QueueBase } from './queue.ts';
import { DeletedFinalStateUnknown, type KeyFunc } from './store.ts';

/** An object that exists: added, changed, listed again, or delivered again by a resync. */
export interface PresentDelta<T extends object> {
  readonly type: 'Added' | 'Replaced' | 'Sync' | 'Updated';
  readonly key: string;
  readonly object: T;
}

/** A deleted object. If the deletion was missed, `object` is a tombstone. */
export interface DeletedDelta<T extends object> {
  readonly type: 'Deleted';
  readonly key: string;
  readonly object: DeletedFinalStateUnknown<T> | T;
}

/** A change of one object. */
export type Delta<T extends object> = DeletedDelta<T> | PresentDelta<T>;

/** The changes of one object since it was last popped, oldest first. Never empty. */
export type Deltas<T extends object> = readonly Delta<T>[];

/** The complete state at a version: objects that are not in it are deleted. */
export interface ReplacedAllDelta<T extends object> {
  readonly type: 'ReplacedAll';
  readonly objects: readonly T[];
  /** The keys of the objects, in the same order. */
  readonly keys: readonly string[];
  /** Keys of listed objects that were refused: they keep their cached state. */
  readonly refusedKeys?: readonly string[];
  readonly resourceVersion: string;
}

/** A resync: all known objects are delivered again. */
export interface SyncAllDelta {
  readonly type: 'SyncAll';
}

/** Nothing else happened up to a version. */
export interface BookmarkDelta {
  readonly type: 'Bookmark';
  readonly resourceVersion: string;
}

/** An entry of the queue between a reflector and a store. */
export type QueueDelta<T extends object> =
  | BookmarkDelta
  | Delta<T>
  | ReplacedAllDelta<T>
  | SyncAllDelta;

/**
 * Changes an object before it is queued, stored and delivered: drops fields to save memory, for
 * instance. It must keep name and namespace. If it throws, an informer reports the key and keeps the
 * cached state of the object until it changes or is listed again. An informer freezes the result,
 * unless the objects of its source are mutable.
 */
export type TransformFunc<T extends object> = (object: T) => T;

/** An object that a queue refused because its key function or transform threw. */
export interface Refusal<T extends object> {
  readonly object: T;
  /** Undefined if the key function threw, otherwise the transform did. */
  readonly key: string | undefined;
  readonly cause: unknown;
}

/** Options of {@link RealFIFO} and {@link DeltaFIFO}. */
export interface DeltaQueueOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
  readonly transform?: TransformFunc<T> | undefined;
  /**
   * Called with each object of a list whose key function or transform throws, and each deletion whose
   * transform throws. The others are accepted. Without it, the write throws and nothing is queued.
   */
  readonly onRefused?: ((refusal: Refusal<T>) => void) | undefined;
}

/** What is queued of a list. */
export interface AcceptedList<T extends object> {
  readonly objects: T[];
  /** Those of the objects, in the same order. */
  readonly keys: string[];
  readonly refusedKeys: string[];
}

/** The base of {@link RealFIFO} and {@link DeltaFIFO}: keys and transforms what is written. */
export abstract class DeltaQueue<T extends object, D extends QueueDelta<T>> extends QueueBase<
  T,
  readonly D[]
> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #transform: TransformFunc<T> | undefined;
  readonly #onRefused: ((refusal: Refusal<T>) => void) | undefined;

  constructor({ keyFunc, transform, onRefused }: DeltaQueueOptions<T>) {
    super();
    this.#keyFunc = keyFunc;
    this.#transform = transform;
    this.#onRefused =
      onRefused && guardCallback('onRefused of a queue', onRefused, loggerOf(undefined));
  }

  /** Adds a delta of one object. */
  protected abstract push(delta: Delta<T>): void;

  add(object: T): void {
    this.#write('Added', object);
  }

  update(object: T): void {
    this.#write('Updated', object);
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    this.checkOpen();
    const isTombstone = object instanceof DeletedFinalStateUnknown;
    const key = isTombstone ? object.key : this.#keyFunc(object);
    this.populate(0);
    if (!this.isKnown(key)) return;
    const deleted = isTombstone ? object : this.#lastState(key, object);
    this.push({ type: 'Deleted', key, object: deleted });
    this.arrived();
  }

  /** Returns false if the deletion of a key has no effect. */
  protected abstract isKnown(key: string): boolean;

  /** Queues a complete state. */
  protected abstract pushList(list: AcceptedList<T>, resourceVersion: string): void;

  /**
   * Queues a complete state. An object whose key function or transform throws keeps its state or, without `onRefused`,
   * nothing is queued.
   */
  replace(objects: readonly T[], resourceVersion: string): void {
    this.checkOpen();
    const list = noneAccepted<T>();
    for (const object of objects) this.#accept(object, list);
    this.pushList(list, resourceVersion);
    this.arrived();
  }

  /** As {@link DeltaQueue.replace}: a list may be long, and a transform may take its time. */
  async replaceInSlices(
    objects: Iterable<T>,
    resourceVersion: string,
    slices: Slices,
  ): Promise<number> {
    this.checkOpen();
    const list = noneAccepted<T>();
    for (const object of objects) {
      this.#accept(object, list);
      if (slices.isOver) await slices.next();
    }
    this.checkOpen();
    this.pushList(list, resourceVersion);
    this.arrived();
    return list.objects.length + list.refusedKeys.length;
  }

  /** One object that fails costs no other. */
  #accept(object: T, list: AcceptedList<T>): void {
    let key: string | undefined;
    try {
      key = this.#keyFunc(object);
      const transformed = this.#transformed(object);
      list.keys.push(key);
      list.objects.push(transformed);
    } catch (cause) {
      this.#refuse({ object, key, cause });
      if (key !== undefined) list.refusedKeys.push(key);
    }
  }

  #write(type: 'Added' | 'Updated', object: T): void {
    this.checkOpen();
    const key = this.#keyFunc(object);
    const transformed = this.#transformed(object);
    this.populate(0);
    this.push({ type, key, object: transformed });
    this.arrived();
  }

  #transformed(object: T): T {
    if (this.#transform === undefined) return object;
    const transformed = this.#transform(object);
    // Parts of it may be in the other one.
    if (transformed !== object) leaveSlab(object);
    return transformed;
  }

  /** Without a transformed state the object is deleted nevertheless. */
  #lastState(key: string, object: T): DeletedFinalStateUnknown<T> | T {
    try {
      return this.#transformed(object);
    } catch (cause) {
      this.#refuse({ object, key, cause });
      return new DeletedFinalStateUnknown<T>(key, undefined);
    }
  }

  #refuse(refusal: Refusal<T>): void {
    if (this.#onRefused === undefined) throw refusal.cause;
    this.#onRefused(refusal);
  }
}

function noneAccepted<T extends object>(): AcceptedList<T> {
  return { objects: [], keys: [], refusedKeys: [] };
}
