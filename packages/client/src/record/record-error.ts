import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every way in which an event can get lost, and what to do about it. */
export const RECORD_ERRORS = {
  RECORD_GAVE_UP: {
    retry: 'later',
    hint: 'The server could not be reached for about two minutes and the event is lost; see the cause.',
  },
  RECORD_HANDLER_FAILED: {
    retry: 'never',
    hint: 'The handler missed this event only; catch errors in it.',
  },
  RECORD_HANDLER_STUCK: {
    retry: 'never',
    hint: 'The call goes on, but nothing waits for it; let handlers of events end.',
  },
  RECORD_OVERFLOW: {
    retry: 'later',
    hint: 'Events come faster than they are handled; record fewer, or raise maxQueuedEvents. The statistics count what is dropped.',
  },
  RECORD_REFERENCE_INVALID: {
    retry: 'never',
    hint: 'Items of plain lists do not say their kind: record about referenceTo(object, { descriptor }).',
  },
  RECORD_REFUSED: {
    retry: 'never',
    hint: 'The server does not want this event, now or later; see the cause.',
  },
  RECORD_SHUT_DOWN: {
    retry: 'never',
    hint: 'Record before shutdown(), and give shutdown() more time if the server is slow.',
  },
  RECORD_TYPE_INVALID: {
    retry: 'never',
    hint: 'The type of an event is Normal or Warning.',
  },
} as const;

/** The codes of {@link RecordError}. */
export type RecordErrorCode = keyof typeof RECORD_ERRORS;

/**
 * An event did not get where it should. Recording never throws it: the `onError` of the broadcaster
 * hears of it.
 */
export class RecordError extends ClientError {
  declare readonly code: RecordErrorCode;

  constructor(code: RecordErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'RecordError', 'RECORD', RECORD_ERRORS);
  }
}
