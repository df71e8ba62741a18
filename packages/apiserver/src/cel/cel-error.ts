import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** The codes of {@link CelError}. */
const CEL_ERRORS = {
  APISERVER_CEL_COST: { retry: 'never' },
  APISERVER_CEL_SYNTAX: { retry: 'never' },
} as const;

/** The parsing or the evaluation of an expression was ended. It does not leave the server. */
export class CelError extends ClientError {
  declare readonly code: keyof typeof CEL_ERRORS;

  constructor(code: keyof typeof CEL_ERRORS, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'CelError', 'APISERVER', CEL_ERRORS);
  }
}
