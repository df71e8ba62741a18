import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { Deferred } from '../lib/deferred.ts';
import { errorChain } from '../lib/errors.ts';
import { errorLogger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { checkNumbers, OptionError } from '../lib/option-error.ts';
import { anySignal, onAbort, type OwnedSignal } from '../lib/signal.ts';
import { countsOf, listQueue, ObservedAttempt } from './observed-attempt.ts';
import type { ReconcileCounts } from './diagnostics.ts';
import type { RateLimitingQueue } from './rate-limiting-queue.ts';
import { isTerminal, type Reconcile, ReconcileError, type ReconcileResult } from './reconcile.ts';

/** The part of a {@link RateLimitingQueue} that {@link runWorkers} uses. */
export type WorkerQueue<T> = Pick<
  RateLimitingQueue<T>,
  'addAfter' | 'addRateLimited' | 'done' | 'forget' | 'get' | 'numRequeues'
> &
  Partial<Pick<RateLimitingQueue<T>, 'tryGet'>>;

/** The time attempts have to end after their signals have aborted. */
const UNWINDING_MS = 5000;

/** Options of {@link runWorkers}. */
export interface RunWorkersOptions extends LoggerOption {
  /** The number of keys processed at the same time. Default 1. */
  readonly workers?: number | undefined;
  /** Stops the workers: attempts in progress finish, no new ones start. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Stops the workers, too, and aborts the signals of attempts in progress immediately, with its
   * reason: for example when a lease is lost.
   */
  readonly cancel?: AbortSignal | undefined;
  /** The time after which the signal of an attempt aborts. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * The time after the stop until the signals of attempts in progress abort. Attempts that ignore
   * their signal for another 5 s are reported and no longer waited for. Default 30,000; `Infinity`
   * waits forever.
   */
  readonly gracePeriodMs?: number | undefined;
  /**
   * Called after each failed attempt, when the key is already back in the queue. Errors it throws
   * are logged; abort the signal to stop the workers. Default: logs a warning.
   */
  readonly onError?: ((error: ReconcileError) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Takes keys from the queue and reconciles them until the signal aborts, or the queue is shut down
 * and empty. Resolves when no attempt is in progress; a stop is not an error.
 *
 * Guarantees:
 *
 * - At most one worker has a key at any time, even after an attempt has timed out.
 * - No key is lost: it is reconciled after each `add`, and retried with back-off after each failure
 *   until an attempt succeeds or throws {@link terminal}. Both reset the back-off.
 * - No attempt starts after the stop. Attempts in progress finish, or are cancelled through their
 *   signals by `cancel` or after the grace period; cancelled keys go back into the queue without an
 *   error. An attempt that ignores its signal is reported, and keeps its key until it ends.
 *
 * The queue stays open, so that workers can start on it again, for example after regaining
 * leadership. Shut it down yourself: until then the timer of its delays keeps the process alive.
 */
export async function runWorkers<T>(
  queue: WorkerQueue<T>,
  options: RunWorkersOptions,
  reconcile: Reconcile<T>,
): Promise<void> {
  await new WorkerPool(queue, options, reconcile).run();
}

/** One call of the reconcile function. */
interface Attempt<T> {
  readonly key: T;
  /** 1 for the first since the last success. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly timeout: OwnedSignal | undefined;
  readonly observed: ObservedAttempt | undefined;
}

class WorkerPool<T> {
  readonly #queue: WorkerQueue<T>;
  readonly #options: RunWorkersOptions;
  readonly #reconcile: Reconcile<T>;
  readonly #onError: (error: ReconcileError) => void;
  /** Aborts with an error of the queue, so that the other workers stop too. */
  readonly #failure = new AbortController();
  readonly #counts: ReconcileCounts;
  /** The attempt in progress of each worker. */
  readonly #attempts: (Attempt<T> | undefined)[] = [];
  #isOver = false;

  constructor(queue: WorkerQueue<T>, options: RunWorkersOptions, reconcile: Reconcile<T>) {
    checkOptions(options);
    this.#queue = queue;
    this.#counts = countsOf(queue);
    this.#options = options;
    this.#reconcile = reconcile;
    const logger = loggerOf(options.logger);
    const { onError = errorLogger(logger, 'reconcile.failed') } = options;
    this.#onError = guardCallback('onError of the workers', onError, logger);
  }

  async run(): Promise<void> {
    const { workers: count = 1 } = this.#options;
    using _listed = listQueue(this.#queue, count);
    const { signal, cancel: cancelled } = this.#options;
    using stop = anySignal([signal, cancelled, this.#failure.signal]);
    using cancel = abortLater(stop.signal, this.#options);
    const workers = Array.from({ length: count }, (_, worker) =>
      this.#work(worker, stop.signal, cancel.signal),
    );
    await Promise.race([Promise.all(workers), cancel.overdue]);
    for (const stuck of this.#attempts) {
      if (stuck === undefined) continue;
      const { key, attempt } = stuck;
      const { reason: cause } = cancel.signal;
      this.#onError(new ReconcileError('WORKQUEUE_RECONCILE_STUCK', { key, attempt, cause }));
    }
    this.#isOver = true;
    if (this.#failure.signal.aborted) throw this.#failure.signal.reason;
  }

  /** Runs one worker. Never rejects: a failure stops the other workers first. */
  async #work(worker: number, stop: AbortSignal, cancel: AbortSignal): Promise<void> {
    const queue = this.#queue;
    try {
      for (;;) {
        const ready = stop.aborted ? undefined : queue.tryGet?.();
        const { done, value: key } = ready ?? (await queue.get({ signal: stop }));
        if (done === true) return;
        if (stop.aborted) {
          // Handed out just before the stop: back into the queue, with its priority.
          queue.addAfter(key, 0);
          queue.done(key);
          return;
        }
        const attempt = this.#begin(key, cancel);
        this.#attempts[worker] = attempt;
        try {
          this.#succeed(attempt, await this.#run(attempt));
        } catch (error) {
          this.#fail(attempt, error, cancel);
        } finally {
          // The key is done, and back in the queue if it needs a retry.
          this.#counts.reconciles += 1;
          queue.done(key);
          attempt.timeout?.[Symbol.dispose]();
        }
        this.#attempts[worker] = undefined;
      }
    } catch (error) {
      if (!isCausedBy(error, stop.reason)) this.#failure.abort(error);
    }
  }

  #begin(key: T, cancel: AbortSignal): Attempt<T> {
    const { timeoutMs = Infinity, clock = systemClock } = this.#options;
    const attempt = this.#queue.numRequeues(key) + 1;
    // Attempts without a timeout share one signal, which costs nothing per attempt.
    const timeout =
      timeoutMs < Infinity
        ? withDeadline(cancel, {
            clock,
            timeoutMs,
            background: false,
            reason: () => new DOMException(`not done after ${timeoutMs} ms`, 'TimeoutError'),
          })
        : undefined;
    const signal = timeout?.signal ?? cancel;
    const observed = ObservedAttempt.of(this.#queue, key, attempt, clock);
    return { key, attempt, signal, timeout, observed };
  }

  #run({ key, attempt, signal, observed }: Attempt<T>): ReturnType<Reconcile<T>> {
    if (observed === undefined) return this.#reconcile(key, { signal, attempt });
    return observed.run(() => this.#reconcile(key, { signal, attempt }));
  }

  #succeed({ key, observed }: Attempt<T>, result: ReconcileResult): void {
    this.#queue.forget(key);
    if (result?.type === 'requeue-after') {
      const { afterMs: requeueAfterMs } = result;
      this.#queue.addAfter(key, requeueAfterMs);
      observed?.end({ result: 'requeue', requeueAfterMs });
    } else observed?.end({ result: 'success' });
  }

  #fail({ key, attempt, signal, observed }: Attempt<T>, cause: unknown, cancel: AbortSignal): void {
    const queue = this.#queue;
    if (isCausedBy(cause, cancel.reason)) {
      // Not `add`, which would raise its priority.
      queue.addAfter(key, 0);
      observed?.end({ result: 'cancelled' });
    } else if (isTerminal(cause)) {
      this.#counts.errors += 1;
      queue.forget(key);
      observed?.end({ result: 'terminal', error: cause });
      this.#report(new ReconcileError('WORKQUEUE_RECONCILE_TERMINAL', { key, attempt, cause }));
    } else {
      this.#counts.errors += 1;
      queue.addRateLimited(key);
      const isTimeout = signal.aborted && signal.reason !== cancel.reason;
      observed?.end({ result: isTimeout ? 'timeout' : 'error', error: cause });
      const code = isTimeout ? 'WORKQUEUE_RECONCILE_TIMED_OUT' : 'WORKQUEUE_RECONCILE_FAILED';
      this.#report(new ReconcileError(code, { key, attempt, cause }));
    }
  }

  /** Calls `onError`, unless `runWorkers` has already returned. */
  #report(error: ReconcileError): void {
    if (!this.#isOver) this.#onError(error);
  }
}

function checkOptions({
  workers = 1,
  timeoutMs = Infinity,
  gracePeriodMs,
}: RunWorkersOptions): void {
  if (!Number.isInteger(workers) || workers < 1) {
    throw new OptionError('workers', `${workers} is not a whole number of 1 or more`);
  }
  if (!(timeoutMs > 0)) {
    throw new OptionError('timeoutMs', `${timeoutMs} is not a number of milliseconds above 0`);
  }
  checkNumbers({ gracePeriodMs }, { gracePeriodMs: 'duration' });
}

/**
 * Returns a signal that aborts with the reason of `stop` after the grace period, or with that of `cancel`, and a
 * promise that resolves when attempts had time to react to it.
 */
function abortLater(
  stop: AbortSignal,
  { cancel, gracePeriodMs = 30_000, clock = systemClock }: RunWorkersOptions,
): OwnedSignal & { readonly overdue: Promise<void> } {
  const controller = new AbortController();
  const overdue = new Deferred();
  let timer: Disposable | undefined;
  const abort = (reason: unknown): void => {
    timer?.[Symbol.dispose]();
    if (gracePeriodMs < Infinity) timer = clock.schedule(UNWINDING_MS, () => overdue.resolve());
    controller.abort(reason);
  };
  const ties = [
    onAbort(cancel, () => abort(cancel?.reason)),
    onAbort(stop, () => {
      if (controller.signal.aborted || gracePeriodMs === Infinity) return;
      timer = clock.schedule(gracePeriodMs, () => abort(stop.reason));
    }),
  ];
  return {
    overdue: overdue.promise,
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const tie of ties) tie[Symbol.dispose]();
      timer?.[Symbol.dispose]();
    },
  };
}

function isCausedBy(error: unknown, reason: unknown): boolean {
  for (const link of errorChain(error)) if (link === reason) return true;
  return false;
}
