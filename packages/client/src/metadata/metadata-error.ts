import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every way in which the metadata client fails by itself, and what to do about it. */
export const METADATA_ERRORS = {
  METADATA_MISSING: {
    retry: 'never',
    hint: 'Check the resource, and what stands between here and the server.',
  },
} as const;

/** The codes of {@link MetadataError}. */
export type MetadataErrorCode = keyof typeof METADATA_ERRORS;

/** The server answered something that has no metadata. */
export class MetadataError extends ClientError {
  declare readonly code: MetadataErrorCode;

  constructor(code: MetadataErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'MetadataError', 'METADATA', METADATA_ERRORS);
  }
}
