import { CodecError } from './codec-error.ts';
import { type FrameState, scanMemory } from './lazy/scan-memory.ts';
import { asBuffer } from './wire/wire-reader.ts';

/**
 * Splits a stream of bytes into frames. Chunks may end anywhere, also within a character or a
 * length. Pull-based: `push` stores, `next` returns complete frames, one at a time. After an error
 * the stream is out of sync and must not be read further.
 */
export interface Frames {
  push(chunk: Uint8Array): void;
  /**
   * Returns the next complete frame, or undefined until more is pushed. It may share memory with a
   * chunk: do not write to either.
   */
  next(): Uint8Array | undefined;
  /**
   * Returns false if `next` would return undefined after pushing `bytes` from `start` to `end`. Of a frame that is so large
   * that a server may wait until some of it is read, anything is enough.
   */
  isEnough?(bytes: Buffer, start: number, end: number): boolean;
  /**
   * Copies what is left of the chunks that were pushed: they may be overwritten after this. From the first call on,
   * a frame is valid until the next call of any method.
   */
  keepRest(): void;
  /** Call it at the end of the stream: throws `CODEC_TRUNCATED` if a frame was cut off. */
  end(): void;
}

/** Options for reading frames. */
export interface FrameOptions {
  /**
   * A larger frame fails with `CODEC_FRAME_TOO_LARGE`. Default 16 MiB, ten times the largest
   * object.
   */
  readonly maxFrameBytes?: number | undefined;
}

/** Far more than the largest object that etcd stores. */
export const DEFAULT_MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

export function frameTooLarge(maxFrameBytes: number): CodecError {
  return new CodecError(
    'CODEC_FRAME_TOO_LARGE',
    `a watch frame is larger than ${maxFrameBytes} bytes`,
    { hint: 'Raise maxFrameBytes if the server really sends such objects.' },
  );
}

export function frameCutOff(bytes: number): CodecError {
  return new CodecError(
    'CODEC_TRUNCATED',
    `the stream ended within a watch frame, after ${bytes} bytes of it`,
  );
}

const NOTHING = Buffer.alloc(0);

/** Smaller chunks within a frame are copied together. */
const SMALL_BYTES = 4096;
const BLOCK_BYTES = 16 * 1024;
/** How much memory a queue has for what is left of chunks, if it needs some, and how much it keeps. */
const LEAST_OWN_BYTES = 4 * 1024;
const MOST_OWN_BYTES = 256 * 1024;

/**
 * A queue of bytes in the chunks that they arrived in. Taking a range within one chunk copies
 * nothing: the result shares memory with the chunk and keeps it alive. Small chunks behind others
 * are copied into blocks, so that a stream of single bytes takes little more memory than its bytes.
 */
export class ByteQueue {
  readonly #chunks: Buffer[] = [];
  /** The index of the first chunk; those before it are taken. */
  #head = 0;
  /** The offset of the first byte in the first chunk. */
  #start = 0;
  #length = 0;
  /** The chunk that {@link chunkAt} found last, and the offset at which it begins. */
  #cursor = 0;
  #cursorOffset = 0;
  /** The block that ends with the last chunk and has space behind it. */
  #block: { readonly bytes: Buffer; end: number } | undefined;
  /** From the first call of {@link keepRest} on, with memory of the queue itself that is used again and again. */
  #isOwning = false;
  #own: Buffer = NOTHING;

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const isSmall = chunk.length < SMALL_BYTES && !this.#isOwning;
    if (this.#length > 0 && isSmall) this.#append(chunk);
    else {
      this.#block = undefined;
      this.#chunks.push(asBuffer(chunk));
    }
    this.#length += chunk.length;
  }

  /** Returns the offset of the next such byte, from `start` on; -1 if there is none. */
  indexOf(byte: number, start: number): number {
    let offset = start;
    if (offset === 0) {
      const first = this.#chunks[this.#head] ?? NOTHING;
      const found = first.indexOf(byte, this.#start);
      if (found !== -1) return found - this.#start;
      offset = first.length - this.#start;
    }
    while (offset < this.#length) {
      const chunk = this.chunkAt(offset);
      const found = chunk.indexOf(byte);
      if (found !== -1) return offset + found;
      offset += chunk.length;
    }
    return -1;
  }

  /** Returns the first byte; undefined if the queue is empty. */
  peek(): number | undefined {
    return this.#chunks[this.#head]?.[this.#start];
  }

  /** Undoes the last {@link take}. */
  putBack(bytes: Uint8Array): void {
    const rest = this.#chunks.slice(this.#head);
    if (rest[0] !== undefined) rest[0] = rest[0].subarray(this.#start);
    this.#chunks.splice(0, Infinity, asBuffer(bytes), ...rest);
    this.#block = undefined;
    this.#head = 0;
    this.#start = 0;
    this.#cursor = 0;
    this.#cursorOffset = 0;
    this.#length += bytes.length;
  }

  /**
   * Returns the bytes from `offset` to the end of their chunk; empty at the end of the queue.
   * Continuing from the last offset takes constant time.
   */
  chunkAt(offset: number): Buffer {
    let index = this.#cursor;
    let begin = this.#cursorOffset;
    if (offset < begin || index < this.#head) [index, begin] = [this.#head, -this.#start];
    for (; index < this.#chunks.length; index += 1) {
      const chunk = this.#chunks[index] as Buffer;
      if (offset - begin < chunk.length) {
        this.#cursor = index;
        this.#cursorOffset = begin;
        return chunk.subarray(offset - begin);
      }
      begin += chunk.length;
    }
    return NOTHING;
  }

  /** Removes the first `count` bytes, which must be present, and returns them as one array. */
  take(count: number): Buffer {
    const first = this.#chunks[this.#head] ?? NOTHING;
    if (this.#start + count <= first.length) {
      const bytes = first.subarray(this.#start, this.#start + count);
      this.#drop(count);
      return bytes;
    }
    const bytes = this.#joined(count);
    this.#remove(count);
    return bytes;
  }

  /**
   * Copies what is in the queue to memory of its own: chunks that were pushed may be overwritten. From the first call on,
   * what is taken is valid until the next call of `take` or `keepRest`.
   */
  keepRest(): void {
    this.#isOwning = true;
    const { length } = this;
    if (length > 0) {
      const rest = this.#joined(length);
      this.#remove(length);
      this.push(rest);
    } else if (this.#own.length > MOST_OWN_BYTES) this.#own = NOTHING;
  }

  /** Returns the first `count` bytes, of several chunks, as one array. */
  #joined(count: number): Buffer {
    if (!this.#isOwning) return this.#copyTo(Buffer.allocUnsafeSlow(count), 0);
    const first = this.#chunks[this.#head] ?? NOTHING;
    const isOwn = first.buffer === this.#own.buffer;
    const start = isOwn ? first.byteOffset + this.#start : 0;
    // After a huge frame its memory is released, also if no chunk ever ends with a frame.
    const most = Math.max(MOST_OWN_BYTES, 8 * count);
    if (start + count > this.#own.length || this.#own.length > most) {
      this.#own = Buffer.allocUnsafeSlow(Math.max(2 * count, LEAST_OWN_BYTES));
      return this.#copyTo(this.#own.subarray(0, count), 0);
    }
    // What is in the memory of the queue already stays there, and the rest is copied behind it.
    const filled = isOwn ? Math.min(first.length - this.#start, count) : 0;
    return this.#copyTo(this.#own.subarray(start, start + count), filled);
  }

  /** Fills `target` with the first bytes of the queue; `from` of them are there already. */
  #copyTo(target: Buffer, from: number): Buffer {
    for (let filled = from; filled < target.length;) {
      const chunk = this.chunkAt(filled);
      filled += chunk.copy(target, filled, 0, target.length - filled);
    }
    return target;
  }

  #remove(count: number): void {
    for (let left = count; left > 0;) {
      const size = Math.min((this.#chunks[this.#head] ?? NOTHING).length - this.#start, left);
      this.#drop(size);
      left -= size;
    }
  }

  #append(chunk: Uint8Array): void {
    let block = this.#block;
    if (block === undefined || block.end + chunk.length > block.bytes.length) {
      block = { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), end: 0 };
      this.#block = block;
      this.#chunks.push(NOTHING);
    }
    block.bytes.set(chunk, block.end);
    block.end += chunk.length;
    this.#chunks[this.#chunks.length - 1] = block.bytes.subarray(0, block.end);
  }

  /** Removes up to a whole chunk. */
  #drop(count: number): void {
    this.#start += count;
    this.#length -= count;
    this.#cursor = this.#head;
    this.#cursorOffset = -this.#start;
    if (this.#start < (this.#chunks[this.#head]?.length ?? 0)) return;
    this.#chunks[this.#head] = NOTHING;
    this.#head += 1;
    this.#start = 0;
    if (this.#head === this.#chunks.length) this.#block = undefined;
    // Taken chunks are removed from the array in halves: amortised constant time.
    if (this.#head * 2 >= this.#chunks.length) {
      this.#chunks.splice(0, this.#head);
      this.#head = 0;
    }
    this.#cursor = this.#head;
    this.#cursorOffset = 0;
  }
}

const PREFIX_BYTES = 4;
/** More than most frames. A larger one is taken as it comes: a server may not send all of it before some is read. */
const MOST_AWAITED_BYTES = 64 * 1024;

/**
 * Frames of a protobuf watch: four bytes of length, big-endian, then the payload. A frame within one
 * chunk is read in place; the pieces of others are copied together.
 */
export class LengthDelimitedFrames implements Frames {
  readonly #maxFrameBytes: number;
  /** The chunk that is read, how much of it is taken, and those that were pushed after it. */
  #chunk: Buffer = NOTHING;
  #taken = 0;
  readonly #following: Buffer[] = [];
  /** A frame that comes in pieces: its prefix and, once that is whole, its payload, and how much of both is there. */
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #payload: Buffer | undefined;
  #pieced = 0;
  /** From the first call of {@link keepRest} on, with memory for such frames that is used again. */
  #isOwning = false;
  #own: Buffer = NOTHING;

  constructor({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: FrameOptions = {}) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#taken < this.#chunk.length) this.#following.push(asBuffer(chunk));
    else {
      this.#chunk = asBuffer(chunk);
      this.#taken = 0;
    }
  }

  /** Returns the next payload, without its length prefix. */
  next(): Uint8Array | undefined {
    while (this.#taken < this.#chunk.length) {
      const payload = this.#pieced === 0 ? this.#nextInPlace() : this.#nextOfPieces();
      if (this.#taken === this.#chunk.length) {
        // A chunk that is taken is not kept alive.
        this.#chunk = this.#following.shift() ?? NOTHING;
        this.#taken = 0;
      }
      if (payload !== undefined) return payload;
    }
    return undefined;
  }

  /** Most frames are whole in their chunk. */
  #nextInPlace(): Uint8Array | undefined {
    const chunk = this.#chunk;
    const start = this.#taken + PREFIX_BYTES;
    if (start > chunk.length) return this.#nextOfPieces();
    const end = start + this.#checkLength(chunk.readUInt32BE(this.#taken));
    if (end > chunk.length) return this.#nextOfPieces();
    this.#taken = end;
    return chunk.subarray(start, end);
  }

  isEnough(bytes: Buffer, start: number, end: number): boolean {
    const pushed = this.#pieced + this.#unread();
    let length = this.#payload?.length;
    if (length === undefined) {
      if (pushed + end - start < PREFIX_BYTES) return false;
      length = pushed === 0 ? bytes.readUInt32BE(start) : this.#lengthWith(bytes, start);
      // The reader has to fail.
      if (length > this.#maxFrameBytes) return true;
    }
    const missing = PREFIX_BYTES + length - pushed;
    return missing > MOST_AWAITED_BYTES || end - start >= missing;
  }

  /** How much has been pushed that `next` has not come to. */
  #unread(): number {
    let unread = this.#chunk.length - this.#taken;
    // By index: there are none when `next` has returned undefined, and an iterator costs more than that.
    for (let nth = 0; nth < this.#following.length; nth += 1) {
      unread += (this.#following[nth] as Buffer).length;
    }
    return unread;
  }

  /** Returns the length of the next frame if these bytes follow what has been pushed: enough of them for its prefix. */
  #lengthWith(bytes: Buffer, start: number): number {
    const prefix = Buffer.from(this.#prefix);
    let filled = this.#pieced;
    filled += this.#chunk.copy(prefix, filled, this.#taken);
    for (const chunk of this.#following) filled += chunk.copy(prefix, filled);
    bytes.copy(prefix, filled, start);
    return prefix.readUInt32BE(0);
  }

  #nextOfPieces(): Uint8Array | undefined {
    if (this.#payload === undefined) {
      this.#pieced += this.#copyTo(this.#prefix, this.#pieced);
      if (this.#pieced < PREFIX_BYTES) return undefined;
      this.#payload = this.#memoryFor(this.#checkLength(this.#prefix.readUInt32BE(0)));
    }
    const payload = this.#payload;
    this.#pieced += this.#copyTo(payload, this.#pieced - PREFIX_BYTES);
    if (this.#pieced < PREFIX_BYTES + payload.length) return undefined;
    this.#payload = undefined;
    this.#pieced = 0;
    return payload;
  }

  /** Fills the target up with the next bytes of the chunk, and returns how many. */
  #copyTo(target: Buffer, at: number): number {
    const copied = this.#chunk.copy(target, at, this.#taken);
    this.#taken += copied;
    return copied;
  }

  #memoryFor(length: number): Buffer {
    if (!this.#isOwning || length > MOST_OWN_BYTES) return Buffer.allocUnsafeSlow(length);
    if (length > this.#own.length) {
      this.#own = Buffer.allocUnsafeSlow(Math.max(2 * length, LEAST_OWN_BYTES));
    }
    return this.#own.subarray(0, length);
  }

  #checkLength(length: number): number {
    if (length > this.#maxFrameBytes) throw frameTooLarge(this.#maxFrameBytes);
    return length;
  }

  keepRest(): void {
    this.#isOwning = true;
    if (this.#taken === this.#chunk.length) return;
    this.#chunk = Buffer.concat([this.#chunk.subarray(this.#taken), ...this.#following.splice(0)]);
    this.#taken = 0;
  }

  end(): void {
    const left = this.#pieced + this.#unread();
    if (left > 0) throw frameCutOff(left);
  }
}

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

/** Fewer bytes are examined in less time than they are copied for another scan. */
const SHORT_SCAN = 128;

/**
 * Frames of a JSON watch: consecutive JSON objects. Kubernetes ends each with a newline, but this
 * reader does not depend on it: objects may be indented or adjacent. Every byte is examined once,
 * whatever the chunks; bytes of multi-byte characters never equal punctuation, so frames are split
 * before decoding.
 */
export class JsonFrames implements Frames {
  readonly #queue = new ByteQueue();
  readonly #maxFrameBytes: number;
  /** How many bytes of the current frame have been examined. */
  #scanned = 0;
  #state: FrameState = { depth: 0, inString: false, escaped: false };

  constructor({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: FrameOptions = {}) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk);
  }

  /** Returns the bytes of the next object. */
  next(): Uint8Array | undefined {
    if (this.#scanned === 0) this.#skipSpace();
    while (this.#scanned < this.#queue.length) {
      const chunk = this.#queue.chunkAt(this.#scanned);
      const memory = chunk.length < SHORT_SCAN ? undefined : scanMemory();
      this.#scanned += memory?.scanFrame(chunk, this.#state) ?? scanFrame(chunk, this.#state);
      if (this.#scanned > this.#maxFrameBytes) throw frameTooLarge(this.#maxFrameBytes);
      if (this.#state.depth > 0) continue;
      const frame = this.#queue.take(this.#scanned);
      this.#scanned = 0;
      return frame;
    }
    return undefined;
  }

  /**
   * Returns the bytes up to the next line feed, if they have arrived. Servers end every object
   * with a line feed and write none inside it, so this is the next frame, found without examining
   * its bytes, or those that {@link next} has not examined. If it turns out not to be one,
   * {@link refuse} it.
   */
  nextLine(): Uint8Array | undefined {
    if (this.#scanned === 0 && this.#queue.peek() !== OPEN_BRACE) this.#skipSpace();
    const length = this.#queue.indexOf(LINE_FEED, this.#scanned);
    if (length > this.#maxFrameBytes) throw frameTooLarge(this.#maxFrameBytes);
    if (length === -1) return undefined;
    if (this.#scanned > 0) this.#state = { depth: 0, inString: false, escaped: false };
    this.#scanned = 0;
    return this.#queue.take(length + 1);
  }

  keepRest(): void {
    this.#queue.keepRest();
  }

  /** Returns a line that is not exactly one frame to the queue; {@link next} examines its bytes. */
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
          hint: 'A proxy may have answered instead of the server.',
        });
      }
      if (chunk.length === 0) return;
    }
  }
}

/** Examines a chunk up to the end of the frame that it continues. Returns the number of bytes examined. */
export function scanFrame(chunk: Buffer, frame: FrameState): number {
  let { depth, inString, escaped } = frame;
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
  frame.depth = depth;
  frame.inString = inString;
  frame.escaped = escaped;
  return index;
}

function isSpace(byte: number): boolean {
  return byte === LINE_FEED || byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/**
 * Frames of a JSON watch, one per line. Lines are assumed to be frames until decoding fails; from
 * then on every byte is examined.
 */
export class LineFrames implements Frames {
  readonly #frames: JsonFrames;
  #isByLine = true;
  #isLine = false;

  constructor(options?: FrameOptions) {
    this.#frames = new JsonFrames(options);
  }

  push(chunk: Uint8Array): void {
    this.#frames.push(chunk);
  }

  next(): Uint8Array | undefined {
    const line = this.#isByLine ? this.#frames.nextLine() : undefined;
    this.#isLine = line !== undefined;
    return line ?? this.#frames.next();
  }

  keepRest(): void {
    this.#frames.keepRest();
  }

  end(): void {
    this.#frames.end();
  }

  /**
   * Returns the real frame for a line that could not be decoded; rethrows the error if the line was
   * a frame.
   */
  reframe(frame: Uint8Array, error: unknown): Uint8Array | undefined {
    if (!this.#isLine) throw error;
    this.#isByLine = false;
    this.#frames.refuse(frame);
    return this.next();
  }
}
