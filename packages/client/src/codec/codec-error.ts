import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every way in which bytes cannot be read or an object cannot be written. The keys are stable. */
export const CODEC_ERRORS = {
  CODEC_DETACHED_FIELD: {
    retry: 'never',
    when: 'Reading: an accessor of a read-only object was copied to another object.',
    hint: 'Copy values instead of property descriptors: with mutableCopy, spread or structuredClone.',
  },
  CODEC_EMPTY: { retry: 'never', when: 'Reading: there are no bytes at all.' },
  CODEC_FRAME_TOO_LARGE: {
    retry: 'never',
    when: 'Reading: one frame of a watch exceeds the limit.',
  },
  CODEC_INEXACT_INTEGER: { retry: 'never', when: 'Writing: a number is too large to be exact.' },
  CODEC_INVALID_VALUE: {
    retry: 'never',
    when: 'Writing: a field has a value that its type cannot hold.',
  },
  CODEC_MALFORMED: {
    retry: 'never',
    when: 'Reading: the bytes cannot be the protobuf that they claim to be.',
  },
  CODEC_MALFORMED_JSON: {
    retry: 'never',
    when: 'Reading: the bytes cannot be the JSON that they claim to be.',
  },
  CODEC_NOT_PROTOBUF: {
    retry: 'never',
    when: 'Reading: the bytes have no envelope of Kubernetes.',
  },
  CODEC_NO_KIND: { retry: 'never', when: 'Nothing says what kind it is.' },
  CODEC_NO_PROTOBUF: { retry: 'never', when: 'The kind has no protobuf.' },
  CODEC_TOO_DEEP: { retry: 'never', when: 'Nesting beyond any real object.' },
  CODEC_TOO_LARGE: {
    retry: 'never',
    when: 'Reading: more JSON than fits into one string.',
    hint: 'Ask for less with limit or a selector.',
  },
  CODEC_TRUNCATED: { retry: 'unsafe', when: 'Reading: the bytes end too early.' },
  CODEC_UNKNOWN_FIELD: {
    retry: 'never',
    when: 'Writing: the object has a field that the encoding has no place for.',
  },
  CODEC_UNKNOWN_MEDIA_TYPE: { retry: 'never', when: 'There is no codec for the media type.' },
} as const;

/** The codes of {@link CodecError}. */
export type CodecErrorCode = keyof typeof CODEC_ERRORS;

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
    defineErrors(this, 'CodecError', 'CODEC', CODEC_ERRORS);
  }
}
