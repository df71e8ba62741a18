/**
 * JSON and protobuf, watch framing, and read-only objects that are decoded when they are read.
 *
 * @module
 */

export { type Codec, codecFor, jsonCodec, protobufCodec, WatchDecoder } from './codec.ts';
export { CODEC_ERRORS, CodecError, type CodecErrorCode } from './codec-error.ts';
export { markConstant } from './constants.ts';
export {
  type DecodeOptions,
  decodeProtobuf,
  decodeWatchFrame,
  type EncodeOptions,
  encodeProtobuf,
  encodeWatchFrame,
  hasProtobuf,
  isProtobuf,
  type ProtobufFrame,
  ProtobufItemEncoder,
  protobufItemFrame,
  protobufListFrame,
  watchFrameOf,
} from './protobuf.ts';
export {
  DEFAULT_MAX_FRAME_BYTES,
  type FrameOptions,
  type Frames,
  JsonFrames,
  LengthDelimitedFrames,
} from './frames.ts';
export { readOnlyCodecFor, type ReadOnlyCodec } from './lazy/read-only-codec.ts';
export {
  MEDIA_TYPES,
  type MediaType,
  mediaTypeEssence,
  mediaTypeParameters,
} from './media-types.ts';
export type { DecodeFinding } from './message-decoder.ts';
export type { UnknownFieldPolicy } from './message-encoder.ts';
export { type DeepMutable, mutableCopy, UNKNOWN_FIELDS, unknownFieldsOf } from './mutable-copy.ts';
