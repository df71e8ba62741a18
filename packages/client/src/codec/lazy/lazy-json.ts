import { deepFreeze } from '../../lib/deep-freeze.ts';
import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from '../../lib/json.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { FoundValues, ParsedPath } from '../../meta/field-path.ts';
import { type ObjectIdentity, stampIdentity } from '../../meta/object.ts';
import { type FieldMask, markProjected } from '../../meta/projection.ts';
import type { WatchEvent } from '../../meta/types.ts';
import { CodecError } from '../codec-error.ts';
import { parseJsonBytes } from '../json-text.ts';
import { asBuffer } from '../wire/wire-reader.ts';
import {
  bytesPerSlice,
  defineLater,
  finishLazy,
  type ItemKind,
  itemKindOf,
  LazyFields,
  memoryOf,
  stampFields,
  UNREADABLE,
} from './lazy-fields.ts';
import { Arrival } from './arrival.ts';
import { readJsonPath } from './json-path.ts';
import type { KnownKeys } from './known-keys.ts';
import { JsonScanner } from './json-scanner.ts';
import { maskJson } from './mask-json.ts';
import { NameList } from './name-list.ts';
import type { ReadOnlyForm } from './read-only-form.ts';
import { LEFT, scanMemory } from './scan-memory.ts';
import type { KeptBytes, Slab, Unpackable } from './slab.ts';

/** Shorter text is decoded immediately: deferring it costs more. */
const smallText = 1024;
/** An object with more members is treated as a map, not as an object of a known shape. */
const maxMembers = 64;

/**
 * Deeper objects are decoded with their parent. Every level that is decoded separately is scanned
 * again, which would be quadratic for deep nesting.
 */
const maxDepth = 8;

/** The deferred fields of an object: their names, and the start and end of each in the bytes. */
interface Deferred {
  readonly names: NameList<string>;
  readonly ranges: readonly number[];
}

/** The kind and apiVersion of a list, as far as they have been read. */
interface ListType {
  apiVersion?: JsonValue;
  kind?: JsonValue;
}

/** A JSON object whose deferred fields are ranges of the bytes that its whole object keeps. */
abstract class LazyJson extends LazyFields {
  protected readonly names: NameList<string>;

  constructor(names: NameList<string>) {
    super();
    this.names = names;
  }

  /** The nesting depth in the whole object. */
  protected get depth(): number {
    return 0;
  }

  protected override read(name: string): unknown {
    const at = this.names.indexOf(name);
    const { whole } = this;
    const start = whole.start + this.position(at, 0);
    const end = whole.start + this.position(at, 1);
    const scanner = new JsonScanner(memoryOf(whole), `the field ${name}`, {
      start,
      end,
      isKnown: true,
    });
    if (end - start >= smallText && this.depth < maxDepth && scanner.isAtObject) {
      const target: JsonObject = {};
      const later = readShallow(scanner, target);
      if (later !== undefined) {
        const part = new LazyJsonPart(whole, later, this.depth + 1);
        stampFields(target, part);
        finishLazy(target, part);
        return target;
      }
    }
    return deepFreeze(scanner.parse(start, end));
  }

  override plain(object: object): object {
    const { whole } = this;
    const bytes = memoryOf(whole);
    const target: JsonObject = {};
    for (const name of Object.keys(object)) {
      const at = this.names.indexOf(name);
      if (at === -1) setKey(target, name, getKey(object as JsonObject, name));
      else {
        const start = whole.start + this.position(at, 0);
        const end = whole.start + this.position(at, 1);
        setKey(target, name, parseJsonBytes(bytes, `the field ${name}`, start, end));
      }
    }
    return target;
  }

  protected override readPath(path: ParsedPath): FoundValues | typeof UNREADABLE {
    const [first] = path.steps;
    const at = first === undefined ? -1 : this.names.indexOf(first.name);
    // Absent, or a scalar, which is decoded already.
    if (at === -1) return UNREADABLE;
    const { whole } = this;
    const memory = scanMemory();
    const loaded = (whole as unknown) === this ? memory?.partOf(whole, at) : undefined;
    const value = loaded ?? {
      bytes: memoryOf(whole),
      start: whole.start + this.position(at, 0),
      end: whole.start + this.position(at, 1),
    };
    return readJsonPath(value, path, memory);
  }

  /** The start (0) or end (1) of a deferred field in the bytes of the whole object. */
  protected abstract position(at: number, side: 0 | 1): number;
}

/** How many numbers one character can be. */
const UNITS = 0x10000;

/**
 * Numbers as characters, which takes a quarter of the memory of a list of numbers: two for each if one is too large
 * for one character.
 */
function packNumbers(numbers: readonly number[]): string {
  const isLarge = numbers.some((number) => number >= UNITS);
  if (!isLarge) return String.fromCharCode(...numbers);
  const units = numbers.flatMap((number) => [Math.floor(number / UNITS), number % UNITS]);
  return String.fromCharCode(...units);
}

/** Returns one of `count` numbers. */
function unpackNumber(packed: string, at: number, count: number): number {
  if (packed.length === count) return packed.charCodeAt(at);
  return packed.charCodeAt(2 * at) * UNITS + packed.charCodeAt(2 * at + 1);
}

const noNames = NameList.empty<string>();

/** An object within another one. */
class LazyJsonPart extends LazyJson {
  override readonly whole: KeptBytes;
  readonly #depth: number;
  readonly #ranges: string;

  constructor(whole: KeptBytes, { names, ranges }: Deferred, depth: number) {
    super(names);
    this.whole = whole;
    this.#depth = depth;
    this.#ranges = packNumbers(ranges.map((position) => position - whole.start));
  }

  protected override get depth(): number {
    return this.#depth;
  }

  protected override position(at: number, side: 0 | 1): number {
    return unpackNumber(this.#ranges, 2 * at + side, 2 * this.names.length);
  }
}

/** The versions of all servers are shorter. */
const versionLengths = 256;

/**
 * A whole object, with its identity. It keeps the values of its deferred fields, one after another, and nothing of what is
 * between them: the other fields are decoded.
 */
class LazyJsonRoot extends LazyJson implements ObjectIdentity, KeptBytes {
  readonly key: string;
  source: Slab | Unpackable | string = '';
  start = 0;
  readonly length: number;
  /**
   * Where the first two values end, in one number, as most objects have three. Where all of them end, as characters, if there are
   * more, or they are long.
   */
  readonly #ends: number | string;
  /** Where the version begins, and its length; of a compressed object the version itself. */
  #version: number | string;

  constructor({ names, ranges }: Deferred, { key = '', versionStart, versionEnd }: FoundIdentity) {
    super(names);
    this.key = key;
    const first = lengthOf(ranges, 0);
    const second = first + lengthOf(ranges, 1);
    if (names.length <= 3 && second < UNITS) {
      this.#ends = second * UNITS + first;
      this.length = second + lengthOf(ranges, 2);
    } else {
      let end = 0;
      this.#ends = packNumbers(
        Array.from({ length: names.length }, (_, at) => (end += lengthOf(ranges, at))),
      );
      this.length = end;
    }
    const at = versionStart === versionEnd ? -1 : names.indexOf('metadata');
    const offset = at === -1 ? 0 : versionStart - (ranges[2 * at] as number) + this.position(at, 0);
    this.#version = offset * versionLengths + versionEnd - versionStart;
  }

  /** Read from the bytes: a string would stay for as long as the object, and hardly any is read again. */
  get resourceVersion(): string {
    if (typeof this.#version === 'string') return this.#version;
    const length = this.#version % versionLengths;
    if (length === 0) return '';
    const start = this.start + Math.floor(this.#version / versionLengths);
    return memoryOf(this).toString('utf8', start, start + length);
  }

  /** Call it when the object has its bytes. The version is read at the next change, which should not decompress them. */
  keepVersion(): void {
    this.#version = this.resourceVersion;
  }

  override get whole(): KeptBytes {
    return this;
  }

  protected override position(at: number, side: 0 | 1): number {
    const nth = at + side - 1;
    if (nth === -1) return 0;
    const ends = this.#ends;
    if (typeof ends === 'string') return unpackNumber(ends, nth, this.names.length);
    if (nth === 2) return this.length;
    return nth === 0 ? ends % UNITS : Math.floor(ends / UNITS);
  }
}

/** The length of a deferred value; 0 if there are not so many. */
function lengthOf(ranges: readonly number[], at: number): number {
  return 2 * at < ranges.length ? (ranges[2 * at + 1] as number) - (ranges[2 * at] as number) : 0;
}

/** Decodes one API object lazily, from `start` to `end`. */
export function lazyJsonObject(
  bytes: Buffer,
  what: string,
  { start, end, ...options }: RootOptions & { readonly start: number; readonly end: number },
): object {
  const scanner = new JsonScanner(bytes, what, { start, end });
  if (!scanner.isAtObject) throw notAnObject(bytes.subarray(start, end), what);
  const object = lazyRoot(scanner, options);
  if (scanner.peek() !== -1) throw scanner.malformed();
  return object;
}

/** Decodes a watch event with a lazy object. The object of an ERROR is decoded immediately. */
export function decodeLazyJsonEvent<T extends object>(
  frame: Uint8Array,
  arrival: Arrival,
): WatchEvent<T> {
  const bytes = asBuffer(frame);
  const scanner = JsonScanner.ofCopy(bytes, 'a watch frame');
  if (!scanner.isAtObject) throw notAnObject(bytes, 'a watch frame');
  scanner.enter();
  let type: JsonValue | undefined;
  let object: unknown;
  for (let key = scanner.nextKey(true); key !== undefined; key = scanner.nextKey(false)) {
    if (key === 'object' && scanner.isAtObject && typeof type === 'string' && type !== 'ERROR') {
      object = lazyRoot(scanner, { arrival });
      continue;
    }
    const start = scanner.position;
    if (key === 'type' && scanner.isAtString) {
      type = scanner.string();
      continue;
    }
    scanner.skip();
    if (key === 'type') type = undefined;
    else if (key === 'object') object = deepFreeze(scanner.parse(start, scanner.position));
  }
  if (scanner.peek() !== -1) throw scanner.malformed();
  if (typeof type !== 'string' || !isJsonObject(object)) {
    throw new CodecError('CODEC_MALFORMED_JSON', 'a watch frame has no type or no object');
  }
  return { type, object: object as unknown as T };
}

/**
 * Decodes a list with lazy items that have their kind. Everything else, and every document that is
 * not a list of objects, is decoded as with `JSON.parse`. Large lists are decoded in slices.
 */
export async function decodeLazyJsonList<T extends object>(
  body: Uint8Array,
  form?: ReadOnlyForm,
): Promise<T> {
  const bytes = asBuffer(body);
  const scanner = new JsonScanner(bytes, 'the body');
  if (!scanner.isAtObject) throw notAnObject(bytes, 'the body');
  scanner.enter();
  /** The text of the list without its items. */
  const rest: string[] = [];
  const type: ListType = {};
  let items: object[] | undefined;
  for (let key = scanner.nextKey(true); key !== undefined; key = scanner.nextKey(false)) {
    const start = scanner.position;
    if (key === 'items') {
      if (items !== undefined || !scanner.isAtList) return wholeList(bytes, form) as T;
      const isKnown = type.kind !== undefined && type.apiVersion !== undefined;
      const shown = itemKindOf(isKnown ? type : typeAhead(scanner, type));
      items = await readItems(scanner, { arrival: new Arrival(form), shown });
      if (items === undefined) return wholeList(bytes, form) as T;
      rest.push('"items":[]');
    } else {
      scanner.skip();
      noteType(scanner, key, start, type);
      rest.push(`${JSON.stringify(key)}:${bytes.toString('utf8', start, scanner.position)}`);
    }
  }
  if (scanner.peek() !== -1) throw scanner.malformed();
  const list = parseJsonBytes(Buffer.from(`{${rest.join(',')}}`), 'the body') as JsonObject;
  return (items === undefined ? list : Object.assign(list, { items })) as unknown as T;
}

/** Decodes a list that does not have the form that servers write. */
function wholeList(bytes: Buffer, form: ReadOnlyForm | undefined): object {
  const list = parseJsonBytes(bytes, 'the body') as JsonObject;
  const { items } = list;
  if (!Array.isArray(items) || !items.every(isJsonObject)) return list;
  const shown = itemKindOf(list);
  const typed = items.map((item) => ({ ...shown, ...item }));
  return { ...list, items: typed.map((item) => inForm(item, form)) };
}

/** Returns a plain object in the form that is asked for, frozen. */
function inForm(object: object, form: ReadOnlyForm | undefined): object {
  return deepFreeze(form === undefined ? object : form.of(object));
}

/** Servers write the kind of a list before its items, but need not. */
function typeAhead(scanner: JsonScanner, known: ListType): ListType {
  const type = { ...known };
  const { bytes, position: start, limit: end } = scanner;
  const ahead = new JsonScanner(bytes, 'the body', { start, end });
  ahead.skip();
  for (let key = ahead.nextKey(false); key !== undefined; key = ahead.nextKey(false)) {
    const valueStart = ahead.position;
    ahead.skip();
    noteType(ahead, key, valueStart, type);
  }
  return type;
}

function noteType(scanner: JsonScanner, key: string, start: number, type: ListType): void {
  if (key === 'kind' || key === 'apiVersion') type[key] = scanner.parse(start, scanner.position);
}

/** Undefined for a list with items that are not objects. */
async function readItems(
  scanner: JsonScanner,
  options: RootOptions,
): Promise<object[] | undefined> {
  const items: object[] = [];
  let sliceEnd = scanner.position + bytesPerSlice;
  scanner.enter();
  while (scanner.nextItem(items.length === 0)) {
    if (!scanner.isAtObject) return undefined;
    items.push(lazyRoot(scanner, options));
    if (scanner.position >= sliceEnd) {
      await nextTurn();
      sliceEnd = scanner.position + bytesPerSlice;
    }
  }
  return items;
}

/** How a whole object is decoded. */
interface RootOptions {
  readonly arrival: Arrival;
  /** The kind of an object that does not state its own. */
  readonly shown?: ItemKind | undefined;
}

/** Decodes the object at the position and skips it. */
function lazyRoot(source: JsonScanner, { arrival, shown }: RootOptions): object {
  const { keys, form } = arrival;
  const scanner = form?.mask === undefined ? source : maskedScanner(source, form.mask);
  const start = scanner.position;
  const target: JsonObject = shown === undefined || beginsWithType(scanner) ? {} : { ...shown };
  if (form?.projection !== undefined) markProjected(target, form.projection);
  const identity: FoundIdentity = { keys, key: '', versionStart: 0, versionEnd: 0 };
  const later = readShallow(scanner, target, identity);
  if (later === undefined) {
    scanner.position = start;
    scanner.skip();
    const whole = scanner.parse(start, scanner.position) as JsonObject;
    return inForm(shown === undefined ? whole : { ...shown, ...whole }, form);
  }
  const root = new LazyJsonRoot(later, identity);
  arrival.keepParts(root, scanner.bytes, later.ranges);
  scanner.memory?.remember(root, later.ranges);
  if (form?.packer !== undefined) root.keepVersion();
  if (identity.key === undefined) stampFields(target, root);
  else stampIdentity(target, root);
  finishLazy(target, root);
  return target;
}

/** Returns a scanner of what a mask keeps of the object at the position, which is skipped. */
function maskedScanner(scanner: JsonScanner, mask: FieldMask): JsonScanner {
  return new JsonScanner(maskJson(scanner, mask), 'the object', { isKnown: true });
}

/** What is read of the metadata on arrival. */
interface FoundIdentity {
  readonly keys: KnownKeys;
  /** Undefined if name or version are not plain text; see also {@link KnownKeys.find}. */
  key: string | undefined;
  versionStart: number;
  versionEnd: number;
}

/**
 * Decodes the scalars of an object and defers everything else. Undefined for an object that must be
 * decoded as a whole: with many members, a duplicate key, or a key that lazy objects have
 * themselves.
 */
function readShallow(
  scanner: JsonScanner,
  target: JsonObject,
  identity?: FoundIdentity,
): Deferred | undefined {
  let names = noNames;
  const ranges: number[] = [];
  let members = 0;
  scanner.enter();
  for (let key = scanner.nextKey(true); key !== undefined; key = scanner.nextKey(false)) {
    if (++members > maxMembers || key === '__proto__' || key === 'toJSON') return undefined;
    if (Object.hasOwn(target, key) && !isOwnType(scanner, key, target)) return undefined;
    if (scanner.isAtString) {
      setKey(target, key, scanner.string());
      continue;
    }
    const start = scanner.position;
    const isObject = scanner.isAtObject;
    const isLater = isObject || scanner.isAtList;
    if (isObject && key === 'metadata' && identity !== undefined) readIdentity(scanner, identity);
    else scanner.skip();
    if (isLater) {
      names = names.with(key);
      ranges.push(start, scanner.position);
      defineLater(target, key);
    } else setKey(target, key, scanner.parse(start, scanner.position));
  }
  return { names, ranges };
}

/** True if the object at the position has its kind in the first field, where servers write it. */
function beginsWithType(scanner: JsonScanner): boolean {
  const start = scanner.position;
  scanner.enter();
  const first = scanner.nextKey(true);
  scanner.position = start;
  return first === 'kind' || first === 'apiVersion';
}

/** An existing kind is that of the list; the object's own is the same or takes precedence. */
function isOwnType(scanner: JsonScanner, key: string, target: JsonObject): boolean {
  if ((key !== 'kind' && key !== 'apiVersion') || !scanner.isAtString) return false;
  // A deferred field has no value yet.
  return typeof Object.getOwnPropertyDescriptor(target, key)?.value === 'string';
}

/** Moves behind the metadata at the position. */
function readIdentity(scanner: JsonScanner, identity: FoundIdentity): void {
  const { bytes } = scanner;
  const ranges = { bytes, namespaceStart: 0, namespaceEnd: 0, nameStart: 0, nameEnd: 0 };
  let isPlain = true;
  const { name, namespace, version, end } = identityMembers(scanner);
  if (name !== -1) {
    isPlain = isTextAt(scanner, name);
    ranges.nameStart = name + 1;
    ranges.nameEnd = scanner.position - 1;
  }
  if (namespace !== -1) {
    isPlain = isTextAt(scanner, namespace) && isPlain;
    ranges.namespaceStart = namespace + 1;
    ranges.namespaceEnd = scanner.position - 1;
  }
  if (version !== -1) {
    isPlain = isTextAt(scanner, version) && isPlain;
    identity.versionStart = version + 1;
    identity.versionEnd = scanner.position - 1;
  }
  scanner.position = end;
  if (identity.versionEnd - identity.versionStart >= versionLengths) isPlain = false;
  identity.key = isPlain ? identity.keys.find(ranges) : undefined;
}

function isTextAt(scanner: JsonScanner, position: number): boolean {
  scanner.position = position;
  return scanner.skipText();
}

/** Where the values of some members of the metadata begin, -1 for none, and where it ends. Of duplicates the last counts. */
interface IdentityMembers {
  readonly name: number;
  readonly namespace: number;
  readonly version: number;
  readonly end: number;
}

function identityMembers(scanner: JsonScanner): IdentityMembers {
  const { memory, position: start } = scanner;
  if (memory !== undefined) {
    // One scan of everything takes less time than one for each member.
    scanner.skip();
    const { position: end } = scanner;
    const name = memory.member(start, 'name');
    const namespace = memory.member(start, 'namespace');
    const version = memory.member(start, 'resourceVersion');
    if (name !== LEFT && namespace !== LEFT && version !== LEFT) {
      return { name, namespace, version, end };
    }
    scanner.position = start;
  }
  let name = -1;
  let namespace = -1;
  let version = -1;
  scanner.enter();
  for (let key = scanner.nextKey(true); key !== undefined; key = scanner.nextKey(false)) {
    if (key === 'name') name = scanner.position;
    else if (key === 'namespace') namespace = scanner.position;
    else if (key === 'resourceVersion') version = scanner.position;
    scanner.skip();
  }
  return { name, namespace, version, end: scanner.position };
}

function notAnObject(bytes: Buffer, what: string): CodecError {
  parseJsonBytes(bytes, what);
  return new CodecError('CODEC_MALFORMED_JSON', `${what} is not a JSON object`);
}
