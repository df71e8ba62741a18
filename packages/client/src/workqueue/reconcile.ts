import { OptionError } from '../lib/option-error.ts';

/** What a {@link Reconcile} function is given besides the key. */
export interface ReconcileContext {
  /**
   * Aborts when the attempt has taken longer than `timeout`, or when the workers were stopped and
   * the grace period is over. Hand it on to everything that waits: a worker cannot leave an attempt
   * that ignores it, because the key would then be with two workers.
   */
  readonly signal: AbortSignal;
  /** 1 at first, and one more with every failure in a row, as the queue's rate limiter counts. */
  readonly attempt: number;
}

/** Tells {@link runWorkers} to look at the key again later. See {@link requeueAfter}. */
export interface RequeueAfter {
  readonly type: 'requeue-after';
  readonly afterMs: number;
}

/** What comes of a successful attempt: nothing more to do, or another look after a while. */
export type ReconcileResult = RequeueAfter | undefined | void;

/**
 * Makes what the key stands for as it should be, whatever it is now: it is not told what has changed.
 * A throw means another attempt, later every time; `throw terminal(error)` means none.
 */
export type Reconcile<T> = (
  key: T,
  context: ReconcileContext,
) => Promise<ReconcileResult> | ReconcileResult;

/**
 * The result of an attempt that went well and wants the key looked at again: `return
 * requeueAfter(60_000)`. The key still comes at once if something changes, and the shortest of
 * several delays counts.
 */
export function requeueAfter(afterMs: number): RequeueAfter {
  // The queue takes what is not above zero as "at once": a slip in a sum would be a busy loop.
  if (!(afterMs >= 0 && afterMs < Infinity)) {
    throw new OptionError(
      'requeueAfter',
      `${afterMs} is not a number of milliseconds of 0 or more`,
    );
  }
  return Object.freeze({ type: 'requeue-after', afterMs });
}
