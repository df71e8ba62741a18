import { namespaceIndex } from '../cache/indexers.ts';
import type { Indexer } from '../cache/indexer.ts';
import type { IndexFunc } from '../cache/indexers.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { newNotFound } from '../meta/error-factories.ts';
import { LabelMatcher, parseLabelSelector } from '../meta/labels.ts';
import { labelsOf } from '../meta/object.ts';
import type { GroupResource } from '../meta/resource.ts';

/** A label selector: `app=web,tier!=cache`, or the result of `parseLabelSelector`. */
export type ListerSelector = LabelMatcher | string;

/** Options of {@link Lister}. */
export interface ListerOptions<T extends CachedObject> {
  /** The store of an informer, with an index by `namespace`. */
  readonly indexer: Indexer<T, { readonly [namespaceIndex]: IndexFunc<T, string> }>;
  /** The resource in errors. */
  readonly resource: GroupResource;
}

/**
 * Reads objects from the cache of an informer, without a request: the answer is as old as the cache.
 * The objects are shared and must not be changed.
 */
export class Lister<T extends CachedObject> {
  readonly #options: ListerOptions<T>;

  constructor(options: ListerOptions<T>) {
    this.#options = options;
  }

  /** Returns all objects that match, in all namespaces. Throws `LabelSelectorError` if it is invalid. */
  list(selector: ListerSelector = LabelMatcher.everything): T[] {
    return matching(this.#options.indexer.values(), selector);
  }

  /** Returns a cluster-scoped object. Throws an error for which `isNotFound` holds. */
  get(name: string): T {
    return found(this.find(name), this.#options.resource, name);
  }

  /** Returns a cluster-scoped object; undefined if there is none. */
  find(name: string): T | undefined {
    return this.#options.indexer.getByKey(name);
  }

  /** Returns a lister of one namespace. */
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

  /** Returns all objects that match. Throws `LabelSelectorError` if the selector is invalid. */
  list(selector: ListerSelector = LabelMatcher.everything): T[] {
    return matching(this.#options.indexer.valuesByIndex(namespaceIndex, this.#namespace), selector);
  }

  /** Returns an object. Throws an error for which `isNotFound` holds. */
  get(name: string): T {
    return found(this.find(name), this.#options.resource, name);
  }

  /** Returns an object; undefined if there is none. */
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
