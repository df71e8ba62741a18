import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/**
 * Every way in which handling objects of unknown kinds fails, and what to do about it. The keys are
 * stable.
 */
export const DYNAMIC_ERRORS = {
  DYNAMIC_FIELD_TYPE: {
    retry: 'never',
    hint: 'Look at the object: the field is not what this code expects.',
  },
  DYNAMIC_KIND_MISMATCH: {
    retry: 'never',
    hint: 'Ask the server for the version that the descriptor is for.',
  },
} as const;

/** The codes of {@link DynamicError}. */
export type DynamicErrorCode = keyof typeof DYNAMIC_ERRORS;

/** An object is not what it was taken for. */
export class DynamicError extends ClientError {
  declare readonly code: DynamicErrorCode;

  constructor(code: DynamicErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'DynamicError', 'DYNAMIC', DYNAMIC_ERRORS);
  }
}
