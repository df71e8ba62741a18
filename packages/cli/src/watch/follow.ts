import { Backoff, type Clock, type Random, retryOf, sleep } from 'client-ts/internal';
import { isExpired, type KubernetesObject, type ResourceDescriptor } from 'client-ts/meta';
import { type CanWatch, type QueryParameters, type WatchOptions } from 'client-ts/rest';
import { retryWatch } from 'client-ts/wait';

import { tableOfObjects } from '../print/object-table.ts';
import { type ColumnDefinition, isTable, type Table, type TableRow } from '../print/table.ts';
import { fetchAll, requestFor, type Shape, shaped } from '../resources/fetch.ts';
import type { Session } from '../resources/session.ts';

/** The type of a change. */
export type ChangeType = 'ADDED' | 'DELETED' | 'MODIFIED';

/** An object of a change. */
interface Seen {
  /** The object, or its metadata with tables. */
  readonly object: KubernetesObject;
  /** Only with tables. */
  readonly row?: TableRow;
}

/** A change of an object. */
export interface Change extends Seen {
  readonly type: ChangeType;
  /** True for the initial objects. */
  readonly isInitial: boolean;
}

/** Options of {@link follow}. */
export interface FollowOptions {
  readonly resource: ResourceDescriptor;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly shape: Shape;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with errors of the connection, which is retried. */
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

const pageSize = 500;
const relistBackoff = { initialMs: 800, maxMs: 30_000, jitter: 0.5 };

/**
 * Yields all objects, a page at a time, then every change, across lost connections and server restarts. If the server
 * has lost the history, everything is listed again and the difference is yielded, deletions
 * included: only intermediate states are missed.
 *
 * Throws if the first list fails or the server refuses the watch.
 */
export class Follower {
  readonly #session: Session;
  readonly #options: FollowOptions;
  /** The last known state of all objects, by uid. */
  readonly #known = new Map<string, Seen>();
  #columns: readonly ColumnDefinition[] = [];

  constructor(session: Session, options: FollowOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** The columns, known from the first row. */
  get columns(): readonly ColumnDefinition[] {
    return this.#columns;
  }

  async *changes(): AsyncGenerator<readonly Change[], never, undefined> {
    const { signal, onError } = this.#options;
    let version = yield* this.#list(true);
    for (;;) {
      try {
        yield* this.#watch(version);
        signal.throwIfAborted();
      } catch (error) {
        signal.throwIfAborted();
        if (!isExpired(error)) throw error;
        onError(error);
        version = yield* this.#listAgain();
      }
    }
  }

  async *#listAgain(): AsyncGenerator<readonly Change[], string, undefined> {
    const { clock, random, signal, onError } = this.#options;
    const backoff = new Backoff({ ...relistBackoff, clock, random });
    for (;;) {
      try {
        return yield* this.#list(false);
      } catch (error) {
        signal.throwIfAborted();
        if (retryOf(error) === 'never') throw error;
        onError(error);
        await sleep(clock, backoff.next(), { signal });
      }
    }
  }

  /** Yields the differences of a list, and returns its version. */
  async *#list(isInitial: boolean): AsyncGenerator<readonly Change[], string, undefined> {
    const { resource, shape } = this.#options;
    const gone = new Set(this.#known.keys());
    let version = '';
    const pages = fetchAll(this.#session, resource, shape, {
      ...this.#options,
      chunkSize: pageSize,
    });
    for await (const answer of pages) {
      version = answer.page.resourceVersion;
      const all = 'table' in answer ? this.#rowsOf(answer.table) : this.#seen(answer.objects);
      const changes: Change[] = [];
      for (const seen of all) {
        const key = keyOf(seen.object);
        gone.delete(key);
        const change = this.#note(key, seen, isInitial);
        if (change !== undefined) changes.push(change);
      }
      if (changes.length > 0) yield changes;
    }
    const deleted: Change[] = [];
    for (const key of gone) {
      const last = this.#known.get(key);
      this.#known.delete(key);
      if (last !== undefined) deleted.push({ ...last, type: 'DELETED', isInitial: false });
    }
    if (deleted.length > 0) yield deleted;
    return version;
  }

  async *#watch(resourceVersion: string): AsyncGenerator<readonly Change[], void, undefined> {
    const { signal, onError, clock, random } = this.#options;
    const events = retryWatch(this.#watchable(), {
      resourceVersion,
      signal,
      clock,
      random,
      onRetry: (error) => onError(error),
    });
    for await (const { type, object } of events) {
      const all = isTable(object) ? this.#rowsOf(object) : this.#seen([object]);
      for (const seen of all) {
        const key = keyOf(seen.object);
        if (type === 'DELETED') this.#known.delete(key);
        else this.#known.set(key, seen);
      }
      yield all.map((seen) => ({ ...seen, type, isInitial: false }));
    }
  }

  /** The list and watch functions for `retryWatch`, with tables if requested. */
  #watchable(): CanWatch<KubernetesObject> {
    const { resource, namespace, labelSelector, fieldSelector, shape } = this.#options;
    const request = shaped(requestFor(this.#session, resource, namespace), shape);
    const watch = ({ signal, resourceVersion, timeoutSeconds }: WatchOptions = {}): unknown => {
      const query: QueryParameters = {
        labelSelector,
        fieldSelector,
        resourceVersion,
        timeoutSeconds,
        allowWatchBookmarks: true,
      };
      return request.params(query).watch<KubernetesObject>({ signal });
    };
    return { watch } as CanWatch<KubernetesObject>;
  }

  /** Undefined for no change. */
  #note(key: string, seen: Seen, isInitial: boolean): Change | undefined {
    const before = this.#known.get(key);
    this.#known.set(key, seen);
    if (before === undefined) return { ...seen, type: 'ADDED', isInitial };
    const isSame =
      before.object.metadata?.resourceVersion === seen.object.metadata?.resourceVersion;
    return isSame ? undefined : { ...seen, type: 'MODIFIED', isInitial: false };
  }

  #rowsOf(table: Table): Seen[] {
    const columns = table.columnDefinitions ?? [];
    if (columns.length > 0) this.#columns = columns;
    return (table.rows ?? []).map((row) => ({ object: row.object ?? {}, row }));
  }

  /** Servers without tables send objects. */
  #seen(objects: readonly KubernetesObject[]): Seen[] {
    const { shape, clock, resource } = this.#options;
    if (shape.as === 'table') return this.#rowsOf(tableOfObjects(objects, clock.now()));
    return objects.map((object) => ({ object: { kind: resource.kind, ...object } }));
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return metadata?.uid ?? `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
