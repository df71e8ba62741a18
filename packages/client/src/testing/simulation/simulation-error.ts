import { ClientError, type ClientErrorOptions, defineErrors } from '../../lib/errors.ts';

/** The codes of {@link SimulationError}, with their hints. */
export const TESTING_ERRORS = {
  TESTING_CONTROLLERS: {
    retry: 'never',
    when: 'The manager of a simulation cannot be created, or the function that adds its controllers throws.',
  },
  TESTING_NO_SERVER: {
    retry: 'never',
    hint: 'Install the embedded server in the version of client-ts: npm install --save-dev @client-ts/apiserver.',
  },
  TESTING_SEED: {
    retry: 'never',
    hint: 'Use a whole number, or the seed that a failure has printed.',
  },
  TESTING_WORLD: {
    retry: 'never',
    when: 'The world of a simulation cannot be set up, or one of its actions fails for a reason other than a fault.',
  },
} as const;

/** A simulation cannot be run. A controller that breaks an invariant is a `SimulationFailure`. */
export class SimulationError extends ClientError {
  declare readonly code: keyof typeof TESTING_ERRORS;

  constructor(
    code: keyof typeof TESTING_ERRORS,
    message: string,
    options: ClientErrorOptions = {},
  ) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'SimulationError', 'TESTING', TESTING_ERRORS);
  }
}
