import {
  getKey,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
} from 'client-ts/internal';
import { parseDuration, parseTime } from '../cel/library/time.ts';
import { DYN, type Type } from '../cel/types.ts';
import { areEqual, CelList, CelMap, Failure, Opaque, type Value } from '../cel/values.ts';
import type { Schema } from '../schema/schema.ts';
import { WrittenFloat } from '../schema/written-floats.ts';
import { escapeName, withMetadata } from './rule-types.ts';

/** Returns a value of an object as rules see it. Parts are converted when they are read. */
export function ruleValue(value: JsonValue, schema: Schema): Value {
  if (value === null) {
    return schema.nullable === true
      ? null
      : new Failure('invalid data, got null for schema with nullable=false');
  }
  if (schema.special === 'int-or-string') return intOrString(value);
  switch (schema.type) {
    case 'object':
      return isJsonObject(value) ? objectValue(value, schema) : wrong('a map', 'object');
    case 'array':
      return Array.isArray(value) ? listValue(value, schema) : wrong('an array', 'array');
    case 'string':
      return typeof value === 'string'
        ? textValue(value, schema.format)
        : unexpected('string', value);
    case 'number':
      return typeof value === 'number' ? value : floatOf(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
        ? BigInt(value)
        : unexpected('int', value);
    case 'boolean':
      return typeof value === 'boolean' ? value : unexpected('bool', value);
    default:
      return new Preserved(value);
  }
}

function wrong(what: string, type: string): Failure {
  return new Failure(`invalid data, expected ${what} for the provided schema with type=${type}`);
}

function unexpected(expected: string, value: JsonValue): Failure {
  return new Failure(`invalid data, expected ${expected}, got ${goType(value)}`);
}

function floatOf(value: JsonValue | WrittenFloat): Value {
  return value instanceof WrittenFloat ? value.value : unexpected('float', value);
}

function goType(value: JsonValue | WrittenFloat): string {
  if (value instanceof WrittenFloat) return 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

function intOrString(value: JsonValue): Value {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return new Failure('invalid data, expected XIntOrString value to be either a string or integer');
}

function textValue(text: string, format: string | undefined): Value {
  switch (format) {
    case 'duration':
      return parseDuration(text) ?? new Failure(`Invalid duration ${text}`);
    case 'date':
      return parseTime(`${text}T00:00:00Z`) ?? new Failure(`Invalid date formatted string ${text}`);
    case 'date-time':
      return (
        parseTime(text.toUpperCase()) ?? new Failure(`Invalid date-time formatted string ${text}`)
      );
    case 'byte':
      return Buffer.from(text, 'base64');
    default:
      return text;
  }
}

function objectValue(object: JsonObject, schema: Schema): Value {
  const known = schema.embeddedResource === true ? withMetadata(schema) : schema;
  if (known.properties !== undefined) return new ObjectValue(object, known);
  return new MapValue(object, known.additionalProperties);
}

/** An object with known fields. */
class ObjectValue extends CelMap {
  readonly #object: JsonObject;
  /** The properties that are set, by their names in expressions. */
  #set: ReadonlyMap<string, readonly [property: string, schema: Schema]> | undefined;
  readonly #schema: Schema;

  constructor(object: JsonObject, schema: Schema) {
    super();
    this.#object = object;
    this.#schema = schema;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: Value): Value | undefined {
    const name = typeof key === 'string' ? key : '';
    const fields = this.#fields();
    // A reserved word can be escaped or not.
    const [property, schema] = fields.get(name) ?? fields.get(`__${name}__`) ?? [];
    if (property === undefined || schema === undefined) return undefined;
    return ruleValue(getKey(this.#object, property) ?? null, schema);
  }

  keys(): Iterable<Value> {
    return this.#fields().keys();
  }

  /** Fields without a schema are compared too, and those whose name is escaped are not. */
  override equals(other: CelMap): boolean {
    if (!(other instanceof ObjectValue) || this.size !== other.size) return false;
    return Object.entries(this.#object).every(([property, value]) => {
      if (this.#schema.properties?.has(property) !== true) {
        return jsonEqual(value, getKey(other.#object, property));
      }
      if (escapeName(property) !== property) return true;
      const [own, theirs] = [this.get(property), other.get(property)];
      if (own === undefined || theirs === undefined) return own === theirs;
      return areEqual(own, theirs);
    });
  }

  #fields(): ReadonlyMap<string, readonly [string, Schema]> {
    this.#set ??= new Map(
      Array.from(this.#schema.properties ?? []).flatMap(([property, { schema }]) => {
        const name = escapeName(property);
        // A field that is null counts as missing, also where null is allowed.
        const isSet = (getKey(this.#object, property) ?? null) !== null;
        return name === undefined || !isSet ? [] : [[name, [property, schema] as const] as const];
      }),
    );
    return this.#set;
  }
}

/** An object whose keys are data. */
class MapValue extends CelMap {
  readonly #object: JsonObject;
  readonly #values: Schema | undefined;

  constructor(object: JsonObject, values: Schema | undefined) {
    super();
    this.#object = object;
    this.#values = values;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: Value): Value | undefined {
    const value = typeof key === 'string' ? getKey(this.#object, key) : undefined;
    if (value === undefined || this.#values === undefined) return undefined;
    return ruleValue(value, this.#values);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#object);
  }

  override equals(other: CelMap): boolean {
    const isUntyped = this.#values === undefined && other instanceof MapValue;
    return isUntyped ? jsonEqual(this.#object, other.#object) : super.equals(other);
  }
}

function listValue(list: readonly JsonValue[], schema: Schema): Value {
  const { items, listType, listMapKeys = [] } = schema;
  if (items === undefined) {
    return new Failure('invalid array type, expected Items with a non-empty Schema');
  }
  if (listType === 'set') return new SetValue(list, items);
  if (listType === 'map') return new KeyedValue(list, items, listMapKeys);
  return new ListValue(list, items);
}

class ListValue extends CelList {
  protected readonly items: readonly JsonValue[];
  protected readonly schema: Schema;

  constructor(items: readonly JsonValue[], schema: Schema) {
    super();
    this.items = items;
    this.schema = schema;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return ruleValue(this.items[index] ?? null, this.schema);
  }
}

/** A list without an order, whose elements are there once. */
class SetValue extends ListValue {
  override equals(other: CelList): boolean {
    const own = [...this];
    return (
      this.size === other.size &&
      [...other].every((element) => own.some((one) => areEqual(one, element)))
    );
  }

  override concat(other: CelList): CelList {
    const own = [...this];
    const added = [...other].filter((element) => !own.some((one) => areEqual(one, element)));
    return new UnionValue([...own, ...added], undefined);
  }
}

/** A list of objects without an order, which have keys. */
class KeyedValue extends ListValue {
  readonly #keys: readonly string[];

  constructor(items: readonly JsonValue[], schema: Schema, keys: readonly string[]) {
    super(items, schema);
    this.#keys = keys.map((key) => escapeName(key) ?? key);
  }

  override equals(other: CelList): boolean {
    return new UnionValue([...this], this.#keys).equals(other);
  }

  override concat(other: CelList): CelList {
    return new UnionValue([...this], this.#keys).concat(other);
  }
}

/** What adding to a set or to a list with keys makes: again one without an order. */
class UnionValue extends CelList {
  readonly #elements: readonly Value[];
  /** Undefined for a set. */
  readonly #keys: readonly string[] | undefined;

  constructor(elements: readonly Value[], keys: readonly string[] | undefined) {
    super();
    this.#elements = elements;
    this.#keys = keys;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Value {
    return this.#elements[index] ?? null;
  }

  override equals(other: CelList): boolean {
    return (
      this.size === other.size &&
      [...other].every((element) => {
        const own = this.#elements.find((one) => this.#isSame(one, element));
        return own !== undefined && areEqual(own, element);
      })
    );
  }

  override concat(other: CelList): CelList {
    const elements = [...this.#elements];
    for (const element of other) {
      const at = elements.findIndex((one) => this.#isSame(one, element));
      if (at === -1) elements.push(element);
      else elements[at] = element;
    }
    return new UnionValue(elements, this.#keys);
  }

  #isSame(left: Value, right: Value): boolean {
    if (this.#keys === undefined) return areEqual(left, right);
    if (!(left instanceof CelMap) || !(right instanceof CelMap)) return false;
    return this.#keys.every((key) => areEqual(left.get(key) ?? null, right.get(key) ?? null));
  }
}

/** A value without a schema, which can only be compared. */
class Preserved extends Opaque {
  readonly type: Type = DYN;
  readonly #value: JsonValue;

  constructor(value: JsonValue) {
    super();
    this.#value = value;
  }

  equals(other: Opaque): boolean {
    return other instanceof Preserved && jsonEqual(this.#value, other.#value);
  }
}
