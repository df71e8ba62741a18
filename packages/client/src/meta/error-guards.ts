import { requestedDelayMs } from '../lib/requested-delay.ts';
import { apiErrorOf, failureOf } from './api-error.ts';
import type { KnownStatusReason, StatusCauseType, StatusReason } from './status.ts';
import type { StatusCause } from './types.ts';

/*
 * The guards of apimachinery's api/errors. Each accepts any thrown value, searches wrapped errors,
 * and prefers the reason over the HTTP code: the code counts only if the reason is missing or
 * unknown. They return plain booleans because a match may be a wrapped error; `apiErrorOf` returns
 * the error itself.
 */

function failedAs(error: unknown, wanted: KnownStatusReason): boolean {
  const found = apiErrorOf(error);
  return found !== undefined && failureOf(found.status) === wanted;
}

/** Returns the server's reason; empty if there is none or the error is not from a server. */
export function reasonForError(error: unknown): StatusReason {
  return apiErrorOf(error)?.reason ?? '';
}

/** Returns the first entry of `details.causes` with this reason. */
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

/** The object to create already exists. A 409 without a reason is a conflict instead. */
export function isAlreadyExists(error: unknown): boolean {
  return failedAs(error, 'AlreadyExists');
}

/** The object changed since it was read, or a precondition failed. */
export function isConflict(error: unknown): boolean {
  return failedAs(error, 'Conflict');
}

/** The reason is Gone. Servers send Expired for old versions: check {@link isExpired} as well. */
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

/** The user is authenticated but not authorised. */
export function isForbidden(error: unknown): boolean {
  return failedAs(error, 'Forbidden');
}

/** The request is not authenticated. */
export function isUnauthorized(error: unknown): boolean {
  return failedAs(error, 'Unauthorized');
}

/** The request is malformed. */
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

/** The server does not support the media type of the body. */
export function isUnsupportedMediaType(error: unknown): boolean {
  return failedAs(error, 'UnsupportedMediaType');
}

/** The server is temporarily unavailable. */
export function isServiceUnavailable(error: unknown): boolean {
  return failedAs(error, 'ServiceUnavailable');
}

/** The server failed; a write may have taken effect. */
export function isInternalError(error: unknown): boolean {
  return failedAs(error, 'InternalError');
}

/** The server timed out; a write may still take effect. */
export function isTimeout(error: unknown): boolean {
  return failedAs(error, 'Timeout');
}

/** A transient failure that should be retried. Only the reason means this, no HTTP code. */
export function isServerTimeout(error: unknown): boolean {
  return failedAs(error, 'ServerTimeout');
}

/** The storage holds something that the server cannot decode or decrypt. */
export function isStoreReadError(error: unknown): boolean {
  return failedAs(error, 'StorageReadError');
}

/** The server rate limits the client. HTTP code 429 suffices, whatever the reason. */
export function isTooManyRequests(error: unknown): boolean {
  return failedAs(error, 'TooManyRequests') || apiErrorOf(error)?.statusCode === 429;
}

/** The body exceeds the server's limit. HTTP code 413 suffices, whatever the reason. */
export function isRequestEntityTooLarge(error: unknown): boolean {
  return failedAs(error, 'RequestEntityTooLarge') || apiErrorOf(error)?.statusCode === 413;
}

/** The requested resourceVersion is newer than the server's data. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  return isTimeout(error) && hasStatusCause(error, 'ResourceVersionTooLarge');
}

/** The response was not a Status: a proxy or load balancer may have sent it. */
export function isUnexpectedServerError(error: unknown): boolean {
  return hasStatusCause(error, 'UnexpectedServerResponse');
}

/**
 * Returns the delay that the server requests, in seconds and at most five minutes; undefined if
 * there is none. It does not imply that a retry is safe. A ServerTimeout always has one, if only 0
 * seconds, and so does an invalid delay.
 */
export function suggestsClientDelay(error: unknown): number | undefined {
  const status = apiErrorOf(error)?.status;
  if (status?.details === undefined) return undefined;
  const { retryAfterSeconds } = status.details;
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 0;
  const delayMs = requestedDelayMs(seconds * 1000);
  return delayMs > 0 || status.reason === 'ServerTimeout' ? delayMs / 1000 : undefined;
}
