import type { CachedObject, ListableResource } from '../cache/list-watch.ts';
import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { type IndexFunc, namespaceIndex } from '../cache/indexers.ts';
import { ReadOnlyForm } from '../codec/lazy/read-only-form.ts';
import { deepFreeze } from '../lib/deep-freeze.ts';
import { getKey } from '../lib/json.ts';
import type { SharedIndexers } from '../informers/informer-factory.ts';
import { LabelMatcher, parseLabelSelector } from '../meta/labels.ts';
import { labelsOf, namespaceOf } from '../meta/object.ts';
import { groupResourceName, type ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { partialOf } from '../metadata/partial-object.ts';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from '../cache/store.ts';
import type { Consistency, StoredOptions } from './cached-resource.ts';
import { ControllerError } from './controller-error.ts';
import type { WriteOverlay } from './write-overlay.ts';

/** An informer of any resource, with the indices of a factory. */
export type AnyInformer = SharedIndexInformer<CachedObject, SharedIndexers<CachedObject>>;

/** One informer of a view, and the own writes that it has not caught up with. */
export interface ViewMember {
  /** The namespace that it watches; empty for all. */
  readonly namespace: string;
  readonly informer: AnyInformer;
  readonly overlay: WriteOverlay<CachedObject>;
  /** Returns the client of a namespace that the informer reads with. */
  readonly client: (namespace: string) => ListableResource<KubernetesObject>;
}

/** Selects objects of a view. */
export interface ViewQuery {
  readonly namespace?: string | undefined;
  readonly labelSelector?: LabelMatcher | string | undefined;
  readonly index?: readonly [name: string, value: boolean | number | string] | undefined;
}

/** Options of {@link CacheView}. */
export interface CacheViewOptions {
  readonly descriptor: ResourceDescriptor;
  readonly options: StoredOptions;
  readonly consistency: Consistency;
  readonly members: readonly ViewMember[];
}

/**
 * The cache of one resource with one set of options: an informer for each of its namespaces, and over
 * each a layer of own writes. Reads are synchronous. They throw rather than return a state that is
 * known to be too old.
 */
export class CacheView {
  readonly descriptor: ResourceDescriptor;
  readonly options: StoredOptions;
  readonly consistency: Consistency;
  readonly members: readonly ViewMember[];
  readonly #form: ReadOnlyForm;
  readonly #only: ViewMember | undefined;
  /** The member with every key that has this prefix, if there is one: a view of all namespaces, or of one. */
  readonly #prefixed: { readonly prefix: string; readonly member: ViewMember } | undefined;
  readonly #byNamespace: ReadonlyMap<string, ViewMember>;
  readonly #matcher: LabelMatcher;

  constructor({ descriptor, options, consistency, members }: CacheViewOptions) {
    this.descriptor = descriptor;
    this.options = options;
    this.consistency = consistency;
    this.members = members;
    this.#only = members.length === 1 && members[0]?.namespace === '' ? members[0] : undefined;
    this.#prefixed = prefixedOf(members);
    this.#byNamespace = new Map(members.map((member) => [member.namespace, member]));
    this.#matcher = matcherOf(options.labelSelector);
    this.#form = new ReadOnlyForm(options);
  }

  /** True once the first list of every informer is in its store. */
  get hasSynced(): boolean {
    return this.members.every(({ informer }) => informer.hasSynced);
  }

  /** The informer of a namespace; undefined if the namespace is not cached. */
  memberFor(namespace: string): ViewMember | undefined {
    return this.#only ?? this.#byNamespace.get(namespace);
  }

  get(namespace: string, name: string): CachedObject | undefined {
    const member = this.memberFor(namespace);
    if (member === undefined) throw this.#notCached(namespace);
    return this.#getIn(member, namespace === '' ? name : `${namespace}/${name}`);
  }

  /** As {@link CacheView.get}, by `namespace/name`. */
  getByKey(key: string): CachedObject | undefined {
    // Only a miss may have to do with the key: what is found is the object.
    const prefixed = this.#prefixed;
    const found =
      prefixed !== undefined && key.startsWith(prefixed.prefix)
        ? this.#getIn(prefixed.member, key)
        : undefined;
    if (found !== undefined) return found;
    const { namespace, name } = splitMetaNamespaceKey(key);
    return this.get(namespace, name);
  }

  #getIn(member: ViewMember, key: string): CachedObject | undefined {
    const { informer, overlay } = member;
    if (!isReadable(member)) throw this.#notSynced(member);
    if (overlay.isEmpty) return informer.indexer.getByKey(key);
    if (overlay.isBehind) throw this.#behind(member);
    if (overlay.isUncertain(key)) throw this.#unsettled(key);
    return overlay.get(key);
  }

  list(query: ViewQuery): CachedObject[] {
    const { namespace } = query;
    if (namespace === undefined || namespace === '') {
      return this.members.flatMap((member) => this.#listIn(member, query));
    }
    const member = this.memberFor(namespace);
    if (member === undefined) throw this.#notCached(namespace);
    return this.#listIn(member, query);
  }

  /** True if the selector of the view matches an object. */
  selects(object: CachedObject): boolean {
    return this.#matcher.matches(labelsOf(object));
  }

  /** Returns an object as this view caches it. It is frozen. */
  cachedFormOf(object: CachedObject): CachedObject {
    const { metadataOnly = false, transform } = this.options;
    const reduced = this.#form.of(metadataOnly ? partialOf(object as KubernetesObject) : object);
    return deepFreeze(transform === undefined ? reduced : transform(deepFreeze(reduced)));
  }

  #listIn(member: ViewMember, query: ViewQuery): CachedObject[] {
    const { informer, overlay } = member;
    if (!isReadable(member)) throw this.#notSynced(member);
    const { indexer } = informer;
    const { namespace = '', index, labelSelector } = query;
    const matcher = matcherOf(labelSelector);
    const isSelected = (object: CachedObject): boolean => matcher.matches(labelsOf(object));
    const inNamespace = (object: CachedObject): boolean =>
      namespace === '' || namespaceOf(object) === namespace;
    const stored =
      index !== undefined
        ? indexer.byIndex(index[0], index[1]).filter(inNamespace)
        : namespace === ''
          ? indexer.list()
          : indexer.byIndex(namespaceIndex, namespace);
    const selected = matcher.isEmpty ? stored : stored.filter(isSelected);
    if (overlay.isEmpty) return selected;
    if (overlay.isBehind) throw this.#behind(member);
    const objects = selected.filter((object) => !overlay.has(metaNamespaceKeyFunc(object)));
    for (const key of overlay.listKeys()) {
      if (overlay.isUncertain(key)) {
        if (namespace === '' || key.startsWith(`${namespace}/`)) throw this.#unsettled(key);
        continue;
      }
      const object = overlay.get(key);
      if (object === undefined || !inNamespace(object) || !isSelected(object)) continue;
      if (index === undefined || hasValue(indexer.getIndexers(), index, object))
        objects.push(object);
    }
    return objects;
  }

  #notCached(namespace: string): ControllerError {
    const cachedOnes = [...this.#byNamespace.keys()].map((name) => JSON.stringify(name)).join(', ');
    return new ControllerError(
      'CONTROLLER_NOT_CACHED',
      `${this.#name} is cached in ${cachedOnes}, not in ${JSON.stringify(namespace)}`,
      { hint: 'Add the namespace to the options of the resource, or read it with cache.client.' },
    );
  }

  #notSynced({ informer }: ViewMember): ControllerError {
    const message = `the cache of ${this.#name} has not synced: informer ${informer.name}`;
    return new ControllerError('CONTROLLER_NOT_SYNCED', message);
  }

  #behind({ informer }: ViewMember): ControllerError {
    const message = `the cache of ${this.#name} is older than own writes: informer ${informer.name}`;
    return new ControllerError('CONTROLLER_CACHE_BEHIND', message);
  }

  #unsettled(key: string): ControllerError {
    const message = `the outcome of the last write of ${this.#name} ${JSON.stringify(key)} is unknown`;
    return new ControllerError('CONTROLLER_WRITE_UNSETTLED', message);
  }

  get #name(): string {
    return groupResourceName(this.descriptor);
  }
}

function prefixedOf([only, ...others]: readonly ViewMember[]):
  | { readonly prefix: string; readonly member: ViewMember }
  | undefined {
  if (only === undefined || others.length > 0) return undefined;
  return { prefix: only.namespace === '' ? '' : `${only.namespace}/`, member: only };
}

/** A resource that the server does not have has no objects. */
function isReadable({ informer }: ViewMember): boolean {
  return informer.hasSynced || informer.state.state === 'absent';
}

function matcherOf(selector: LabelMatcher | string | undefined): LabelMatcher {
  if (selector === undefined) return LabelMatcher.everything;
  return typeof selector === 'string' ? parseLabelSelector(selector) : selector;
}

/** An object for which the index function throws is in no index, as in the store. */
function hasValue(
  indexers: Readonly<Record<string, IndexFunc<CachedObject>>>,
  [name, value]: NonNullable<ViewQuery['index']>,
  object: CachedObject,
): boolean {
  try {
    return getKey(indexers, name)?.(object).includes(value) === true;
  } catch {
    return false;
  }
}
