import type { Backoff } from '../lib/backoff.ts';
import { guardCallback } from '../lib/callback.ts';
import type { Clock } from '../lib/clock.ts';
import { type Logger, loggerOf } from '../lib/logger.ts';
import { checkNumbers } from '../lib/option-error.ts';
import type { Random } from '../lib/random.ts';
import type { CacheError } from './cache-error.ts';
import type { ExpectedKind } from './event-sink.ts';
import type { KeyFunc } from './key-func.ts';
import type { CachedObject, ListerWatcher } from './list-watch.ts';
import type { ReflectorStatus } from './reflector-status.ts';
import type { ReflectorStore } from './store.ts';

/** A list, or the opening of a watch, that failed. It is tried again all the same. */
export interface ReflectorFailure {
  readonly verb: 'list' | 'watch';
  readonly error: unknown;
}

/** Options of `run`. */
export interface RunOptions {
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/** How a {@link Reflector} is made. */
export interface ReflectorOptions<T extends CachedObject> {
  readonly listerWatcher: ListerWatcher<T>;
  /** As the log and errors name it. Default `objects`. */
  readonly name?: string | undefined;
  /** What is kept up to date: a store, or the queue in front of one. */
  readonly store: ReflectorStore<T>;
  /** Default: {@link metaNamespaceKeyFunc}. */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /** Where the store stands already: the first list is not older. Default: it is empty. */
  readonly resourceVersion?: string | undefined;
  /** Objects that say that they are something else are reported and left out. */
  readonly expectedKind?: ExpectedKind | undefined;
  /** How often everything is handed out again; never unless told otherwise. */
  readonly resyncPeriodMs?: number | undefined;
  /** Asked before each resync. */
  readonly shouldResync?: (() => boolean) | undefined;
  /** Objects per page of every list. Default: 500 where paging is good for the server. */
  readonly pageSize?: number | undefined;
  /** Ask for the first state as a stream, and list only if that fails. Default true. */
  readonly useWatchList?: boolean | undefined;
  /**
   * How long that stream may take to open, or be silent, before it is listed instead; 10 s unless
   * told otherwise.
   */
  readonly initialEventsTimeoutMs?: number | undefined;
  /**
   * How long a list, or a page of one, may take before it is given up and asked for anew. A server
   * does not take that long: its answer was lost on the way. Default 5 minutes.
   */
  readonly listTimeoutMs?: number | undefined;
  /** Watches are ended after this long up to twice as long. Default, and least, 5 minutes. */
  readonly minWatchTimeoutMs?: number | undefined;
  /** How long failures of the server are answered by watching again at once. Default 0. */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /** Default: 800 ms, doubled up to 30 s, each up to twice as long by chance. */
  readonly backoff?: Pick<Backoff, 'next' | 'reset'> | undefined;
  /** What a store does that cannot take more now: it gives a promise of better times. */
  readonly waitForRoom?: () => Promise<void> | undefined;
  /** Hears of failed lists and of watches that could not be opened. */
  readonly onWatchError?: ((failure: ReflectorFailure) => void) | undefined;
  /** Hears of objects that were left out. */
  readonly onError?: ((problem: CacheError) => void) | undefined;
  readonly logger?: Logger | undefined;
  /** Called whenever {@link Reflector.status} has become another. */
  readonly onStateChange?: ((status: ReflectorStatus) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Pick<Random, 'next'> | undefined;
}

/** The same options, with callbacks that cannot end the run by what they throw. */
export function guardReflectorCallbacks<T extends CachedObject>(
  options: ReflectorOptions<T>,
): ReflectorOptions<T> {
  const logger = loggerOf(options.logger);
  const { onWatchError, onError, onStateChange } = options;
  return {
    ...options,
    ...(onWatchError && {
      onWatchError: guardCallback('onWatchError of a reflector', onWatchError, logger),
    }),
    ...(onError && { onError: guardCallback('onError of a reflector', onError, logger) }),
    ...(onStateChange && {
      onStateChange: guardCallback('onStateChange of a reflector', onStateChange, logger),
    }),
  };
}

/** Throws an `OptionError` for numbers that a reflector cannot work with. */
export function checkReflectorNumbers<T extends CachedObject>(
  options: Pick<
    ReflectorOptions<T>,
    | 'initialEventsTimeoutMs'
    | 'listTimeoutMs'
    | 'maxInternalErrorRetryMs'
    | 'minWatchTimeoutMs'
    | 'pageSize'
    | 'resyncPeriodMs'
  >,
): void {
  checkNumbers(options, {
    initialEventsTimeoutMs: 'duration',
    listTimeoutMs: 'duration',
    maxInternalErrorRetryMs: 'duration',
    minWatchTimeoutMs: 'duration',
    pageSize: 'countOrNone',
    resyncPeriodMs: 'period',
  });
}
