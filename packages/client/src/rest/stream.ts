import { anySignal, type OwnedSignal } from '../lib/signal.ts';

/** Makes a request, under a signal that frees it, and resolves when there are items to read. */
export type OpenStream<T> = (signal: AbortSignal) => Promise<AsyncIterable<T>>;

/** An iterator that may know its next item without waiting for it. */
export interface ReadyIterator<T> extends AsyncIterator<T> {
  /**
   * The next item if it has arrived already, which then counts as taken. Undefined if it has to be
   * waited for with `next`; so it is for the end, and for an error.
   */
  ready?(): T | undefined;
}

/**
 * An answer that is read piece by piece, as fast as the reader takes it. The request is made when
 * the first item is asked for, or by {@link Stream.open}; there is one reader.
 *
 * Leaving the loop, disposing and aborting all free the connection at once, also while an item is
 * being waited for. None of them is an error: the loop just ends. A refusal by the server and a
 * connection that breaks are thrown.
 */
export class Stream<T> implements AsyncIterableIterator<T>, ReadyIterator<T>, AsyncDisposable {
  readonly #request: OpenStream<T>;
  readonly #userSignal: AbortSignal | undefined;
  readonly #stop = new AbortController();
  #tie: OwnedSignal | undefined;
  #opening: Promise<ReadyIterator<T>> | undefined;
  #items: ReadyIterator<T> | undefined;

  constructor(signal: AbortSignal | undefined, request: OpenStream<T>) {
    this.#userSignal = signal;
    this.#request = request;
  }

  /**
   * Resolves when the server has accepted the request, before there is any item. Calling it is
   * never necessary. Rejects as the first `next` would; after an abort it resolves.
   */
  async open(): Promise<void> {
    await this.#unlessStopped(async () => {
      await this.#opened();
    });
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    const result = await this.#unlessStopped(async () => {
      const items = this.#items ?? (await this.#opened());
      return await items.next();
    });
    if (result?.done === false) return { done: false, value: result.value };
    this.#untie();
    return { done: true, value: undefined };
  }

  /**
   * The next item if it has arrived already. Who reads fast takes `stream.ready() ?? await
   * stream.next()`: many items come in one piece, and waiting for each of them costs more than most
   * are worth.
   */
  ready(): T | undefined {
    return this.#isStopped ? undefined : this.#items?.ready?.();
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#stop.abort();
    this.#untie();
    try {
      const items = await this.#opening;
      await items?.return?.();
    } catch {
      // What a stream that is given up has to complain about concerns nobody any more.
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted || this.#userSignal?.aborted === true;
  }

  #opened(): Promise<ReadyIterator<T>> {
    return (this.#opening ??= this.#start());
  }

  async #start(): Promise<ReadyIterator<T>> {
    // Tied to the user's signal only from here on: a stream that nobody reads must not leak.
    this.#tie = anySignal([this.#userSignal, this.#stop.signal]);
    const items = await this.#request(this.#tie.signal);
    this.#items = items[Symbol.asyncIterator]();
    return this.#items;
  }

  async #unlessStopped<R>(work: () => Promise<R>): Promise<R | undefined> {
    if (this.#isStopped) {
      await this.return();
      return undefined;
    }
    try {
      return await work();
    } catch (error) {
      this.#untie();
      if (this.#isStopped) return undefined;
      throw error;
    }
  }

  #untie(): void {
    this.#tie?.[Symbol.dispose]();
  }
}
