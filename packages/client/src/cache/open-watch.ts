import { anySignal, type OwnedSignal } from '../lib/signal.ts';
import type { ListedEvent, ListerWatcher, WatchRequest } from './list-watch.ts';

/** Events that know the next one without waiting for it: those of a client of the API. */
interface MayBeReady<T> {
  ready?(): ListedEvent<T> | undefined;
}

/**
 * One watch, from the request on. Closing it, or the end of the signal it was made under, ends its
 * events without an error.
 */
export class OpenWatch<T> implements AsyncDisposable {
  /** On the monotonic scale, before the request: something between may hold the answer back. */
  readonly startedAt: number;
  readonly #closing = new AbortController();
  readonly #signal: OwnedSignal;
  #iterator: (AsyncIterator<ListedEvent<T>> & MayBeReady<T>) | undefined;

  constructor(startedAt: number, signal: AbortSignal) {
    this.startedAt = startedAt;
    this.#signal = anySignal([signal, this.#closing.signal]);
  }

  get isClosed(): boolean {
    return this.#signal.signal.aborted;
  }

  async open(
    { watch }: { readonly watch: ListerWatcher<T>['watch'] },
    request: Omit<WatchRequest, 'signal'>,
  ): Promise<void> {
    const events = await watch({ ...request, signal: this.#signal.signal });
    this.#iterator = events[Symbol.asyncIterator]();
  }

  /** The next event if it has arrived already, else undefined. */
  ready(): ListedEvent<T> | undefined {
    return this.isClosed ? undefined : this.#iterator?.ready?.();
  }

  /** The next event; undefined at the end. */
  async next(): Promise<ListedEvent<T> | undefined> {
    if (this.isClosed) return undefined;
    const result = await this.#iterator?.next();
    return result?.done === false ? result.value : undefined;
  }

  /** Ends the events, also while somebody waits for one. */
  close(): void {
    this.#closing.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    this.#signal[Symbol.dispose]();
    await this.#iterator?.return?.();
  }
}
