import { CodecError } from '../codec-error.ts';
import { textOf } from './text-cache.ts';

/** The wire types. Groups (3 and 4) are obsolete and only skipped. */
export const WIRE_TYPE = {
  varint: 0,
  fixed64: 1,
  bytes: 2,
  startGroup: 3,
  endGroup: 4,
  fixed32: 5,
} as const;

/** The tag of a length-delimited field. */
export function bytesTag(number: number): number {
  return ((number << 3) | WIRE_TYPE.bytes) >>> 0;
}

/** The tag of a number. */
export function varintTag(number: number): number {
  return ((number << 3) | WIRE_TYPE.varint) >>> 0;
}

/** Deeper than any real object. Bounds the recursion for any input. */
export const MAX_DEPTH = 500;

const TWO_TO_32 = 2 ** 32;

/**
 * Reads protobuf primitives from a range of bytes. It never reads beyond `limit`: reaching it
 * throws `CODEC_TRUNCATED`, and other invalid input `CODEC_MALFORMED`.
 */
export class WireReader {
  readonly bytes: Buffer;
  position: number;
  /** The end of the current message. */
  limit: number;
  /** Where the outermost message begins; errors count positions from here. */
  origin = 0;
  // The halves of the last varint, so that reading one allocates nothing.
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array, position = 0, limit: number = bytes.length) {
    this.bytes = asBuffer(bytes);
    this.position = position;
    this.limit = limit;
  }

  get atEnd(): boolean {
    return this.position >= this.limit;
  }

  /** Reads a field number and wire type. Field number 0 is invalid. */
  tag(): number {
    const tag = this.#uint32();
    if (tag >>> 3 === 0) throw this.malformed('a field has the number 0');
    return tag;
  }

  /** Skips the tag at the position if it is this one, of less than two bytes; returns whether it was. */
  take(tag: number): boolean {
    const isNext = this.position < this.limit && this.bytes[this.position] === tag && tag < 0x80;
    if (isNext) this.position++;
    return isNext;
  }

  /** Narrows the reader to the nested message at the position; pass the result to `leave`. */
  enter(): number {
    const length = this.#uint32();
    const outer = this.limit;
    if (length > outer - this.position) throw this.truncated();
    this.limit = this.position + length;
    return outer;
  }

  /** Restores the limit that {@link enter} replaced. */
  leave(outer: number): void {
    this.position = this.limit;
    this.limit = outer;
  }

  string(): string {
    const end = this.#endOfBytes();
    const text = textOf(this.bytes, this.position, end);
    this.position = end;
    return text;
  }

  /** Reads a string that rarely repeats, without the cache. */
  uniqueString(): string {
    const end = this.#endOfBytes();
    const text = this.bytes.toString('utf8', this.position, end);
    this.position = end;
    return text;
  }

  /** Reads raw bytes as base64, as JSON shows them. */
  base64(): string {
    const end = this.#endOfBytes();
    const text = this.bytes.toString('base64', this.position, end);
    this.position = end;
    return text;
  }

  /** Reads a view of the bytes, not a copy. */
  view(): Buffer {
    const end = this.#endOfBytes();
    const view = this.bytes.subarray(this.position, end);
    this.position = end;
    return view;
  }

  /** Skips a length and that many bytes, and returns the length. */
  skipBytes(): number {
    const end = this.#endOfBytes();
    const length = end - this.position;
    this.position = end;
    return length;
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** Reads an integer: a number if it is exact, else a bigint. */
  int64(): number | bigint {
    this.#varint();
    // The common case. Sums are floating point, which allocates.
    if (this.#high === 0 && this.#low >= 0) return this.#low;
    const value = (this.#high | 0) * TWO_TO_32 + (this.#low >>> 0);
    if (Number.isSafeInteger(value)) return value;
    return (BigInt(this.#high | 0) << 32n) | BigInt(this.#low >>> 0);
  }

  double(): number {
    if (this.limit - this.position < 8) throw this.truncated();
    const value = this.bytes.readDoubleLE(this.position);
    this.position += 8;
    return value;
  }

  /** Skips the value of a tag. */
  skip(tag: number, depth = 0): void {
    switch (tag & 7) {
      case WIRE_TYPE.varint:
        this.#varint();
        return;
      case WIRE_TYPE.fixed64:
        this.#advance(8);
        return;
      case WIRE_TYPE.bytes:
        this.position = this.#endOfBytes();
        return;
      case WIRE_TYPE.startGroup:
        if (depth >= MAX_DEPTH)
          throw new CodecError('CODEC_TOO_DEEP', 'groups are nested too deep');
        for (let inner = this.tag(); (inner & 7) !== WIRE_TYPE.endGroup; inner = this.tag()) {
          this.skip(inner, depth + 1);
        }
        return;
      case WIRE_TYPE.fixed32:
        this.#advance(4);
        return;
      default:
        throw this.malformed(`wire type ${tag & 7} is not possible here`);
    }
  }

  truncated(): CodecError {
    return new CodecError(
      'CODEC_TRUNCATED',
      `the message ends too early, at byte ${this.position - this.origin}`,
    );
  }

  malformed(what: string, cause?: unknown): CodecError {
    const message = `not a protobuf message: ${what}, at byte ${this.position - this.origin}`;
    return new CodecError('CODEC_MALFORMED', message, { cause });
  }

  #advance(count: number): void {
    if (count > this.limit - this.position) throw this.truncated();
    this.position += count;
  }

  #endOfBytes(): number {
    const length = this.#uint32();
    if (length > this.limit - this.position) throw this.truncated();
    return this.position + length;
  }

  /** Reads a tag or length: mostly one or two bytes. */
  #uint32(): number {
    const first = this.position < this.limit ? (this.bytes[this.position] as number) : 0x80;
    if (first < 0x80) {
      this.position++;
      return first;
    }
    this.#varint();
    if (this.#high !== 0) throw this.malformed('a tag or length exceeds 32 bits');
    return this.#low >>> 0;
  }

  #varint(): void {
    const { bytes, limit } = this;
    let low = 0;
    let high = 0;
    for (let index = 0; index < 10; index++) {
      if (this.position >= limit) throw this.truncated();
      const byte = bytes[this.position++] as number;
      const bits = byte & 0x7f;
      if (index < 4) low |= bits << (7 * index);
      else if (index === 4) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (7 * index - 32);
      if (byte < 0x80) {
        this.#low = low;
        this.#high = high;
        return;
      }
    }
    throw this.malformed('a number has more than 64 bits');
  }
}

/** Returns the same memory as a Buffer, whose native methods are fast. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
