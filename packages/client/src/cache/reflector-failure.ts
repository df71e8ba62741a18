import { CodecError } from '../codec/codec-error.ts';
import { ClientError, errorChain } from '../lib/errors.ts';
import { apiErrorOf } from '../meta/api-error.ts';
import {
  hasStatusCause,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from '../meta/error-guards.ts';
import { TransportError } from '../transport/transport-error.ts';

/**
 * What a failure means for a reflector.
 *
 * - `expired`, `too-large`: the version is of no use to this server, any more or yet
 * - `busy`: it asks to come back later
 * - `unreachable`: there was no answer, or the connection was lost; nothing is said about the version
 * - `truncated`: the stream ended inside a frame, as it does when a proxy or a server goes away
 * - `internal`: the server failed
 * - `denied`, `absent`: the resource may not be read, or there is none
 * - `other`: anything else
 */
export type FailureKind =
  | 'absent'
  | 'busy'
  | 'denied'
  | 'expired'
  | 'internal'
  | 'other'
  | 'too-large'
  | 'truncated'
  | 'unreachable';

/** Reads a failure of a list or watch. */
export function failureKind(error: unknown): FailureKind {
  if (isExpired(error) || isGone(error)) return 'expired';
  if (isTooLargeVersion(error)) return 'too-large';
  if (isTooManyRequests(error)) return 'busy';
  if (isInternalError(error)) return 'internal';
  if (isForbidden(error) || isUnauthorized(error)) return 'denied';
  if (isNotFound(error)) return 'absent';
  for (const one of errorChain(error)) {
    if (one instanceof TransportError) return 'unreachable';
    if (one instanceof ClientError && one.code === 'REST_WATCH_OVERDUE') return 'unreachable';
    if (one instanceof CodecError && one.code === 'CODEC_TRUNCATED') return 'truncated';
  }
  return 'other';
}

/** Returns false for what belongs to the life of a watch: an expired version, a frame that was cut. */
export function isTrouble(kind: FailureKind): boolean {
  return kind !== 'expired' && kind !== 'truncated';
}

/**
 * Returns true if a list or watch fails in the same way until a person changes something: an
 * untrusted certificate, a refused one, an answer that is no list. What the server denies or does
 * not have is a {@link FailureKind} of its own.
 */
export function isBlocking(error: unknown): boolean {
  const kind = failureKind(error);
  if (kind !== 'other' && kind !== 'unreachable') return false;
  for (const one of errorChain(error)) if (one instanceof ClientError) return one.retry === 'never';
  return false;
}

/**
 * Returns true if the server has not reached the version that was asked for. Servers before 1.18.6
 * say it only in words.
 */
export function isTooLargeVersion(error: unknown): boolean {
  if (hasStatusCause(error, 'ResourceVersionTooLarge')) return true;
  const status = apiErrorOf(error)?.status;
  if (status === undefined || !isTimeout(error)) return false;
  const words = 'Too large resource version';
  return (
    status.message?.includes(words) === true ||
    status.details?.causes?.some(({ message }) => message?.includes(words) === true) === true
  );
}
