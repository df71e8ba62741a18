import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { errorChain } from '../lib/errors.ts';
import { errorLogger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { checkNumbers, OptionError } from '../lib/option-error.ts';
import { anySignal, onAbort, type OwnedSignal } from '../lib/signal.ts';
import type { RateLimitingQueue } from './rate-limiting-queue.ts';
import type { Reconcile } from './reconcile.ts';
import { isTerminal, ReconcileError } from './worker-error.ts';

/** The part of a {@link RateLimitingQueue} that {@link runWorkers} uses. */
export type WorkerQueue<T> = Pick<
  RateLimitingQueue<T>,
  'add' | 'addAfter' | 'addRateLimited' | 'done' | 'forget' | 'get' | 'numRequeues'
>;

/** How long attempts may take to end after their signals have aborted. */
const UNWINDING_MS = 5000;

/** How {@link runWorkers} works. */
export interface RunWorkersOptions extends LoggerOption {
  /** How many keys are worked on at the same time. Default 1. */
  readonly workers?: number;
  /** Stops the workers: what runs finishes, nothing new starts. */
  readonly signal: AbortSignal;
  /**
   * How long one attempt may take before its signal aborts, in milliseconds. No limit unless told
   * otherwise.
   */
  readonly timeout?: number;
  /**
   * How long attempts may go on after the stop before their signals abort. Those that go on for 5 s
   * more are reported by key, and no longer waited for. Default 30 s; `Infinity` waits for ever.
   */
  readonly gracePeriodMs?: number;
  /**
   * Called with every attempt that failed, after the key was put back. What it throws is logged, and
   * changes nothing else: abort the signal to end with an error. Default: a warning in the log for
   * each.
   */
  readonly onError?: (error: ReconcileError) => void;
  readonly clock?: Clock;
}

/**
 * Takes keys from the queue and reconciles them until the signal aborts or the queue is shut down and
 * empty. Resolves when nothing runs any more; a stop is not an error.
 *
 * Guarantees:
 *
 * - A key is with at most one worker at a time, also when an attempt is over its time.
 * - A key is not lost: it is reconciled after every `add`, and again after every attempt that fails,
 *   later every time, until one succeeds or fails with {@link terminal}; both start its delays over.
 * - After the stop no attempt begins. Those under way finish, or are cut short through their signals
 *   when the grace period is over; what was cut short is put back and not reported. An attempt that
 *   ignores its signal is reported and no longer waited for; its key stays with it until it ends.
 *
 * The queue stays open, so that workers can start on it again, for instance when leadership comes
 * back. Who made the queue shuts it down; until then the timer of its delays keeps the process alive.
 */
export async function runWorkers<T>(
  queue: WorkerQueue<T>,
  options: RunWorkersOptions,
  reconcile: Reconcile<T>,
): Promise<void> {
  const { workers = 1 } = options;
  if (!Number.isInteger(workers) || workers < 1) {
    throw new OptionError('workers', `${workers} is not a whole number of 1 or more`);
  }
  const { timeout = Infinity } = options;
  if (!(timeout > 0)) {
    throw new OptionError('timeout', `${timeout} is not a number of milliseconds greater than 0`);
  }
  checkNumbers(options, { gracePeriodMs: 'duration' });
  const logger = loggerOf(options.logger);
  const { onError: callback = errorLogger(logger) } = options;
  const report = guardCallback('onError of the workers', callback, logger);
  let isOver = false;
  const onError = (error: ReconcileError): void => {
    if (!isOver) report(error);
  };
  const settings = { ...options, onError };
  let failure: { readonly error: unknown } | undefined;
  const fail = new AbortController();
  using stop = anySignal([options.signal, fail.signal]);
  using cut = abortLater(stop.signal, options);
  const underWay = new Set<T>();
  const worker = async (): Promise<void> => {
    try {
      for (let next = await take(queue, stop.signal); next; next = await take(queue, stop.signal)) {
        underWay.add(next.key);
        await attempt(queue, next.key, settings, cut.signal, reconcile);
        underWay.delete(next.key);
      }
    } catch (error) {
      // Not thrown on: the others are to come to rest first.
      failure ??= { error };
      fail.abort(error);
    }
  };
  await Promise.race([Promise.all(Array.from({ length: workers }, worker)), cut.overdue]);
  for (const key of underWay) {
    const attempt = queue.numRequeues(key) + 1;
    onError(
      new ReconcileError('WORKQUEUE_RECONCILE_STUCK', { key, attempt, cause: cut.signal.reason }),
    );
  }
  isOver = true;
  if (failure !== undefined) throw failure.error;
}

/** The next key, unless the workers are to stop first. */
async function take<T>(
  queue: WorkerQueue<T>,
  signal: AbortSignal,
): Promise<{ readonly key: T } | undefined> {
  try {
    const next = await queue.get(signal);
    if (next.done === true) return undefined;
    if (!signal.aborted) return { key: next.value };
    // It was handed out just before the stop: back into the queue.
    queue.add(next.value);
    queue.done(next.value);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return undefined;
}

type WorkerSettings = RunWorkersOptions & Required<Pick<RunWorkersOptions, 'onError'>>;

/** One attempt. Afterwards the key is done, and back in the queue if it needs another. */
async function attempt<T>(
  queue: WorkerQueue<T>,
  key: T,
  { timeout = Infinity, onError, clock = systemClock }: WorkerSettings,
  cut: AbortSignal,
  reconcile: Reconcile<T>,
): Promise<void> {
  const count = queue.numRequeues(key) + 1;
  // Most attempts have no deadline of their own: they share one signal, and cost none.
  using deadline = timeout < Infinity ? abortAfter(timeout, cut, clock) : undefined;
  try {
    const result = await reconcile(key, { signal: deadline?.signal ?? cut, attempt: count });
    queue.forget(key);
    if (result?.type === 'requeue-after') queue.addAfter(key, result.afterMs);
  } catch (cause) {
    const failed = { key, attempt: count, cause };
    if (comesFrom(cause, cut.reason)) {
      queue.add(key);
    } else if (isTerminal(cause)) {
      queue.forget(key);
      onError(new ReconcileError('WORKQUEUE_RECONCILE_TERMINAL', failed));
    } else {
      queue.addRateLimited(key);
      const isLate = deadline?.signal.aborted === true && deadline.signal.reason !== cut.reason;
      onError(
        new ReconcileError(
          isLate ? 'WORKQUEUE_RECONCILE_TIMED_OUT' : 'WORKQUEUE_RECONCILE_FAILED',
          failed,
        ),
      );
    }
  } finally {
    queue.done(key);
  }
}

/** Aborts a while after `stop` does, with its reason. `overdue` resolves when that had no effect. */
function abortLater(
  stop: AbortSignal,
  { gracePeriodMs = 30_000, clock = systemClock }: RunWorkersOptions,
): OwnedSignal & { readonly overdue: Promise<void> } {
  const controller = new AbortController();
  const overdue = new Deferred();
  let timer: Disposable | undefined;
  const tie = onAbort(stop, () => {
    if (gracePeriodMs === Infinity) return;
    timer = clock.schedule(gracePeriodMs, () => {
      timer = clock.schedule(UNWINDING_MS, () => overdue.resolve());
      controller.abort(stop.reason);
    });
  });
  return {
    overdue: overdue.promise,
    signal: controller.signal,
    [Symbol.dispose]: () => {
      tie[Symbol.dispose]();
      timer?.[Symbol.dispose]();
    },
  };
}

/** Aborts after a time, as `AbortSignal.timeout` does, or when `cut` does. */
function abortAfter(timeoutMs: number, cut: AbortSignal, clock: Clock): OwnedSignal {
  const controller = new AbortController();
  const tie = onAbort(cut, () => controller.abort(cut.reason));
  const timer = clock.schedule(timeoutMs, () =>
    controller.abort(new DOMException(`not done after ${timeoutMs} ms`, 'TimeoutError')),
  );
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      tie[Symbol.dispose]();
      timer[Symbol.dispose]();
    },
  };
}

function comesFrom(error: unknown, reason: unknown): boolean {
  for (const link of errorChain(error)) if (link === reason) return true;
  return false;
}
