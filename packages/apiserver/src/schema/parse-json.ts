import { type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

import {
  MAX_DEPTH,
  type JsonNode,
  JsonNumber,
  parseJsonExactly,
  RepeatedObject,
} from './json-parser.ts';

/**
 * Parses the JSON text of a request, preserving duplicate keys and how numbers are written where it
 * matters. Most texts have neither, and cost `JSON.parse` plus a quick scan. Throws a
 * `JsonSyntaxError` with the message of a real server.
 */
export function parseJson(text: string): JsonNode {
  const { keys, depth, plainNumbers } = surveyJson(text);
  // Escapes can spell a lone surrogate, which JSON.parse accepts.
  if (!plainNumbers || depth > MAX_DEPTH || /\\u[dD]/.test(text)) {
    return parseJsonExactly(text);
  }
  let value: JsonNode;
  try {
    value = JSON.parse(text) as JsonNode;
  } catch {
    // The exact parser rejects the same texts, with the right message.
    return parseJsonExactly(text);
  }
  return countKeys(value) === keys ? value : parseJsonExactly(text);
}

/**
 * Returns a node as an ordinary JSON value: numbers as numbers, and the last value of a duplicate
 * key. A node without either is returned as it is.
 */
export function plainJson(node: JsonNode): JsonValue {
  return isPlain(node) ? (node as JsonValue) : toPlain(node);
}

/** True for values without duplicate keys and numbers whose text must be preserved. */
export function isPlain(node: JsonNode): boolean {
  if (typeof node !== 'object' || node === null) return true;
  if (node instanceof JsonNumber || node instanceof RepeatedObject) return false;
  return (Array.isArray(node) ? node : Object.values(node)).every((item) => isPlain(item));
}

/** True for a value nested deeper than any text may be. Does not recurse. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

function toPlain(node: JsonNode): JsonValue {
  if (node instanceof JsonNumber) return Number(node.text);
  if (Array.isArray(node)) return node.map((item: JsonNode) => toPlain(item));
  if (typeof node !== 'object' || node === null) return node ?? null;
  const plain: JsonObject = {};
  const entries = node instanceof RepeatedObject ? node.entries : Object.entries(node);
  for (const [key, value] of entries) setKey(plain, key, toPlain(value));
  return plain;
}

/** What `JSON.parse` does not report about a text. */
export interface JsonSurvey {
  /** How many keys are written; more than in the parsed value if there are duplicates. */
  readonly keys: number;
  /** The nesting depth. */
  readonly depth: number;
  /** Every number is an integer of at most fifteen digits, written as such. */
  readonly plainNumbers: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_PLAIN_DIGITS = 15;

/**
 * Counts the keys of a JSON text and checks how its numbers are written, in one pass that skips
 * strings. Costs a fraction of parsing. The result is meaningless for text that is not JSON.
 */
export function surveyJson(text: string): JsonSurvey {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let plainNumbers = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) {
      if (++digits > MAX_PLAIN_DIGITS) plainNumbers = false;
      continue;
    }
    switch (code) {
      case QUOTE:
        index = endOfString(text, index + 1);
        break;
      case 0x3a: // :
        keys++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > deepest) deepest = depth;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2e: // .
      case 0x45: // E
        plainNumbers = false;
        break;
      case 0x65: // e, also the end of true and false
        if (digits > 0) plainNumbers = false;
        break;
      default:
    }
    digits = 0;
  }
  return { keys, depth: deepest, plainNumbers };
}

/** Returns the index of the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let from = start; ;) {
    const close = text.indexOf('"', from);
    if (close === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(close - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return close;
    from = close + 1;
  }
}

/** Returns the number of keys of all objects in a parsed JSON value. */
export function countKeys(value: unknown): number {
  let keys = 0;
  // An explicit stack: the nesting of a request must not determine the call stack.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object') pending.push(item);
      continue;
    }
    for (const item of Object.values(next)) {
      keys++;
      if (typeof item === 'object') pending.push(item);
    }
  }
  return keys;
}
