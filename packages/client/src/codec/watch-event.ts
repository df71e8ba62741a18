import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { WatchEvent } from '../meta/types.ts';
import {
  decodeEmbedded,
  type DecodeOptions,
  type EncodeOptions,
  writeEnvelope,
} from './envelope.ts';
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
