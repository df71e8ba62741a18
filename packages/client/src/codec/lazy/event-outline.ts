import {
  FIELD_CODE,
  type Field,
  type FieldName,
  type MessageType,
  messageTypeOfKind,
} from '../message-type.ts';
import { isProtobuf, MAGIC } from '../protobuf.ts';
import { FieldScanner, fieldSet, LARGEST_BIT, UNEXPECTED } from '../wire/field-scanner.ts';
import { WIRE_TYPE } from '../wire/wire-reader.ts';
import type { KeyRanges } from './known-keys.ts';
import { accessorOf } from './lazy-fields.ts';

/** The fields of `WatchEvent`, `RawExtension`, `Unknown`, `TypeMeta` and `ObjectMeta`, by their numbers. */
const EVENT = { type: 1, object: 2 } as const;
const EXTENSION = { raw: 1 } as const;
const BODY = { typeMeta: 1, raw: 2 } as const;
const TYPE_META = { apiVersion: 1, kind: 2 } as const;
const META = { name: 1, namespace: 3, resourceVersion: 6 } as const;

const EVENT_FIELDS = fieldSet(EVENT.type, EVENT.object);
const EXTENSION_FIELDS = fieldSet(EXTENSION.raw);
const BODY_FIELDS = fieldSet(BODY.typeMeta, BODY.raw);
const TYPE_META_FIELDS = fieldSet(TYPE_META.apiVersion, TYPE_META.kind);
const NAME = fieldSet(META.name);
const NAMESPACE = fieldSet(META.namespace);
const RESOURCE_VERSION = fieldSet(META.resourceVersion);
const META_FIELDS = NAME | NAMESPACE | RESOURCE_VERSION;

/** Outlines are read one after another. */
const scanner = new FieldScanner();

/** An error is decoded immediately, and any other type refused. */
const EVENT_TYPES = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'].map((text) => ({
  text,
  bytes: Buffer.from(text, 'latin1'),
}));

/** The kind of the objects of a stream, as its bytes and what they mean. */
export interface StreamKind {
  readonly bytes: Buffer;
  readonly type: MessageType;
  readonly kind: string;
  readonly apiVersion: string;
  /** The number of the metadata; 0 if it has none. */
  readonly metadata: number;
  /** The fields that occur at most once. */
  readonly single: number;
  /** These, and the fields that may occur several times. */
  readonly known: number;
  /** The fields that are absent if they are empty. */
  readonly texts: readonly number[];
}

/**
 * Where everything is in the frame of a watch event: what an informer needs of most frames, read in a
 * few functions with local variables. A first list is mostly decoded before V8 has compiled the
 * code, and then every call counts. Only what servers write is understood; every other frame,
 * and what is wrong with it, is left to the decoder.
 */
export class EventOutline implements KeyRanges {
  bytes: Buffer = MAGIC;
  /** The type of the event. */
  type = '';
  /** The kind of the object that was read last. */
  kind: StreamKind | undefined;
  /** The range of the object. */
  start = 0;
  end = 0;
  /** The names of the fields that the object has, except its kind: another list for another kind or other fields. */
  names: readonly FieldName[] = [];
  /** How each of them is defined. */
  accessors: readonly PropertyDescriptor[] = [];
  namespaceStart = 0;
  namespaceEnd = 0;
  nameStart = 0;
  nameEnd = 0;
  versionStart = 0;
  versionEnd = 0;
  /** The fields in {@link names}; negative if there are none. */
  #present = -1;

  /** Reads a frame without its length prefix; false if it must be decoded. */
  read(bytes: Buffer): boolean {
    this.bytes = bytes;
    const { starts, ends } = scanner;
    if (scanner.scan(bytes, 0, bytes.length, EVENT_FIELDS) !== EVENT_FIELDS) return false;
    const type = eventTypeOf(bytes, starts[EVENT.type] as number, ends[EVENT.type] as number);
    if (type === undefined) return false;
    const extension = starts[EVENT.object] as number;
    const extensionEnd = ends[EVENT.object] as number;
    const inside = scanner.scan(bytes, extension, extensionEnd, EXTENSION_FIELDS);
    if (inside !== EXTENSION_FIELDS) return false;
    const body = starts[EXTENSION.raw] as number;
    const bodyEnd = ends[EXTENSION.raw] as number;
    if (!isProtobuf(bytes, body, bodyEnd)) return false;
    const parts = scanner.scan(bytes, body + MAGIC.length, bodyEnd, BODY_FIELDS);
    if (parts === UNEXPECTED || (parts & BODY_FIELDS) !== BODY_FIELDS) return false;
    const start = starts[BODY.raw] as number;
    const end = ends[BODY.raw] as number;
    const kind = this.#kindIn(starts[BODY.typeMeta] as number, ends[BODY.typeMeta] as number);
    if (kind === undefined) return false;
    this.type = type;
    this.start = start;
    this.end = end;
    return this.#readFields(kind);
  }

  /** Returns the kind if it is known; mostly it is that of the last object. */
  #kindIn(start: number, end: number): StreamKind | undefined {
    const known = this.kind;
    if (known !== undefined && isAt(this.bytes, start, end, known.bytes)) return known;
    if (scanner.scan(this.bytes, start, end, TYPE_META_FIELDS) !== TYPE_META_FIELDS) {
      return undefined;
    }
    const textOf = (number: number): string =>
      this.bytes.toString('utf8', scanner.starts[number], scanner.ends[number]);
    const apiVersion = textOf(TYPE_META.apiVersion);
    const kind = textOf(TYPE_META.kind);
    const type = messageTypeOfKind(apiVersion, kind);
    if (type === undefined) return undefined;
    // A copy: the frame shares memory with others.
    const bytes = Buffer.from(this.bytes.subarray(start, end));
    this.kind = { bytes, type, kind, apiVersion, ...rolesOf(type) };
    this.#present = -1;
    return this.kind;
  }

  /** Reads the fields of the object: all but the metadata are skipped. */
  #readFields(kind: StreamKind): boolean {
    const { bytes, start, end } = this;
    const { starts, ends } = scanner;
    let present = scanner.scan(bytes, start, end, kind.single);
    // As a set, UNEXPECTED has every field, also those that no kind knows.
    if ((present & ~kind.known) !== 0) return false;
    for (let index = 0; index < kind.texts.length; index++) {
      const number = kind.texts[index] as number;
      if (starts[number] === ends[number]) present &= ~(1 << number);
    }
    const hasMetadata = kind.metadata !== 0 && (present & (1 << kind.metadata)) !== 0;
    const from = hasMetadata ? (starts[kind.metadata] as number) : 0;
    const to = hasMetadata ? (ends[kind.metadata] as number) : 0;
    if (!this.#readMetadata(from, to)) return false;
    return present === this.#present || this.#isWhole(kind, present);
  }

  /** Sets the names of the fields; false if one is missing that JSON shows nevertheless. */
  #isWhole({ type }: StreamKind, present: number): boolean {
    const isPresent = ({ number }: Field): boolean => ((present >>> number) & 1) === 1;
    if (!type.always.every(isPresent)) return false;
    this.names = type.fields.filter(isPresent).map(({ name }) => name);
    this.accessors = this.names.map(accessorOf);
    this.#present = present;
    return true;
  }

  /** Reads the name, the namespace and the version, and makes sure that each occurs once. */
  #readMetadata(start: number, limit: number): boolean {
    const { starts, ends } = scanner;
    const present = scanner.scan(this.bytes, start, limit, META_FIELDS);
    if (present === UNEXPECTED) return false;
    const hasName = (present & NAME) !== 0;
    const hasNamespace = (present & NAMESPACE) !== 0;
    const hasVersion = (present & RESOURCE_VERSION) !== 0;
    this.nameStart = hasName ? (starts[META.name] as number) : 0;
    this.nameEnd = hasName ? (ends[META.name] as number) : 0;
    this.namespaceStart = hasNamespace ? (starts[META.namespace] as number) : 0;
    this.namespaceEnd = hasNamespace ? (ends[META.namespace] as number) : 0;
    this.versionStart = hasVersion ? (starts[META.resourceVersion] as number) : 0;
    this.versionEnd = hasVersion ? (ends[META.resourceVersion] as number) : 0;
    return true;
  }
}

function eventTypeOf(bytes: Buffer, start: number, end: number): string | undefined {
  for (let index = 0; index < EVENT_TYPES.length; index++) {
    const type = EVENT_TYPES[index] as (typeof EVENT_TYPES)[number];
    if (isAt(bytes, start, end, type.bytes)) return type.text;
  }
  return undefined;
}

/** True if the bytes of a range are the expected ones. */
function isAt(bytes: Buffer, start: number, end: number, expected: Buffer): boolean {
  const { length } = expected;
  if (length !== end - start) return false;
  for (let index = 0; index < length; index++) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}

/** Returns how the fields of an object are read. Only those that it decodes when they are accessed are known. */
function rolesOf({
  byNumber,
}: MessageType): Pick<StreamKind, 'known' | 'metadata' | 'single' | 'texts'> {
  let [metadata, single, known] = [0, 0, 0];
  const texts: number[] = [];
  for (const field of byNumber) {
    if (field === undefined || field.name === '' || field.number > LARGEST_BIT) continue;
    if ((field.tag & 7) !== WIRE_TYPE.bytes) continue;
    const { number, code } = field;
    const isText = code === FIELD_CODE.string || code === FIELD_CODE.bytes;
    const isMany = field.repeated || field.map;
    const isMessage = code === FIELD_CODE.message && field.type.union === undefined;
    if (!isMany && !isText && !isMessage) continue;
    known |= 1 << number;
    if (isMany) continue;
    single |= 1 << number;
    if (isText && !field.pointer && !field.always) texts.push(number);
    if (isMessage && field.type.name === 'ObjectMeta') metadata = number;
  }
  return { metadata, single, known, texts };
}
