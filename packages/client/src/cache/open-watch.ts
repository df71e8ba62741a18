import { nextTurn } from '../lib/next-turn.ts';
import { anySignal, onAbort, type OwnedSignal } from '../lib/signal.ts';
import type { FirstState } from './first-state.ts';
import type { CachedObject, ListedEvent, ListedEvents } from './list-watch.ts';

/** What an {@link OpenWatch} begins with. */
export interface OpenWatchOptions<T extends CachedObject> {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Monotonic time before the request: a proxy may hold the answer back. */
  readonly startedAt: number;
  /** The version from which it watches; empty for any. */
  readonly resourceVersion: string;
  /** Collects a first state that comes as a stream. */
  readonly initial: FirstState<T> | undefined;
}

/** The current watch of a reflector, from the request to its end, and how far it has come. */
export class OpenWatch<T extends CachedObject> {
  readonly startedAt: number;
  /** Collects a streamed first state until it is complete. */
  initial: FirstState<T> | undefined;
  /** True once the first state has arrived as a whole, while the store accepts it. */
  isComplete = false;
  /** How far the watch has come. */
  resourceVersion: string;
  /**
   * False while the first state arrives as ADDED events: they are in no order, and their versions do
   * not show how far the watch has come.
   */
  isOrdered: boolean;
  /** The number of accepted events. */
  received = 0;
  readonly #closing = new AbortController();
  readonly #until: OwnedSignal;
  #isStopped = false;
  #events: ReturnType<ListedEvents<T>[typeof Symbol.asyncIterator]> | undefined;
  /** Ends the wait for the next event; undefined if there is none. */
  #abandonRead: (() => void) | undefined;

  constructor({ signal, startedAt, resourceVersion, initial }: OpenWatchOptions<T>) {
    this.startedAt = startedAt;
    this.resourceVersion = resourceVersion;
    this.initial = initial;
    this.isOrdered = initial === undefined && resourceVersion !== '' && resourceVersion !== '0';
    this.#until = anySignal([signal, this.#closing.signal]);
    // Sources end when the signal aborts. One that has not done so a turn later ignores it.
    onAbort(this.#until.signal, () => {
      this.#isStopped = true;
      void nextTurn().then(() => this.#abandonRead?.());
    });
  }

  /** Aborts when the watch is stopped or closed: for its request. */
  get signal(): AbortSignal {
    return this.#until.signal;
  }

  /** True once the signal has aborted: reading that for every event costs as much as applying it. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Takes the events of the source, which are read from now on. */
  async begin(source: ListedEvents<T>): Promise<void> {
    this.#events = source[Symbol.asyncIterator]();
    // The source ignored the signal, or the watch opened too late: it is not read.
    if (this.#isStopped) await this.#events.return?.();
  }

  /** Returns an event that has arrived, without a promise. */
  ready(): ListedEvent<T> | undefined {
    return this.#events?.ready?.();
  }

  /** As `arrival` of the source; undefined if there is only {@link OpenWatch.next}. */
  arrival(): Promise<void> | undefined {
    return this.#events?.arrival?.();
  }

  /** Resolves with the next event, or with undefined at the end and when the read is abandoned. */
  next(): Promise<ListedEvent<T> | undefined> {
    return new Promise((resolve, reject) => {
      const next = Promise.resolve(this.#events?.next());
      this.#abandonRead = () => resolve(undefined);
      next.then(
        (result) => {
          this.#abandonRead = undefined;
          resolve(result?.done === false ? result.value : undefined);
        },
        (error: Error) => {
          this.#abandonRead = undefined;
          reject(error);
        },
      );
    });
  }

  /** Ends the watch, and with it the reading of its events. */
  stop(): void {
    this.#closing.abort();
  }

  /** Ends the watch, and resolves when its source has released everything. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#until[Symbol.dispose]();
    const closed = this.#events?.return?.();
    // A generator returns when its `next` settles, which an abandoned one may never do.
    if (this.#abandonRead === undefined) await closed;
    else closed?.catch(() => undefined);
  }
}
