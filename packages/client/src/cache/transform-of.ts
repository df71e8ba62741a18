import { deepFreeze } from '../lib/deep-freeze.ts';
import type { TransformFunc } from './delta.ts';
import type { ExpectedKind } from './event-sink.ts';
import type { CachedObject } from './list-watch.ts';

/** What is known of the objects of an informer. */
export interface TransformOptions<T extends CachedObject> {
  readonly transform?: TransformFunc<T> | undefined;
  readonly expectedKind?: ExpectedKind | undefined;
}

/**
 * Makes objects what a cache promises: they say their kind, however they arrived, and what was
 * read-only is so after a transformation, too. Undefined if there is nothing to do.
 */
export function transformOf<T extends CachedObject>({
  transform,
  expectedKind,
}: TransformOptions<T>): TransformFunc<T> | undefined {
  const typed = expectedKind && withKind<T>(expectedKind);
  if (transform === undefined) return typed;
  return (object) => {
    const given = typed === undefined ? object : typed(object);
    const result = transform(given);
    return Object.isFrozen(given) ? deepFreeze(result) : result;
  };
}

/** Most objects say their kind already; the others come from lists of a `ListerWatcher`. */
function withKind<T extends CachedObject>({ apiVersion, kind }: ExpectedKind): TransformFunc<T> {
  return (object) => {
    if (object.kind !== undefined) return object;
    const typed = { apiVersion, kind, ...object };
    return Object.isFrozen(object) ? Object.freeze(typed) : typed;
  };
}
