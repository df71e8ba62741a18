import { deepFreeze } from '../../lib/deep-freeze.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { Identified } from '../../meta/object.ts';
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
  type FieldSource,
  finishLazy,
  LazyFields,
  memoryOf,
  wholeObjectMaker,
  type UNREADABLE,
} from './lazy-fields.ts';
import type { Arrival } from './arrival.ts';
import type { EventOutline, StreamKind } from './event-outline.ts';
import type { KnownKeys } from './known-keys.ts';
import { maskMessage } from './mask-message.ts';
import { readMessagePath } from './message-path.ts';
import { KeptBytes } from './slab.ts';

/** Messages of a type: ranges of the bytes that a whole object keeps. */
abstract class MessageFields implements FieldSource {
  protected readonly type: MessageType;

  constructor(type: MessageType) {
    this.type = type;
  }

  /** The nesting depth in the whole object. */
  protected abstract get depth(): number;

  abstract wholeOf(object: object): MessageRoot;

  abstract versionOf(object: object): string;

  /** Returns where the message begins (0) or ends (1) in the bytes of its whole object. */
  protected abstract positionOf(whole: MessageRoot, side: 0 | 1): number;

  read(object: object, name: string): unknown {
    const { type } = this;
    const field = type.byName.get(name) as Field;
    const whole = this.wholeOf(object);
    const reader = this.#readerOf(whole);
    if (field.repeated || field.map || field.code !== FIELD_CODE.message) {
      const target: JsonObject = {};
      decoderOf(reader, this.depth + 1).decodeOnly(type, field, target);
      return deepFreeze(target[field.name]);
    }
    return this.#nested(whole, field, reader);
  }

  plain(object: object): object {
    const { type } = this;
    const reader = this.#readerOf(this.wholeOf(object));
    const { kind = '', apiVersion = '' } = object as Partial<ShownKind>;
    // The kind is not on the wire, unless it is a field like any other.
    const hasField = type.byName.has('kind') || type.byName.has('apiVersion');
    const target = newObject(type, hasField ? NOTHING : { kind, apiVersion });
    decoderOf(reader, this.depth).decode(type, target);
    return target;
  }

  readPath(object: object, path: ParsedPath): FoundValues | typeof UNREADABLE {
    const whole = this.wholeOf(object);
    const origin = KeptBytes.startOf(whole);
    const start = origin + this.positionOf(whole, 0);
    const end = origin + this.positionOf(whole, 1);
    return readMessagePath(memoryOf(whole), start, end, this.type, path);
  }

  #readerOf(whole: MessageRoot): WireReader {
    const origin = KeptBytes.startOf(whole);
    const start = origin + this.positionOf(whole, 0);
    const reader = new WireReader(memoryOf(whole), start, origin + this.positionOf(whole, 1));
    reader.origin = origin;
    return reader;
  }

  /**
   * The field occurs once: a second occurrence would have been found when this message was scanned.
   */
  #nested(whole: MessageRoot, field: Field, reader: WireReader): object {
    for (let tag = reader.tag(); tag !== field.tag; tag = reader.tag()) reader.skip(tag);
    reader.enter();
    const { position, limit } = reader;
    const target = newObject(field.type, kindOf(field));
    const depth = this.depth + 1;
    if (!readShallow(reader, field.type, target, depth)) {
      reader.position = position;
      return readWhole(reader, field.type, newObject(field.type, kindOf(field)), depth);
    }
    const origin = KeptBytes.startOf(whole);
    const range = { start: position - origin, end: limit - origin };
    const part = new MessagePart(field.type, whole, range, depth);
    finishLazy(new LazyFields(target, undefined, part));
    return target;
  }
}

/** The fields of a message within another one. */
class MessagePart extends MessageFields {
  readonly #whole: MessageRoot;
  readonly #start: number;
  readonly #end: number;
  readonly #depth: number;

  constructor(
    type: MessageType,
    whole: MessageRoot,
    { start, end }: { readonly start: number; readonly end: number },
    depth: number,
  ) {
    super(type);
    this.#whole = whole;
    this.#start = start;
    this.#end = end;
    this.#depth = depth;
  }

  protected override get depth(): number {
    return this.#depth;
  }

  override wholeOf(): MessageRoot {
    return this.#whole;
  }

  /** Only whole objects have one. */
  override versionOf(): string {
    return '';
  }

  protected override positionOf(_: MessageRoot, side: 0 | 1): number {
    return side === 0 ? this.#start : this.#end;
  }
}

/** Attached to a whole object, invisibly: it has a version. */
class MessageRoot extends KeptBytes {
  #version = '';

  static versionOf(object: MessageRoot): string {
    return object.#version;
  }

  static setVersion(object: MessageRoot, version: string): void {
    object.#version = version;
  }
}

/** A whole object with all that is attached to it. */
type Root = LazyFields & MessageRoot;

/** The fields of whole objects. */
class WholeMessage extends MessageFields {
  readonly newObject: () => JsonObject = wholeObjectMaker();
  static readonly #ofTypes = new WeakMap<MessageType, WholeMessage>();
  static #last: WholeMessage | undefined;

  /** Returns those of a type; mostly it is that of the last object. */
  static of(type: MessageType): WholeMessage {
    if (WholeMessage.#last?.type === type) return WholeMessage.#last;
    let whole = WholeMessage.#ofTypes.get(type);
    if (whole === undefined) WholeMessage.#ofTypes.set(type, (whole = new WholeMessage(type)));
    WholeMessage.#last = whole;
    return whole;
  }

  protected override get depth(): number {
    return 0;
  }

  override wholeOf(object: object): MessageRoot {
    return object as MessageRoot;
  }

  override versionOf(object: object): string {
    return MessageRoot.versionOf(object as MessageRoot);
  }

  protected override positionOf(whole: MessageRoot, side: 0 | 1): number {
    return side === 0 ? 0 : KeptBytes.lengthOf(whole);
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
  const target = show(shown, WholeMessage.of(type).newObject());
  if (form?.projection !== undefined) markProjected(target, form.projection);
  const identity: FoundIdentity = { keys, key: '', resourceVersion: '' };
  if (!readShallow(reader, type, target, 0, identity)) {
    reader.position = position;
    const plain = newObject(type, shown);
    if (form?.projection !== undefined) markProjected(plain, form.projection);
    return readWhole(reader, type, plain, 0);
  }
  const root = attach(target, type, identity.key);
  MessageRoot.setVersion(root, identity.resourceVersion);
  KeptBytes.setLength(root, limit - position);
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
  const root = key === undefined ? newOutlined(outline, key) : prepared.next(outline, key);
  MessageRoot.setVersion(root, bytes.toString('utf8', versionStart, versionEnd));
  KeptBytes.setLength(root, end - start);
  arrival.keep(root, bytes, start);
  return root;
}

/** So many objects are prepared at a time, at most. */
const mostPrepared = 16;

/**
 * Objects of a stream whose bytes are still to come. V8 defines properties in code of its own. When
 * changes come one by one, that code is in no cache of the processor, and fetching it is most of what
 * an object costs. So several are made at a time: at first one, then twice as many each time.
 */
export class PreparedObjects {
  readonly #objects: Root[] = [];
  /** Their fields. */
  #names: EventOutline['names'] = [];
  #nextCount = 1;

  /** Returns an object with the kind and the fields of the outline, and with this key. */
  next(outline: EventOutline, key: string): Root {
    if (outline.names !== this.#names) {
      this.#objects.length = 0;
      this.#names = outline.names;
      this.#nextCount = 1;
    }
    const next = this.#objects.pop();
    if (next !== undefined) {
      Identified.setKey(next, key);
      return next;
    }
    for (let count = 1; count < this.#nextCount; count++) {
      this.#objects.push(newOutlined(outline, ''));
    }
    this.#nextCount = Math.min(this.#nextCount * 2, mostPrepared);
    return newOutlined(outline, key);
  }
}

function newOutlined(outline: EventOutline, key: string | undefined): Root {
  const { names, accessors } = outline;
  const kind = outline.kind as StreamKind;
  const target = show(kind, WholeMessage.of(kind.type).newObject());
  for (let index = 0; index < names.length; index++) {
    Object.defineProperty(target, names[index] as string, accessors[index] as PropertyDescriptor);
  }
  return attach(target, kind.type, key);
}

/** Without a key from which its name follows, an object has no identity beside its metadata. */
function attach(target: object, type: MessageType, key: string | undefined): Root {
  const root = new MessageRoot(target) as Root;
  finishLazy(new LazyFields(root, key, WholeMessage.of(type)));
  return root;
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

function newObject(type: MessageType, kind: ShownKind): JsonObject {
  return show(kind, type.newObject());
}

function show({ kind, apiVersion }: ShownKind, target: JsonObject): JsonObject {
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
