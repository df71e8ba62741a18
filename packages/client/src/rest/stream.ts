import { type Deadline, withDeadline } from '../lib/deadline.ts';
import { onAbort } from '../lib/signal.ts';
import type { IsEnough } from '../transport/connections/response-body.ts';

/** Sends a request under a signal and resolves when its items can be read. */
export type OpenStream<T> = (
  signal: AbortSignal,
) => AsyncIterable<T> | PromiseLike<AsyncIterable<T>>;

/** An async iterator that can return items that have already arrived without a promise. */
export interface ReadyIterator<T> extends AsyncIterator<T> {
  /**
   * Takes the next item if it has arrived. Returns undefined if the next step needs `next`: nothing
   * has arrived, or the items have ended. May throw what is wrong with the next item.
   */
  ready?(): T | undefined;
  /**
   * Returns a promise that resolves when `ready` may have something to return. Undefined if the next
   * step needs `next`, because the items have ended. Of chunks of bytes: it may wait until they are enough.
   */
  arrival?(isEnough?: IsEnough): Promise<void> | undefined;
  /** Items that were taken are no longer needed: their memory may be overwritten. Of chunks of bytes. */
  reuse?(): void;
}

/** Options of a {@link Stream}. */
export interface StreamOptions {
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the stream with the deadline's error. It starts when the stream is opened. */
  readonly deadline?: Deadline | undefined;
  /** Replaces an error before it is thrown. */
  readonly translateError?: ((error: unknown) => unknown) | undefined;
}

/**
 * A response that is read item by item, as fast as the reader takes items: the one iterator of
 * watches, logs and everything else that has no end. The request is sent when the first item is
 * read, or by {@link Stream.open}. There is one reader; calls of `next` that overlap are answered in
 * order.
 *
 * Leaving the loop, {@link Stream.close} and aborting the signal free the connection immediately,
 * also while `next` is waiting. They end the loop without an error. A refusal of the server, a
 * broken connection and a passed deadline are thrown once; afterwards the stream has ended.
 */
export class Stream<T> implements AsyncIterableIterator<T>, AsyncDisposable {
  readonly #request: OpenStream<T>;
  readonly #options: StreamOptions;
  readonly #stop = new AbortController();
  /** Listeners and timers that must go when the stream ends. */
  readonly #ties: Disposable[] = [];
  #opening: Promise<ReadyIterator<T>> | undefined;
  #items: ReadyIterator<T> | undefined;
  #isOver = false;
  /** True when `#stop` has aborted. Reading the signal for every item costs more than most items do. */
  #isStopped = false;
  /** An error that `ready` met. The next call of `next` throws it. */
  #failure: { readonly error: unknown } | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(request: OpenStream<T>, options: StreamOptions = {}) {
    this.#request = request;
    this.#options = options;
  }

  /** True after {@link Stream.close} and after an abort. */
  get isClosed(): boolean {
    return this.#isStopped || this.#options.signal?.aborted === true;
  }

  /**
   * Resolves when the server has accepted the request, before there is an item. Calling it is
   * optional. Rejects as the first `next` would; after an abort it resolves.
   */
  async open(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.#opened();
    } catch (error) {
      this.#untie();
      if (!this.isClosed) throw this.#translated(error);
    }
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const isFirst = this.#waiting === 0;
    this.#waiting += 1;
    const turn = isFirst ? this.#advance() : this.#last.then(() => this.#advance());
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Takes the next item if it has already arrived, else returns undefined. Fast readers use
   * `stream.ready() ?? (await stream.next())`: one chunk holds many items, and a promise per item
   * costs more than most items do.
   */
  ready(): T | undefined {
    if (!this.#isReadable()) return undefined;
    try {
      return this.#items?.ready?.();
    } catch (error) {
      this.#failure = { error };
      return undefined;
    }
  }

  /**
   * Returns a promise that resolves when {@link Stream.ready} may have an item, without one of its own
   * for every stage that the item passes. It resolves early if only part of an item has arrived.
   * Undefined if the next step needs `next`: the stream is not open, has ended or failed, or its source
   * does not say.
   */
  arrival(): Promise<void> | undefined {
    return this.#isReadable() ? this.#items?.arrival?.() : undefined;
  }

  /**
   * An open stream is tied to the signal of its options, so that an abort has stopped it. Not a getter:
   * V8 calls its runtime for a private one.
   */
  #isReadable(): boolean {
    return this.#waiting === 0 && this.#failure === undefined && !this.#isOver && !this.#isStopped;
  }

  /**
   * Frees the connection and ends the stream, also for a `next` that is waiting. Resolves when the
   * source has been released. Errors after this are ignored.
   */
  async close(): Promise<void> {
    this.#abort();
    this.#untie();
    try {
      const items = await this.#opening;
      await items?.return?.();
    } catch {
      // The reader has stopped; the stream has nothing left to report to it.
    }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /**
   * Returns a stream of the results of `transform`. Closing it closes this stream. An error that
   * `transform` throws ends it.
   */
  map<U>(transform: (item: T) => U): Stream<U> {
    const items: ReadyIterator<U> = {
      ready: () => {
        const item = this.ready();
        return item === undefined ? undefined : transform(item);
      },
      arrival: () => this.arrival(),
      next: async () => {
        const { done, value } = await this.next();
        return done === true ? { done, value } : { done: false, value: transform(value) };
      },
      return: async () => {
        await this.close();
        return { done: true, value: undefined };
      },
    };
    return new Stream(async (signal) => {
      using _tie = onAbort(signal, () => void this.close());
      await this.open();
      return { [Symbol.asyncIterator]: () => items };
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #advance(): Promise<IteratorResult<T, undefined>> {
    try {
      if (this.isClosed) await this.close();
      else if (!this.#isOver) {
        const items = this.#items ?? (await this.#opened());
        if (this.#failure !== undefined) throw this.#failure.error;
        const result = await items.next();
        if (result.done !== true) return { done: false, value: result.value };
        this.#end();
      }
    } catch (error) {
      if (!this.isClosed) throw await this.#failed(error);
      this.#untie();
    } finally {
      this.#waiting -= 1;
    }
    return { done: true, value: undefined };
  }

  /** Releases the source after an error; further errors while doing so matter less. */
  async #failed(cause: unknown): Promise<unknown> {
    // A stream that could not be opened rejects every `next` with the same error.
    if (this.#items === undefined) this.#untie();
    else {
      this.#end();
      await this.#items.return?.().catch(() => undefined);
    }
    return this.#translated(cause);
  }

  #translated(error: unknown): unknown {
    const { translateError } = this.#options;
    return translateError === undefined ? error : translateError(error);
  }

  #opened(): Promise<ReadyIterator<T>> {
    return (this.#opening ??= this.#start());
  }

  async #start(): Promise<ReadyIterator<T>> {
    const { signal, deadline } = this.#options;
    // Tied to the caller's signal only from here on, so that a stream that is never read leaves no
    // listener behind.
    this.#ties.push(onAbort(signal, () => this.#abort(signal?.reason)));
    let ownSignal = this.#stop.signal;
    if (deadline !== undefined) {
      const limited = withDeadline(ownSignal, deadline);
      this.#ties.push(limited);
      ownSignal = limited.signal;
    }
    const items = await this.#request(ownSignal);
    this.#items = items[Symbol.asyncIterator]();
    return this.#items;
  }

  #abort(reason?: unknown): void {
    this.#isStopped = true;
    this.#stop.abort(reason);
  }

  #end(): void {
    this.#isOver = true;
    this.#untie();
  }

  #untie(): void {
    for (const tie of this.#ties.splice(0)) tie[Symbol.dispose]();
  }
}
