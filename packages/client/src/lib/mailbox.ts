import { Deferred } from './deferred.ts';
import { PromptIterator } from './prompt-iterator.ts';
import { RingBuffer } from './ring-buffer.ts';

/** Options of a {@link Mailbox}. */
export interface MailboxOptions {
  /** The maximum number of items. Default: unlimited. */
  readonly capacity?: number | undefined;
}

/**
 * A queue for a producer that must not wait and one reader: `offer` never blocks, and the reader
 * consumes items with `for await`. Items are delivered in order, once.
 */
export class Mailbox<T> implements AsyncIterable<T>, Disposable {
  readonly #items = new RingBuffer<T>();
  readonly #capacity: number;
  #reader: Deferred | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor({ capacity = Infinity }: MailboxOptions = {}) {
    this.#capacity = capacity;
  }

  /** The number of items in the queue. */
  get size(): number {
    return this.#items.size;
  }

  /** True after {@link Mailbox.close}, even if items are left. */
  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  /** Adds an item; false if the mailbox is full or closed. */
  offer(item: T): boolean {
    if (this.#end !== undefined || this.#items.size >= this.#capacity) return false;
    this.#items.push(item);
    this.#wake();
    return true;
  }

  /**
   * Ends the reader's loop after the remaining items; with an error, the loop then throws it. Only
   * the first call counts.
   */
  close(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }

  /** Closes and discards the remaining items. */
  [Symbol.dispose](): void {
    this.#items.clear();
    this.close();
  }

  /** Leaving the loop early closes the mailbox and ends a pending `next`. */
  [Symbol.asyncIterator](): PromptIterator<T> {
    return new PromptIterator<T>({
      pull: (stop) => this.#take(stop()),
      end: () => this.close(),
    });
  }

  async #take(signal: AbortSignal): Promise<IteratorResult<T, void>> {
    for (;;) {
      if (signal.aborted) return { done: true, value: undefined };
      if (this.#items.size > 0) return { done: false, value: this.#items.shift() as T };
      if (this.#end !== undefined) break;
      this.#reader ??= new Deferred();
      await this.#reader.promise;
    }
    if ('error' in this.#end) throw this.#end.error;
    return { done: true, value: undefined };
  }

  #wake(): void {
    this.#reader?.resolve();
    this.#reader = undefined;
  }
}
