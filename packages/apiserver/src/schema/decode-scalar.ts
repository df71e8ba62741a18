import type { JsonValue } from 'client-ts/internal';
import { normalizeQuantity, QuantityError } from 'client-ts/meta';

import { DecodeError, goField, type Place } from './decode-error.ts';
import { canonicalMicroTime, canonicalTime, TimeFormatError } from './go-time.ts';
import { type JsonNode, JsonNumber } from './json-parser.ts';
import { plainJson } from './parse-json.ts';
import type { Schema } from './schema.ts';

/** Collects errors that do not end the decoding. Only the first is kept. */
export interface TypeErrors {
  /** A value of the wrong type; `found` is its name in messages. */
  wrongType(found: string, schema: Schema, place: Place | undefined): undefined;
  /** A text of the right type with an invalid value. */
  wrongText(message: string): undefined;
  /** Decodes a value separately, without strictness; throws its first error. */
  nested(schema: Schema, node: JsonNode, place: Place | undefined): JsonValue | undefined;
}

/** Returns the type of a JSON value as messages name it. */
export function kindOf(node: JsonNode): 'array' | 'bool' | 'number' | 'object' | 'string' {
  switch (typeof node) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'number';
    default:
      if (node instanceof JsonNumber) return 'number';
      return Array.isArray(node) ? 'array' : 'object';
  }
}

type Range = readonly [least: bigint, most: bigint];

const int64: Range = [-(2n ** 63n), 2n ** 63n - 1n];

const ranges: ReadonlyMap<string, Range> = new Map(
  Object.entries<Range>({
    int32: [-(2n ** 31n), 2n ** 31n - 1n],
    int64,
    uint8: [0n, 255n],
  }),
);

/** A sign and 19 digits; `BigInt` takes more than linear time for longer texts. */
const MAX_INTEGER_LENGTH = 20;

/**
 * Decodes an integer that fits the format and is written as one: neither `2.0` nor `1e1`. Integers
 * beyond 2^53 are accepted and rounded to what JavaScript can hold.
 */
export function decodeInteger<T>(
  node: JsonNode,
  format: string | undefined,
  wrongType: (found: string) => T,
): number | T {
  if (typeof node !== 'number' && !(node instanceof JsonNumber)) return wrongType(kindOf(node));
  const text = typeof node === 'number' ? String(node) : node.text;
  const [least, most] = ranges.get(format ?? '') ?? int64;
  const value = typeof node === 'number' ? node : Number(text);
  if (text.length > MAX_INTEGER_LENGTH || !/^-?[0-9]+$/.test(text))
    return wrongType(`number ${text}`);
  const exact = Number.isSafeInteger(value) ? value : BigInt(text);
  // The sum turns -0 into 0.
  return exact >= least && exact <= most ? value + 0 : wrongType(`number ${text}`);
}

/** Decodes a value of a special type. Errors of these types end the decoding. */
export function decodeSpecial(
  schema: Schema,
  node: JsonNode,
  place: Place | undefined,
  decoder: TypeErrors,
): JsonValue | undefined {
  const fail = (found: string, type: string): never => {
    throw DecodeError.ofType(found, type, goField(place));
  };
  switch (schema.special) {
    case 'time':
    case 'micro-time':
      if (typeof node !== 'string') return fail(kindOf(node), 'string');
      return withTimeErrors(schema.special === 'time' ? canonicalTime : canonicalMicroTime, node);
    case 'quantity':
      return canonicalQuantity(node);
    case 'int-or-string':
      if (typeof node === 'string') return node;
      return decodeInteger(node, 'int32', (found) => fail(found, 'int32'));
    case 'bytes': {
      if (Array.isArray(node)) return decodeByteList(node, place, decoder);
      if (typeof node !== 'string') return decoder.wrongType(kindOf(node), schema, place);
      const { text, illegalAt } = canonicalBase64(node);
      if (illegalAt === undefined) return text;
      return decoder.wrongText(`illegal base64 data at input byte ${illegalAt}`);
    }
    case 'schema-or-bool':
    case 'schema-or-list':
    case 'schema-or-names':
      return decodeSchemaOr(schema, node, place, decoder);
    default:
      return plainJson(node);
  }
}

const byte: Schema = { type: 'integer', format: 'uint8' };

/** Bytes can also be a list of numbers, as in Go. */
function decodeByteList(
  nodes: readonly JsonNode[],
  place: Place | undefined,
  decoder: TypeErrors,
): string {
  const bytes = nodes.map((node, step) => {
    if (node === null) return 0;
    const wrong = (found: string): undefined =>
      decoder.wrongType(found, byte, { parent: place, step });
    return decodeInteger(node, byte.format, wrong) ?? 0;
  });
  return Buffer.from(bytes).toString('base64');
}

const names: Schema = { type: 'array', items: { type: 'string' } };

function decodeSchemaOr(
  { special, additionalProperties: schemaOfSchemas = {} }: Schema,
  node: JsonNode,
  place: Place | undefined,
  decoder: TypeErrors,
): JsonValue | undefined {
  const kind = kindOf(node);
  if (kind === 'object') return decoder.nested(schemaOfSchemas, node, place);
  if (special === 'schema-or-bool') {
    if (typeof node === 'boolean') return node;
    throw new DecodeError('boolean or JSON schema expected');
  }
  // Anything else that is not a list counts as null.
  if (kind !== 'array') return null;
  const list: Schema =
    special === 'schema-or-names' ? names : { type: 'array', items: schemaOfSchemas };
  const items = decoder.nested(list, node, place);
  return Array.isArray(items) && items.length > 0 ? items : null;
}

function withTimeErrors<T>(read: (text: string) => T, text: string): T {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof TimeFormatError) throw new DecodeError(error.message);
    throw error;
  }
}

/** Returns the canonical form of a quantity, from a string or a number as written. */
function canonicalQuantity(node: JsonNode): string {
  try {
    return normalizeQuantity(textOf(node));
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message);
    throw error;
  }
}

function textOf(node: JsonNode): string {
  if (typeof node === 'string') return node;
  if (typeof node === 'number') return String(node);
  // No boolean, list or object is a quantity; any invalid text produces the right message.
  return node instanceof JsonNumber ? node.text : 'none';
}

/** Bytes in base64, or the position of the first invalid character. */
export interface Base64Reading {
  readonly text: string;
  readonly illegalAt?: number;
}

const usual = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes standard base64 like Go: line breaks are skipped, padding is required, and nothing may
 * follow it. Returns the same bytes in canonical form.
 */
export function canonicalBase64(input: string): Base64Reading {
  if (input.length % 4 === 0 && usual.test(input)) return { text: respell(input) };
  let text = '';
  for (let index = 0; index < input.length; index++) {
    const character = input[index] ?? '';
    if (character === '\n' || character === '\r') continue;
    if (/^[A-Za-z0-9+/]$/.test(character)) {
      text += character;
      continue;
    }
    return character === '=' ? readPadding(input, index, text) : { text: '', illegalAt: index };
  }
  if (text.length % 4 === 0) return { text };
  return { text: '', illegalAt: input.length - (text.length % 4) };
}

/** Reads from the first `=` to the end. */
function readPadding(input: string, start: number, text: string): Base64Reading {
  const place = text.length % 4;
  if (place < 2) return { text: '', illegalAt: start };
  let end = start + 1;
  const skipLineBreaks = (): void => {
    while (input[end] === '\n' || input[end] === '\r') end++;
  };
  skipLineBreaks();
  if (place === 2) {
    if (end === input.length) return { text: '', illegalAt: input.length };
    if (input[end] !== '=') return { text: '', illegalAt: end - 1 };
    end++;
    skipLineBreaks();
  }
  if (end < input.length) return { text: '', illegalAt: end };
  return { text: respell(`${text}${'='.repeat(4 - place)}`) };
}

/** Clears unused bits of the last character. */
function respell(text: string): string {
  return text.endsWith('=') ? Buffer.from(text, 'base64').toString('base64') : text;
}
