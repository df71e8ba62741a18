import { WIRE_TYPE } from './wire-reader.ts';

/** The result for bytes that are left to the decoder. */
export const UNEXPECTED = -1;

/** Larger than any field number. Seeking it reads a message to its end. */
export const END_OF_MESSAGE: number = 2 ** 29;

/**
 * Finds fields of a message by their numbers, in the order in which servers write them. Every tag is looked at:
 * a field that occurs twice, or out of order, has a meaning of its own.
 *
 * One loop with local variables for everything that is read on arrival: it runs for every object of a
 * first list, mostly before V8 has compiled it, and V8 compiles it once.
 */
export class FieldScanner {
  /** The range of the value that was found last, without its length. */
  start = 0;
  end = 0;
  readonly #bytes: Buffer;
  #limit: number;
  #position: number;
  /** The number of the last field that was read, and of the last that was found. */
  #last = 0;
  #found = 0;

  constructor(bytes: Buffer, position: number, limit: number) {
    this.#bytes = bytes;
    this.#position = position;
    this.#limit = limit;
  }

  /**
   * Moves to the next value of a field and returns its tag, or 0 if it has no other. {@link UNEXPECTED} if the
   * fields up to there are not in order, or a value that was found before is followed by another one.
   */
  seek(wanted: number): number {
    const bytes = this.#bytes;
    const limit = this.#limit;
    const found = this.#found;
    let position = this.#position;
    let last = this.#last;
    while (position < limit) {
      const at = position;
      let tag = bytes[position++] as number;
      if (tag >= 0x80) {
        const more = bytes[position++] as number;
        // No field has a number above 2,047.
        if (more >= 0x80) return UNEXPECTED;
        tag = (tag & 0x7f) | (more << 7);
      }
      const number = tag >>> 3;
      // Every value has at least one byte.
      if (number === 0 || number < last || position >= limit) return UNEXPECTED;
      if (number > wanted) {
        position = at;
        break;
      }
      last = number;
      let start = position;
      switch (tag & 7) {
        case WIRE_TYPE.bytes: {
          let length = bytes[position++] as number;
          for (let shift = 7; length >= 1 << shift; shift += 7) {
            if (shift > 21) return UNEXPECTED;
            length = (length & ((1 << shift) - 1)) | ((bytes[position++] as number) << shift);
          }
          start = position;
          position += length;
          break;
        }
        case WIRE_TYPE.varint:
          while ((bytes[position++] as number) >= 0x80);
          break;
        case WIRE_TYPE.fixed64:
          position += 8;
          break;
        case WIRE_TYPE.fixed32:
          position += 4;
          break;
        default:
          return UNEXPECTED;
      }
      if (position > limit) return UNEXPECTED;
      if (number === wanted) {
        this.start = start;
        this.end = position;
        this.#position = position;
        this.#last = last;
        this.#found = number;
        return tag;
      }
      if (number === found) return UNEXPECTED;
    }
    this.#position = position;
    this.#last = last;
    return 0;
  }
  /**
   * Goes into the only value of a field: what is sought next is within it. Returns its tag, or 0 if there is none, which
   * leaves the scanner at the end. {@link UNEXPECTED} if there are several, or other fields are not in order.
   */
  enter(wanted: number): number {
    const tag = this.seek(wanted);
    if (tag === UNEXPECTED || this.seek(END_OF_MESSAGE) === UNEXPECTED) return UNEXPECTED;
    if (tag === 0) return 0;
    this.#position = this.start;
    this.#limit = this.end;
    this.#last = 0;
    this.#found = 0;
    return tag;
  }
}
