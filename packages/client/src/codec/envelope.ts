import type { JsonObject, JsonValue } from '../lib/json.ts';
import { apiVersionOf, type GroupVersionKind } from '../meta/resource.ts';
import { CodecError } from './codec-error.ts';
import { parseJsonBytes } from './json-text.ts';
import { type DecodeFinding, MessageDecoder } from './message-decoder.ts';
import { MessageEncoder, type UnknownFieldPolicy } from './message-encoder.ts';
import { type MessageType, messageTypeOfKind } from './message-type.ts';
import type { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag, WireReader } from './wire/wire-reader.ts';

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
