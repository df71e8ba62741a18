import type { ExpectedKind } from '../cache/event-sink.ts';
import { metaNamespaceIndexFunc } from '../cache/index-funcs.ts';
import type { CachedObject, ListableResource } from '../cache/list-watch.ts';
import { checkReflectorNumbers } from '../cache/reflector-options.ts';
import { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { groupResourceName, type GroupVersionResource } from '../meta/resource.ts';
import { selectsNothing } from '../rest/nothing.ts';
import type { SelectorOptions } from '../rest/options.ts';
import { factoryListWatch } from './factory-list-watch.ts';
import type { InformerMachinery, InformerOptions } from './informer-options.ts';
import { InformerRun } from './informer-run.ts';
import { Lister } from './lister.ts';
import type { SharedIndexers } from './resource-informer.ts';

/** What there is to know of an informer before there is one. */
export interface InformerOrder {
  readonly resource: GroupVersionResource;
  /** Empty for all. */
  readonly namespace: string;
  readonly selection: SelectorOptions;
  readonly resyncPeriod: number;
  readonly transform: InformerOptions<CachedObject>['transform'];
  /** Who is asked; informers of different clients are different. */
  readonly client: object;
  readonly expectedKind: ExpectedKind | undefined;
  readonly reach: () => ListableResource<CachedObject, SelectorOptions>;
}

/** An informer and those who hold it. */
export interface RegisteredInformer {
  readonly key: string;
  readonly informer: SharedIndexInformer<CachedObject, SharedIndexers<CachedObject>>;
  readonly lister: Lister<CachedObject>;
  readonly run: InformerRun;
  readonly holders: Set<object>;
}

/**
 * The informers that factories share. Where client, resource and options are the same, so is the
 * informer: one watch and one cache. Give it to several factories, or let one make its own.
 */
export class InformerRegistry {
  readonly #machinery: InformerMachinery;
  readonly #informers = new Map<string, RegisteredInformer>();
  readonly #identities = new Identities();

  constructor(machinery: InformerMachinery = {}) {
    checkReflectorNumbers(machinery);
    checkNumbers(machinery, { gracePeriodMs: 'duration' });
    this.#machinery = machinery;
  }

  /** How many informers there are. */
  get size(): number {
    return this.#informers.size;
  }

  /** The informer that was ordered, made if there is none. It stays while somebody holds it. */
  acquire(order: InformerOrder, holder: object): RegisteredInformer {
    const key = this.keyOf(order);
    const registered = this.#informers.get(key) ?? this.#make(key, order);
    this.#informers.set(key, registered);
    registered.holders.add(holder);
    return registered;
  }

  /** Forgets the informer if nobody else holds it, and resolves when it has come to rest then. */
  async release({ key, holders, run }: RegisteredInformer, holder: object): Promise<void> {
    const wasHeld = holders.delete(holder);
    if (wasHeld && holders.size === 0) this.#informers.delete(key);
    await run.leave(holder);
  }

  /** The same for orders of the same informer, and for no others. */
  keyOf(order: InformerOrder): string {
    const { resource, namespace, selection, resyncPeriod, transform, client } = order;
    return JSON.stringify([
      this.#identities.of(client),
      resource.group,
      resource.version,
      resource.resource,
      namespace,
      selectsNothing(selection) ? null : selectorTexts(selection),
      resyncPeriod,
      transform === undefined ? 0 : this.#identities.of(transform),
    ]);
  }

  #make(key: string, order: InformerOrder): RegisteredInformer {
    const { resource, selection, resyncPeriod, transform, expectedKind } = order;
    const { onFailure, onProblem, onHandlerError, ...machinery } = this.#machinery;
    const name = nameOf(order);
    const informer = new SharedIndexInformer<CachedObject, SharedIndexers<CachedObject>>({
      ...machinery,
      name,
      listerWatcher: factoryListWatch(order.reach(), selection),
      indexers: { namespace: metaNamespaceIndexFunc },
      resyncPeriodMs: resyncPeriod,
      onFailure: (failure) => onFailure?.(failure, name),
      ...(onProblem && { onProblem: (problem) => onProblem(problem, name) }),
      ...(onHandlerError && { onHandlerError: (error) => onHandlerError(error, name) }),
      ...(expectedKind !== undefined && { expectedKind }),
      ...(transform !== undefined && { transform }),
    });
    return {
      key,
      informer,
      lister: new Lister({ indexer: informer.indexer, resource }),
      run: new InformerRun(informer),
      holders: new Set(),
    };
  }
}

/** `pods`, `deployments.apps in shop`, `pods with app=web`: how messages name an informer. */
function nameOf({ resource, namespace, selection }: InformerOrder): string {
  const selected = selectsNothing(selection)
    ? ['a selector that selects nothing']
    : selectorTexts(selection).filter(Boolean);
  return [
    groupResourceName(resource),
    ...(namespace === '' ? [] : [`in ${namespace}`]),
    ...(selected.length === 0 ? [] : [`with ${selected.join(' and ')}`]),
  ].join(' ');
}

/** Empty for selectors that are absent, or that select everything. */
function selectorTexts(selection: SelectorOptions): string[] {
  const { labelSelector = '', fieldSelector = '', shardSelector = '' } = selection;
  return [labelSelector, fieldSelector, shardSelector].map(String);
}

/** Numbers for clients and functions, which are the same only if they are the same one. */
class Identities {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  of(object: object): number {
    const number = this.#numbers.get(object) ?? (this.#last += 1);
    this.#numbers.set(object, number);
    return number;
  }
}
