import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every way in which the pieces of a controller can fail by themselves, and what to do about it. */
export const CONTROLLER_ERRORS = {
  CONTROLLER_INFORMER_ENDED: {
    retry: 'never',
    hint: 'Somebody stopped the informer; stop the controller through its signal instead.',
  },
  CONTROLLER_OWNER_CONFLICT: {
    retry: 'never',
    hint: 'An object has one controller: leave it alone, or give your own another name.',
  },
  CONTROLLER_OWNER_NAMESPACE: {
    retry: 'never',
    hint: 'An owner lives in the namespace of what it owns, or in none: put both into one namespace.',
  },
} as const;

/** The codes of {@link ControllerError}. */
export type ControllerErrorCode = keyof typeof CONTROLLER_ERRORS;

/** A piece of a controller cannot do what it was asked to. Nothing was changed. */
export class ControllerError extends ClientError {
  declare readonly code: ControllerErrorCode;

  constructor(code: ControllerErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'ControllerError', 'CONTROLLER', CONTROLLER_ERRORS);
  }
}
