import type { JsonObject, JsonValue } from 'client-ts/internal';
import { setKey } from 'client-ts/internal';

import {
  DEEPEST,
  JsonNumber,
  type JsonNode,
  parseJsonExactly,
  RepeatedObject,
} from './json-parser.ts';
import { countKeys, surveyJson } from './json-survey.ts';

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
