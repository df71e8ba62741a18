export { type Codec, codecFor, jsonCodec, protobufCodec, WatchDecoder } from './codec.ts';
export { CODEC_ERRORS, CodecError, type CodecErrorCode } from './codec-error.ts';
export { type DecodeOptions, type EncodeOptions, isProtobuf } from './envelope.ts';
export { DEFAULT_MAX_FRAME_BYTES, type FrameOptions, type Frames } from './frames.ts';
export { JsonFrames } from './json-frames.ts';
export { LengthDelimitedFrames } from './length-delimited-frames.ts';
export { readOnlyCodecFor, type ReadOnlyCodec } from './lazy/read-only-codec.ts';
export {
  MEDIA_TYPES,
  type MediaType,
  mediaTypeEssence,
  mediaTypeParameters,
} from './media-types.ts';
export type { DecodeFinding } from './message-decoder.ts';
export type { UnknownFieldPolicy } from './message-encoder.ts';
export { type DeepMutable, mutableCopy } from './mutable-copy.ts';
export { decodeProtobuf, encodeProtobuf, hasProtobuf } from './protobuf.ts';
export { UNKNOWN_FIELDS, unknownFieldsOf } from './unknown-fields.ts';
export { decodeWatchFrame, encodeWatchFrame, watchFrameOf } from './watch-event.ts';
