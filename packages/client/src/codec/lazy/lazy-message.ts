import { deepFreeze } from '../../lib/deep-freeze.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { type ObjectIdentity, stampIdentity } from '../../meta/object.ts';
import { markProjected } from '../../meta/projection.ts';
import { CodecError } from '../codec-error.ts';
import {
  emptyField,
  type Field,
  FIELD_CODE,
  type FieldCode,
  type MessageType,
} from '../message-type.ts';
import { decodeEmbedded } from '../protobuf.ts';
import { MessageDecoder } from '../message-decoder.ts';
import { readWrappedBytes } from '../special-values.ts';
import { UNKNOWN_FIELDS } from '../mutable-copy.ts';
import { bytesTag, MAX_DEPTH, WireReader } from '../wire/wire-reader.ts';
import type { FoundValues, ParsedPath } from '../../meta/field-path.ts';
import {
  defineLater,
  finishLazy,
  LazyFields,
  memoryOf,
  stampFields,
  type UNREADABLE,
} from './lazy-fields.ts';
import type { Arrival } from './arrival.ts';
import type { EventOutline, StreamKind } from './event-outline.ts';
import type { KnownKeys } from './known-keys.ts';
import { maskMessage } from './mask-message.ts';
import { readMessagePath } from './message-path.ts';
import type { KeptBytes, Slab, Unpackable } from './slab.ts';

/** A message: a range of the bytes of its whole object. */
abstract class LazyMessage extends LazyFields {
  protected readonly type: MessageType;

  constructor(type: MessageType) {
    super();
    this.type = type;
  }

  /** Where the message begins and ends in the bytes of its whole object. */
  protected abstract get range(): { readonly start: number; readonly end: number };

  /** The nesting depth in the whole object. */
  protected abstract get depth(): number;

  protected override read(name: string): unknown {
    const { type } = this;
    const field = type.byName.get(name) as Field;
    const reader = this.reader();
    if (field.repeated || field.map || field.code !== FIELD_CODE.message) {
      const target: JsonObject = {};
      decoderOf(reader, this.depth + 1).decodeOnly(type, field, target);
      return deepFreeze(target[field.name]);
    }
    return this.nested(field, reader);
  }

  override plain(object: object): object {
    const { type } = this;
    const reader = this.reader();
    const { kind = '', apiVersion = '' } = object as Partial<ShownKind>;
    // The kind is not on the wire, unless it is a field like any other.
    const hasField = type.byName.has('kind') || type.byName.has('apiVersion');
    const target = newObject(type, hasField ? NOTHING : { kind, apiVersion });
    decoderOf(reader, this.depth).decode(type, target);
    return target;
  }

  protected override readPath(path: ParsedPath): FoundValues | typeof UNREADABLE {
    const { whole, range } = this;
    const start = whole.start + range.start;
    return readMessagePath(memoryOf(whole), start, whole.start + range.end, this.type, path);
  }

  protected reader(): WireReader {
    const { whole } = this;
    const { start, end } = this.range;
    const reader = new WireReader(memoryOf(whole), whole.start + start, whole.start + end);
    reader.origin = whole.start;
    return reader;
  }

  /**
   * The field occurs once: a second occurrence would have been found when this message was scanned.
   */
  protected nested(field: Field, reader: WireReader): object {
    for (let tag = reader.tag(); tag !== field.tag; tag = reader.tag()) reader.skip(tag);
    reader.enter();
    const { position, limit } = reader;
    const target = newObject(field.type, kindOf(field));
    const depth = this.depth + 1;
    if (!readShallow(reader, field.type, target, depth)) {
      reader.position = position;
      return readWhole(reader, field.type, newObject(field.type, kindOf(field)), depth);
    }
    const { whole } = this;
    const range = { start: position - whole.start, end: limit - whole.start };
    const part = new LazyPart(field.type, whole, range, depth);
    stampFields(target, part);
    finishLazy(target, part);
    return target;
  }
}

/** A message within another one. */
class LazyPart extends LazyMessage {
  override readonly whole: KeptBytes;
  readonly #start: number;
  readonly #end: number;
  readonly #depth: number;

  constructor(
    type: MessageType,
    whole: KeptBytes,
    { start, end }: { readonly start: number; readonly end: number },
    depth: number,
  ) {
    super(type);
    this.whole = whole;
    this.#start = start;
    this.#end = end;
    this.#depth = depth;
  }

  protected override get range(): { readonly start: number; readonly end: number } {
    return { start: this.#start, end: this.#end };
  }

  protected override get depth(): number {
    return this.#depth;
  }
}

/** A whole object, with its identity. */
class LazyRoot extends LazyMessage implements ObjectIdentity, KeptBytes {
  key = '';
  resourceVersion = '';
  source: Slab | Unpackable | string = '';
  start = 0;
  length = 0;

  override get whole(): KeptBytes {
    return this;
  }

  protected override get range(): { readonly start: number; readonly end: number } {
    return { start: 0, end: this.length };
  }

  protected override get depth(): number {
    return 0;
  }

  protected override readPath(path: ParsedPath): FoundValues | typeof UNREADABLE {
    const { start } = this;
    return readMessagePath(memoryOf(this), start, start + this.length, this.type, path);
  }
}

/** What is read of the metadata on arrival. */
interface FoundIdentity {
  readonly keys: KnownKeys;
  /** Undefined if the name does not follow from it; see {@link KnownKeys.find}. */
  key: string | undefined;
  resourceVersion: string;
}

/**
 * Creates an object that keeps its bytes, up to the reader's limit, and decodes `metadata`, `spec`
 * and the rest on first access. It has every field that `MessageDecoder` would produce, in the same
 * order, after its kind, if it has one; and it is frozen.
 *
 * Nested messages are not validated: accessing an invalid one throws.
 */
export function lazyObject(
  source: WireReader,
  whole: MessageType,
  shown: ShownKind,
  arrival: Arrival,
): object {
  const { keys, form } = arrival;
  const { reader, type } =
    form?.mask === undefined
      ? { reader: source, type: whole }
      : maskMessage(source, whole, form.mask);
  const { position, limit } = reader;
  const target = newObject(type, shown);
  if (form?.projection !== undefined) markProjected(target, form.projection);
  const identity: FoundIdentity = { keys, key: '', resourceVersion: '' };
  if (!readShallow(reader, type, target, 0, identity)) {
    reader.position = position;
    const plain = newObject(type, shown);
    if (form?.projection !== undefined) markProjected(plain, form.projection);
    return readWhole(reader, type, plain, 0);
  }
  const root = new LazyRoot(type);
  finishRoot(target, root, identity.key);
  root.resourceVersion = identity.resourceVersion;
  root.length = limit - position;
  arrival.keep(root, reader.bytes, position);
  return target;
}

/** As {@link lazyObject}, for the object of an event whose outline has been read. */
export function outlinedObject(
  outline: EventOutline,
  prepared: PreparedObjects,
  arrival: Arrival,
): object {
  const { bytes, start, end, versionStart, versionEnd } = outline;
  const key = arrival.keys.find(outline);
  const { target, root } = key === undefined ? newOutlined(outline, key) : prepared.next(outline);
  root.key = key ?? '';
  root.resourceVersion = bytes.toString('utf8', versionStart, versionEnd);
  root.length = end - start;
  arrival.keep(root, bytes, start);
  return target;
}

/** An object, and what stands behind it. */
interface PreparedObject {
  readonly target: object;
  readonly root: LazyRoot;
}

/** So many objects are prepared at a time, at most. */
const mostPrepared = 16;

/**
 * Objects of a stream whose bytes are still to come. V8 defines properties in code of its own. When
 * changes come one by one, that code is in no cache of the processor, and fetching it is most of what
 * an object costs. So several are made at a time: at first one, then twice as many each time.
 */
export class PreparedObjects {
  readonly #objects: PreparedObject[] = [];
  /** Their fields. */
  #names: EventOutline['names'] = [];
  #nextCount = 1;

  /** Returns an object with the kind and the fields of the outline. */
  next(outline: EventOutline): PreparedObject {
    if (outline.names !== this.#names) {
      this.#objects.length = 0;
      this.#names = outline.names;
      this.#nextCount = 1;
    }
    const next = this.#objects.pop();
    if (next !== undefined) return next;
    for (let count = 1; count < this.#nextCount; count++) {
      this.#objects.push(newOutlined(outline, ''));
    }
    this.#nextCount = Math.min(this.#nextCount * 2, mostPrepared);
    return newOutlined(outline, '');
  }
}

function newOutlined(outline: EventOutline, key: string | undefined): PreparedObject {
  const { names, accessors } = outline;
  const kind = outline.kind as StreamKind;
  const target = newObject(kind.type, kind);
  for (let index = 0; index < names.length; index++) {
    Object.defineProperty(target, names[index] as string, accessors[index] as PropertyDescriptor);
  }
  const root = new LazyRoot(kind.type);
  finishRoot(target, root, key);
  return { target, root };
}

/** Without a key from which its name follows, an object has no identity beside its metadata. */
function finishRoot(target: object, root: LazyRoot, key: string | undefined): void {
  if (key === undefined) stampFields(target, root);
  else {
    root.key = key;
    stampIdentity(target, root);
  }
  finishLazy(target, root);
}

/** The kind of an object in JSON; empty if it has none. */
export interface ShownKind {
  readonly kind: string;
  readonly apiVersion: string;
}

const NOTHING: ShownKind = { kind: '', apiVersion: '' };

/** Returns the kind of the objects of a field. */
export function kindOf({ apiVersion, type }: Field): ShownKind {
  return apiVersion === undefined ? NOTHING : { kind: type.name, apiVersion };
}

function newObject(type: MessageType, { kind, apiVersion }: ShownKind): JsonObject {
  const target = type.newObject();
  if (kind !== '') target['kind'] = kind;
  if (apiVersion !== '') target['apiVersion'] = apiVersion;
  return target;
}

/** Decodes a message that does not have the form that servers write as a whole. */
function readWhole(
  reader: WireReader,
  type: MessageType,
  target: JsonObject,
  depth: number,
): object {
  decoderOf(reader, depth).decode(type, target);
  return deepFreeze(target);
}

function decoderOf(reader: WireReader, depth: number): MessageDecoder {
  return new MessageDecoder(reader, { decodeRaw, depth });
}

/** Embedded raw objects are decoded as a whole. */
export function decodeRaw(bytes: Buffer, depth: number): JsonValue {
  return decodeEmbedded(bytes, {}, depth);
}

/**
 * Decodes the scalars of a message and defers everything else, in the order of the plain decoder.
 * False for a message that must be decoded as a whole: fields out of order, repeated, packed, or
 * inlined. With an `identity`, which whole objects have, strings are deferred too: they may be long
 * and never accessed.
 */
function readShallow(
  reader: WireReader,
  type: MessageType,
  target: JsonObject,
  depth: number,
  identity?: FoundIdentity,
): boolean {
  if (depth >= MAX_DEPTH) {
    throw new CodecError('CODEC_TOO_DEEP', `${type.name} is nested too deep`);
  }
  const { byNumber } = type;
  let decoder: MessageDecoder | undefined;
  let last = 0;
  let unknown: Uint8Array[] | undefined;
  while (!reader.atEnd) {
    const start = reader.position;
    const tag = reader.tag();
    const number = tag >>> 3;
    const field = number < byNumber.length ? byNumber[number] : undefined;
    if (field === undefined) {
      reader.skip(tag);
      (unknown ??= []).push(reader.bytes.subarray(start, reader.position));
      continue;
    }
    const isFirst = number > last;
    if (field.name === '' || tag !== field.tag || number < last) return false;
    if (!isFirst && !field.repeated && !field.map) return false;
    last = number;
    if (!isFirst) reader.skip(tag);
    else if (!leaveField(reader, field, target, identity)) {
      decoder ??= decoderOf(reader, depth + 1);
      readScalar(decoder, type, field, target);
    }
  }
  for (const field of type.always) {
    if (!Object.hasOwn(target, field.name)) target[field.name] = deepFreeze(emptyField(field));
  }
  if (unknown !== undefined) defineUnknown(target, Buffer.concat(unknown));
  return true;
}

/**
 * Defers a value, after its tag, at its first occurrence; false for values that are decoded
 * immediately.
 */
function leaveField(
  reader: WireReader,
  field: Field,
  target: JsonObject,
  identity: FoundIdentity | undefined,
): boolean {
  const { code, name } = field;
  if (field.repeated || field.map) reader.skip(field.tag);
  else if (code === FIELD_CODE.message) {
    if (field.type.union !== undefined) return false;
    if (identity !== undefined && field.type.name === 'ObjectMeta') readIdentity(reader, identity);
    else reader.skip(field.tag);
  } else if (isRaw(code)) {
    const { position } = reader;
    const outer = reader.enter();
    const isEmpty = (readWrappedBytes(reader)?.length ?? 0) === 0;
    reader.leave(outer);
    if (isEmpty) {
      reader.position = position;
      return false;
    }
  } else if (identity !== undefined && (code === FIELD_CODE.string || code === FIELD_CODE.bytes)) {
    if (reader.skipBytes() === 0 && !field.pointer && !field.always) return true;
  } else return false;
  defineLater(target, name);
  return true;
}

function isRaw(code: FieldCode): boolean {
  return (
    code === FIELD_CODE.rawExtension || code === FIELD_CODE.fieldsV1 || code === FIELD_CODE.json
  );
}

function readScalar(
  decoder: MessageDecoder,
  type: MessageType,
  field: Field,
  target: JsonObject,
): void {
  const value = decoder.value(type, field);
  const isZero = value === '' || value === 0 || value === false || value === null;
  if (field.pointer || field.always || !isZero) target[field.name] = deepFreeze(value);
}

const METADATA = { name: bytesTag(1), namespace: bytesTag(3), resourceVersion: bytesTag(6) };

function readIdentity(reader: WireReader, identity: FoundIdentity): void {
  const { bytes } = reader;
  const ranges = { bytes, namespaceStart: 0, namespaceEnd: 0, nameStart: 0, nameEnd: 0 };
  const outer = reader.enter();
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === METADATA.name) {
      const length = reader.skipBytes();
      ranges.nameEnd = reader.position;
      ranges.nameStart = reader.position - length;
    } else if (tag === METADATA.namespace) {
      const length = reader.skipBytes();
      ranges.namespaceEnd = reader.position;
      ranges.namespaceStart = reader.position - length;
    } else if (tag === METADATA.resourceVersion) identity.resourceVersion = reader.uniqueString();
    else reader.skip(tag);
  }
  reader.leave(outer);
  identity.key = identity.keys.find(ranges);
}

/** A buffer cannot be frozen, so every access returns a copy. */
function defineUnknown(target: object, bytes: Buffer): void {
  Object.defineProperty(target, UNKNOWN_FIELDS, {
    get: () => Buffer.from(bytes),
    enumerable: true,
    configurable: false,
  });
}
