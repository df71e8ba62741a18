import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** Every way in which collecting or asking for events can fail by itself, and what to do about it. */
export const COLLECTOR_ERRORS = {
  COLLECTOR_BULK_FAILED: {
    retry: 'later',
    hint: 'Look at the log of the search server; the events wait and are sent again.',
  },
  COLLECTOR_CLIENT_MISSING: {
    retry: 'never',
    hint: 'Install it beside the command; the message names the package.',
  },
  COLLECTOR_DATABASE_FOREIGN: {
    retry: 'never',
    hint: 'Name another file: this one is no database of events, or one of a newer version.',
  },
  COLLECTOR_DATABASE_UNOPENED: {
    retry: 'never',
    hint: 'Name the file with --file: client-ts collect-events makes it, in a folder that must be there.',
  },
  COLLECTOR_LOCKED: {
    retry: 'later',
    hint: 'Stop the other collector, or name another folder with --spool and another database with --file.',
  },
  COLLECTOR_LOCK_LOST: {
    retry: 'later',
    hint: 'Another collector took the folder over, because this one did not renew its lock; only one may run.',
  },
  COLLECTOR_SINK_SLOW: {
    retry: 'later',
    hint: 'The events are on disk; the next start delivers them.',
  },
  COLLECTOR_SPOOL_DAMAGED: {
    retry: 'never',
    hint: 'Check the disk; the file is in the folder "damaged" beside the others, as it was found.',
  },
  COLLECTOR_SQLITE_MISSING: {
    retry: 'never',
    hint: 'Use Node 22.16 or newer, or collect into another sink.',
  },
  COLLECTOR_STATE_DAMAGED: {
    retry: 'never',
    hint: 'Check the disk; the collector continues, and records a gap.',
  },
} as const;

/** The codes of {@link CollectorError}. */
export type CollectorErrorCode = keyof typeof COLLECTOR_ERRORS;

/** Events cannot be collected or asked for; `code` says why. */
export class CollectorError extends ClientError {
  declare readonly code: CollectorErrorCode;

  constructor(code: CollectorErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'CollectorError', 'COLLECTOR', COLLECTOR_ERRORS);
  }
}
