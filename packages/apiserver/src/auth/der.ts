/*
 * A writer for DER, the encoding of certificates, with the few types that X.509 needs. Every
 * function returns the complete bytes of one value; values nest by passing them on.
 */

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTEXT = 0x80;
const CONSTRUCTED = 0x20;

function tagged(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

/** Up to 127 in one byte; above that, the number of bytes, then the bytes. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes = bigEndian(length);
  return [0x80 | bytes.length, ...bytes];
}

function bigEndian(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
}

export function sequence(...values: readonly Uint8Array[]): Buffer {
  return tagged(SEQUENCE, Buffer.concat(values));
}

/** A set of one value, which is all that names need; larger sets would have to be sorted. */
export function setOf(value: Uint8Array): Buffer {
  return tagged(SET, value);
}

export function boolean(value: boolean): Buffer {
  return tagged(BOOLEAN, Buffer.from([value ? 0xff : 0]));
}

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.subarray(start);
  // The first bit is the sign.
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : [];
  return tagged(INTEGER, Buffer.concat([Buffer.from(sign), digits]));
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(BIT_STRING, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(OCTET_STRING, bytes);
}

export function utf8String(text: string): Buffer {
  return tagged(UTF8_STRING, Buffer.from(text));
}

/** `2.5.29.17`: the first two numbers share a byte, the rest are in base 128. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(OBJECT_IDENTIFIER, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** All bytes but the last have the high bit set. */
function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 | (rest % 128));
  }
  return bytes;
}

/** A time in whole seconds. X.509 uses two-digit years up to 2049 and four digits after that. */
export function time(millisecondsSinceEpoch: number): Buffer {
  const digits = new Date(millisecondsSinceEpoch).toISOString().replaceAll(/\.\d+|[-:T]/g, '');
  return digits < '2050'
    ? tagged(UTC_TIME, Buffer.from(digits.slice(2)))
    : tagged(GENERALIZED_TIME, Buffer.from(digits));
}

/** `[n] EXPLICIT`: wraps the value. */
export function explicit(number: number, value: Uint8Array): Buffer {
  return tagged(CONTEXT | CONSTRUCTED | number, value);
}

/** `[n] IMPLICIT`: replaces the tag of a primitive value. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return tagged(CONTEXT | number, content);
}
