import { ClientError } from 'client-ts/lib';

/** Every way in which collecting or asking for events can fail by itself, and what to do about it. */
export const COLLECTOR_ERRORS = {
  COLLECTOR_BULK_FAILED:
    'Look at the log of the search server; the events wait and are sent again.',
  COLLECTOR_CLIENT_MISSING: 'Install it beside the command; the message names the package.',
  COLLECTOR_DATABASE_FOREIGN:
    'Name another file: this one is no database of events, or one of a newer version.',
  COLLECTOR_DATABASE_UNOPENED:
    'Name the file with --file: client-ts collect-events makes it, in a folder that must be there.',
  COLLECTOR_QUERY_INVALID: 'The message names what cannot be understood.',
  COLLECTOR_SQLITE_MISSING: 'Use Node 22.16 or newer, or collect into another sink.',
} as const;

/** The codes of {@link CollectorError}. */
export type CollectorErrorCode = keyof typeof COLLECTOR_ERRORS;

/** Events cannot be collected or asked for; `code` says why. */
export class CollectorError extends ClientError {
  override readonly name: string = 'CollectorError';
  declare readonly code: CollectorErrorCode;

  constructor(
    code: CollectorErrorCode,
    message: string,
    { cause }: { readonly cause?: unknown } = {},
  ) {
    super(code, message, { cause, hint: COLLECTOR_ERRORS[code] });
  }
}
