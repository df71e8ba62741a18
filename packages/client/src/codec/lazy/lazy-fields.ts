import { inspect, type InspectOptionsStylized } from 'node:util';
import { CodecError } from '../codec-error.ts';

/** A field that was read, and those that were read before it. */
interface Touched {
  readonly name: string;
  readonly value: unknown;
  readonly before: Touched | undefined;
}

/**
 * What stands behind an object whose fields are read when they are touched. Every field is read
 * once; whoever asks again gets the same value. Few are ever touched, hence a chain and no map.
 */
export abstract class LazyFields {
  #touched: Touched | undefined;

  /** The value of a field, frozen with everything in it. Throws a `CodecError` if it cannot be. */
  protected abstract read(name: string): unknown;

  get(name: string): unknown {
    for (let entry = this.#touched; entry !== undefined; entry = entry.before) {
      if (entry.name === name) return entry.value;
    }
    const value = this.read(name);
    this.#touched = { name, value, before: this.#touched };
    return value;
  }
}

/**
 * Where a lazy object keeps its fields. A symbol and not a private field, so that a proxy around the
 * object, an object that inherits from it and a copy with all its property descriptors can be read.
 */
const FIELDS: unique symbol = Symbol('client-ts.fields');

function read(object: { readonly [FIELDS]?: LazyFields }, name: string): unknown {
  const fields = object[FIELDS];
  if (fields !== undefined) return fields.get(name);
  const message = `the field ${name} was copied without its value from a read-only object`;
  throw new CodecError('CODEC_DETACHED_FIELD', message);
}

/** Accessors are shared by name, so that objects of one shape share one hidden class. */
const accessors = new Map<string, PropertyDescriptor>();
/** Names of custom resources come from outside, and could fill the memory. */
const maxAccessors = 10_000;

function accessorOf(name: string): PropertyDescriptor {
  const known = accessors.get(name);
  if (known !== undefined) return known;
  const accessor: PropertyDescriptor = {
    get(this: object): unknown {
      return read(this, name);
    },
    set(): never {
      // As for every other write to a frozen object, but with the way out.
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

/** `console.log` would show `[Getter]`. */
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

/** Gives an object in the making a field that is read when it is touched. */
export function defineLater(target: object, name: string): void {
  Object.defineProperty(target, name, accessorOf(name));
}

/** Completes an object: from here on its fields can be read, and nothing can be written. */
export function finishLazy(target: object, fields: LazyFields): void {
  Object.defineProperty(target, FIELDS, { value: fields });
  Object.defineProperty(target, inspect.custom, inspection);
  Object.freeze(target);
}

/**
 * Lazy objects keep their bytes as a string of one byte per character: no buffer has so little
 * around it, and none is freed as easily. To be read, the bytes are laid out here. There is one such
 * place: reading calls nobody else's code, and is done when it returns.
 */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);
/** One large object must not hold on to its size for ever. */
const maxKept = 1024 * 1024;
/** What lies here now. Who touches one field of an object often touches another next. */
let laidOut = '';

/** The bytes of a text, at the beginning of a buffer that may be longer. They stay until the next call. */
export function layOut(text: string): Buffer {
  if (text === laidOut) return scratch;
  if (text.length > scratch.length) {
    const bytes = Buffer.from(text, 'latin1');
    if (text.length > maxKept) return bytes;
    scratch = bytes;
  } else scratch.write(text, 'latin1');
  laidOut = text;
  return scratch;
}

/** How much of a long list is read before others have their turn: a few milliseconds' worth. */
export const bytesPerSlice: number = 4 * 1024 * 1024;

/** What an object says of itself. */
export interface ItemKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * What the items of a list are: servers leave it out in each of them, and say it once in the name of
 * the list. Undefined if that says nothing, as `v1 List` does.
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
