import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every error of handling unstructured objects, and what to do about it. Codes are stable. */
export const DYNAMIC_ERRORS = {
  DYNAMIC_FIELD_TYPE: {
    retry: 'never',
    hint: 'Inspect the object: the field does not have the expected type.',
  },
  DYNAMIC_KIND_MISMATCH: {
    retry: 'never',
    hint: 'Request the version that the descriptor is for.',
  },
  DYNAMIC_READ_ONLY: {
    retry: 'never',
    hint: 'Objects of a cache are read-only: change mutableCopy(object) of client-ts/codec.',
  },
} as const;

/** The codes of {@link DynamicError}. */
export type DynamicErrorCode = keyof typeof DYNAMIC_ERRORS;

/** An unstructured object does not have the expected kind or field. */
export class DynamicError extends ClientError {
  declare readonly code: DynamicErrorCode;

  constructor(code: DynamicErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'DynamicError', 'DYNAMIC', DYNAMIC_ERRORS);
  }
}
