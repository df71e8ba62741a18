import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The codes of {@link LeaderElectionError}, with their hints. */
export const LEADER_ELECTION_ERRORS = {
  LEADERELECTION_CALLBACK_FAILED: {
    retry: 'never',
    hint: 'Catch errors in the callback; the election continued.',
  },
  LEADERELECTION_CONFIG_INVALID: { retry: 'never' },
  LEADERELECTION_LOCK_UNREAD: {
    retry: 'never',
    hint: 'Call get or create before update: an update needs a resourceVersion.',
  },
  LEADERELECTION_LOST: {
    retry: 'later',
    hint: 'Stop everything that only the leader may do, then exit or run the elector again.',
  },
  LEADERELECTION_REQUEST_SLOW: {
    retry: 'later',
    hint: 'The API server or the network is slow; if it happens often, raise renewDeadlineMs and leaseDurationMs.',
  },
  LEADERELECTION_RUN_TWICE: {
    retry: 'later',
    hint: 'Await the previous run, or create another elector with its own lock.',
  },
  LEADERELECTION_WORK_HANGS: {
    retry: 'never',
    hint: 'The work continues although the lease has expired; make it react to its signal, or restart the process.',
  },
} as const;

/** The codes of {@link LeaderElectionError}. */
export type LeaderElectionErrorCode = keyof typeof LEADER_ELECTION_ERRORS;

/** Leadership was lost or cannot be obtained; see `code`. */
export class LeaderElectionError extends ClientError {
  declare readonly code: LeaderElectionErrorCode;

  constructor(code: LeaderElectionErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'LeaderElectionError', 'LEADERELECTION', LEADER_ELECTION_ERRORS);
  }
}
