import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The codes of {@link WebhookError}, with their hints. */
export const WEBHOOK_ERRORS = {
  WEBHOOK_BODY_TOO_LARGE: {
    retry: 'never',
    hint: 'Raise maxBodyBytes if the API server accepts objects of this size.',
  },
  WEBHOOK_CERTIFICATE_INVALID: {
    retry: 'later',
    hint: 'Put a certificate and its key in PEM form into the directory. The previous pair, if any, stays in use.',
  },
  WEBHOOK_CONTENT_TYPE: {
    retry: 'never',
    hint: 'API servers send application/json; is this another client?',
  },
  WEBHOOK_DUPLICATE: {
    retry: 'never',
    hint: 'Give each webhook its own path, and each kind one conversion.',
  },
  WEBHOOK_HANDLER_FAILED: {
    retry: 'later',
    hint: 'The API server applies the failurePolicy of the webhook; see the cause.',
  },
  WEBHOOK_LISTEN_FAILED: {
    retry: 'later',
    hint: 'Choose another port, or end what listens on it.',
  },
  WEBHOOK_METHOD: { retry: 'never', hint: 'Reviews are sent with POST.' },
  WEBHOOK_NOT_FOUND: {
    retry: 'never',
    hint: 'Compare the path in the webhook configuration with those that are registered.',
  },
  WEBHOOK_REVIEW_INVALID: {
    retry: 'never',
    hint: 'Compare the webhook configuration with the one that the registrations give.',
  },
  WEBHOOK_TIMED_OUT: {
    retry: 'later',
    hint: 'Make the handler faster, or raise timeoutSeconds of the webhook.',
  },
} as const;

/** The codes of {@link WebhookError}. */
export type WebhookErrorCode = keyof typeof WEBHOOK_ERRORS;

/** A webhook could not answer a review, or the server cannot run. */
export class WebhookError extends ClientError {
  declare readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'WebhookError', 'WEBHOOK', WEBHOOK_ERRORS);
  }
}

/** Returns the error for a review that is not as the API says. */
export function invalidReview(message: string): WebhookError {
  return new WebhookError('WEBHOOK_REVIEW_INVALID', message);
}
