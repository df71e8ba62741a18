import { parseJsonBytes } from './json-text.ts';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { WatchEvent } from '../meta/types.ts';
import { CodecError } from './codec-error.ts';
import { type FrameOptions, type Frames, JsonFrames, LengthDelimitedFrames } from './frames.ts';
import { MEDIA_TYPES, mediaTypeEssence } from './media-types.ts';
import { decodeProtobuf, decodeWatchFrame, encodeProtobuf, encodeWatchFrame } from './protobuf.ts';

/**
 * An encoding of API objects. Stores, queues and handlers do not depend on the encoding that an
 * object arrived in.
 */
export interface Codec {
  /** The value for `accept` and `content-type`. */
  readonly mediaType: string;
  /** The value of `accept` for watches. */
  readonly watchMediaType: string;
  encode(object: object): Uint8Array;
  /** Decodes one object. Throws a {@link CodecError} for anything else. */
  decode<T extends object = JsonObject>(bytes: Uint8Array): T;
  /** Encodes one event as a frame. */
  encodeWatchEvent(event: WatchEvent<object>): Uint8Array;
  /** Returns a decoder for one stream of events. */
  watchDecoder<T extends object = JsonObject>(options?: FrameOptions): WatchDecoder<T>;
}

/**
 * Decodes the chunks of one watch into events. Pull-based: a consumer that stops calling `next`
 * stops the decoding. After an error the stream is out of sync and must not be read further.
 */
export class WatchDecoder<T extends object = JsonObject> {
  readonly #frames: Frames;
  readonly #decode: (frame: Uint8Array) => WatchEvent<T> | undefined;

  /** `decode` returns undefined for a frame that turns out to be incomplete. */
  constructor(frames: Frames, decode: (frame: Uint8Array) => WatchEvent<T> | undefined) {
    this.#frames = frames;
    this.#decode = decode;
  }

  push(chunk: Uint8Array): void {
    this.#frames.push(chunk);
  }

  /** Returns the next complete event, or undefined until more is pushed. */
  next(): WatchEvent<T> | undefined {
    const frame = this.#frames.next();
    return frame === undefined ? undefined : this.#decode(frame);
  }

  /** Returns false if pushing these bytes would not complete an event; true if that is not known. */
  isEnough(bytes: Buffer, start: number, end: number): boolean {
    return this.#frames.isEnough?.(bytes, start, end) ?? true;
  }

  /** Copies what is left of the chunks that were pushed, which may be overwritten after this. */
  keepRest(): void {
    this.#frames.keepRest();
  }

  /** Call it when the stream ends: throws `CODEC_TRUNCATED` if an event was cut off. */
  end(): void {
    this.#frames.end();
  }
}

/** JSON, which every resource supports. Integers beyond 2^53 lose precision. */
export const jsonCodec: Codec = {
  mediaType: MEDIA_TYPES.json,
  watchMediaType: MEDIA_TYPES.jsonWatch,
  encode: (object) => Buffer.from(JSON.stringify(object)),
  decode: <T extends object>(bytes: Uint8Array) => parseObject(bytes, 'the body') as T,
  encodeWatchEvent: ({ type, object }) => Buffer.from(`${JSON.stringify({ type, object })}\n`),
  watchDecoder: <T extends object>(options?: FrameOptions) =>
    new WatchDecoder<T>(new JsonFrames(options), decodeJsonEvent),
};

/** Protobuf, which the built-in kinds support: smaller and faster to decode. */
export const protobufCodec: Codec = {
  mediaType: MEDIA_TYPES.protobuf,
  watchMediaType: MEDIA_TYPES.protobufWatch,
  encode: (object) => encodeProtobuf(object),
  decode: <T extends object>(bytes: Uint8Array) => decodeProtobuf<T>(bytes),
  encodeWatchEvent: (event) => encodeWatchFrame(event),
  watchDecoder: <T extends object>(options?: FrameOptions) =>
    new WatchDecoder<T>(new LengthDelimitedFrames(options), (frame) => decodeWatchFrame<T>(frame)),
};

/** Returns the codec for a `content-type`; parameters are ignored. */
export function codecFor(contentType: string): Codec {
  const essence = mediaTypeEssence(contentType);
  if (essence === MEDIA_TYPES.json) return jsonCodec;
  if (essence === MEDIA_TYPES.protobuf) return protobufCodec;
  throw new CodecError('CODEC_UNKNOWN_MEDIA_TYPE', `there is no codec for ${essence}`, {
    hint: `Ask for ${MEDIA_TYPES.json} or ${MEDIA_TYPES.protobuf}.`,
  });
}

function decodeJsonEvent<T extends object>(frame: Uint8Array): WatchEvent<T> {
  const { type, object } = parseObject(frame, 'a watch frame');
  if (typeof type !== 'string' || !isJsonObject(object)) {
    throw new CodecError('CODEC_MALFORMED_JSON', 'a watch frame has no type or no object');
  }
  return { type, object: object as unknown as T };
}

function parseObject(bytes: Uint8Array, what: string): JsonObject {
  const value = parseJsonBytes(bytes, what);
  if (isJsonObject(value)) return value;
  throw new CodecError('CODEC_MALFORMED_JSON', `${what} is not a JSON object`);
}
