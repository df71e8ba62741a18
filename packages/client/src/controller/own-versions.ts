import type { CachedObject } from '../cache/list-watch.ts';
import { uidOf } from '../cache/store.ts';
import { namespaceOf, nameOf } from '../meta/object.ts';
import type { GroupResource } from '../meta/resource.ts';
import { versionIn } from './write-overlay.ts';

/** More than the events that are under way at one time. A forgotten one costs one reconcile. */
const LIMIT = 10_000;

/**
 * The versions that this process wrote, of which it knows that no other change is in between: a
 * creation, or a write that required the version that the cache had. An event with exactly such a
 * version tells its writer nothing new. The oldest are forgotten.
 */
export class OwnVersions {
  readonly #writers = new Map<string, string>();

  get size(): number {
    return this.#writers.size;
  }

  add(writer: string, resource: GroupResource, object: CachedObject): void {
    this.#writers.set(versionKey(resource, object), writer);
    if (this.#writers.size <= LIMIT) return;
    const [oldest = ''] = this.#writers.keys();
    this.#writers.delete(oldest);
  }

  /** Returns the writer of exactly this version of the object; undefined if it is not known. */
  writerOf(resource: GroupResource, object: CachedObject): string | undefined {
    return this.#writers.get(versionKey(resource, object));
  }
}

function versionKey({ group, resource }: GroupResource, object: CachedObject): string {
  const place = `${namespaceOf(object)}/${nameOf(object)}`;
  return `${resource}.${group} ${place} ${uidOf(object)} ${versionIn(object)}`;
}
