import { Deferred } from './deferred.ts';
import { RingBuffer } from './ring-buffer.ts';

/** How large a {@link Mailbox} may get. */
export interface MailboxOptions {
  /** How many items may wait; no limit unless told otherwise. */
  readonly capacity?: number;
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

  /** Leaving the loop early closes the mailbox, so that the other side learns that nobody reads. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        while (this.#items.size > 0) yield this.#items.shift() as T;
        if (this.#end !== undefined) break;
        this.#reader = new Deferred();
        await this.#reader.promise;
      }
    } finally {
      this.close();
    }
    if ('error' in this.#end) throw this.#end.error;
  }

  #wake(): void {
    this.#reader?.resolve();
    this.#reader = undefined;
  }
}
