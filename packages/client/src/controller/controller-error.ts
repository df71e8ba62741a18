import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The codes of {@link ControllerError}, with their hints. */
export const CONTROLLER_ERRORS = {
  CONTROLLER_INFORMER_ENDED: {
    retry: 'never',
    hint: 'Stop the controller through its signal instead of stopping its informers.',
  },
  CONTROLLER_OWNER_CONFLICT: {
    retry: 'never',
    hint: 'An object has one controller: choose another name for yours, or leave this one alone.',
  },
  CONTROLLER_OWNER_NAMESPACE: {
    retry: 'never',
    hint: 'An owner must be cluster-scoped or in the namespace of the object that it owns.',
  },
} as const;

/** The codes of {@link ControllerError}. */
export type ControllerErrorCode = keyof typeof CONTROLLER_ERRORS;

/** A controller cannot run, or an object cannot be owned. Nothing was changed. */
export class ControllerError extends ClientError {
  declare readonly code: ControllerErrorCode;

  constructor(code: ControllerErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'ControllerError', 'CONTROLLER', CONTROLLER_ERRORS);
  }
}
