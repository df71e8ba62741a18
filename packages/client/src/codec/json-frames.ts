import { ByteQueue } from './byte-queue.ts';
import { CodecError } from './codec-error.ts';
import {
  DEFAULT_MAX_FRAME_BYTES,
  frameCutOff,
  type FrameOptions,
  type Frames,
  frameTooLarge,
} from './frames.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Frames of a JSON watch: JSON objects one after the other. Kubernetes ends each with a newline,
 * but nothing depends on it: objects may be indented or follow each other without a gap. Every byte
 * is looked at once, however the chunks fall; bytes of a multi-byte character never look like
 * punctuation, so frames can be cut before anything is decoded.
 */
export class JsonFrames implements Frames {
  readonly #queue = new ByteQueue();
  readonly #maxFrameBytes: number;
  /** How many bytes of the frame at the head of the queue are looked at. */
  #scanned = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: FrameOptions = {}) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk);
  }

  /** The bytes of the next object. */
  next(): Uint8Array | undefined {
    if (this.#scanned === 0) this.#skipSpace();
    while (this.#scanned < this.#queue.length) {
      const chunk = this.#queue.chunkAt(this.#scanned);
      const end = this.#scan(chunk);
      this.#scanned += end;
      if (this.#scanned > this.#maxFrameBytes) throw frameTooLarge(this.#maxFrameBytes);
      if (this.#depth > 0) continue;
      const frame = this.#queue.take(this.#scanned);
      this.#scanned = 0;
      return frame;
    }
    return undefined;
  }

  /**
   * What is before the next line feed, if all of that is here. Servers end every object with a line
   * feed and have none within, so it is the next frame, and nobody had to look at its bytes. If it
   * turns out to be none, {@link refuse} it.
   */
  nextLine(): Uint8Array | undefined {
    if (this.#scanned > 0) return undefined;
    if (this.#queue.peek() !== OPEN_BRACE) this.#skipSpace();
    const length = this.#queue.indexInChunk(LINE_FEED);
    if (length > this.#maxFrameBytes) throw frameTooLarge(this.#maxFrameBytes);
    return length === -1 ? undefined : this.#queue.take(length);
  }

  /** Gives back a line that is not exactly one frame; {@link next} looks at its bytes. */
  refuse(line: Uint8Array): void {
    this.#queue.putBack(line);
  }

  end(): void {
    if (this.#scanned === 0) this.#skipSpace();
    if (this.#queue.length > 0) throw frameCutOff(this.#queue.length);
  }

  #skipSpace(): void {
    for (;;) {
      const chunk = this.#queue.chunkAt(0);
      let index = 0;
      while (index < chunk.length && isSpace(chunk[index] as number)) index++;
      this.#queue.take(index);
      if (index < chunk.length) {
        const first = chunk[index];
        if (first === OPEN_BRACE || first === OPEN_BRACKET) return;
        throw new CodecError('CODEC_MALFORMED_JSON', 'a watch frame is not a JSON object', {
          hint: 'Something between the server and the client may have answered instead of it.',
        });
      }
      if (chunk.length === 0) return;
    }
  }

  /** Looks at a chunk up to the end of the frame; returns how many bytes that is. */
  #scan(chunk: Buffer): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let index = 0;
    while (index < chunk.length) {
      const byte = chunk[index++] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) break;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return index;
  }
}

function isSpace(byte: number): boolean {
  return byte === LINE_FEED || byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}
