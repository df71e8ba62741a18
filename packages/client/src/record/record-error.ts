import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The codes of {@link RecordError}, with their hints. */
export const RECORD_ERRORS = {
  RECORD_GAVE_UP: {
    retry: 'later',
    hint: 'The API server was unreachable for about two minutes and the event is lost; see the cause.',
  },
  RECORD_HANDLER_FAILED: {
    retry: 'never',
    hint: 'Catch errors in the handler; it missed only this event.',
  },
  RECORD_HANDLER_STUCK: {
    retry: 'never',
    hint: 'Make sure that event handlers end; the call continues, but is no longer waited for.',
  },
  RECORD_OVERFLOW: {
    retry: 'later',
    hint: 'Record fewer events, or raise maxQueuedEvents; the statistics count the dropped events.',
  },
  RECORD_REFERENCE_INVALID: {
    retry: 'never',
    hint: 'Items of a list have no kind: pass getReference(object, { descriptor }).',
  },
  RECORD_REFUSED: {
    retry: 'never',
    hint: 'The API server rejected the event; see the cause.',
  },
  RECORD_SHUT_DOWN: {
    retry: 'never',
    hint: 'Record events before shutdown(), and raise its timeoutMs if the API server is slow.',
  },
  RECORD_TYPE_INVALID: {
    retry: 'never',
    hint: 'The type of an event is Normal or Warning.',
  },
} as const;

/** The codes of {@link RecordError}. */
export type RecordErrorCode = keyof typeof RECORD_ERRORS;

/** An event was lost. Recording never throws it: it is passed to `onError` of the broadcaster. */
export class RecordError extends ClientError {
  declare readonly code: RecordErrorCode;

  constructor(code: RecordErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'RecordError', 'RECORD', RECORD_ERRORS);
  }
}
