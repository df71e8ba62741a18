import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';
import type { FailedRequest } from '../meta/api-error.ts';

/**
 * Every way in which a client of this library refuses or gives up by itself, and what to do about
 * it. The keys are stable.
 */
export const REST_ERRORS = {
  REST_LIST_ENDLESS: {
    retry: 'never',
    hint: 'The server, or a proxy in front of it, pages wrongly; list without pages (limit 0).',
  },
  REST_REQUEST_INVALID: {
    retry: 'never',
    hint: 'Correct the call; nothing was sent.',
  },
  REST_RESPONSE_EMPTY: {
    retry: 'never',
    hint: 'Read it with raw(), or check what stands between here and the server.',
  },
  REST_RESPONSE_TOO_LARGE: {
    retry: 'never',
    hint: 'Ask for less with limit or a selector, or raise maxResponseBytes in the config or the request.',
  },
  REST_RESPONSE_UNREADABLE: {
    retry: 'never',
    hint: 'Check the address and port of the server, and what stands between here and it.',
  },
  REST_WAIT_CLOSED: {
    retry: 'later',
    hint: 'Watch with retryWatch, which outlives a single connection, or use waitFor.',
  },
  REST_WAIT_TIMEOUT: {
    retry: 'later',
    hint: 'Allow more time, or look at what the object is waiting for.',
  },
  REST_WATCH_EVENT_INVALID: {
    retry: 'never',
    hint: 'List again and watch from there; the stream cannot be trusted further.',
  },
  REST_WATCH_OVERDUE: {
    retry: 'later',
    hint: 'The connection is probably dead: watch again from the last resourceVersion.',
  },
} as const;

/** The codes of {@link RestError}. */
export type RestErrorCode = keyof typeof REST_ERRORS;

/** What is known of a {@link RestError} besides its message. */
export interface RestErrorOptions extends ClientErrorOptions {
  readonly request?: FailedRequest | undefined;
}

/**
 * A request that makes no sense, an answer that cannot be used, or a wait that came to nothing.
 * What the server itself refuses is an `ApiError`, and a connection that fails a `TransportError`.
 */
export class RestError extends ClientError {
  declare readonly code: RestErrorCode;
  readonly request: FailedRequest | undefined;

  constructor(code: RestErrorCode, message: string, options: RestErrorOptions = {}) {
    super(code, message, options);
    this.request = options.request;
  }

  static {
    defineErrors(this, 'RestError', 'REST', REST_ERRORS);
  }
}

/** The error for a call that cannot be right: it names the argument. */
export function invalidRequest(message: string, hint?: string): RestError {
  return new RestError('REST_REQUEST_INVALID', message, hint === undefined ? {} : { hint });
}
