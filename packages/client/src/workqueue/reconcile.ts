import { inspect } from 'node:util';
import { ClientError, defineErrors, errorChain, messageOf } from '../lib/errors.ts';
import { OptionError } from '../lib/option-error.ts';

/** The second argument of a {@link Reconcile} function. */
export interface ReconcileContext {
  /**
   * Aborts when the attempt takes longer than `timeoutMs`, or when the workers stop and the grace
   * period has passed. Pass it to every request and wait: a worker cannot abandon an attempt that
   * ignores it, because a second worker could then get the same key.
   */
  readonly signal: AbortSignal;
  /** 1 for the first attempt, then one more for each failure in a row. */
  readonly attempt: number;
}

/** Asks {@link runWorkers} to reconcile the key again later. See {@link requeueAfter}. */
export interface RequeueAfter {
  readonly type: 'requeue-after';
  readonly afterMs: number;
}

/** The result of a successful attempt: nothing, or {@link requeueAfter}. */
export type ReconcileResult = RequeueAfter | undefined | void;

/**
 * Brings the cluster to the state that the object of this key asks for, whatever triggered it. Throw
 * to retry with back-off; `throw terminal(error)` to wait for the next change instead.
 */
export type Reconcile<T> = (
  key: T,
  context: ReconcileContext,
) => Promise<ReconcileResult> | ReconcileResult;

/**
 * Returns the result of an attempt that succeeded and wants the key reconciled again: `return
 * requeueAfter(60_000)`. A change of the object still triggers it earlier, and the shortest of
 * several delays wins.
 */
export function requeueAfter(afterMs: number): RequeueAfter {
  // The queue adds without a delay for anything not above zero: NaN would be a busy loop.
  if (!(afterMs >= 0 && afterMs < Infinity)) {
    throw new OptionError('afterMs', `${afterMs} is not a number of milliseconds of 0 or more`);
  }
  return Object.freeze({ type: 'requeue-after', afterMs });
}

/** The codes of {@link ReconcileError}, with their hints. */
export const RECONCILE_ERRORS = {
  WORKQUEUE_RECONCILE_FAILED: {
    retry: 'later',
    hint: 'The key is retried with back-off; see the cause.',
  },
  WORKQUEUE_RECONCILE_STUCK: {
    retry: 'never',
    hint: 'Pass the signal of the context to everything that waits. The attempt keeps its key until it ends.',
  },
  WORKQUEUE_RECONCILE_TERMINAL: {
    retry: 'never',
    hint: 'The key is not retried until the object changes; see the cause.',
  },
  WORKQUEUE_RECONCILE_TIMED_OUT: {
    retry: 'later',
    hint: 'The key is retried with back-off; raise timeoutMs, or find out what the attempt waited for.',
  },
} as const;

/** The codes of {@link ReconcileError}. */
export type ReconcileErrorCode = keyof typeof RECONCILE_ERRORS;

const OUTCOMES: Readonly<Record<ReconcileErrorCode, string>> = {
  WORKQUEUE_RECONCILE_FAILED: 'failed',
  WORKQUEUE_RECONCILE_STUCK: 'did not end after its signal aborted',
  WORKQUEUE_RECONCILE_TERMINAL: 'failed and is not retried',
  WORKQUEUE_RECONCILE_TIMED_OUT: 'timed out',
};

/** An attempt that failed. */
export interface ReconcileFailure {
  readonly key: unknown;
  readonly attempt: number;
  /** What the attempt threw. */
  readonly cause: unknown;
}

/** An attempt to reconcile a key failed. `cause` is what it threw. */
export class ReconcileError extends ClientError {
  declare readonly code: ReconcileErrorCode;
  readonly key: unknown;
  /** 1 for the first attempt. */
  readonly attempt: number;

  constructor(code: ReconcileErrorCode, { key, attempt, cause }: ReconcileFailure) {
    const name = typeof key === 'string' ? key : inspect(key, { breakLength: Infinity });
    super(code, `${name}: attempt ${attempt} ${OUTCOMES[code]}: ${messageOf(cause)}`, { cause });
    this.key = key;
    this.attempt = attempt;
  }

  /** False for a terminal error: the key waits for the next change. */
  get willRetry(): boolean {
    return this.code !== 'WORKQUEUE_RECONCILE_TERMINAL';
  }

  static {
    defineErrors(this, 'ReconcileError', 'WORKQUEUE', RECONCILE_ERRORS);
  }
}

/** An error that a retry cannot fix. Made by {@link terminal}. */
export class TerminalError extends ClientError {
  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super('WORKQUEUE_TERMINAL', message, { cause });
  }

  static {
    defineErrors(this, 'TerminalError', 'WORKQUEUE', {
      WORKQUEUE_TERMINAL: {
        retry: 'never',
        hint: 'The key is not retried until the object changes.',
      },
    });
  }
}

/**
 * Wraps an error that a retry cannot fix, such as an invalid spec: `throw terminal(error)`. The key
 * is reconciled again when the object changes. Also works when it is the cause of another error.
 */
export function terminal(cause: unknown): TerminalError {
  return new TerminalError(messageOf(cause), { cause });
}

/** Returns true if the error or one of its causes was made by {@link terminal}. */
export function isTerminal(error: unknown): boolean {
  for (const link of errorChain(error)) if (link instanceof TerminalError) return true;
  return false;
}
