import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** The codes of {@link SimulatorError}. */
export const SIMULATOR_ERRORS = {
  SIMULATOR_FOREIGN_NODES: {
    retry: 'never',
    hint: 'Use a server without nodes: a control plane and the simulation would both manage every pod.',
  },
  SIMULATOR_REQUEST_TIMEOUT: {
    retry: 'never',
    hint: 'Compare the filter with the requests that bed.requests() lists, or allow more time.',
  },
  SIMULATOR_SEED_INVALID: {
    retry: 'never',
    hint: 'Paths are relative to the working directory; a URL from import.meta.url is not.',
  },
} as const;

/** A simulation cannot run; `code` says why. */
export class SimulatorError extends ClientError {
  declare readonly code: keyof typeof SIMULATOR_ERRORS;

  constructor(
    code: keyof typeof SIMULATOR_ERRORS,
    message: string,
    options: ClientErrorOptions = {},
  ) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'SimulatorError', 'SIMULATOR', SIMULATOR_ERRORS);
  }
}
