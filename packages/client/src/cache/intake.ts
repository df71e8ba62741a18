import { guardCallback } from '../lib/callback.ts';
import { loggerOf } from '../lib/logger.ts';
import { nameOf } from '../meta/object.ts';
import { CacheError } from './cache-error.ts';
import type { TransformFunc } from './delta.ts';
import type { KeyFunc } from './key-func.ts';
import type { CachedObject } from './list-watch.ts';
import { DeletedFinalStateUnknown } from './tombstone.ts';

/** An object that a queue did not take, because a function of its user threw. */
export interface Refusal<T extends object> {
  readonly object: T;
  /** Undefined if the key function threw, otherwise the transformation did. */
  readonly key: string | undefined;
  readonly cause: unknown;
}

/** How an {@link Intake} is made. */
export interface IntakeOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
  readonly transform?: TransformFunc<T> | undefined;
  /**
   * Called with each object of a list whose key or transformation fails, and each deletion whose
   * transformation fails. The others are taken. Without it, the failure is thrown and nothing is taken.
   */
  readonly onRefused?: ((refusal: Refusal<T>) => void) | undefined;
}

/** The objects of a list that can be taken, in order. */
export interface Taken<T extends object> {
  readonly keys: string[];
  readonly objects: T[];
  /** Keys of objects that are there, but whose state could not be taken. */
  readonly refusedKeys: string[];
}

/** Finds the key of each object that enters a queue, then transforms it. */
export class Intake<T extends object> {
  readonly keyOf: KeyFunc<T>;
  readonly #transform: TransformFunc<T> | undefined;
  readonly #onRefused: ((refusal: Refusal<T>) => void) | undefined;

  constructor({ keyFunc, transform, onRefused }: IntakeOptions<T>) {
    this.keyOf = keyFunc;
    this.#transform = transform;
    this.#onRefused =
      onRefused && guardCallback('onRefused of a queue', onRefused, loggerOf(undefined));
  }

  /** Returns the transformed object. Throws if the transformation does. */
  transformed(object: T): T {
    return this.#transform === undefined ? object : this.#transform(object);
  }

  /** Returns what a deletion hands on: without a transformed state the object is still gone. */
  deleted(key: string, object: T): DeletedFinalStateUnknown<T> | T {
    try {
      return this.transformed(object);
    } catch (cause) {
      this.#refuse({ object, key, cause });
      return new DeletedFinalStateUnknown<T>(key, undefined);
    }
  }

  /** Returns what can be taken of a list: an object that fails costs no other. */
  list(objects: readonly T[]): Taken<T> {
    const taken: Taken<T> = { keys: [], objects: [], refusedKeys: [] };
    for (const object of objects) {
      let key: string | undefined;
      try {
        key = this.keyOf(object);
        const transformed = this.transformed(object);
        taken.keys.push(key);
        taken.objects.push(transformed);
      } catch (cause) {
        this.#refuse({ object, key, cause });
        if (key !== undefined) taken.refusedKeys.push(key);
      }
    }
    return taken;
  }

  #refuse(refusal: Refusal<T>): void {
    if (this.#onRefused === undefined) throw refusal.cause;
    this.#onRefused(refusal);
  }
}

/** Returns the error that reports a refusal by a queue of the informer `name`. */
export function refusalError(
  name: string,
  { object, key, cause }: Refusal<CachedObject>,
): CacheError {
  const what = key === undefined ? 'key' : 'transform';
  const which = JSON.stringify(key ?? nameOf(object));
  const message = `${name}: the ${what} function failed for the object ${which}`;
  return new CacheError('CACHE_STORE_FAILED', message, { cause });
}
