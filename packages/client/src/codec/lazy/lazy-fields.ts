import { inspect, type InspectOptionsStylized } from 'node:util';
import { ReturnOverride } from '../../lib/return-override.ts';
import { type FoundValues, type ParsedPath, valuesAt } from '../../meta/field-path.ts';
import { identityOf } from '../../meta/object.ts';
import { CodecError } from '../codec-error.ts';
import { NameList } from './name-list.ts';
import { type KeptBytes, Slab, type Unpackable } from './slab.ts';

/** No field, or path to one further down, has been read. */
const nothing = NameList.empty<ParsedPath | string>();

/**
 * The fields of a lazily decoded object. Every field is decoded once, on first access; later
 * accesses return the same value. No private methods: they would take a slot in every object.
 */
export abstract class LazyFields {
  /** What has been read. */
  #names = nothing;
  /** Its value; a list of the values if there are several. */
  #values: unknown;

  /** The bytes of the whole object: these fields themselves, if they are its fields. */
  abstract get whole(): KeptBytes;

  /**
   * Decodes a field; the value is deeply frozen. Throws a `CodecError` if the bytes are invalid.
   */
  protected abstract read(name: string): unknown;

  get(name: string): unknown {
    const at = this.#names.indexOf(name);
    return at === -1 ? this.remember(name, this.read(name)) : this.known(at);
  }

  /** As {@link valuesIn}, for the object with these fields. */
  valuesAt(object: object, path: ParsedPath): FoundValues {
    const at = this.#names === nothing ? -1 : this.#names.indexOf(path);
    if (at !== -1) return this.known(at) as FoundValues;
    const read = this.readPath(path);
    return this.remember(path, read === UNREADABLE ? valuesAt(object, path) : read);
  }

  protected known(at: number): unknown {
    return this.#names.length === 1 ? this.#values : (this.#values as readonly unknown[])[at];
  }

  protected remember<T>(name: ParsedPath | string, value: T): T {
    const { length } = this.#names;
    if (length === 0) this.#values = value;
    else if (length === 1) this.#values = [this.#values, value];
    // Neither `push` nor a spread: both leave spare capacity.
    else this.#values = (this.#values as readonly unknown[]).concat([value]);
    this.#names = this.#names.with(name);
    return value;
  }

  /** Decodes the object with these fields into a plain one that is no longer connected to it. */
  abstract plain(object: object): object;

  /** Reads what a path leads to without decoding the objects around it. */
  protected abstract readPath(path: ParsedPath): FoundValues | typeof UNREADABLE;
}

/** The result for bytes whose form only the decoder understands. */
export const UNREADABLE: unique symbol = Symbol('client-ts.unreadable');

/**
 * The key of the fields of a lazy object. A symbol and not a private field, so that a proxy, an
 * inheriting object and a copy with all property descriptors can be read.
 */
const FIELDS: unique symbol = Symbol('client-ts.fields');

/**
 * Returns what a path leads to in an object. In a lazy object it is read from the bytes, without
 * decoding the objects around it, and remembered.
 */
export function valuesIn(object: object, path: ParsedPath): FoundValues {
  const fields = (object as { readonly [FIELDS]?: LazyFields })[FIELDS];
  return fields === undefined ? valuesAt(object, path) : fields.valuesAt(object, path);
}

function read(object: { readonly [FIELDS]?: LazyFields }, name: string): unknown {
  const fields = object[FIELDS];
  if (fields !== undefined) return fields.get(name);
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
 * Tells a lazy object from a proxy of it, from an object that inherits from it and from a copy with all
 * property descriptors, all of which may have other fields.
 */
class Genuine extends ReturnOverride {
  readonly #fields: LazyFields;

  constructor(object: object, fields: LazyFields) {
    super(object);
    this.#fields = fields;
  }

  static stamp(object: object, fields: LazyFields): Genuine {
    return new Genuine(object, fields);
  }

  static fieldsOf(object: object): LazyFields | undefined {
    return #fields in object ? object.#fields : undefined;
  }
}

/** Whole objects usually have their fields as their identity, and need no second stamp. */
function genuineFields(object: object): LazyFields | undefined {
  const identity = identityOf(object);
  return identity instanceof LazyFields ? identity : Genuine.fieldsOf(object);
}

/**
 * Decodes a lazy object into a plain one, everything in one pass and nothing of it frozen or remembered.
 * Undefined for other objects.
 */
export function plainOf(object: object): object | undefined {
  return genuineFields(object)?.plain(object);
}

/**
 * `JSON.stringify` reads everything once and keeps nothing. Decoding the bytes as a whole costs it less than
 * half of decoding, freezing and remembering field by field.
 */
const serialization: PropertyDescriptor = {
  get(this: object) {
    return genuineFields(this) === undefined ? undefined : toPlain;
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

/** Attaches the fields of an object whose identity they are not. */
export function stampFields(target: object, fields: LazyFields): void {
  Genuine.stamp(target, fields);
}

/** Finishes an object with its identity or its fields attached: it can be read from now on, and it is frozen. */
export function finishLazy(target: object, fields: LazyFields): void {
  Object.defineProperty(target, FIELDS, { value: fields });
  Object.defineProperty(target, 'toJSON', serialization);
  Object.defineProperty(target, inspect.custom, inspection);
  Object.freeze(target);
}

/** Returns the bytes that a lazy object keeps. Undefined for other objects, and for parts of an object. */
export function wholeBytesOf(object: object): KeptBytes | undefined {
  const fields = genuineFields(object);
  if (fields === undefined) return undefined;
  const { whole } = fields;
  return (whole as unknown) === fields ? whole : undefined;
}

/**
 * Gives an object a string of its own. For an object that no store takes, while parts of it are stored: they would
 * keep its slab, with bytes that no arena knows.
 */
export function leaveSlab(object: object): void {
  const bytes = wholeBytesOf(object);
  if (bytes === undefined || !(bytes.source instanceof Slab)) return;
  const { start, length } = bytes;
  bytes.source = bytes.source.bytes.toString('latin1', start, start + length);
  bytes.start = 0;
}

/**
 * Returns the memory with the bytes of an object, which begin at its `start`. Valid until the next call, as
 * bytes may move in between: decoding is synchronous and calls no foreign code.
 */
export function memoryOf({ source, length }: KeptBytes): Buffer {
  if (source instanceof Slab) return source.bytes;
  if (typeof source === 'string') return writeScratch(source);
  if (source !== unpackedSource) rememberUnpacked(source, source.unpack(length));
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
