import type { Readable } from 'node:stream';

/**
 * Says whether a reader can do something with what has arrived: `bytes` from `start` to `end`. Called in the read of the
 * socket; the bytes are valid until it returns.
 */
export type IsEnough = (bytes: Buffer, start: number, end: number) => boolean;

/** Where a body comes from. It notifies the body with {@link ResponseBody.arrived}. */
export interface BodySource {
  /** Takes what has arrived, or some of it; null if that is nothing. */
  read(): Uint8Array | null;
  /** Asks about what has arrived and has not been read; true if it cannot. */
  holds?(isEnough: IsEnough): boolean;
  /** What has been read is no longer needed: its memory may be overwritten. */
  reuse?(): void;
}

/**
 * The body of a response, which can be read once. The source is read on demand, so that a slow
 * consumer slows down the server.
 *
 * After a connection failure, chunks that had arrived are delivered first, then the error. After an
 * abort nothing is delivered.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: BodySource;
  readonly #length: number;
  readonly #leave: () => void;
  #received = 0;
  #end: { readonly error?: unknown } | undefined;
  #isAborted = false;
  /** Present while a reader waits, with the function that resolves it. */
  #arrival: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  /** What that reader waits for; undefined for anything. */
  #isEnough: IsEnough | undefined;
  /** The number of pending calls of `next`. */
  #readers = 0;
  /** The last of them. Concurrent readers are served in order. */
  #last: Promise<unknown> | undefined;

  /**
   * `length` is the announced size in bytes, or `NaN`. `leave` is called when the consumer stops
   * reading; it releases the source.
   */
  constructor(source: BodySource, length: number, leave: () => void) {
    this.#source = source;
    this.#length = length;
    this.#leave = leave;
  }

  /** The source has something to read. */
  arrived(): void {
    if (this.#wake === undefined) return;
    if (this.#isEnough === undefined || this.#source.holds?.(this.#isEnough) !== false) {
      this.#wakeReader();
    }
  }

  /** Ends the body: complete, or with `error`. Only the first call counts. */
  finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wakeReader();
  }

  /** Ends the body without delivering what has arrived. */
  abort(reason: unknown): void {
    this.#isAborted = true;
    this.finish({ error: reason });
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.ready();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk });
    const before = this.#readers === 0 ? undefined : this.#last;
    this.#readers += 1;
    const read = (): Promise<IteratorResult<Uint8Array>> => this.#read();
    const turn = before === undefined ? read() : before.then(read, read);
    this.#last = turn;
    return turn;
  }

  /**
   * Returns what has arrived, without a promise; undefined if that is nothing, or if calls of `next`
   * come first.
   */
  ready(): Uint8Array | undefined {
    return this.#readers > 0 ? undefined : this.#take();
  }

  /**
   * Resolves when something has arrived, or enough of it, or the body has ended. Undefined after its end. Waiting for enough
   * saves a reader that can do nothing with a part from being woken for each. It need not be all that is needed: a source
   * that cannot say how much has arrived wakes its reader for anything.
   */
  arrival(isEnough?: IsEnough): Promise<void> | undefined {
    if (this.#end !== undefined) return undefined;
    this.#isEnough = isEnough;
    this.#arrival ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#arrival;
  }

  /**
   * The reader keeps nothing of the chunks that it has taken: their memory may be overwritten. Without this call chunks
   * stay as they are.
   */
  reuse(): void {
    this.#source.reuse?.();
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

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    this.#arrival = undefined;
    wake?.();
  }

  async #read(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const chunk = this.#take();
      if (chunk !== undefined) {
        this.#readers -= 1;
        return { done: false, value: chunk };
      }
      const arrival = this.arrival();
      if (arrival === undefined) break;
      await arrival;
    }
    this.#readers -= 1;
    const end = this.#end ?? {};
    // An error is reported once; later reads return the end.
    this.#end = {};
    // Failures after the last byte are ignored.
    const isWhole = !this.#isAborted && this.#received === this.#length;
    if ('error' in end && !isWhole) throw end.error;
    return { done: true, value: undefined };
  }

  #take(): Uint8Array | undefined {
    const chunk = this.#isAborted ? null : this.#source.read();
    if (chunk === null) return undefined;
    this.#received += chunk.length;
    return chunk;
  }
}

/** Chunks are joined up to this size, about one read from a socket. */
const GATHERED_BYTES = 64 * 1024;

/** Reads a stream of Node. */
export class ReadableSource implements BodySource {
  readonly #stream: Readable;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  /**
   * Servers send each watch event in its own chunk; joining them costs less than delivering them one
   * by one.
   */
  read(): Uint8Array | null {
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
}

/** The body of a response without one. */
export const emptyBody: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({
    next: async () => ({ done: true, value: undefined }),
  }),
};
