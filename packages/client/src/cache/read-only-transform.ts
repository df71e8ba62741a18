import { deepFreeze } from '../lib/deep-freeze.ts';
import type { TransformFunc } from './delta.ts';

/**
 * A transformation that keeps the promise of a cache: if what it is given cannot be written to, what
 * it makes of it cannot either.
 */
export function readOnlyTransform<T extends object>(transform: TransformFunc<T>): TransformFunc<T> {
  return (object) => {
    const result = transform(object);
    return Object.isFrozen(object) ? deepFreeze(result) : result;
  };
}
