import type { JsonValue } from '../lib/json.ts';
import { formatTimestamp, parseTimestamp, ZERO_TIME_SECONDS } from '../meta/time.ts';
import type { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag, varintTag, type WireReader } from './wire/wire-reader.ts';

/**
 * Types that are messages on the wire and scalars in JSON. Readers expect the reader's limit at the
 * end of the message; writers write the message without its length.
 */

const TIME = { seconds: varintTag(1), nanos: varintTag(2) };
const INT_OR_STRING = { type: varintTag(1), int: varintTag(2), string: bytesTag(3) };
/** The tag of the only field of quantities, lists of strings, and wrappers of raw bytes. */
export const ONLY_TAG: number = bytesTag(1);

/** The messages of the quantity 0 and of the number 0. */
export const QUANTITY_ZERO: Uint8Array = Uint8Array.of(ONLY_TAG, 1, 0x30);
export const INT_OR_STRING_ZERO: Uint8Array = Uint8Array.of(
  INT_OR_STRING.type,
  0,
  INT_OR_STRING.int,
  0,
  INT_OR_STRING.string,
  0,
);

/** Reads a time as JSON shows it; null for no time. Only micro times have a fraction. */
export function readTime(reader: WireReader, micro: boolean): string | null {
  if (reader.atEnd) return null;
  let seconds = 0;
  let nanos = 0;
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === TIME.seconds) seconds = Number(reader.int64());
    else if (tag === TIME.nanos) nanos = reader.int32();
    else reader.skip(tag);
  }
  const text = formatTimestamp({ seconds, nanos }, micro ? 'micros' : 'seconds');
  if (text === undefined) throw reader.malformed('a time is outside of the years 0 to 9999');
  return isZeroTime(seconds, micro ? nanos : 0) ? null : text;
}

/** Writes a time; false if the text is not an RFC 3339 time. */
export function writeTime(writer: BackwardWriter, text: string, micro: boolean): boolean {
  const time = parseTimestamp(text);
  if (time === undefined) return false;
  const nanos = micro ? time.nanos - (time.nanos % 1000) : 0;
  if (isZeroTime(time.seconds, nanos)) return true;
  writer.integer(nanos);
  writer.byte(TIME.nanos);
  writer.integer(time.seconds);
  writer.byte(TIME.seconds);
  return true;
}

function isZeroTime(seconds: number, nanos: number): boolean {
  return seconds === ZERO_TIME_SECONDS && Math.trunc(nanos / 1000) === 0;
}

export function readIntOrString(reader: WireReader): number | string {
  let type = 0;
  let number = 0;
  let text = '';
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === INT_OR_STRING.type) type = reader.int32();
    else if (tag === INT_OR_STRING.int) number = reader.int32();
    else if (tag === INT_OR_STRING.string) text = reader.string();
    else reader.skip(tag);
  }
  if (type === 0) return number;
  if (type === 1) return text;
  throw reader.malformed(`an IntOrString has type ${type}`);
}

/** Writes an IntOrString; false if the value is neither a string nor a 32-bit integer. */
export function writeIntOrString(writer: BackwardWriter, value: JsonValue): boolean {
  const isString = typeof value === 'string';
  if (!isString && !isInt32(value)) return false;
  writer.string(isString ? value : '');
  writer.byte(INT_OR_STRING.string);
  writer.integer(isString ? 0 : value);
  writer.byte(INT_OR_STRING.int);
  writer.byte(isString ? 1 : 0);
  writer.byte(INT_OR_STRING.type);
  return true;
}

/** True for 32-bit integers. */
export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

export function readQuantity(reader: WireReader): string {
  let text = '0';
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === ONLY_TAG) text = reader.string();
    else reader.skip(tag);
  }
  return text;
}

export function readStringList(reader: WireReader): string[] {
  const list: string[] = [];
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === ONLY_TAG) list.push(reader.string());
    else reader.skip(tag);
  }
  return list;
}

/** Returns a view of the bytes in a raw extension, a set of fields or a JSON value. */
export function readWrappedBytes(reader: WireReader): Buffer | undefined {
  let bytes: Buffer | undefined;
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === ONLY_TAG) bytes = reader.view();
    else reader.skip(tag);
  }
  return bytes;
}
