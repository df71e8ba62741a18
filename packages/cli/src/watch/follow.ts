import { Backoff, type Clock, type Random, retryOf, sleep } from 'client-ts/internal';
import { isExpired, type KubernetesObject, type ResourceDescriptor } from 'client-ts/meta';
import { type CanWatch, type QueryParameters, type WatchOptions } from 'client-ts/rest';
import { retryWatch } from 'client-ts/wait';

import { tableOfObjects } from '../print/object-table.ts';
import { type ColumnDefinition, isTable, type Table, type TableRow } from '../print/table.ts';
import { fetchAll, requestFor, type Shape, shaped } from '../resources/fetch.ts';
import type { Session } from '../resources/session.ts';

/** What happened to an object. */
export type ChangeType = 'ADDED' | 'DELETED' | 'MODIFIED';

/** An object as it is told of. */
interface Told {
  /** All of it, or its metadata if tables were asked for. */
  readonly object: KubernetesObject;
  /** Only if tables were asked for. */
  readonly row?: TableRow;
}

/** An object that was there already, appeared, changed or went. */
export interface Change extends Told {
  readonly type: ChangeType;
  /** True for what was there when it began. */
  readonly isInitial: boolean;
}

/** What is followed, and how it is told. */
export interface FollowOptions {
  readonly resource: ResourceDescriptor;
  /** The empty string is everywhere. */
  readonly namespace: string;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly shape: Shape;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of connections that were lost and of servers that could not be reached. */
  readonly onTrouble: (error: unknown) => void;
  readonly signal: AbortSignal;
}

const pageSize = 500;
const relistBackoff = { initialMs: 800, maxMs: 30_000, jitter: 0.5 };

/**
 * Tells of everything that is there, then of every change, through lost connections and servers
 * that restart. When the server has forgotten what happened in between, everything is read again
 * and the difference is told, deletions included: nothing is missed but states in between.
 *
 * Fails if the first list fails, and if the server refuses to be watched.
 */
export class Follower {
  readonly #session: Session;
  readonly #options: FollowOptions;
  /** The last known state of everything that is there, by uid. */
  readonly #known = new Map<string, Told>();
  #columns: readonly ColumnDefinition[] = [];

  constructor(session: Session, options: FollowOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** The columns of the rows; known with the first of them. */
  get columns(): readonly ColumnDefinition[] {
    return this.#columns;
  }

  async *changes(): AsyncGenerator<Change, never, undefined> {
    const { signal, onTrouble } = this.#options;
    let version = yield* this.#list(true);
    for (;;) {
      try {
        yield* this.#watch(version);
        signal.throwIfAborted();
      } catch (error) {
        signal.throwIfAborted();
        if (!isExpired(error)) throw error;
        onTrouble(error);
        version = yield* this.#listAgain();
      }
    }
  }

  async *#listAgain(): AsyncGenerator<Change, string, undefined> {
    const { clock, random, signal, onTrouble } = this.#options;
    const backoff = new Backoff({ ...relistBackoff, clock, random });
    for (;;) {
      try {
        return yield* this.#list(false);
      } catch (error) {
        signal.throwIfAborted();
        if (retryOf(error) === 'never') throw error;
        onTrouble(error);
        await sleep(clock, backoff.next(), { signal });
      }
    }
  }

  /** Tells of everything that is not known as it is, and gives the version to go on from. */
  async *#list(isInitial: boolean): AsyncGenerator<Change, string, undefined> {
    const { resource, shape } = this.#options;
    const gone = new Set(this.#known.keys());
    let version = '';
    const pages = fetchAll(this.#session, resource, shape, {
      ...this.#options,
      chunkSize: pageSize,
    });
    for await (const answer of pages) {
      version = answer.page.resourceVersion;
      const all = 'table' in answer ? this.#rowsOf(answer.table) : this.#told(answer.objects);
      for (const told of all) {
        const key = keyOf(told.object);
        gone.delete(key);
        const change = this.#note(key, told, isInitial);
        if (change !== undefined) yield change;
      }
    }
    for (const key of gone) {
      const last = this.#known.get(key);
      this.#known.delete(key);
      if (last !== undefined) yield { ...last, type: 'DELETED', isInitial: false };
    }
    return version;
  }

  async *#watch(resourceVersion: string): AsyncGenerator<Change, void, undefined> {
    const { signal, onTrouble, clock, random } = this.#options;
    const events = retryWatch(this.#watchable(), {
      resourceVersion,
      signal,
      clock,
      random,
      onRetry: (error) => onTrouble(error),
    });
    for await (const { type, object } of events) {
      const all = isTable(object) ? this.#rowsOf(object) : this.#told([object]);
      for (const told of all) {
        const key = keyOf(told.object);
        if (type === 'DELETED') this.#known.delete(key);
        else this.#known.set(key, told);
        yield { ...told, type, isInitial: false };
      }
    }
  }

  /** A client in the shape that `retryWatch` wants, which asks for tables if they are wanted. */
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

  /** Undefined if nothing has happened to it. */
  #note(key: string, told: Told, isInitial: boolean): Change | undefined {
    const before = this.#known.get(key);
    this.#known.set(key, told);
    if (before === undefined) return { ...told, type: 'ADDED', isInitial };
    const isSame =
      before.object.metadata?.resourceVersion === told.object.metadata?.resourceVersion;
    return isSame ? undefined : { ...told, type: 'MODIFIED', isInitial: false };
  }

  #rowsOf(table: Table): Told[] {
    const columns = table.columnDefinitions ?? [];
    if (columns.length > 0) this.#columns = columns;
    return (table.rows ?? []).map((row) => ({ object: row.object ?? {}, row }));
  }

  /** A server that makes no tables sends objects, whatever it is asked for. */
  #told(objects: readonly KubernetesObject[]): Told[] {
    const { shape, clock, resource } = this.#options;
    if (shape.as === 'table') return this.#rowsOf(tableOfObjects(objects, clock.now()));
    return objects.map((object) => ({ object: { kind: resource.kind, ...object } }));
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return metadata?.uid ?? `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
