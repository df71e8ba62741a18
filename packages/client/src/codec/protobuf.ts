import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { apiVersionOf, type GroupVersionKind } from '../meta/resource.ts';
import type { WatchEvent } from '../meta/types.ts';
import { CodecError } from './codec-error.ts';
import { parseJsonBytes } from './json-text.ts';
import { type DecodeFinding, MessageDecoder } from './message-decoder.ts';
import { MessageEncoder, type UnknownFieldPolicy } from './message-encoder.ts';
import { kindsOf, type MessageType, messageTypeOfKind } from './message-type.ts';
import { BackwardWriter } from './wire/backward-writer.ts';
import { asBuffer, bytesTag, WireReader } from './wire/wire-reader.ts';

/** How protobuf is read. */
export interface DecodeOptions {
  /** The kind to assume where the bytes name none. A server knows it from the URL. */
  readonly defaultKind?: GroupVersionKind;
  /** Told of what the resulting object cannot show; see {@link DecodeFinding}. */
  readonly report?: (finding: DecodeFinding) => void;
}

/** How protobuf is written. */
export interface EncodeOptions {
  /** The kind to assume where the object names none. */
  readonly defaultKind?: GroupVersionKind;
  /**
   * `refuse` (the default) throws `CODEC_UNKNOWN_FIELD` for a field without a place in protobuf,
   * so that none is lost without a word. `drop` is for objects that are known to be clean.
   */
  readonly unknownFields?: UnknownFieldPolicy;
}

/** What every protobuf body of Kubernetes starts with; a `runtime.Unknown` message follows. */
const MAGIC = Buffer.from('k8s\0', 'latin1');
const UNKNOWN = {
  typeMeta: bytesTag(1),
  raw: bytesTag(2),
  contentEncoding: bytesTag(3),
  contentType: bytesTag(4),
};
const TYPE_META = { apiVersion: bytesTag(1), kind: bytesTag(2) };

/** True if the bytes are a protobuf body of Kubernetes, by their first four. */
export function isProtobuf(bytes: Uint8Array, start = 0, end: number = bytes.length): boolean {
  if (end - start < MAGIC.length) return false;
  for (let index = 0; index < MAGIC.length; index++) {
    if (bytes[start + index] !== MAGIC[index]) return false;
  }
  return true;
}

/** Writes magic, kind and object. */
export function writeEnvelope(
  writer: BackwardWriter,
  object: JsonObject,
  { defaultKind, unknownFields = 'refuse' }: EncodeOptions,
): void {
  const { apiVersion, kind } = withDefault(object['apiVersion'], object['kind'], defaultKind);
  const type = typeOf(apiVersion, kind, 'the object');

  writer.string('');
  writer.byte(UNKNOWN.contentType);
  writer.string('');
  writer.byte(UNKNOWN.contentEncoding);

  const end = writer.written;
  new MessageEncoder(writer, unknownFields).message(type, object);
  writer.uint32(writer.written - end);
  writer.byte(UNKNOWN.raw);

  const typeMetaEnd = writer.written;
  writer.string(kind);
  writer.byte(TYPE_META.kind);
  writer.string(apiVersion);
  writer.byte(TYPE_META.apiVersion);
  writer.uint32(writer.written - typeMetaEnd);
  writer.byte(UNKNOWN.typeMeta);
  writer.raw(MAGIC);
}

/** A body whose kind is known and whose object is still to be read. */
export interface Envelope {
  readonly type: MessageType;
  readonly apiVersion: string;
  readonly kind: string;
  /** Where the object is in the bytes. */
  readonly start: number;
  readonly end: number;
}

/** Reads what is around the object of a body, which ends where the reader does. */
export function openEnvelope(reader: WireReader, defaultKind?: GroupVersionKind): Envelope {
  if (reader.atEnd) throw new CodecError('CODEC_EMPTY', 'there are no bytes to decode');
  if (!isProtobuf(reader.bytes, reader.position, reader.limit)) {
    throw new CodecError('CODEC_NOT_PROTOBUF', 'the bytes are not a protobuf body of Kubernetes', {
      hint: 'Choose the decoder by the content-type of the response.',
    });
  }
  reader.position += MAGIC.length;
  if (reader.atEnd) throw reader.truncated();
  let typeMeta: { apiVersion: string; kind: string } | undefined;
  let start = 0;
  let end = 0;
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === UNKNOWN.raw) {
      const outer = reader.enter();
      start = reader.position;
      end = reader.limit;
      reader.leave(outer);
    } else if (tag === UNKNOWN.typeMeta) typeMeta = readTypeMeta(reader);
    else reader.skip(tag);
  }
  const { apiVersion, kind } = withDefault(typeMeta?.apiVersion, typeMeta?.kind, defaultKind);
  return { type: typeOf(apiVersion, kind, 'the envelope'), apiVersion, kind, start, end };
}

/** Reads what {@link writeEnvelope} wrote. `depth` counts the messages around it. */
export function readEnvelope(bytes: Buffer, options: DecodeOptions, depth: number): JsonObject {
  const { defaultKind, report } = options;
  const { type, apiVersion, kind, start, end } = openEnvelope(new WireReader(bytes), defaultKind);
  const object: JsonObject = apiVersion === '' ? { kind } : { kind, apiVersion };
  const decodeRaw = (inner: Buffer, innerDepth: number): JsonValue =>
    decodeEmbedded(inner, report === undefined ? {} : { report }, innerDepth);
  const reader = new WireReader(bytes, start, end);
  new MessageDecoder(reader, { decodeRaw, report, depth }).decode(type, object);
  return object;
}

/** An embedded object is protobuf if it says so, else JSON. */
export function decodeEmbedded(bytes: Buffer, options: DecodeOptions, depth: number): JsonValue {
  return isProtobuf(bytes)
    ? readEnvelope(bytes, options, depth + 1)
    : parseJsonBytes(bytes, 'an embedded object');
}

function readTypeMeta(reader: WireReader): { apiVersion: string; kind: string } {
  const outer = reader.enter();
  let apiVersion = '';
  let kind = '';
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === TYPE_META.apiVersion) apiVersion = reader.string();
    else if (tag === TYPE_META.kind) kind = reader.string();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { apiVersion, kind };
}

function withDefault(
  apiVersion: unknown,
  kind: unknown,
  defaultKind: GroupVersionKind | undefined,
): { apiVersion: string; kind: string } {
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  return {
    apiVersion: isText(apiVersion) ? apiVersion : apiVersionOf(defaultKind ?? NO_VERSION),
    kind: isText(kind) ? kind : (defaultKind?.kind ?? ''),
  };
}

const NO_VERSION = { group: '', version: '' };

/** Discovery documents of the core group have a kind and no apiVersion; all else has both. */
function typeOf(apiVersion: string, kind: string, what: string): MessageType {
  const type = messageTypeOfKind(apiVersion, kind);
  if (type !== undefined) return type;
  if (apiVersion === '' || kind === '') {
    throw new CodecError('CODEC_NO_KIND', `${what} does not say its apiVersion and kind`, {
      hint: 'Set both, or name a defaultKind.',
    });
  }
  throw new CodecError('CODEC_NO_PROTOBUF', `${kind} of ${apiVersion} has no protobuf encoding`, {
    hint: 'Use JSON. Custom resources have no protobuf, nor have kinds newer than this client.',
  });
}

/** True if objects of this kind can be read and written as protobuf. Custom resources cannot. */
export function hasProtobuf(gvk: GroupVersionKind): boolean {
  return kindsOf(apiVersionOf(gvk)).has(gvk.kind);
}

/**
 * Writes an object, of any built-in kind, as the body of a request or response.
 *
 * The bytes are those that the server itself would write. Fields are checked against their types
 * and the first wrong one throws; nothing is lost without a word, see {@link EncodeOptions}.
 *
 * Integers beyond 2^53 are refused (`CODEC_INEXACT_INTEGER`): a JavaScript number of that size may
 * have been rounded when it was read. A bigint is written exactly.
 */
export function encodeProtobuf(object: object, options: EncodeOptions = {}): Uint8Array {
  const writer = new BackwardWriter();
  writeEnvelope(writer, object as JsonObject, options);
  return writer.finish();
}

/**
 * Reads a protobuf body into the plain object that the server would have sent as JSON: the same
 * fields, `apiVersion` and `kind` included, with the same emptiness.
 *
 * Integers beyond 2^53 become the nearest number, as they do in `JSON.parse`; fields of a newer
 * server are kept aside, see `UNKNOWN_FIELDS`. `report` tells of both. No bytes, however broken,
 * give anything but an object or a `CodecError`.
 */
export function decodeProtobuf<T extends object = JsonObject>(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): T {
  return readEnvelope(asBuffer(bytes), options, 0) as T;
}

const EVENT = { type: bytesTag(1), object: bytesTag(2) };
const RAW_EXTENSION = { raw: bytesTag(1) };

/** Writes a watch event as protobuf: a frame with its length before it, ready for the stream. */
export function encodeWatchFrame(
  { type, object }: WatchEvent<object>,
  options: EncodeOptions = {},
): Uint8Array {
  const writer = new BackwardWriter();
  writeEnvelope(writer, object as JsonObject, options);
  return finishFrame(writer, type);
}

/**
 * The frame of a watch event whose object is encoded already, by `encodeProtobuf`. A server that
 * sends one object to many watchers encodes it once.
 */
export function watchFrameOf(type: string, body: Uint8Array): Uint8Array {
  const writer = new BackwardWriter();
  writer.raw(body);
  return finishFrame(writer, type);
}

/** A watch event whose object is still to be read, in whatever encoding it has. */
export interface WatchFrame {
  readonly type: string;
  /** Where the object is in the bytes of the frame. */
  readonly start: number;
  readonly end: number;
}

/** Reads what is around the object of a watch event. */
export function openWatchFrame(reader: WireReader): WatchFrame {
  let type = '';
  let start = 0;
  let end = 0;
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === EVENT.type) type = reader.string();
    else if (tag === EVENT.object) {
      const outer = reader.enter();
      while (!reader.atEnd) {
        const inner = reader.tag();
        if (inner === RAW_EXTENSION.raw) {
          const around = reader.enter();
          start = reader.position;
          end = reader.limit;
          reader.leave(around);
        } else reader.skip(inner);
      }
      reader.leave(outer);
    } else reader.skip(tag);
  }
  if (type === '' || start === end) {
    throw reader.malformed('a watch event lacks its type or its object');
  }
  return { type, start, end };
}

/**
 * Reads a watch event from the payload of a frame: what `LengthDelimitedFrames` gives, without the
 * length before it.
 */
export function decodeWatchFrame<T extends object = JsonObject>(
  payload: Uint8Array,
  options: DecodeOptions = {},
): WatchEvent<T> {
  const reader = new WireReader(payload);
  const { type, start, end } = openWatchFrame(reader);
  const object = decodeEmbedded(reader.bytes.subarray(start, end), options, 0);
  if (!isJsonObject(object)) throw reader.malformed('the object of a watch event is none');
  return { type, object: object as unknown as T };
}

function finishFrame(writer: BackwardWriter, type: string): Uint8Array {
  writer.uint32(writer.written);
  writer.byte(RAW_EXTENSION.raw);
  writer.uint32(writer.written);
  writer.byte(EVENT.object);
  writer.string(type);
  writer.byte(EVENT.type);
  const length = writer.written;
  for (let shift = 0; shift < 32; shift += 8) writer.byte((length >>> shift) & 0xff);
  return writer.finish();
}
