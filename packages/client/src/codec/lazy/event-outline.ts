import {
  FIELD_CODE,
  type Field,
  type FieldName,
  type MessageType,
  messageTypeOfKind,
} from '../message-type.ts';
import { isProtobuf, MAGIC } from '../protobuf.ts';
import { END_OF_MESSAGE, FieldScanner, UNEXPECTED } from '../wire/field-scanner.ts';
import { bytesTag, WIRE_TYPE } from '../wire/wire-reader.ts';
import type { KeyRanges } from './known-keys.ts';

/** Tags of `WatchEvent`, `RawExtension`, `Unknown`, `TypeMeta` and `ObjectMeta`, all of one byte. */
const FIRST = bytesTag(1);
const SECOND = bytesTag(2);
const CONTENT_ENCODING = bytesTag(3);
const CONTENT_TYPE = bytesTag(4);
const NAME = bytesTag(1);
const NAMESPACE = bytesTag(3);
const RESOURCE_VERSION = bytesTag(6);

/** An error is decoded immediately, and any other type refused. */
const EVENT_TYPES = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'].map((text) => ({
  text,
  bytes: Buffer.from(text, 'latin1'),
}));

/** How a field of an object is read on arrival. An empty `text` is absent. */
const ROLE = { other: 0, metadata: 1, once: 2, many: 3, text: 4 } as const;
type Role = (typeof ROLE)[keyof typeof ROLE];

/** The largest field number that has a bit in a mask of fields. */
const LARGEST_NUMBER = 30;

/** The kind of the objects of a stream, as its bytes and what they mean. */
export interface StreamKind {
  readonly bytes: Buffer;
  readonly type: MessageType;
  readonly kind: string;
  readonly apiVersion: string;
  /** By field number. */
  readonly roles: readonly Role[];
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
  /** The range of the object. */
  start = 0;
  end = 0;
  /** The names of the fields that the object has, except its kind: another list for another kind or other fields. */
  names: readonly FieldName[] = [];
  namespaceStart = 0;
  namespaceEnd = 0;
  nameStart = 0;
  nameEnd = 0;
  versionStart = 0;
  versionEnd = 0;
  #kind: StreamKind | undefined;
  /** Bits of the numbers of the fields in {@link names}; negative if there are none. */
  #present = -1;

  /** The kind of the object that was read last. */
  get kind(): StreamKind {
    return this.#kind as StreamKind;
  }

  /** Reads a frame without its length prefix; false if it must be decoded. */
  read(bytes: Buffer): boolean {
    this.bytes = bytes;
    const limit = bytes.length;
    const typeStart = this.#enter(0, FIRST, limit);
    const typeEnd = this.end;
    const type = typeStart === -1 ? undefined : eventTypeOf(bytes, typeStart, typeEnd);
    if (type === undefined) return false;
    const extension = this.#enter(typeEnd, SECOND, limit);
    if (extension === -1 || this.end !== limit) return false;
    const body = this.#enter(extension, FIRST, limit);
    if (body === -1 || this.end !== limit || !isProtobuf(bytes, body, limit)) return false;
    const typeMeta = this.#enter(body + MAGIC.length, FIRST, limit);
    const typeMetaEnd = this.end;
    if (typeMeta === -1 || !this.#isOfKind(typeMeta, typeMetaEnd)) return false;
    const start = this.#enter(typeMetaEnd, SECOND, limit);
    if (start === -1 || !isEndOfBody(bytes, this.end, limit)) return false;
    this.type = type;
    this.start = start;
    return this.#readFields(start, this.end);
  }

  /** Returns where the value of a field begins, and sets `end` to where it ends; -1 if there is another field. */
  #enter(position: number, tag: number, limit: number): number {
    const { bytes } = this;
    if (position + 1 >= limit || bytes[position] !== tag) return -1;
    let at = position + 1;
    let length = bytes[at++] as number;
    for (let shift = 7; length >= 1 << shift; shift += 7) {
      if (shift > 21 || at >= limit) return -1;
      length = (length & ((1 << shift) - 1)) | ((bytes[at++] as number) << shift);
    }
    this.end = at + length;
    return this.end > limit ? -1 : at;
  }

  /** True if the kind is known; mostly it is that of the last object. */
  #isOfKind(start: number, end: number): boolean {
    const known = this.#kind;
    if (known !== undefined && isAt(this.bytes, start, end, known.bytes)) {
      return true;
    }
    const versionStart = this.#enter(start, FIRST, end);
    const versionEnd = this.end;
    const kindStart = versionStart === -1 ? -1 : this.#enter(versionEnd, SECOND, end);
    if (kindStart === -1 || this.end !== end) return false;
    const apiVersion = this.bytes.toString('utf8', versionStart, versionEnd);
    const kind = this.bytes.toString('utf8', kindStart, end);
    const type = messageTypeOfKind(apiVersion, kind);
    if (type === undefined) return false;
    // A copy: the frame shares memory with others.
    const bytes = Buffer.from(this.bytes.subarray(start, end));
    this.#kind = { bytes, type, kind, apiVersion, roles: type.byNumber.map(roleOf) };
    this.#present = -1;
    return true;
  }

  /** Reads the fields of the object: all but the metadata are skipped. */
  #readFields(start: number, limit: number): boolean {
    const { bytes } = this;
    const { roles } = this.kind;
    let present = 0;
    let last = 0;
    let position = start;
    this.namespaceStart = this.namespaceEnd = this.nameStart = this.nameEnd = 0;
    this.versionStart = this.versionEnd = 0;
    while (position < limit) {
      const tag = bytes[position] as number;
      const number = tag >>> 3;
      const role = tag < 0x80 && number <= LARGEST_NUMBER ? roles[number] : ROLE.other;
      if (role === undefined || role === ROLE.other || number < last) return false;
      if (number === last && role !== ROLE.many) return false;
      const valueStart = this.#enter(position, (number << 3) | WIRE_TYPE.bytes, limit);
      if (valueStart === -1) return false;
      position = this.end;
      last = number;
      if (role === ROLE.metadata && !this.#readMetadata(valueStart, position)) return false;
      if (role !== ROLE.text || valueStart !== position) present |= 1 << number;
    }
    this.end = limit;
    return present === this.#present || this.#isWhole(present);
  }

  /** Sets the names of the fields; false if one is missing that JSON shows nevertheless. */
  #isWhole(present: number): boolean {
    const { fields, always } = this.kind.type;
    const isPresent = ({ number }: Field): boolean => ((present >>> number) & 1) === 1;
    if (!always.every(isPresent)) return false;
    this.names = fields.filter(isPresent).map(({ name }) => name);
    this.#present = present;
    return true;
  }

  /** Reads the name, the namespace and the version, and makes sure that each occurs once. */
  #readMetadata(start: number, limit: number): boolean {
    const scanner = new FieldScanner(this.bytes, start, limit);
    if (scanner.seek(1) === NAME) {
      this.nameStart = scanner.start;
      this.nameEnd = scanner.end;
    }
    if (scanner.seek(3) === NAMESPACE) {
      this.namespaceStart = scanner.start;
      this.namespaceEnd = scanner.end;
    }
    if (scanner.seek(6) === RESOURCE_VERSION) {
      this.versionStart = scanner.start;
      this.versionEnd = scanner.end;
    }
    return scanner.seek(END_OF_MESSAGE) !== UNEXPECTED;
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

/** True if nothing follows an object in its body but an empty encoding and type, which servers write. */
function isEndOfBody(bytes: Buffer, position: number, limit: number): boolean {
  if (position === limit) return true;
  return (
    position + 4 === limit &&
    bytes[position] === CONTENT_ENCODING &&
    bytes[position + 1] === 0 &&
    bytes[position + 2] === CONTENT_TYPE &&
    bytes[position + 3] === 0
  );
}

/** Returns how a field is read. Only those that objects decode when they are accessed have a role. */
function roleOf(field: Field | undefined): Role {
  if (field === undefined || field.name === '' || (field.tag & 7) !== WIRE_TYPE.bytes) {
    return ROLE.other;
  }
  if (field.repeated || field.map) return ROLE.many;
  switch (field.code) {
    case FIELD_CODE.string:
    case FIELD_CODE.bytes:
      return field.pointer || field.always ? ROLE.once : ROLE.text;
    case FIELD_CODE.message:
      if (field.type.union !== undefined) return ROLE.other;
      return field.type.name === 'ObjectMeta' ? ROLE.metadata : ROLE.once;
    default:
      return ROLE.other;
  }
}
