import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** The codes of {@link CollectorError}. */
export const COLLECTOR_ERRORS = {
  COLLECTOR_BULK_FAILED: {
    retry: 'later',
    hint: 'Check the log of the search server. The events are kept and sent again.',
  },
  COLLECTOR_CLIENT_MISSING: {
    retry: 'never',
    hint: 'Install the package that the message names.',
  },
  COLLECTOR_DATABASE_FOREIGN: {
    retry: 'never',
    hint: 'Use another file: this one is not an event database, or one of a newer version.',
  },
  COLLECTOR_DATABASE_UNOPENED: {
    retry: 'never',
    hint: 'Check the path: the collector creates the file, but not its directory.',
  },
  COLLECTOR_LOCKED: {
    retry: 'later',
    hint: 'Stop the other process, or use another directory.',
  },
  COLLECTOR_LOCK_LOST: {
    retry: 'later',
    hint: 'Another collector took over the directory, because this one did not renew its lock. Run only one.',
  },
  COLLECTOR_OTLP_FAILED: {
    retry: 'later',
    hint: 'Check the log of the OTLP receiver. The events are kept and sent again.',
  },
  COLLECTOR_SINK_SLOW: {
    retry: 'later',
    hint: 'The events are on disk, and are delivered after the next start.',
  },
  COLLECTOR_SPOOL_DAMAGED: {
    retry: 'never',
    hint: 'Check the disk. The file was moved to the directory "damaged" unchanged.',
  },
  COLLECTOR_SQLITE_MISSING: {
    retry: 'never',
    hint: 'Use Node 22.16 or newer, or collect into another sink.',
  },
  COLLECTOR_STATE_DAMAGED: {
    retry: 'never',
    hint: 'Check the disk. The collector continues and records a gap.',
  },
} as const;

/** A code of {@link CollectorError}. */
export type CollectorErrorCode = keyof typeof COLLECTOR_ERRORS;

/** Options of a {@link CollectorError}. */
export interface CollectorErrorOptions extends ClientErrorOptions {
  /** How long the destination asked to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
}

/** Events cannot be collected or queried; `code` says why. */
export class CollectorError extends ClientError {
  declare readonly code: CollectorErrorCode;

  /** How long the destination asked to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(code: CollectorErrorCode, message: string, options: CollectorErrorOptions = {}) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
  }

  static {
    defineErrors(this, 'CollectorError', 'COLLECTOR', COLLECTOR_ERRORS);
  }
}
