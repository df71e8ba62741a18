import { identityOf, nameOf, namespaceOf } from '../meta/object.ts';
import { CacheError } from './cache-error.ts';
import type { CachedObject, ListedEvent } from './list-watch.ts';
import { versionOf } from './object-version.ts';
import type { ReflectorStore } from './store.ts';

/** The mark on the bookmark after which everything that there was has been sent. */
const initialEventsEnd = 'k8s.io/initial-events-end';

/** What the objects of a watch must say that they are, where they say it. */
export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** How an {@link EventSink} is made. */
export interface EventSinkOptions<T extends CachedObject> {
  readonly store: Pick<ReflectorStore<T>, 'add' | 'bookmark' | 'delete' | 'update'>;
  readonly resourceVersion: string;
  /**
   * False if the watch begins with everything there is as ADDED events, which are in no order: their
   * versions say nothing about how far the watch has come.
   */
  readonly isOrdered: boolean;
  readonly expectedKind: ExpectedKind | undefined;
  /** Hears of objects that were left out. */
  readonly onError: (problem: CacheError) => void;
}

/**
 * Where the events of one watch go: into the store, one by one, with an account of how far it has
 * come. An object that is not of the expected kind is reported and skipped as if it had not come;
 * one that the store refuses is reported and lost until the next list.
 */
export class EventSink<T extends CachedObject> {
  #store: EventSinkOptions<T>['store'];
  readonly #expectedKind: ExpectedKind | undefined;
  readonly #onError: (problem: CacheError) => void;
  #resourceVersion: string;
  #isPastInitial: boolean;
  #events = 0;

  constructor(options: EventSinkOptions<T>) {
    this.#store = options.store;
    this.#expectedKind = options.expectedKind;
    this.#onError = options.onError;
    this.#resourceVersion = options.resourceVersion;
    this.#isPastInitial = options.isOrdered;
  }

  /** How many events were of use. */
  get events(): number {
    return this.#events;
  }

  /** How far the watch has come. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** From here on the events go into another store. */
  redirect(store: EventSinkOptions<T>['store']): void {
    this.#store = store;
  }

  /** True for the bookmark that says that everything there was has been sent. */
  apply(event: Exclude<ListedEvent<T>, { readonly type: 'ERROR' }>): boolean {
    const { type, object } = event;
    if (!this.#isExpected(type, object)) return false;
    if (type !== 'ADDED') this.#isPastInitial = true;
    const version = versionOf(object) ?? '';
    try {
      if (type === 'ADDED') this.#store.add(event.object);
      else if (type === 'MODIFIED') this.#store.update(event.object);
      else if (type === 'DELETED') this.#store.delete(event.object);
      else if (version !== '') this.#store.bookmark(version);
    } catch (cause) {
      const message = `the store did not take a ${type} event of ${describe(object)}`;
      this.#onError(new CacheError('CACHE_STORE_FAILED', message, { cause }));
    }
    if (this.#isPastInitial && version !== '') this.#resourceVersion = version;
    this.#events += 1;
    return type === 'BOOKMARK' && object.metadata?.annotations?.[initialEventsEnd] === 'true';
  }

  #isExpected(type: string, object: CachedObject): boolean {
    const expected = this.#expectedKind;
    const isRight =
      hasMetadata(object) &&
      (expected === undefined ||
        object.kind === undefined ||
        (object.kind === expected.kind && object.apiVersion === expected.apiVersion));
    if (!isRight || object.kind === 'Table') {
      const found = `${object.apiVersion ?? '?'} ${object.kind ?? '?'}`;
      const wanted =
        expected === undefined ? '' : `, not of ${expected.apiVersion} ${expected.kind}`;
      const message = `a ${type} event brought an object of ${found}${wanted}`;
      this.#onError(new CacheError('CACHE_OBJECT_UNEXPECTED', message));
      return false;
    }
    return true;
  }
}

/** What has a name has metadata, and need not be touched to know. */
function hasMetadata(object: CachedObject): boolean {
  const { name = '' } = identityOf(object) ?? {};
  return name !== '' || typeof object.metadata === 'object';
}

function describe(object: CachedObject): string {
  const namespace = namespaceOf(object);
  return JSON.stringify(namespace === '' ? nameOf(object) : `${namespace}/${nameOf(object)}`);
}
