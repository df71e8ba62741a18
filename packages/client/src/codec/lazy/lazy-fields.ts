import { inspect, type InspectOptionsStylized } from 'node:util';
import type { JsonObject } from '../../lib/json.ts';
import { type FoundValues, type ParsedPath, valuesAt } from '../../meta/field-path.ts';
import { Identified, type VersionSource } from '../../meta/object.ts';
import { CodecError } from '../codec-error.ts';
import { NameList } from './name-list.ts';
import { KeptBytes, Slab, type Unpackable } from './slab.ts';

/** No field, or path to one further down, has been read. */
const nothing = NameList.empty<ParsedPath | string>();

/** How lazy objects are decoded. Whole objects with the same fields share one, a part of an object has its own. */
export interface FieldSource extends VersionSource {
  /** Returns the whole object that keeps the bytes: `object` itself, unless it is a part. */
  wholeOf(object: object): KeptBytes;
  /** Decodes a field; the value is deeply frozen. Throws a `CodecError` if the bytes are invalid. */
  read(object: object, name: string): unknown;
  /** Reads what a path leads to without decoding the objects around it. */
  readPath(object: object, path: ParsedPath): FoundValues | typeof UNREADABLE;
  /** Decodes an object into a plain one that is no longer connected to it. */
  plain(object: object): object;
}

/**
 * Attached to a lazily decoded object, invisibly. Every field is decoded once, on first access; later accesses return
 * the same value.
 */
export class LazyFields extends Identified<FieldSource> {
  /** What has been read. */
  #names = nothing;
  /** Its value; a list of the values if there are several. */
  #values: unknown;

  /** Undefined for a proxy of a lazy object, for what inherits from one and for copies: they may have other fields. */
  static of(object: object): LazyFields | undefined {
    return #names in object ? object : undefined;
  }

  static get(object: LazyFields, name: string): unknown {
    const at = object.#names.indexOf(name);
    if (at !== -1) return LazyFields.#known(object, at);
    return LazyFields.#remember(object, name, Identified.sourceOf(object).read(object, name));
  }

  /** As {@link valuesIn}, for an object with the fields of `lazy`. */
  static valuesAt(lazy: LazyFields, object: object, path: ParsedPath): FoundValues {
    const at = lazy.#names === nothing ? -1 : lazy.#names.indexOf(path);
    if (at !== -1) return LazyFields.#known(lazy, at) as FoundValues;
    const read = Identified.sourceOf(lazy).readPath(lazy, path);
    const found = read === UNREADABLE ? valuesAt(object, path) : read;
    return LazyFields.#remember(lazy, path, found);
  }

  static #known(object: LazyFields, at: number): unknown {
    return object.#names.length === 1 ? object.#values : (object.#values as readonly unknown[])[at];
  }

  static #remember<T>(object: LazyFields, name: ParsedPath | string, value: T): T {
    const { length } = object.#names;
    if (length === 0) object.#values = value;
    else if (length === 1) object.#values = [object.#values, value];
    // Neither `push` nor a spread: both leave spare capacity.
    else object.#values = (object.#values as readonly unknown[]).concat([value]);
    object.#names = object.#names.with(name);
    return value;
  }
}

/** The result for bytes whose form only the decoder understands. */
export const UNREADABLE: unique symbol = Symbol('client-ts.unreadable');

/**
 * The key under which a lazy object has itself. A symbol and not a private field, so that a proxy, an
 * inheriting object and a copy with all property descriptors can be read.
 */
const FIELDS: unique symbol = Symbol('client-ts.fields');

/**
 * Returns what a path leads to in an object. In a lazy object it is read from the bytes, without
 * decoding the objects around it, and remembered.
 */
export function valuesIn(object: object, path: ParsedPath): FoundValues {
  const fields = (object as { readonly [FIELDS]?: LazyFields })[FIELDS];
  return fields === undefined ? valuesAt(object, path) : LazyFields.valuesAt(fields, object, path);
}

function read(object: { readonly [FIELDS]?: LazyFields }, name: string): unknown {
  const fields = object[FIELDS];
  if (fields !== undefined) return LazyFields.get(fields, name);
  const message = `the field ${name} was copied without its value from a read-only object`;
  throw new CodecError('CODEC_DETACHED_FIELD', message);
}

/** Accessors are shared by name, so that objects of one shape share one hidden class. */
const accessors = new Map<string, PropertyDescriptor>();
/** Field names of custom resources come from outside and could exhaust memory. */
const maxAccessors = 10_000;

/** Returns how a field is defined that is decoded on first access. */
export function accessorOf(name: string): PropertyDescriptor {
  const known = accessors.get(name);
  if (known !== undefined) return known;
  const accessor: PropertyDescriptor = {
    get(this: object): unknown {
      return read(this, name);
    },
    set(): never {
      // Like any write to a frozen object, but the message names the fix.
      throw new TypeError(
        `Cannot assign to read only property '${name}' of a cached object: change a mutableCopy(object) instead`,
      );
    },
    enumerable: true,
    configurable: false,
  };
  if (accessors.size < maxAccessors) accessors.set(name, accessor);
  return accessor;
}

/**
 * Decodes a lazy object into a plain one, everything in one pass and nothing of it frozen or remembered.
 * Undefined for other objects.
 */
export function plainOf(object: object): object | undefined {
  const lazy = LazyFields.of(object);
  return lazy && Identified.sourceOf(lazy).plain(object);
}

/**
 * `JSON.stringify` reads everything once and keeps nothing. Decoding the bytes as a whole costs it less than
 * half of decoding, freezing and remembering field by field.
 */
const serialization: PropertyDescriptor = {
  get(this: object) {
    return LazyFields.of(this) === undefined ? undefined : toPlain;
  },
  enumerable: false,
  configurable: false,
};

function toPlain(this: object): object {
  return plainOf(this) ?? this;
}

/** Without it, `console.log` would show `[Getter]`. */
const inspection: PropertyDescriptor = {
  get: () => inspectAll,
  enumerable: false,
  configurable: false,
};

function inspectAll(this: object, depth: number | null, options: InspectOptionsStylized): string {
  const isTooDeep = depth !== null && depth < 0;
  if (isTooDeep && Object.keys(this).length > 0) return options.stylize('[Object]', 'special');
  return inspect({ ...this }, { ...options, depth });
}

/** Defines a field that is decoded on first access. */
export function defineLater(target: object, name: string): void {
  Object.defineProperty(target, name, accessorOf(name));
}

/** Finishes an object that {@link LazyFields} are attached to: it can be read from now on, and it is frozen. */
export function finishLazy(target: object): void {
  Object.defineProperty(target, FIELDS, { value: target });
  Object.defineProperty(target, 'toJSON', serialization);
  Object.defineProperty(target, inspect.custom, inspection);
  Object.freeze(target);
}

/**
 * Returns a function that makes empty plain objects with room for what is attached to a whole lazy object. `{}` has room for four
 * properties, and V8 would make a second object for the others. It gives the first objects of a constructor room for as
 * many as it could set and for eight more, and all others for as many as the first ones needed. So call it once for
 * objects with about the same fields.
 */
export function wholeObjectMaker(): () => JsonObject {
  function Whole(this: Record<'a' | 'b' | 'c' | 'd' | 'e', undefined>, isFilled: boolean): void {
    if (isFilled) this.a = this.b = this.c = this.d = this.e = undefined;
  }
  Whole.prototype = Object.prototype;
  const constructor = Whole as unknown as new (isFilled: boolean) => JsonObject;
  return () => new constructor(false);
}

/**
 * Gives an object a string of its own. For an object that no store takes, while parts of it are stored: they would
 * keep its slab, with bytes that no arena knows.
 */
export function leaveSlab(object: object): void {
  const bytes = KeptBytes.of(object);
  const slab = bytes && KeptBytes.sourceOf(bytes);
  if (bytes === undefined || !(slab instanceof Slab)) return;
  const start = KeptBytes.startOf(bytes);
  const end = start + KeptBytes.lengthOf(bytes);
  KeptBytes.move(bytes, slab.bytes.toString('latin1', start, end));
}

/**
 * Returns the memory with the bytes of an object, which begin at its `start`. Valid until the next call, as
 * bytes may move in between: decoding is synchronous and calls no foreign code.
 */
export function memoryOf(object: KeptBytes): Buffer {
  const source = KeptBytes.sourceOf(object);
  if (source instanceof Slab) return source.bytes;
  if (typeof source === 'string') return writeScratch(source);
  if (source !== unpackedSource) {
    rememberUnpacked(source, source.unpack(KeptBytes.lengthOf(object)));
  }
  return unpackedBytes;
}

/** What was decompressed last. Accesses to one object often follow each other. */
let unpackedSource: Unpackable | undefined;
let unpackedBytes: Buffer = Buffer.alloc(0);

/** Keeps the bytes of a compressed object until those of another one are needed. */
export function rememberUnpacked(source: Unpackable, bytes: Buffer): void {
  unpackedSource = source;
  unpackedBytes = bytes;
}

/** To be decoded, the bytes of a Latin-1 string are written to this shared buffer. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);
/** A larger buffer is not kept. */
const maxKept = 1024 * 1024;
/** The text in the buffer. Accesses to one object often follow each other. */
let scratchText = '';

/**
 * Writes a Latin-1 string to the start of the shared buffer, which may be longer, and returns it.
 */
function writeScratch(text: string): Buffer {
  if (text === scratchText) return scratch;
  if (text.length > scratch.length) {
    const bytes = Buffer.from(text, 'latin1');
    if (text.length > maxKept) return bytes;
    scratch = bytes;
  } else scratch.write(text, 'latin1');
  scratchText = text;
  return scratch;
}

/** How many bytes of a long list are decoded before other tasks run: a few milliseconds. */
export const bytesPerSlice: number = 4 * 1024 * 1024;

/** The apiVersion and kind of an object. */
export interface ItemKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns the kind of the items of a list, which servers state only in the kind of the list.
 * Undefined if that does not tell, as with `v1 List`.
 */
export function itemKindOf(list: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): ItemKind | undefined {
  const { apiVersion, kind } = list;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || apiVersion === '') {
    return undefined;
  }
  const name = kind.endsWith('List') ? kind.slice(0, -'List'.length) : '';
  return name === '' ? undefined : { kind: name, apiVersion };
}
