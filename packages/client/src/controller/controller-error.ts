import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The codes of {@link ControllerError}, with their hints. */
export const CONTROLLER_ERRORS = {
  CONTROLLER_DUPLICATE: {
    retry: 'never',
    hint: 'Give each controller of a manager its own name: it is the name in logs, metrics and field managers.',
  },
  CONTROLLER_CACHE_AMBIGUOUS: {
    retry: 'never',
    hint: 'Read with the result of cached(…) that the cache was made with, or give the cache one of them.',
  },
  CONTROLLER_CACHE_BEHIND: {
    retry: 'later',
    hint: 'The watch is late. Retry; if it persists, check the connection to the server.',
  },
  CONTROLLER_INFORMER_ENDED: {
    retry: 'never',
    hint: 'Stop the controller through its signal instead of stopping its informers.',
  },
  CONTROLLER_KIND_UNKNOWN: {
    retry: 'never',
    hint: 'Pass the descriptor of the resource first, apply(deployments, object), or set apiVersion and kind.',
  },
  CONTROLLER_LISTEN_FAILED: {
    retry: 'never',
    hint: 'Choose another port for health or metrics, or stop the program that has it.',
  },
  CONTROLLER_MAPPING_FAILED: {
    retry: 'never',
    hint: 'Fix the mapping function; see the cause. This change enqueued nothing, later ones are not affected.',
  },
  CONTROLLER_LEADERSHIP_LOST: {
    retry: 'later',
    hint: 'Exit, and let the process be started again: another replica leads now.',
  },
  CONTROLLER_NOT_LEADING: {
    retry: 'never',
    hint: 'Only the leader writes. The lease has expired or another replica holds it; nothing was sent.',
  },
  CONTROLLER_NOT_CACHED: {
    retry: 'never',
    hint: "Add the resource to the resources of the cache, set onMissing to 'start', or read it with cache.client.",
  },
  CONTROLLER_NOT_SYNCED: {
    retry: 'later',
    hint: 'Start the cache, and await cache.ready(resource) or cache.waitForCacheSync() before reading.',
  },
  CONTROLLER_OWNER_CONFLICT: {
    retry: 'never',
    hint: 'An object has one controller: choose another name for yours, or leave this one alone.',
  },
  CONTROLLER_OWNER_NAMESPACE: {
    retry: 'never',
    hint: 'An owner must be cluster-scoped or in the namespace of the object that it owns.',
  },
  CONTROLLER_PREDICATE_FAILED: {
    retry: 'never',
    hint: 'Fix the predicate; see the cause. This change was ignored, later ones are not affected.',
  },
  CONTROLLER_SOURCE_FAILED: {
    retry: 'later',
    hint: 'A source given as a function is started again with back-off; one given as an iterable has ended.',
  },
  CONTROLLER_START_FAILED: {
    retry: 'never',
    hint: 'Grant the permissions, or install the resources, that the message names.',
  },
  CONTROLLER_STOP_INCOMPLETE: {
    retry: 'never',
    hint: 'Pass the signal of the context to everything that waits, or raise gracePeriodMs.',
  },
  CONTROLLER_RUN_TWICE: {
    retry: 'never',
    hint: 'A manager runs once: add all controllers before, and make a new one for another run.',
  },
  CONTROLLER_WRITE_UNSETTLED: {
    retry: 'later',
    hint: 'Await cache.settled(), which reads the object from the server.',
  },
} as const;

/** The codes of {@link ControllerError}. */
export type ControllerErrorCode = keyof typeof CONTROLLER_ERRORS;

/**
 * A controller, one of its callbacks or one of its sources failed, its cache cannot be read, or an
 * object cannot be owned.
 */
export class ControllerError extends ClientError {
  declare readonly code: ControllerErrorCode;

  constructor(code: ControllerErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'ControllerError', 'CONTROLLER', CONTROLLER_ERRORS);
  }
}
