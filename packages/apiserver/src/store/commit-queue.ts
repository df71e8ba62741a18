import { type Clock, Deferred, nextTurn, sleep } from 'client-ts/internal';

import { DataError } from './data-error.ts';
import type { DurableStore, StoredCompaction, StoredRevision } from './durable-store.ts';
import type { StoreEvent } from './store.ts';

/** Where writes go, and who is notified. */
export interface CommitQueueOptions {
  readonly store: DurableStore;
  readonly clock: Clock;
  /** Called in order with the writes that a crash can no longer undo. */
  readonly onCommitted: (events: readonly StoreEvent[]) => void;
  /** Called with all writes since the last commit, which must be undone. */
  readonly onFailed: (events: readonly StoreEvent[]) => void;
  /** Called with the error of a failed commit; once until a commit succeeds again. */
  readonly onError: (error: unknown) => void;
}

/** Writes that are committed together. */
interface Batch {
  readonly events: StoreEvent[];
  readonly compactions: StoredCompaction[];
  readonly done: Deferred;
}

/**
 * How long a commit waits after a failed one. A controller repeats a write that was undone
 * immediately, which must not keep the process busy while the disk is full.
 */
const RETRY_MS = 200;

/**
 * Commits writes in groups: all writes of one turn of the event loop share a commit, and all that
 * come during a commit share the next. Writes are committed in order, so that a crash keeps all
 * writes up to some revision and none after it.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  /** Collects writes. */
  #next: Batch | undefined;
  #current: Batch | undefined;
  #run: Promise<void> | undefined;
  #hasFailed = false;
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  add(event: StoreEvent): void {
    this.#open().events.push(event);
  }

  compact(compaction: StoredCompaction): void {
    this.#open().compactions.push(compaction);
  }

  /**
   * Resolves when everything added so far is committed, and rejects if it was undone; undefined if
   * nothing is pending.
   */
  pending(): Promise<void> | undefined {
    return (this.#next ?? this.#current)?.done.promise;
  }

  /** Commits what is pending, then closes the store. Later writes fail. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#run;
    this.#isClosed = true;
    await this.#options.store.close();
  }

  #open(): Batch {
    if (this.#next === undefined) {
      this.#next = { events: [], compactions: [], done: new Deferred() };
      // There may be nothing that waits for it.
      this.#next.done.promise.catch(() => undefined);
      this.#run ??= this.#commitAll();
    }
    return this.#next;
  }

  async #commitAll(): Promise<void> {
    await nextTurn();
    for (let batch = this.#next; batch !== undefined; batch = this.#next) {
      if (this.#hasFailed) await this.#pause();
      this.#next = undefined;
      this.#current = batch;
      try {
        await this.#commit(batch);
      } catch (error) {
        this.#fail(batch, error);
        continue;
      }
      this.#current = undefined;
      this.#hasFailed = false;
      this.#options.onCommitted(batch.events);
      batch.done.resolve();
    }
    this.#run = undefined;
  }

  async #pause(): Promise<void> {
    const { signal } = this.#closing;
    await sleep(this.#options.clock, RETRY_MS, { signal }).catch(() => undefined);
  }

  async #commit({ events, compactions }: Batch): Promise<void> {
    if (this.#isClosed) throw new DataError('APISERVER_DATA_CLOSED', 'the server is closed');
    await this.#options.store.commit({
      revisions: events.map(storedRevision),
      compactions,
      settings: {},
    });
  }

  /** Writes that were added during the commit are based on those that failed. */
  #fail(batch: Batch, cause: unknown): void {
    const { onError, onFailed } = this.#options;
    const later = this.#next;
    this.#current = undefined;
    this.#next = undefined;
    onFailed([...batch.events, ...(later?.events ?? [])]);
    const error =
      cause instanceof DataError
        ? cause
        : new DataError('APISERVER_DATA_FAILED', `the store failed: ${String(cause)}`, { cause });
    if (!this.#hasFailed) onError(error);
    this.#hasFailed = true;
    batch.done.reject(error);
    later?.done.reject(error);
  }
}

function storedRevision(event: StoreEvent): StoredRevision {
  const { revision, entry, previous } = event;
  const { key, createRevision } = entry ?? previous;
  return {
    revision,
    key,
    value: entry === undefined ? undefined : JSON.stringify(entry.value),
    createRevision,
    previousRevision: previous?.modRevision,
  };
}
