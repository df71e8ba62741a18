import { compareStrings } from 'client-ts/internal';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  TYPE,
  UINT,
} from './types.ts';
import { Uint } from './uint.ts';

/** A value of an expression. A failure is one too, because `||` and `&&` can do without it. */
export type Value =
  | CelList
  | CelMap
  | Duration
  | Failure
  | Opaque
  | Optional
  | Timestamp
  | TypeValue
  | Uint
  | Uint8Array
  | bigint
  | boolean
  | number
  | string
  | null;

/** An evaluation that failed. */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_SUCH_OVERLOAD: Failure = new Failure('no such overload');

/** A point in time, in nanoseconds since the Unix epoch. */
export class Timestamp {
  readonly nanos: bigint;
  /** Seconds east of UTC of the zone that it was written in, and is printed in. */
  readonly offset: number;

  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A length of time, in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A value that may be missing. */
export class Optional {
  static readonly NONE: Optional = new Optional(undefined);

  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A type as a value, as in `type(1) == int`. */
export class TypeValue {
  readonly type: Type;

  constructor(type: Type) {
    this.type = type;
  }
}

/** A value of a library. */
export abstract class Opaque {
  abstract readonly type: Type;
  abstract equals(other: Opaque): boolean;
}

/** A value with fields. */
export abstract class Struct extends Opaque {
  abstract readonly fields: ReadonlyMap<string, Value>;
}

/** A list. */
export abstract class CelList implements Iterable<Value> {
  abstract readonly size: number;
  abstract at(index: number): Value;

  *[Symbol.iterator](): IterableIterator<Value> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }

  /** The list with the elements of another one after its own. */
  concat(other: CelList): CelList {
    return ArrayList.from(this).concat(other);
  }

  equals(other: CelList): boolean {
    if (this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) {
      if (!areEqual(this.at(index), other.at(index))) return false;
    }
    return true;
  }
}

/**
 * A list of values. Lists that were made by adding to one another share their elements, so that a
 * macro that collects n elements takes n steps.
 */
export class ArrayList extends CelList {
  static readonly EMPTY: ArrayList = new ArrayList([]);

  readonly size: number;
  readonly #shared: Value[];

  constructor(elements: Value[], size: number = elements.length) {
    super();
    this.#shared = elements;
    this.size = size;
  }

  static from(list: Iterable<Value>): ArrayList {
    return list instanceof ArrayList ? list : new ArrayList([...list]);
  }

  at(index: number): Value {
    return this.#shared[index] ?? null;
  }

  override concat(other: CelList): ArrayList {
    if (other.size === 0) return this;
    // Only the longest list may grow in place; the others see no more than their own size.
    const isLongest = this.size > 0 && this.#shared.length === this.size;
    const elements = isLongest ? this.#shared : this.#shared.slice(0, this.size);
    const added = [...other];
    for (const element of added) elements.push(element);
    return new ArrayList(elements);
  }
}

/** A map, or an object of a schema. */
export abstract class CelMap {
  abstract readonly size: number;
  /** Returns the value of a key; undefined if there is none. */
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;

  equals(other: CelMap): boolean {
    if (this.size !== other.size) return false;
    for (const key of this.keys()) {
      const theirs = other.get(key);
      if (theirs === undefined || !areEqual(this.get(key) ?? null, theirs)) return false;
    }
    return true;
  }
}

/** A map of values. */
export class EntryMap extends CelMap {
  readonly #entries: ReadonlyMap<string, readonly [Value, Value]>;

  constructor(entries: Iterable<readonly [Value, Value]>) {
    super();
    this.#entries = new Map(
      Array.from(entries, (entry) => [keyOf(entry[0]) ?? '', entry] as const),
    );
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const id = keyOf(key);
    return id === undefined ? undefined : this.#entries.get(id)?.[1];
  }

  *keys(): IterableIterator<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Returns what two equal keys have in common; undefined if the value cannot be a key. */
export function keyOf(value: Value): string | undefined {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'boolean') return `b${String(value)}`;
  const number = asInteger(value);
  return number === undefined ? undefined : `n${number}`;
}

/** Returns the integer that a number is; undefined for other numbers and values. */
export function asInteger(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

function isNumber(value: Value): value is Uint | bigint | number {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** Returns whether two values are equal; values of different types are not, numbers may be. */
export function areEqual(left: Value, right: Value): boolean {
  if (left === right) return typeof left !== 'number' || !Number.isNaN(left);
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  if (left instanceof CelList) return right instanceof CelList && left.equals(right);
  if (left instanceof CelMap) return right instanceof CelMap && left.equals(right);
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanos === right.nanos;
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  if (left instanceof Opaque) {
    return right instanceof Opaque && left.type.name === right.type.name && left.equals(right);
  }
  if (left instanceof TypeValue) {
    return right instanceof TypeValue && left.type.name === right.type.name;
  }
  if (left instanceof Optional && right instanceof Optional) {
    if (left.value === undefined || right.value === undefined) return left.value === right.value;
    return areEqual(left.value, right.value);
  }
  return false;
}

/** Returns less than, equal to or more than 0; NaN if a number is not comparable. */
export function compareNumbers(
  left: Uint | bigint | number,
  right: Uint | bigint | number,
): number {
  const [a, b] = [plain(left), plain(right)];
  if (a < b) return -1;
  if (a > b) return 1;
  return a <= b ? 0 : Number.NaN;
}

function plain(value: Uint | bigint | number): bigint | number {
  return value instanceof Uint ? value.value : value;
}

/** Returns the order of two values; undefined if they have none. NaN has no order but a result. */
export function compareValues(left: Value, right: Value): number | undefined {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  const isTime =
    (left instanceof Timestamp && right instanceof Timestamp) ||
    (left instanceof Duration && right instanceof Duration);
  return isTime ? compareNumbers(left.nanos, right.nanos) : undefined;
}

/** Returns the number of characters, bytes, elements or entries; undefined if a value has no size. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return characterCount(value);
  if (value instanceof Uint8Array) return value.length;
  return value instanceof CelList || value instanceof CelMap ? value.size : undefined;
}

function characterCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code < 0xdc00) count--;
  }
  return count;
}

/** Returns the type of a value as far as the value itself shows it. */
export function typeOf(value: Value): Type {
  if (value === null) return NULL;
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
      return typeOfObject(value);
  }
}

function typeOfObject(value: Exclude<Value, bigint | boolean | number | string | null>): Type {
  if (value instanceof Uint) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof Duration) return DURATION;
  if (value instanceof CelList) return listOf(DYN);
  if (value instanceof CelMap) return mapOf(DYN, DYN);
  if (value instanceof Optional) return optionalOf(DYN);
  if (value instanceof TypeValue) return TYPE;
  return value instanceof Opaque ? value.type : ERROR;
}

/** Returns whether a value can be an argument of a type, as far as the value itself shows it. */
export function fits(value: Value, type: Type): boolean {
  if (type.kind === 'param' || type.kind === 'dyn') return true;
  const own = typeOf(value);
  return own.kind === type.kind && own.name === type.name;
}

/** Returns a value for a message. */
export function printValue(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  return typeof value === 'object' && value !== null ? typeOf(value).name : String(value);
}
