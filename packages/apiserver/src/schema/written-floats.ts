import { getKey, isJsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { type JsonNode, JsonNumber, RepeatedObject } from './json-parser.ts';

/** The keys and indices that lead to a value. */
export type ValuePath = readonly (number | string)[];

/**
 * A whole number that was written with a fraction or an exponent, such as `1.0`. A real server keeps
 * it a float until the object is stored, which rules about integers notice.
 */
export class WrittenFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Returns where whole numbers are written as floats. */
export function findFloats(node: JsonNode, path: ValuePath = []): ValuePath[] {
  if (typeof node !== 'object' || node === null) return [];
  if (node instanceof JsonNumber) {
    const isFloat = /[.eE]/.test(node.text) && Number.isInteger(Number(node.text));
    return isFloat ? [path] : [];
  }
  if (Array.isArray(node)) {
    return (node as readonly JsonNode[]).flatMap((item, index) =>
      findFloats(item, [...path, index]),
    );
  }
  // Of a key that is written twice the last value counts.
  const entries = node instanceof RepeatedObject ? new Map(node.entries) : Object.entries(node);
  return [...entries].flatMap(([key, item]) => findFloats(item, [...path, key]));
}

/**
 * Returns a value with its floats as {@link WrittenFloat}, for code that knows these. What has no
 * whole number in such a place is left as it is.
 */
export function markFloats<T extends JsonValue>(value: T, paths: readonly ValuePath[]): T {
  return paths.reduce<JsonValue>((marked, path) => markOne(marked, path), value) as T;
}

function markOne(value: JsonValue, [step, ...rest]: ValuePath): JsonValue {
  if (step === undefined) {
    // Only the rules of custom resources get to see it.
    return typeof value === 'number' ? (new WrittenFloat(value) as unknown as JsonValue) : value;
  }
  if (Array.isArray(value) && typeof step === 'number' && step < value.length) {
    return value.with(step, markOne(value[step] ?? null, rest));
  }
  if (!isJsonObject(value)) return value;
  const key = String(step);
  const inner = getKey(value, key);
  if (inner === undefined) return value;
  const copy = { ...value };
  setKey(copy, key, markOne(inner, rest));
  return copy;
}
