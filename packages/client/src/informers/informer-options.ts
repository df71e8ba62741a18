import type { CacheError } from '../cache/cache-error.ts';
import type { TransformFunc } from '../cache/delta.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import type { ReflectorFailure } from '../cache/reflector-options.ts';
import type { SharedIndexInformerOptions } from '../cache/shared-index-informer-options.ts';
import type { SelectorOptions } from '../rest/options.ts';

/** Which objects an informer keeps, and how. Informers that agree in all of it are one. */
export interface InformerOptions<T extends CachedObject> {
  /**
   * The only namespace that is looked at; empty for all of them. It means nothing to resources
   * outside of namespaces.
   */
  readonly namespace?: string;
  /** Selectors of labels and fields: the server sends nothing else. */
  readonly selection?: SelectorOptions;
  /** How often handlers that do not say it themselves hear of everything again, in ms; 0: never. */
  readonly resyncPeriod?: number;
  /**
   * Changes objects before they are stored: drops what nobody reads, for instance. Give the same
   * function each time: with another it is another informer.
   */
  readonly transform?: TransformFunc<T>;
}

/** How the informers of a registry work inside; see {@link SharedIndexInformerOptions}. */
export interface InformerMachinery extends Pick<
  SharedIndexInformerOptions<CachedObject>,
  | 'clock'
  | 'gracePeriodMs'
  | 'initialEventsTimeoutMs'
  | 'logger'
  | 'maxInternalErrorRetryMs'
  | 'minWatchTimeoutMs'
  | 'pageSize'
  | 'queue'
  | 'random'
  | 'useWatchList'
> {
  /** Hears of failed lists and watches. They are tried again all the same. */
  readonly onFailure?: (failure: ReflectorFailure, informer: string) => void;
  /** Hears of objects that were left out. Default: a warning in the log for each. */
  readonly onProblem?: (problem: CacheError, informer: string) => void;
  /**
   * Hears of handlers that throw, or that are removed because they are too slow. Default: a
   * warning in the log for each.
   */
  readonly onHandlerError?: (error: CacheError, informer: string) => void;
}
