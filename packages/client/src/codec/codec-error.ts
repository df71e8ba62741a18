import { brandInstances, ClientError, type ClientErrorOptions, isBranded } from '../lib/errors.ts';

/**
 * Why bytes could not be read or an object could not be written.
 *
 * Reading: `CODEC_EMPTY` no bytes at all, `CODEC_NOT_PROTOBUF` no Kubernetes envelope,
 * `CODEC_TRUNCATED` the bytes end too early, `CODEC_MALFORMED` they cannot be what they claim,
 * `CODEC_MALFORMED_JSON` the same for JSON, `CODEC_FRAME_TOO_LARGE` one frame exceeds the limit.
 *
 * Writing: `CODEC_INVALID_VALUE` a field has a value that its type cannot hold,
 * `CODEC_INEXACT_INTEGER` a number is too large to be exact, `CODEC_UNKNOWN_FIELD` the object has a
 * field that the encoding has no place for.
 *
 * Both: `CODEC_NO_KIND` nothing says what kind it is, `CODEC_NO_PROTOBUF` the kind has no protobuf,
 * `CODEC_TOO_DEEP` nesting beyond any real object, `CODEC_UNKNOWN_MEDIA_TYPE` no codec for it.
 */
export type CodecErrorCode =
  | 'CODEC_EMPTY'
  | 'CODEC_FRAME_TOO_LARGE'
  | 'CODEC_INEXACT_INTEGER'
  | 'CODEC_INVALID_VALUE'
  | 'CODEC_MALFORMED'
  | 'CODEC_MALFORMED_JSON'
  | 'CODEC_NOT_PROTOBUF'
  | 'CODEC_NO_KIND'
  | 'CODEC_NO_PROTOBUF'
  | 'CODEC_TOO_DEEP'
  | 'CODEC_TRUNCATED'
  | 'CODEC_UNKNOWN_FIELD'
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
