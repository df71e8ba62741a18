import { Deferred } from './deferred.ts';
import { PromptIterator } from './prompt-iterator.ts';
import { RingBuffer } from './ring-buffer.ts';

/** How large a {@link Mailbox} may get. */
export interface MailboxOptions {
  /** How many items may wait; no limit unless told otherwise. */
  readonly capacity?: number | undefined;
}

/**
 * A queue between one that must not wait and one that does: `offer` never blocks, and the reader
 * takes items with `for await` as fast as it can. Items come out in order, each once. There is one
 * reader: what one `for await` takes, another does not see.
 */
export class Mailbox<T> implements AsyncIterable<T>, Disposable {
  readonly #items = new RingBuffer<T>();
  readonly #capacity: number;
  #reader: Deferred | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor({ capacity = Infinity }: MailboxOptions = {}) {
    this.#capacity = capacity;
  }

  /** How many items wait. */
  get size(): number {
    return this.#items.size;
  }

  /** True after {@link Mailbox.close}, even while items still wait. */
  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  /** Adds an item; false if the mailbox is full or closed, and the item is not taken. */
  offer(item: T): boolean {
    if (this.#end !== undefined || this.#items.size >= this.#capacity) return false;
    this.#items.push(item);
    this.#wake();
    return true;
  }

  /**
   * Ends the reader's loop once it has taken what waits; with an error, the loop throws it then.
   * Closing again changes nothing.
   */
  close(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }

  /** Closes and drops what waits. */
  [Symbol.dispose](): void {
    this.#items.clear();
    this.close();
  }

  /**
   * Leaving the loop early closes the mailbox, so that the other side can stop offering. It also ends
   * a `next` that waits.
   */
  [Symbol.asyncIterator](): PromptIterator<T> {
    return new PromptIterator<T>({
      pull: (signal) => this.#take(signal),
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
