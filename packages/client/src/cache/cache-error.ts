import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** Every way in which the cache machinery can fail by itself, and what to do about it. */
export const CACHE_ERRORS = {
  CACHE_HANDLER_FAILED: {
    retry: 'never',
    hint: 'The handler missed this event only; catch errors in it and put the key into a work queue.',
  },
  CACHE_HANDLER_OVERFLOW: {
    retry: 'never',
    hint: 'The handler is slower than the events; let it only put keys into a work queue.',
  },
  CACHE_HANDLER_REMOVED: {
    retry: 'never',
    hint: 'Wait for handlers that stay; a registration that was removed does not sync any more.',
  },
  CACHE_HANDLER_STUCK: {
    retry: 'never',
    hint: 'The call goes on, but nothing waits for it; let handlers end, or raise gracePeriodMs.',
  },
  CACHE_INDEX_CONFLICT: {
    retry: 'never',
    hint: 'Give the index another name, or add each indexer once.',
  },
  CACHE_INDEX_FAILED: {
    retry: 'never',
    hint: 'An index function must accept every object of its store; give an empty list for objects that do not belong into the index.',
  },
  CACHE_INDEX_UNKNOWN: {
    retry: 'never',
    hint: 'Add the index with addIndexers before asking for it.',
  },
  CACHE_LIST_INVALID: {
    retry: 'never',
    hint: 'The server answered something else than a list of objects; do not ask for tables here.',
  },
  CACHE_LIST_OVERDUE: {
    retry: 'later',
    hint: 'The server took a request and did not answer; it is asked again. Check what lies between.',
  },
  CACHE_NOT_SYNCED: {
    retry: 'later',
    hint: 'The message names what was still waited for, and why.',
  },
  CACHE_OBJECT_UNEXPECTED: {
    retry: 'never',
    hint: 'The object was left out; check that the client and the cache are for the same kind.',
  },
  CACHE_QUEUE_BUSY: {
    retry: 'later',
    hint: 'A queue has one consumer: wait until the last item is processed.',
  },
  CACHE_QUEUE_CLOSED: {
    retry: 'never',
    hint: 'The queue was closed and is empty; make a new one.',
  },
  CACHE_RUN_TWICE: {
    retry: 'never',
    hint: 'Wait until the last run has ended, and make a new reflector for another.',
  },
  CACHE_STOPPED: {
    retry: 'never',
    hint: 'The informer no longer follows the server; run it again before waiting for it.',
  },
  CACHE_STORE_FAILED: {
    retry: 'never',
    hint: 'The object keeps its last state in the cache until it changes or is listed again; see the cause.',
  },
  CACHE_WATCHES_SHORT: {
    retry: 'later',
    hint: 'The server, or a proxy in front of it, ends watches at once; raise its idle and request timeouts.',
  },
} as const;

/** The codes of {@link CacheError}. */
export type CacheErrorCode = keyof typeof CACHE_ERRORS;

/** A store or queue was used in a way that it cannot serve. Nothing was changed. */
export class CacheError extends ClientError {
  declare readonly code: CacheErrorCode;

  constructor(code: CacheErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'CacheError', 'CACHE', CACHE_ERRORS);
  }
}
