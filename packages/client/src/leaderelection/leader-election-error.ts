import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every way in which leader election can fail by itself, and what to do about it. */
export const LEADER_ELECTION_ERRORS = {
  LEADERELECTION_CALLBACK_FAILED: {
    retry: 'never',
    hint: 'Catch errors in the callback; the election went on without it.',
  },
  LEADERELECTION_CONFIG_INVALID: {
    retry: 'never',
    hint: 'The message names the option and the value that it must have.',
  },
  LEADERELECTION_LOCK_UNREAD: {
    retry: 'never',
    hint: 'Call get or create before update: an update needs a version to build on.',
  },
  LEADERELECTION_LOST: {
    retry: 'later',
    hint: 'Stop what only the leader may do. Then end the process, or run the elector once more.',
  },
  LEADERELECTION_REQUEST_SLOW: {
    retry: 'later',
    hint: 'The server or the way to it is slow; if it happens often, lengthen renewDeadlineMs and leaseDurationMs.',
  },
  LEADERELECTION_RUN_TWICE: {
    retry: 'later',
    hint: 'Wait until the last run has ended, or make another elector with its own lock.',
  },
  LEADERELECTION_WORK_HANGS: {
    retry: 'never',
    hint: 'The work goes on although the lease has run out; let it obey its signal, or restart the process.',
  },
} as const;

/** The codes of {@link LeaderElectionError}. */
export type LeaderElectionErrorCode = keyof typeof LEADER_ELECTION_ERRORS;

/** Leadership was lost or could not be looked after; `code` says which. */
export class LeaderElectionError extends ClientError {
  declare readonly code: LeaderElectionErrorCode;

  constructor(code: LeaderElectionErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'LeaderElectionError', 'LEADERELECTION', LEADER_ELECTION_ERRORS);
  }
}
