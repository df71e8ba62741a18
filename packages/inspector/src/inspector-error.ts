import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** The codes of {@link InspectorError}, with their hints. */
export const INSPECTOR_ERRORS = {
  INSPECTOR_ACCESS_REFUSED: {
    retry: 'never',
    hint: 'Keep the one-time token for every address that other machines can reach.',
  },
  INSPECTOR_LISTEN_FAILED: {
    retry: 'later',
    hint: 'Choose another port, or end what listens on it.',
  },
  INSPECTOR_NOT_FOUND: {
    retry: 'later',
    hint: 'The program must call inspect() of @client-ts/inspector, with the same user and runtime directory.',
  },
  INSPECTOR_REQUEST_INVALID: {
    retry: 'never',
    hint: 'The README of the package describes the requests.',
  },
} as const;

/** The codes of {@link InspectorError}. */
export type InspectorErrorCode = keyof typeof INSPECTOR_ERRORS;

/** The inspector cannot be served or found. */
export class InspectorError extends ClientError {
  declare readonly code: InspectorErrorCode;

  constructor(code: InspectorErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'InspectorError', 'INSPECTOR', INSPECTOR_ERRORS);
  }
}
