import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The error codes of stores, queues, reflectors and informers. */
export const CACHE_ERRORS = {
  CACHE_HANDLER_FAILED: {
    retry: 'never',
    hint: 'The handler missed only this event; catch errors in it, or only add keys to a work queue in it.',
  },
  CACHE_HANDLER_OVERFLOW: {
    retry: 'never',
    hint: 'The handler is slower than the events; only add keys to a work queue in it.',
  },
  CACHE_HANDLER_REMOVED: {
    retry: 'never',
    hint: 'A handler that was removed does not sync any more; wait for others.',
  },
  CACHE_HANDLER_STUCK: {
    retry: 'never',
    hint: 'The call continues, but nothing waits for it; make handlers return, or raise gracePeriodMs.',
  },
  CACHE_INDEX_CONFLICT: {
    retry: 'never',
    hint: 'Use another name for the index, and add each indexer once.',
  },
  CACHE_INDEX_FAILED: {
    retry: 'never',
    hint: 'An index function must accept every object of its store; return an empty array for objects that do not belong in the index.',
  },
  CACHE_INDEX_NOT_PROJECTED: {
    retry: 'never',
    hint: 'Add the path of the index to project, or index by a field that is in it.',
  },
  CACHE_INDEX_UNKNOWN: {
    retry: 'never',
    hint: 'Add the index with addIndexers before using it.',
  },
  CACHE_LIST_INVALID: {
    retry: 'never',
    hint: 'The server did not answer with a list of objects; do not request tables here.',
  },
  CACHE_LIST_OVERDUE: {
    retry: 'later',
    hint: 'The server accepted a request and did not answer; it is retried. Check proxies in between.',
  },
  CACHE_NOT_SYNCED: {
    retry: 'later',
    hint: 'Check that every informer runs and may list and watch its resource; large lists may need a longer timeoutMs.',
  },
  CACHE_OBJECT_UNEXPECTED: {
    retry: 'never',
    hint: 'The object was skipped; check that the client and the cache are for the same kind.',
  },
  CACHE_QUEUE_BUSY: {
    retry: 'later',
    hint: 'A queue has one consumer: wait until the last item has been processed.',
  },
  CACHE_QUEUE_CLOSED: {
    retry: 'never',
    hint: 'The queue was closed and is empty; create a new one.',
  },
  CACHE_RUN_TWICE: {
    retry: 'never',
    hint: 'Wait until the last run has ended; create a new reflector for another run.',
  },
  CACHE_STOPPED: {
    retry: 'never',
    hint: 'Run the informer again before waiting for it.',
  },
  CACHE_STORE_FAILED: {
    retry: 'never',
    hint: 'The object keeps its cached state until it changes or is listed again; see the cause.',
  },
  CACHE_WATCHES_SHORT: {
    retry: 'later',
    hint: 'The server, or a proxy in front of it, ends watches immediately; raise its idle and request timeouts.',
  },
} as const;

/** The codes of {@link CacheError}. */
export type CacheErrorCode = keyof typeof CACHE_ERRORS;

/** An error of a store, queue, reflector or informer. */
export class CacheError extends ClientError {
  declare readonly code: CacheErrorCode;

  constructor(code: CacheErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'CacheError', 'CACHE', CACHE_ERRORS);
  }
}
