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

/** Options for decoding protobuf. */
export interface DecodeOptions {
  /** The kind to assume if the bytes name none. A server takes it from the URL. */
  readonly defaultKind?: GroupVersionKind | undefined;
  /** Called for what the decoded object cannot show; see {@link DecodeFinding}. */
  readonly report?: ((finding: DecodeFinding) => void) | undefined;
}

/** Options for encoding protobuf. */
export interface EncodeOptions {
  /** The kind to assume if the object names none. */
  readonly defaultKind?: GroupVersionKind | undefined;
  /**
   * `refuse` (default) throws `CODEC_UNKNOWN_FIELD` for a field that has no protobuf encoding, so
   * that none is lost silently. `drop` is for objects that are known to be clean.
   */
  readonly unknownFields?: UnknownFieldPolicy | undefined;
}

/** The magic bytes of a Kubernetes protobuf body; a `runtime.Unknown` message follows. */
export const MAGIC: Buffer = Buffer.from('k8s\0', 'latin1');
const UNKNOWN = {
  typeMeta: bytesTag(1),
  raw: bytesTag(2),
  contentEncoding: bytesTag(3),
  contentType: bytesTag(4),
};
const TYPE_META = { apiVersion: bytesTag(1), kind: bytesTag(2) };

/** True if the bytes start with the magic of a Kubernetes protobuf body. */
export function isProtobuf(bytes: Uint8Array, start = 0, end: number = bytes.length): boolean {
  if (end - start < MAGIC.length) return false;
  for (let index = 0; index < MAGIC.length; index++) {
    if (bytes[start + index] !== MAGIC[index]) return false;
  }
  return true;
}

/** Writes the envelope: magic, kind and object. */
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

/** A body whose envelope has been read and whose object has not. */
export interface Envelope {
  readonly type: MessageType;
  readonly apiVersion: string;
  readonly kind: string;
  /** The range of the object in the bytes. */
  readonly start: number;
  readonly end: number;
}

/** Reads the envelope of a body, which ends at the reader's limit. */
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

/** Decodes what {@link writeEnvelope} writes. `depth` is the nesting depth. */
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

/** Decodes an embedded object: protobuf if it has the magic, else JSON. */
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

/** Discovery documents of the core group have a kind and no apiVersion; all others have both. */
function typeOf(apiVersion: string, kind: string, what: string): MessageType {
  const type = messageTypeOfKind(apiVersion, kind);
  if (type !== undefined) return type;
  if (apiVersion === '' || kind === '') {
    throw new CodecError('CODEC_NO_KIND', `${what} has no apiVersion or kind`, {
      hint: 'Set both, or name a defaultKind.',
    });
  }
  throw new CodecError('CODEC_NO_PROTOBUF', `${kind} of ${apiVersion} has no protobuf encoding`, {
    hint: 'Use JSON. Custom resources have no protobuf, nor have kinds newer than this client.',
  });
}

/** True if objects of this kind have a protobuf encoding. Custom resources do not. */
export function hasProtobuf(gvk: GroupVersionKind): boolean {
  return kindsOf(apiVersionOf(gvk)).has(gvk.kind);
}

/**
 * Encodes an object of any built-in kind as the body of a request or response.
 *
 * The bytes are those that the server would write. Fields are checked against their types and the
 * first invalid one throws; no field is lost silently, see {@link EncodeOptions}.
 *
 * Integers beyond 2^53 are refused (`CODEC_INEXACT_INTEGER`): a JavaScript number of that size may
 * have been rounded. A bigint is encoded exactly.
 */
export function encodeProtobuf(object: object, options: EncodeOptions = {}): Uint8Array {
  const writer = new BackwardWriter();
  writeEnvelope(writer, object as JsonObject, options);
  return writer.finish();
}

/**
 * Decodes a protobuf body into the plain object that the server would have sent as JSON: the same
 * fields, including `apiVersion` and `kind`, and the same empty values.
 *
 * Integers beyond 2^53 become the nearest number, as with `JSON.parse`; unknown fields of a newer
 * server are preserved, see `UNKNOWN_FIELDS`. `report` is called for both. Invalid bytes always
 * throw a `CodecError`.
 */
export function decodeProtobuf<T extends object = JsonObject>(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): T {
  return readEnvelope(asBuffer(bytes), options, 0) as T;
}

/** What comes before and after the items of a list, or before and after a single one. */
export interface ProtobufFrame {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/**
 * Encodes objects as items of lists, for a server that sends the same bytes many times: in lists between the
 * head and the tail of {@link protobufListFrame}, alone between those of {@link protobufItemFrame}.
 */
export class ProtobufItemEncoder {
  #writer = new BackwardWriter();

  /** Encodes an object and returns its size. Throws as {@link encodeProtobuf} does. */
  encode(object: object): number {
    const { apiVersion, kind } = withDefault(
      (object as JsonObject)['apiVersion'],
      (object as JsonObject)['kind'],
      undefined,
    );
    const writer = this.#writer;
    writer.clear();
    new MessageEncoder(writer, 'refuse').message(
      typeOf(apiVersion, kind, 'the object'),
      object as JsonObject,
    );
    writer.uint32(writer.written);
    // The object has number 2 in its envelope, and items have number 2 in their list.
    writer.byte(UNKNOWN.raw);
    return writer.written;
  }

  /** Copies the item that was encoded last. */
  copyTo(target: Uint8Array, start: number): void {
    this.#writer.copyTo(target, start);
  }
}

/**
 * Returns what to send around the items of a list that are `size` bytes together. `list` has its kind, its
 * apiVersion and its metadata.
 */
export function protobufListFrame(list: object, size: number): ProtobufFrame {
  const frame = encodeProtobuf(list);
  const { tagAt, start, end } = rawFieldOf(frame);
  const head = new BackwardWriter();
  head.raw(frame.subarray(start, end));
  head.uint32(end - start + size);
  head.byte(UNKNOWN.raw);
  head.raw(frame.subarray(0, tagAt));
  return { head: head.finish(), tail: frame.subarray(end) };
}

/** Returns what to send around a single item of this kind, so that it is a body of its own. */
export function protobufItemFrame(apiVersion: string, kind: string): ProtobufFrame {
  const frame = encodeProtobuf({ apiVersion, kind });
  const { tagAt, end } = rawFieldOf(frame);
  return { head: frame.subarray(0, tagAt), tail: frame.subarray(end) };
}

/** Finds the object in an envelope: where its tag is, and the range of its bytes. */
function rawFieldOf(body: Uint8Array): { tagAt: number; start: number; end: number } {
  const reader = new WireReader(body, MAGIC.length);
  for (;;) {
    const tagAt = reader.position;
    const tag = reader.tag();
    if (tag === UNKNOWN.raw) {
      reader.enter();
      return { tagAt, start: reader.position, end: reader.limit };
    }
    reader.skip(tag);
  }
}

const EVENT = { type: bytesTag(1), object: bytesTag(2) };
const RAW_EXTENSION = { raw: bytesTag(1) };

/** Encodes a watch event as a protobuf frame with its length prefix. */
export function encodeWatchFrame(
  { type, object }: WatchEvent<object>,
  options: EncodeOptions = {},
): Uint8Array {
  const writer = new BackwardWriter();
  writeEnvelope(writer, object as JsonObject, options);
  return finishFrame(writer, type);
}

/**
 * Returns the frame of a watch event whose object is already encoded by `encodeProtobuf`. A server
 * that sends one object to many watchers encodes it once.
 */
export function watchFrameOf(type: string, body: Uint8Array): Uint8Array {
  const writer = new BackwardWriter();
  writer.raw(body);
  return finishFrame(writer, type);
}

/** A watch event whose object has not been decoded, in any encoding. */
export interface WatchFrame {
  readonly type: string;
  /** The range of the object in the bytes of the frame. */
  readonly start: number;
  readonly end: number;
}

/** Reads a watch event without decoding its object. */
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
    throw reader.malformed('a watch event has no type or no object');
  }
  return { type, start, end };
}

/** Decodes a watch event from the payload of a frame, which `LengthDelimitedFrames` returns. */
export function decodeWatchFrame<T extends object = JsonObject>(
  payload: Uint8Array,
  options: DecodeOptions = {},
): WatchEvent<T> {
  const reader = new WireReader(payload);
  const { type, start, end } = openWatchFrame(reader);
  const object = decodeEmbedded(reader.bytes.subarray(start, end), options, 0);
  if (!isJsonObject(object)) throw reader.malformed('the object of a watch event is not an object');
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
