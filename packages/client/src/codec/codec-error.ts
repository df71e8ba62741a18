import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The errors of decoding and encoding. The keys are stable. */
export const CODEC_ERRORS = {
  CODEC_DETACHED_FIELD: {
    retry: 'never',
    when: 'Reading: an accessor of a read-only object was copied to another object.',
    hint: 'Copy values instead of property descriptors: with mutableCopy, spread or structuredClone.',
  },
  CODEC_EMPTY: { retry: 'never', when: 'Reading: the input is empty.' },
  CODEC_FRAME_TOO_LARGE: {
    retry: 'never',
    when: 'Reading: a watch frame exceeds the limit.',
  },
  CODEC_INEXACT_INTEGER: { retry: 'never', when: 'Writing: a number is too large to be exact.' },
  CODEC_INVALID_VALUE: {
    retry: 'never',
    when: 'Writing: a field has a value that its type cannot hold.',
  },
  CODEC_MALFORMED: {
    retry: 'never',
    when: 'Reading: the bytes are not valid protobuf of the kind.',
  },
  CODEC_MALFORMED_JSON: {
    retry: 'never',
    when: 'Reading: the bytes are not valid JSON.',
  },
  CODEC_NOT_PROTOBUF: {
    retry: 'never',
    when: 'Reading: the bytes do not have the Kubernetes protobuf envelope.',
  },
  CODEC_NO_KIND: { retry: 'never', when: 'The object has no apiVersion or kind.' },
  CODEC_NO_PROTOBUF: { retry: 'never', when: 'The kind has no protobuf encoding.' },
  CODEC_TOO_DEEP: { retry: 'never', when: 'The object is nested too deeply.' },
  CODEC_TOO_LARGE: {
    retry: 'never',
    when: 'Reading: the JSON text exceeds the maximum length of a string.',
    hint: 'Request less, with limit or a selector.',
  },
  CODEC_TRUNCATED: { retry: 'unsafe', when: 'Reading: the bytes end too early.' },
  CODEC_UNKNOWN_FIELD: {
    retry: 'never',
    when: 'Writing: the object has a field that protobuf does not know.',
  },
  CODEC_UNKNOWN_MEDIA_TYPE: { retry: 'never', when: 'There is no codec for the media type.' },
} as const;

/** The codes of {@link CodecError}. */
export type CodecErrorCode = keyof typeof CODEC_ERRORS;

/**
 * An object could not be decoded or encoded. Messages name the field and its path, never the value:
 * it may be a secret.
 */
export class CodecError extends ClientError {
  declare readonly code: CodecErrorCode;

  constructor(code: CodecErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'CodecError', 'CODEC', CODEC_ERRORS);
  }
}
