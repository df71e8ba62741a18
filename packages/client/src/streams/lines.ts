import type { ReadyIterator } from '../rest/stream.ts';

/** A longer line is delivered in pieces, so that a log without line ends cannot fill the memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;

/**
 * Splits bytes into lines, without their line feeds. Bytes that are not UTF-8 become U+FFFD. What
 * follows the last line feed is delivered as a line at the end, unless the source fails.
 */
export class LineReader implements ReadyIterator<string>, AsyncIterable<string> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** The bytes that have arrived and not been delivered. */
  #rest: Buffer = Buffer.alloc(0);
  /** The parts of a line that began in earlier chunks. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isCut = false;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** True if the last line had no line feed: it may be the beginning of one. */
  get isCut(): boolean {
    return this.#isCut;
  }

  ready(): string | undefined {
    const end = this.#rest.indexOf(LINE_FEED);
    if (end === -1) return undefined;
    const line = this.#join(this.#rest.subarray(0, end));
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    for (;;) {
      const line = this.ready();
      if (line !== undefined) return { done: false, value: line };
      if (this.#rest.length > 0) this.#parts.push(this.#rest);
      this.#partBytes += this.#rest.length;
      this.#rest = Buffer.alloc(0);
      if (this.#partBytes >= MAX_LINE_BYTES) return { done: false, value: this.#join(this.#rest) };
      const { done, value } = await this.#chunks.next();
      if (done !== true) this.#rest = Buffer.from(value.buffer, value.byteOffset, value.length);
      else if (this.#partBytes === 0) return { done: true, value: undefined };
      else {
        this.#isCut = true;
        return { done: false, value: this.#join(this.#rest) };
      }
    }
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #join(last: Buffer): string {
    if (this.#parts.length === 0) return last.toString();
    const line = Buffer.concat([...this.#parts, last]).toString();
    this.#parts = [];
    this.#partBytes = 0;
    return line;
  }
}
