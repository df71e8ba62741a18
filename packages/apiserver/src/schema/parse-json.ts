import { type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

import {
  DEEPEST,
  type JsonNode,
  JsonNumber,
  parseJsonExactly,
  RepeatedObject,
} from './json-parser.ts';

/**
 * Parses the JSON text of a request, and notices repeated keys and how numbers are written where it
 * matters. The common text has neither, and costs `JSON.parse` and a quick look. Throws a
 * `JsonSyntaxError` with the words of the real server.
 */
export function parseJson(text: string): JsonNode {
  const { keys, depth, plainNumbers } = surveyJson(text);
  // Escapes may spell half of a surrogate pair, which JSON.parse lets through.
  if (!plainNumbers || depth > DEEPEST || /\\u[dD]/.test(text)) {
    return parseJsonExactly(text);
  }
  let value: JsonNode;
  try {
    value = JSON.parse(text) as JsonNode;
  } catch {
    // The exact parser refuses the same texts, with the right words.
    return parseJsonExactly(text);
  }
  return countKeys(value) === keys ? value : parseJsonExactly(text);
}

/**
 * The ordinary JSON value of a node: numbers as numbers, and of a repeated key the last value. A
 * node without either is returned as it is.
 */
export function plainJson(node: JsonNode): JsonValue {
  return isPlain(node) ? (node as JsonValue) : toPlain(node);
}

/** True for what holds no repeated keys, and no numbers that have to be kept as they are written. */
export function isPlain(node: JsonNode): boolean {
  if (typeof node !== 'object' || node === null) return true;
  if (node instanceof JsonNumber || node instanceof RepeatedObject) return false;
  return (Array.isArray(node) ? node : Object.values(node)).every((item) => isPlain(item));
}

/** True for a value that is nested deeper than any text may be. Does not recurse. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
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

/** What `JSON.parse` does not tell about a text. */
export interface JsonSurvey {
  /** How many keys are written; more than the parsed value has means that some are duplicates. */
  readonly keys: number;
  /** How deep arrays and objects are nested. */
  readonly depth: number;
  /** Every number is a whole one of at most fifteen digits, written as such. */
  readonly plainNumbers: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MOST_PLAIN_DIGITS = 15;

/**
 * Counts the keys of a JSON text and looks at how its numbers are written, in one pass that jumps
 * over strings. Costs a fraction of parsing. On text that is not JSON the result means nothing.
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
      if (++digits > MOST_PLAIN_DIGITS) plainNumbers = false;
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

/** Where the closing quote of the string stands whose first character is at `start`. */
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

/** How many keys all objects in a parsed JSON value have together. */
export function countKeys(value: unknown): number {
  let keys = 0;
  // A stack of its own: the nesting of a request must not decide about the stack of the server.
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
