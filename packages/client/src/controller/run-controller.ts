import {
  type CacheSyncOptions,
  type Syncable,
  waitForCacheSync,
} from '../cache/wait-for-cache-sync.ts';
import { systemClock } from '../lib/clock.ts';
import { anySignal } from '../lib/signal.ts';
import type { RateLimitingQueue } from '../workqueue/rate-limiting-queue.ts';
import type { Reconcile } from '../workqueue/reconcile.ts';
import { runWorkers, type RunWorkersOptions, type WorkerQueue } from '../workqueue/run-workers.ts';
import { ControllerError } from './controller-error.ts';

/** The part of an informer that {@link runController} uses. */
export interface RunnableInformer extends Syncable {
  readonly isRunning: boolean;
  run(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Options of {@link runController}. */
export interface RunControllerOptions<T>
  extends RunWorkersOptions, Pick<CacheSyncOptions, 'unavailable'> {
  /**
   * The informers that `reconcile` reads from and whose handlers fill the queue. Informers that are
   * already running are waited for, and keep running at the end.
   */
  readonly informers: readonly RunnableInformer[];
  /** Shut down at the end. */
  readonly queue: WorkerQueue<T> & Pick<RateLimitingQueue<T>, 'shutDown'>;
  readonly reconcile: Reconcile<T>;
  /** The time the informers have to sync. Default 2 minutes. */
  readonly syncTimeoutMs?: number | undefined;
}

/**
 * Runs a controller until the signal aborts: starts the informers, waits until they have synced and
 * starts the workers. On a stop the workers finish their attempts while the caches stay up to date;
 * then the queue is shut down and the informers stop. Resolves when everything has ended and nothing
 * keeps the process alive; a stop is not an error.
 *
 * Rejects after the same stop with a `CacheSyncError` that names the informers which did not sync in
 * time or cannot sync (see {@link waitForCacheSync}), or with the error of an informer.
 */
export async function runController<T>(options: RunControllerOptions<T>): Promise<void> {
  const { informers, queue, reconcile, clock = systemClock } = options;
  const { signal, syncTimeoutMs = 120_000, unavailable = 'reject', ...work } = options;
  const failure = new AbortController();
  const stopInformers = new AbortController();
  using stop = anySignal([signal, failure.signal]);
  const running = (signal?.aborted === true ? [] : informers)
    .filter(({ isRunning }) => !isRunning)
    .map(async (informer) => {
      try {
        await informer.run({ signal: stopInformers.signal });
        if (!stopInformers.signal.aborted) throw endedEarly(informer);
      } catch (error) {
        failure.abort(error);
      }
    });
  try {
    const sync = { clock, unavailable, signal: stop.signal, timeoutMs: syncTimeoutMs };
    await waitForCacheSync(informers, sync).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    await runWorkers(queue, { ...work, signal: stop.signal }, reconcile);
  } finally {
    queue.shutDown();
    stopInformers.abort();
    await Promise.all(running);
  }
  if (failure.signal.aborted) throw failure.signal.reason;
}

function endedEarly({ name }: RunnableInformer): ControllerError {
  return new ControllerError('CONTROLLER_INFORMER_ENDED', `informer ${name} has stopped`);
}
