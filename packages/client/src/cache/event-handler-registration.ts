import type { SyncSource } from './wait-for-cache-sync.ts';

/**
 * A handler of an informer. It stays until it is removed; `await using` removes it at the end of a
 * block.
 */
export interface EventHandlerRegistration extends AsyncDisposable {
  /** As errors and {@link waitForCacheSync} name it. */
  readonly name: string;
  /** The informer that calls the handler. */
  readonly informer: SyncSource;
  /** True once the first list is complete and has been handed to the handler. */
  readonly hasSynced: boolean;
  /**
   * Resolves when {@link EventHandlerRegistration.hasSynced} becomes true. Rejects if the handler is
   * removed, or the informer stopped, before; when the informer runs again it can be waited for again.
   */
  readonly synced: Promise<void>;
  /** How many calls wait, with the one that is under way. */
  readonly pending: number;
  /** The most that have ever waited. */
  readonly highWater: number;
  readonly isRemoved: boolean;
  /**
   * Drops what waits, and resolves when a call that is under way has ended: the handler is not called
   * any more. Within that call it does not wait for it. A call that does not end within the grace
   * period of the informer is reported, and no longer waited for. Removing twice is harmless.
   */
  remove(): Promise<void>;
}
