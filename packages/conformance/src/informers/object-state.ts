import { createHash } from 'node:crypto';

import type { CachedObject } from 'client-ts/cache';
import type { ObjectState } from './history.ts';

/** An object as histories know it. */
export function stateOf(object: CachedObject): ObjectState {
  const { resourceVersion = '', uid = '' } = object.metadata ?? {};
  return { version: resourceVersion, uid, digest: digestOf(object) };
}

/**
 * The same for the same content, whatever encoding it came in and however its fields are ordered.
 * Kind and version are not counted: servers leave them out of the items of a list.
 */
function digestOf({ apiVersion: _, kind: __, ...content }: CachedObject): string {
  return createHash('sha1').update(JSON.stringify(content, sorted)).digest('base64');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
