import type { Readable } from 'node:stream';

/** Pieces are put together up to this size. About what one read from a socket brings. */
const GATHERED_BYTES = 64 * 1024;

/**
 * The body of a response, read once, chunk by chunk. Nothing is asked of the stream while nobody
 * asks for a chunk, beyond the small buffer that Node keeps: so a slow consumer slows the server.
 *
 * What had arrived when the connection broke is still handed out, then comes the error. After an
 * abort nothing is handed out any more.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
  readonly #stream: Readable;
  readonly #length: number;
  readonly #leave: () => void;
  #received = 0;
  #end: { readonly error?: unknown } | undefined;
  #isAborted = false;
  #wake: (() => void) | undefined;
  /** Readers that did not wait for each other take their turns. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `length` is how many bytes the server has promised; `NaN` if it has not. `leave` is called when
   * the consumer wants no more; it frees what the stream holds.
   */
  constructor(stream: Readable, length: number, leave: () => void) {
    this.#stream = stream;
    this.#length = length;
    this.#leave = leave;
    // At once: without a listener, Node throws away the body of an HTTP/2 stream that has closed.
    stream.on('readable', () => this.#wakeUp());
  }

  /** The stream is over: whole, or because of `error`. Only the first call counts. */
  finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wakeUp();
  }

  /** Nobody shall get any more, not even what has arrived. */
  abort(reason: unknown): void {
    this.#isAborted = true;
    this.finish({ error: reason });
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const turn = this.#last.then(() => this.#read());
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (this.#end === undefined) {
      this.finish({});
      this.#isAborted = true;
      this.#leave();
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #read(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const chunk = this.#isAborted ? null : this.#gather();
      if (chunk !== null) {
        this.#received += chunk.length;
        return { done: false, value: chunk };
      }
      if (this.#end !== undefined) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const end = this.#end;
    // An error is reported once; who asks again after it learns that there is nothing more.
    this.#end = {};
    // What became of the connection after the last byte is no concern of a slow reader.
    const isWhole = !this.#isAborted && this.#received === this.#length;
    if ('error' in end && !isWhole) throw end.error;
    return { done: true, value: undefined };
  }

  /**
   * What has arrived. A server sends every event of a watch in a piece of its own; handed out one by
   * one, the way from here to their reader would cost more than copying them together.
   */
  #gather(): Uint8Array | null {
    const first = this.#stream.read() as Uint8Array | null;
    if (first === null || first.length >= GATHERED_BYTES) return first;
    const chunks = [first];
    let size = first.length;
    while (size < GATHERED_BYTES) {
      const next = this.#stream.read() as Uint8Array | null;
      if (next === null) break;
      chunks.push(next);
      size += next.length;
    }
    return chunks.length === 1 ? first : Buffer.concat(chunks, size);
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** The body of a response that has none. */
export const emptyBody: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({
    next: async () => ({ done: true, value: undefined }),
  }),
};
