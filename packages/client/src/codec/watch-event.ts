import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { WatchEvent } from '../meta/types.ts';
import {
  decodeEmbedded,
  type DecodeOptions,
  type EncodeOptions,
  writeEnvelope,
} from './envelope.ts';
import { readWrappedBytes } from './special-values.ts';
import { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag, WireReader } from './wire/wire-reader.ts';

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

/** Type and object of a watch event; the object is a view, still in whatever encoding it has. */
export function openWatchFrame(payload: Uint8Array): { type: string; body: Buffer } {
  const reader = new WireReader(payload);
  let type = '';
  let body: Buffer | undefined;
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === EVENT.type) type = reader.string();
    else if (tag === EVENT.object) {
      const outer = reader.enter();
      body = readWrappedBytes(reader);
      reader.leave(outer);
    } else reader.skip(tag);
  }
  if (type === '' || body === undefined || body.length === 0) {
    throw reader.malformed('a watch event lacks its type or its object');
  }
  return { type, body };
}

/**
 * Reads a watch event from the payload of a frame: what `LengthDelimitedFrames` gives, without the
 * length before it.
 */
export function decodeWatchFrame<T extends object = JsonObject>(
  payload: Uint8Array,
  options: DecodeOptions = {},
): WatchEvent<T> {
  const { type, body } = openWatchFrame(payload);
  const object = decodeEmbedded(body, options, 0);
  if (!isJsonObject(object)) {
    throw new WireReader(payload).malformed('the object of a watch event is none');
  }
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
