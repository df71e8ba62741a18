import { namespaceIndex } from '../cache/indexers.ts';
import type { Indexer } from '../cache/indexer.ts';
import type { IndexFunc } from '../cache/indexers.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { newNotFound } from '../meta/error-factories.ts';
import { LabelMatcher, parseLabelSelector } from '../meta/labels.ts';
import { labelsOf } from '../meta/object.ts';
import type { GroupResource } from '../meta/resource.ts';

/** Which objects: `app=web,tier!=cache`, or what `parseLabelSelector` makes of it. */
export type ListerSelector = LabelMatcher | string;

/** How a {@link Lister} is made. */
export interface ListerOptions<T extends CachedObject> {
  /** The store of an informer. With an index by `namespace`, lists of a namespace are quick. */
  readonly indexer: Indexer<T, { readonly [namespaceIndex]: IndexFunc<T, string> }>;
  /** How errors name what was not found. */
  readonly resource: GroupResource;
}

/**
 * Reads objects from the cache of an informer as one would from the server, but without a request:
 * the answer is as old as the cache. What comes out belongs to the cache and must not be changed.
 */
export class Lister<T extends CachedObject> {
  readonly #options: ListerOptions<T>;

  constructor(options: ListerOptions<T>) {
    this.#options = options;
  }

  /** All objects that match, of all namespaces. Throws `LabelSelectorError` for a broken selector. */
  list(selector: ListerSelector = LabelMatcher.everything): T[] {
    return matching(this.#options.indexer.values(), selector);
  }

  /** An object outside of namespaces. Throws an error for which `isNotFound` holds. */
  get(name: string): T {
    return found(this.find(name), this.#options.resource, name);
  }

  /** An object outside of namespaces, undefined if there is none. */
  find(name: string): T | undefined {
    return this.#options.indexer.getByKey(name);
  }

  /** The objects of one namespace. */
  namespace(namespace: string): NamespaceLister<T> {
    return new NamespaceLister(this.#options, namespace);
  }
}

/** A {@link Lister} of one namespace. */
export class NamespaceLister<T extends CachedObject> {
  readonly #options: ListerOptions<T>;
  readonly #namespace: string;

  /** Made by {@link Lister.namespace}. */
  constructor(options: ListerOptions<T>, namespace: string) {
    this.#options = options;
    this.#namespace = namespace;
  }

  /** All objects that match. Throws `LabelSelectorError` for a broken selector. */
  list(selector: ListerSelector = LabelMatcher.everything): T[] {
    return matching(this.#options.indexer.valuesByIndex(namespaceIndex, this.#namespace), selector);
  }

  /** Throws an error for which `isNotFound` holds. */
  get(name: string): T {
    return found(this.find(name), this.#options.resource, name);
  }

  /** Undefined if there is none. */
  find(name: string): T | undefined {
    return this.#options.indexer.getByKey(`${this.#namespace}/${name}`);
  }
}

function matching<T extends CachedObject>(objects: Iterable<T>, selector: ListerSelector): T[] {
  const matcher = typeof selector === 'string' ? parseLabelSelector(selector) : selector;
  if (matcher.isEmpty) return [...objects];
  const matched: T[] = [];
  for (const object of objects) if (matcher.matches(labelsOf(object))) matched.push(object);
  return matched;
}

function found<T>(object: T | undefined, resource: GroupResource, name: string): T {
  if (object === undefined) throw newNotFound(resource, name);
  return object;
}
