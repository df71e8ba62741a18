import { requestedDelayMs } from '../lib/requested-delay.ts';
import { apiErrorOf, failureOf } from './api-error.ts';
import type { KnownStatusReason, StatusCauseType, StatusReason } from './status.ts';
import type { StatusCause } from './types.ts';

/*
 * The questions of apimachinery's api/errors. Each accepts anything that can be thrown, looks
 * through wrapped errors, and believes the reason before the HTTP code: the code counts only if the
 * reason is missing or unknown. They return plain booleans because a match may be a wrapped error;
 * `apiErrorOf` hands out the error itself.
 */

function failedAs(error: unknown, wanted: KnownStatusReason): boolean {
  const found = apiErrorOf(error);
  return found !== undefined && failureOf(found.status) === wanted;
}

/** The server's reason for a failure; empty if there is none or it did not come from a server. */
export function reasonForError(error: unknown): StatusReason {
  return apiErrorOf(error)?.reason ?? '';
}

/** The first entry of `details.causes` with this reason. */
export function statusCause(error: unknown, type: StatusCauseType): StatusCause | undefined {
  return apiErrorOf(error)?.status.details?.causes?.find(({ reason }) => reason === type);
}

/** True if `details.causes` has an entry with this reason. */
export function hasStatusCause(error: unknown, type: StatusCauseType): boolean {
  return statusCause(error, type) !== undefined;
}

/** The object, or the resource itself, does not exist. */
export function isNotFound(error: unknown): boolean {
  return failedAs(error, 'NotFound');
}

/** A create met an object of the same name. A 409 without a reason is a conflict instead. */
export function isAlreadyExists(error: unknown): boolean {
  return failedAs(error, 'AlreadyExists');
}

/** The object changed since it was read, or a precondition failed. */
export function isConflict(error: unknown): boolean {
  return failedAs(error, 'Conflict');
}

/** The reason is Gone. Servers say Expired for old versions: ask {@link isExpired} as well. */
export function isGone(error: unknown): boolean {
  return failedAs(error, 'Gone');
}

/** The resourceVersion or continue token is too old. apimachinery calls it IsResourceExpired. */
export function isExpired(error: unknown): boolean {
  return failedAs(error, 'Expired');
}

/** Validation refused the object; `details.causes` names the fields. */
export function isInvalid(error: unknown): boolean {
  return failedAs(error, 'Invalid');
}

/** The user is known but may not do this. */
export function isForbidden(error: unknown): boolean {
  return failedAs(error, 'Forbidden');
}

/** The server does not know who is asking. */
export function isUnauthorized(error: unknown): boolean {
  return failedAs(error, 'Unauthorized');
}

/** The request makes no sense to the server. */
export function isBadRequest(error: unknown): boolean {
  return failedAs(error, 'BadRequest');
}

/** The resource does not support the method. */
export function isMethodNotSupported(error: unknown): boolean {
  return failedAs(error, 'MethodNotAllowed');
}

/** The server offers none of the accepted media types. */
export function isNotAcceptable(error: unknown): boolean {
  return failedAs(error, 'NotAcceptable');
}

/** The server does not read the media type of the body. */
export function isUnsupportedMediaType(error: unknown): boolean {
  return failedAs(error, 'UnsupportedMediaType');
}

/** The server is not able to answer now. */
export function isServiceUnavailable(error: unknown): boolean {
  return failedAs(error, 'ServiceUnavailable');
}

/** The server failed; nothing is said about whether a write took effect. */
export function isInternalError(error: unknown): boolean {
  return failedAs(error, 'InternalError');
}

/** The server gave up waiting; a write may still take effect. */
export function isTimeout(error: unknown): boolean {
  return failedAs(error, 'Timeout');
}

/** A transient failure with the request to try again. No HTTP code means this, only the reason. */
export function isServerTimeout(error: unknown): boolean {
  return failedAs(error, 'ServerTimeout');
}

/** The storage holds something that the server cannot decode or decrypt. */
export function isStoreReadError(error: unknown): boolean {
  return failedAs(error, 'StorageReadError');
}

/** The server asks for fewer requests. Here the HTTP code 429 is enough, whatever the reason. */
export function isTooManyRequests(error: unknown): boolean {
  return failedAs(error, 'TooManyRequests') || apiErrorOf(error)?.statusCode === 429;
}

/** The body is over the server's limit. Here the HTTP code 413 is enough, whatever the reason. */
export function isRequestEntityTooLarge(error: unknown): boolean {
  return failedAs(error, 'RequestEntityTooLarge') || apiErrorOf(error)?.statusCode === 413;
}

/** The resourceVersion asked for lies in the future of the server that answered. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  return isTimeout(error) && hasStatusCause(error, 'ResourceVersionTooLarge');
}

/** The answer was not in the API's form: a proxy or load balancer may have given it. */
export function isUnexpectedServerError(error: unknown): boolean {
  return hasStatusCause(error, 'UnexpectedServerResponse');
}

/**
 * Returns how many seconds the server asks to wait, at most five minutes; undefined if it does not
 * ask. Whether to try again at all is another question. A ServerTimeout always asks, if only for 0
 * seconds, and so does one that asks for something that is not a positive number.
 */
export function suggestsClientDelay(error: unknown): number | undefined {
  const status = apiErrorOf(error)?.status;
  if (status?.details === undefined) return undefined;
  const { retryAfterSeconds } = status.details;
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 0;
  const delayMs = requestedDelayMs(seconds * 1000);
  return delayMs > 0 || status.reason === 'ServerTimeout' ? delayMs / 1000 : undefined;
}
