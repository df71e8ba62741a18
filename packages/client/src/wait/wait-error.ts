import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every way in which a wait ends without a result, and what to do about it. Codes are stable. */
export const WAIT_ERRORS = {
  WAIT_CLOSED: {
    retry: 'later',
    hint: 'Watch with retryWatch, which outlives a single connection, or use waitFor.',
  },
  WAIT_EXHAUSTED: {
    retry: 'later',
    hint: 'The condition was not met in as many attempts; allow more steps.',
  },
  WAIT_NAMESPACE_INVALID: {
    retry: 'never',
    hint: "Use a client of the object's namespace: pods('default') or pods().namespace('default').",
  },
  WAIT_TIMEOUT: {
    retry: 'later',
    hint: 'Allow more time, or find out what the object is waiting for.',
  },
} as const;

/** The codes of {@link WaitError}. */
export type WaitErrorCode = keyof typeof WAIT_ERRORS;

/** A condition was not met. */
export class WaitError extends ClientError {
  declare readonly code: WaitErrorCode;

  constructor(code: WaitErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'WaitError', 'WAIT', WAIT_ERRORS);
  }
}
