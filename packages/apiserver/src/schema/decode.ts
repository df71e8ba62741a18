import { getKey, type JsonObject, type JsonValue, quoteGo, setKey } from 'client-ts/internal';

import { canonicalOrder, applyNull, sortedKeys } from './canonical.ts';
import { DecodeError, goField, goTypeAt, type Place, strictPath } from './decode-error.ts';
import { decodeInteger, decodeSpecial, kindOf, type TypeErrors } from './decode-scalar.ts';
import { type JsonNode, JsonNumber, RepeatedObject } from './json-parser.ts';
import { plainJson } from './parse-json.ts';
import type { Property, Schema } from './schema.ts';
import { shorten } from './shorten.ts';
import { alwaysFields, zeroStruct, zeroValue } from './zero.ts';

export { DecodeError };

/** A decoded object and the findings of strict decoding. */
export interface Decoded {
  readonly object: JsonObject;
  /**
   * `unknown field "spec.foo"`, `duplicate field "data.a"`, in the order of the text: one `Warning`
   * each, or together the strict decoding error.
   */
  readonly findings: readonly string[];
  /** The paths of unknown fields: `spec.foo`. */
  readonly unknown: readonly string[];
}

/**
 * Decodes the JSON of a built-in kind into the canonical form that the server stores and serves:
 * only fields of the type, in the type's order, with normalised quantities and times, and with
 * empty fields dropped or written exactly like a real server after a round trip through its
 * storage. Field names are case-sensitive. Throws a {@link DecodeError}.
 */
export function decodeTyped(schema: Schema, node: JsonNode): Decoded {
  const decoder = new Decoder();
  const object = decoder.decode(schema, node) as JsonObject;
  return { object, findings: [...decoder.findings], unknown: [...decoder.unknown] };
}

/**
 * Returns an object, already known to be valid, in the form of {@link decodeTyped}: it moves fields
 * that the server added to their places. The result shares nothing mutable with the argument,
 * except raw JSON.
 */
export function canonicalObject<T extends object>(schema: Schema, object: T): T {
  return new Decoder().decode(schema, object as JsonNode) as T;
}

/** Returns the message of a request that is rejected because of its findings. */
export function strictDecodingError(findings: readonly string[]): string {
  return `strict decoding error: ${findings.join(', ')}`;
}

/** How many findings are reported. */
const MAX_FINDINGS = 100;

type ObjectNode = RepeatedObject | { readonly [key: string]: JsonNode };

function isObjectNode(node: JsonNode): node is ObjectNode {
  return kindOf(node) === 'object';
}

class Decoder implements TypeErrors {
  readonly findings = new Set<string>();
  readonly unknown = new Set<string>();
  /** The first value of a wrong type. Decoding continues, because a worse error may follow. */
  #error: DecodeError | undefined;

  /** Decodes a value separately: its errors are relative to it. */
  decode(schema: Schema, node: JsonNode): JsonValue | undefined {
    if (node === null || node === undefined) return zeroStruct(schema);
    const value = this.#value(schema, node, undefined, undefined);
    if (this.#error !== undefined) throw this.#error;
    return value;
  }

  nested(schema: Schema, node: JsonNode, place: Place | undefined): JsonValue | undefined {
    try {
      return new Decoder().decode(schema, node);
    } catch (error) {
      throw error instanceof DecodeError ? error.within(goField(place)) : error;
    }
  }

  wrongType(found: string, schema: Schema, place: Place | undefined): undefined {
    const type = goTypeAt(place, schema);
    this.#error ??= DecodeError.ofType(found, type, goField(place));
    return undefined;
  }

  wrongText(message: string): undefined {
    this.#error ??= new DecodeError(message);
    return undefined;
  }

  /**
   * Decodes a value other than null. Undefined is an empty list, map or time. `previous` is set for
   * duplicate keys: then the later value is merged over the earlier one.
   */
  #value(
    schema: Schema,
    node: JsonNode,
    place: Place | undefined,
    previous: JsonValue | undefined,
  ): JsonValue | undefined {
    if (schema.special !== undefined) return decodeSpecial(schema, node, place, this);
    switch (schema.type) {
      case 'string':
        return typeof node === 'string' ? node : this.wrongType(kindOf(node), schema, place);
      case 'boolean':
        return typeof node === 'boolean' ? node : this.wrongType(kindOf(node), schema, place);
      case 'integer':
        return decodeInteger(node, schema.format, (found) => this.wrongType(found, schema, place));
      case 'number':
        if (typeof node === 'number') return node;
        if (node instanceof JsonNumber) return Number(node.text);
        return this.wrongType(kindOf(node), schema, place);
      case 'array':
        return this.#list(schema, node, place, previous);
      case 'object':
        return schema.properties === undefined
          ? this.#map(schema, node, place, previous)
          : this.#struct(schema, node, place, previous);
      default:
        return plainJson(node);
    }
  }

  #struct(
    schema: Schema,
    node: JsonNode,
    place: Place | undefined,
    previous: JsonValue | undefined,
  ): JsonValue | undefined {
    if (!isObjectNode(node)) return this.wrongType(kindOf(node), schema, place);
    const fields: JsonObject = { ...(previous as JsonObject | undefined) };
    let ordered = previous === undefined;
    let last = -1;
    const seen = node instanceof RepeatedObject ? new Set<string>() : undefined;
    const isFirst = previous === undefined && seen === undefined;
    const names = keysOf(node);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      const value = valueAt(node, index, name);
      if (value === undefined) continue;
      const property = schema.properties?.get(name);
      if (property === undefined) {
        this.#find('unknown', place, name);
        continue;
      }
      if (seen?.has(name) === true) this.#find('duplicate', place, name);
      seen?.add(name);
      ordered &&= (property.index ?? 0) > last;
      last = property.index ?? 0;
      const at: Place = { parent: place, step: name, owner: schema, property };
      const earlier = isFirst ? undefined : getKey(fields, name);
      const decoded = this.#field(property, value, at, earlier);
      if (decoded !== undefined) setKey(fields, name, decoded);
      else if (earlier !== undefined) delete fields[name];
    }
    for (const { name, zero } of alwaysFields(schema)) {
      if (getKey(fields, name) !== undefined) continue;
      setKey(fields, name, zero());
      ordered = false;
    }
    return ordered ? fields : canonicalOrder(schema, fields);
  }

  /** Returns the value of a field; undefined if the field is not written. */
  #field(
    { schema, pointer, always }: Property,
    node: JsonNode,
    place: Place,
    previous: JsonValue | undefined,
  ): JsonValue | undefined {
    if (node === null) return pointer === true ? undefined : applyNull(schema, previous);
    const value = this.#value(schema, node, place, previous);
    // Go's zero time is set, but written as null.
    if (pointer === true) return value ?? null;
    return !isEmpty(value) || isKeptEmpty(schema, always) ? value : undefined;
  }

  #list(
    schema: Schema,
    node: JsonNode,
    place: Place | undefined,
    previous: JsonValue | undefined,
  ): JsonValue | undefined {
    if (!Array.isArray(node)) return this.wrongType(kindOf(node), schema, place);
    const earlier = Array.isArray(previous) ? previous : [];
    return node.map((item: JsonNode, step) =>
      this.#element(schema.items ?? {}, item, { parent: place, step }, earlier[step]),
    );
  }

  #map(
    schema: Schema,
    node: JsonNode,
    place: Place | undefined,
    previous: JsonValue | undefined,
  ): JsonValue | undefined {
    if (!isObjectNode(node)) return this.wrongType(kindOf(node), schema, place);
    const values: JsonObject = { ...(previous as JsonObject | undefined) };
    let sorted = previous === undefined;
    let last = '';
    const seen = node instanceof RepeatedObject ? new Set<string>() : undefined;
    const keys = keysOf(node);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] ?? '';
      const value = valueAt(node, index, key);
      if (value === undefined) continue;
      if (seen?.has(key) === true) this.#find('duplicate', place, key);
      seen?.add(key);
      sorted &&= key >= last;
      last = key;
      const at: Place = { parent: place, step: key };
      setKey(values, key, this.#element(schema.additionalProperties ?? {}, value, at, undefined));
    }
    return sorted ? values : sortedKeys(values);
  }

  /** Decodes an item of a list or a value of a map, which cannot be omitted. */
  #element(
    schema: Schema,
    node: JsonNode,
    place: Place,
    previous: JsonValue | undefined,
  ): JsonValue {
    const value =
      node === null ? applyNull(schema, previous) : this.#value(schema, node, place, previous);
    if (value !== undefined) return value;
    // The storage does not distinguish an empty map value from a missing one.
    if (schema.special === 'bytes') return '';
    return schema.type === 'array' ? [] : zeroValue(schema);
  }

  #find(what: 'duplicate' | 'unknown', place: Place | undefined, step: string): void {
    if (this.findings.size >= MAX_FINDINGS) return;
    const path = shorten(strictPath({ parent: place, step }));
    this.findings.add(`${what} field ${quoteGo(path)}`);
    if (what === 'unknown') this.unknown.add(path);
  }
}

/** Returns the keys in the order of the text, with duplicates. An undefined value is absent. */
function keysOf(node: ObjectNode): readonly string[] {
  return node instanceof RepeatedObject ? node.entries.map(([key]) => key) : Object.keys(node);
}

function valueAt(node: ObjectNode, index: number, key: string): JsonNode {
  return node instanceof RepeatedObject ? node.entries[index]?.[1] : getKey(node, key);
}

/** True for values that are omitted where the type does not distinguish them from absent ones. */
function isEmpty(value: JsonValue | undefined): boolean {
  switch (typeof value) {
    case 'object':
      return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
    case 'string':
      return value === '';
    case 'number':
      return value === 0;
    default:
      return value === false || value === undefined;
  }
}

/** True for types whose empty value is written if it was given. */
function isKeptEmpty({ special }: Schema, always: boolean | undefined): boolean {
  return (
    special === 'raw' || special === 'int-or-string' || (special === 'bytes' && always === true)
  );
}

function isEmptyObject(value: object | null): boolean {
  if (value === null) return true;
  for (const _ in value) return false;
  return true;
}
