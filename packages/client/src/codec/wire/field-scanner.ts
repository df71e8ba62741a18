import { WIRE_TYPE } from './wire-reader.ts';

/** The result for bytes that are left to the decoder. */
export const UNEXPECTED = -1;

/** The largest field number that has a bit of its own in a set of fields. */
export const LARGEST_BIT = 30;

/** Stands in a set for fields with larger numbers, and for those that are not length-delimited. */
export const OTHER_FIELDS = 1;

/** The most bytes that a number of 64 bits takes. */
const LONGEST_NUMBER = 10;

/** The scanner keeps room for this many values of a field, 64 KB, for the next message. */
const MOST_KEPT = 4096;

/** A set of fields by their numbers, up to {@link LARGEST_BIT}. */
export function fieldSet(...numbers: readonly number[]): number {
  return numbers.reduce((set, number) => set | (1 << number), 0);
}

/**
 * Finds fields of a message by their numbers, in the order in which servers write them. Every tag is looked at:
 * a field that occurs twice, or out of order, has a meaning of its own.
 *
 * One loop with local variables for everything that is read on arrival, and one call for a message: it runs for every object
 * of a first list, mostly before V8 has compiled it, and V8 compiles it once. A scanner is used again and again.
 */
export class FieldScanner {
  /** The ranges of the values of single fields, without their lengths, by number. */
  readonly starts: number[] = Array.from({ length: LARGEST_BIT + 1 }, () => 0);
  readonly ends: number[] = Array.from({ length: LARGEST_BIT + 1 }, () => 0);
  /** The ranges of all values of one field, a start and an end for each. What is behind `rangesLength` is left from before. */
  readonly ranges: number[] = [0, 0];
  rangesLength = 0;

  /**
   * Reads a message, and returns the set of its fields; {@link UNEXPECTED} if it does not have the form that servers write.
   * Fields of the set `single` are length-delimited and occur once, and all values of `tag` have that tag. What
   * was found before is lost.
   */
  scan(bytes: Buffer, start: number, limit: number, single: number, tag = 0): number {
    const { starts, ends, ranges } = this;
    const sought = tag >>> 3;
    let found = 0;
    let present = 0;
    let last = 0;
    let at = start;
    while (at < limit) {
      let current = bytes[at++] as number;
      if (current >= 0x80) {
        const more = bytes[at++] as number;
        // No field has a number above 2,047.
        if (more >= 0x80) return UNEXPECTED;
        current = (current & 0x7f) | (more << 7);
      }
      const number = current >>> 3;
      // Every value has at least one byte.
      if (number === 0 || number < last || at >= limit) return UNEXPECTED;
      const bit = number <= LARGEST_BIT ? 1 << number : OTHER_FIELDS;
      let valueStart = at;
      switch (current & 7) {
        case WIRE_TYPE.bytes: {
          let length = bytes[at++] as number;
          for (let shift = 7; length >= 1 << shift; shift += 7) {
            if (shift > 21) return UNEXPECTED;
            length = (length & ((1 << shift) - 1)) | ((bytes[at++] as number) << shift);
          }
          valueStart = at;
          at += length;
          present |= bit;
          break;
        }
        case WIRE_TYPE.varint:
          while ((bytes[at++] as number) >= 0x80);
          if (at - valueStart > LONGEST_NUMBER) return UNEXPECTED;
          present |= bit | OTHER_FIELDS;
          break;
        case WIRE_TYPE.fixed64:
          at += 8;
          present |= bit | OTHER_FIELDS;
          break;
        case WIRE_TYPE.fixed32:
          at += 4;
          present |= bit | OTHER_FIELDS;
          break;
        default:
          return UNEXPECTED;
      }
      if (at > limit) return UNEXPECTED;
      if ((single & bit) !== 0) {
        if (number === last || (current & 7) !== WIRE_TYPE.bytes) return UNEXPECTED;
        starts[number] = valueStart;
        ends[number] = at;
      } else if (number === sought) {
        if (current !== tag) return UNEXPECTED;
        ranges[found++] = valueStart;
        ranges[found++] = at;
      }
      last = number;
    }
    this.rangesLength = found;
    return present;
  }

  /** Forgets the ranges of a long list: one large message would keep their memory forever. */
  trim(): void {
    if (this.ranges.length > 2 * MOST_KEPT) this.ranges.length = 0;
  }
}
