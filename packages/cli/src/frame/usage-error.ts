import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** A mistake on the command line: exit code 2, with a pointer to `--help`. */
export class UsageError extends ClientError {
  constructor(message: string, options: ClientErrorOptions = {}) {
    super('CLI_USAGE', message, options);
  }

  static {
    defineErrors(this, 'UsageError', 'CLI', { CLI_USAGE: { retry: 'never' } });
  }
}
