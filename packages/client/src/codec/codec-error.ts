import { brandInstances, ClientError, type ClientErrorOptions, isBranded } from '../lib/errors.ts';

/** Why bytes could not be read or an object could not be written; the values are stable. */
export type CodecErrorCode =
  /** Reading: there are no bytes at all. */
  | 'CODEC_EMPTY'
  /** Reading: one frame of a watch exceeds the limit. */
  | 'CODEC_FRAME_TOO_LARGE'
  /** Writing: a number is too large to be exact. */
  | 'CODEC_INEXACT_INTEGER'
  /** Writing: a field has a value that its type cannot hold. */
  | 'CODEC_INVALID_VALUE'
  /** Reading: the bytes cannot be the protobuf that they claim to be. */
  | 'CODEC_MALFORMED'
  /** Reading: the bytes cannot be the JSON that they claim to be. */
  | 'CODEC_MALFORMED_JSON'
  /** Reading: the bytes have no envelope of Kubernetes. */
  | 'CODEC_NOT_PROTOBUF'
  /** Nothing says what kind it is. */
  | 'CODEC_NO_KIND'
  /** The kind has no protobuf. */
  | 'CODEC_NO_PROTOBUF'
  /** Nesting beyond any real object. */
  | 'CODEC_TOO_DEEP'
  /** Reading: the bytes end too early. */
  | 'CODEC_TRUNCATED'
  /** Writing: the object has a field that the encoding has no place for. */
  | 'CODEC_UNKNOWN_FIELD'
  /** There is no codec for the media type. */
  | 'CODEC_UNKNOWN_MEDIA_TYPE';

const brand: unique symbol = Symbol.for('client-ts.CodecError');

/**
 * An encoding that cannot be read, or an object that cannot be written. Messages name the field and
 * the place, never the value: it may be a secret.
 */
export class CodecError extends ClientError {
  declare readonly code: CodecErrorCode;

  constructor(code: CodecErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    brandInstances(this.prototype, 'CodecError', brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, CodecError, brand, value);
  }
}
