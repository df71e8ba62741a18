import { checkChoice, checkNumbers } from '../lib/option-error.ts';
import type { CacheError } from './cache-error.ts';
import type { TransformFunc } from './delta.ts';
import type { Indexers, NoIndexers } from './indexers.ts';
import type { CachedObject } from './list-watch.ts';
import type { OverflowPolicy } from './processor-listener.ts';
import { checkReflectorNumbers, type ReflectorOptions } from './reflector-options.ts';

/** How a {@link SharedIndexInformer} is made. */
export interface SharedIndexInformerOptions<
  T extends CachedObject,
  I extends Indexers<T> = NoIndexers,
> extends Omit<
  ReflectorOptions<T>,
  'onStateChange' | 'resourceVersion' | 'shouldResync' | 'store' | 'waitForRoom'
> {
  /** As errors and {@link waitForCacheSync} name it. */
  readonly name?: string | undefined;
  readonly indexers?: (I & Indexers<T>) | undefined;
  /** How often handlers hear of everything again that do not say it themselves. Default: never. */
  readonly resyncPeriodMs?: number | undefined;
  readonly transform?: TransformFunc<T> | undefined;
  /**
   * `in-order` keeps the order of the server across objects and puts a list into the store in one
   * step; `delta` gathers what happens to an object while it waits. Default `in-order`.
   */
  readonly queue?: 'delta' | 'in-order' | undefined;
  /**
   * Hears of handlers that throw, or that are removed because they are too slow. Default: a
   * warning in the log for each.
   */
  readonly onHandlerError?: ((error: CacheError) => void) | undefined;
  /**
   * How long a stop waits for handlers to finish what was delivered to them, and a removal for the
   * call that is under way. What has not finished by then is reported by name and removed. Default
   * 30 s; `Infinity` waits for ever.
   */
  readonly gracePeriodMs?: number | undefined;
}

/** How a handler is served. */
export interface EventHandlerOptions {
  /** As errors and {@link waitForCacheSync} name it. */
  readonly name?: string | undefined;
  /**
   * How often it hears of everything again. Default: what the informer says. At least 1 s; and while
   * the informer runs, at least the shortest period that it was started with, or never if none.
   */
  readonly resyncPeriodMs?: number | undefined;
  /** The handler is removed when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How many calls may wait; no limit unless told otherwise. It is looked at now and then: a list,
   * or a hundred changes that came together, may go beyond it.
   */
  readonly maxPending?: number | undefined;
  /** What is done when more would wait. Default `hold`. */
  readonly overflow?: OverflowPolicy | undefined;
}

/** Throws an `OptionError` for numbers that an informer cannot work with. */
export function checkInformerNumbers<T extends CachedObject, I extends Indexers<T>>(
  options: SharedIndexInformerOptions<T, I>,
): void {
  checkReflectorNumbers(options);
  checkNumbers(options, { gracePeriodMs: 'duration' });
  checkChoice('queue', options.queue, ['delta', 'in-order']);
}
