import { inspect } from 'node:util';
import { ClientError, defineErrors, errorChain } from '../lib/errors.ts';

/** Every way in which an attempt of {@link runWorkers} can fail, and what follows. */
export const RECONCILE_ERRORS = {
  WORKQUEUE_RECONCILE_FAILED: {
    retry: 'later',
    hint: 'The key is tried again, later every time; see the cause.',
  },
  WORKQUEUE_RECONCILE_STUCK: {
    retry: 'never',
    hint: 'The attempt goes on, but nothing waits for it; let it obey its signal. Its key stays with it.',
  },
  WORKQUEUE_RECONCILE_TERMINAL: {
    retry: 'never',
    hint: 'The key is not tried again before something changes; see the cause.',
  },
  WORKQUEUE_RECONCILE_TIMED_OUT: {
    retry: 'later',
    hint: 'The key is tried again; give it more time with timeout, or find out what it waited for.',
  },
} as const;

/** The codes of {@link ReconcileError}. */
export type ReconcileErrorCode = keyof typeof RECONCILE_ERRORS;

/** What is known of an attempt that failed. */
export interface FailedAttempt {
  readonly key: unknown;
  readonly attempt: number;
  /** What the attempt threw. */
  readonly cause: unknown;
}

/** An attempt to reconcile a key failed. `cause` is what it threw, as it was. */
export class ReconcileError extends ClientError {
  declare readonly code: ReconcileErrorCode;
  readonly key: unknown;
  /** Which attempt it was: 1 for the first. */
  readonly attempt: number;

  constructor(code: ReconcileErrorCode, { key, attempt, cause }: FailedAttempt) {
    const name = typeof key === 'string' ? key : inspect(key, { breakLength: Infinity });
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(code, `${name}: attempt ${attempt} ${OUTCOMES[code]}: ${reason}`, { cause });
    this.key = key;
    this.attempt = attempt;
  }

  /** False if the error was terminal: the key rests until something changes. */
  get willRetry(): boolean {
    return this.code !== 'WORKQUEUE_RECONCILE_TERMINAL';
  }

  static {
    defineErrors(this, 'ReconcileError', 'WORKQUEUE', RECONCILE_ERRORS);
  }
}

const OUTCOMES: Readonly<Record<ReconcileErrorCode, string>> = {
  WORKQUEUE_RECONCILE_FAILED: 'failed',
  WORKQUEUE_RECONCILE_STUCK: 'did not end after its signal aborted',
  WORKQUEUE_RECONCILE_TERMINAL: 'failed for good',
  WORKQUEUE_RECONCILE_TIMED_OUT: 'took too long',
};

/** Marks an error that another attempt would not mend. Made by {@link terminal}. */
export class TerminalError extends ClientError {
  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super('WORKQUEUE_TERMINAL', message, { cause });
  }

  static {
    defineErrors(this, 'TerminalError', 'WORKQUEUE', {
      WORKQUEUE_TERMINAL: {
        retry: 'never',
        hint: 'Nothing is tried again before something changes.',
      },
    });
  }
}

/**
 * Wraps an error that no further attempt would mend, for instance a spec that makes no sense: `throw
 * terminal(error)`. The key is looked at again when something changes. It also counts when others
 * wrap it further.
 */
export function terminal(cause: unknown): TerminalError {
  return new TerminalError(cause instanceof Error ? cause.message : String(cause), { cause });
}

/** True if the error, or one that it came from, was marked by {@link terminal}. */
export function isTerminal(error: unknown): boolean {
  for (const link of errorChain(error)) if (link instanceof TerminalError) return true;
  return false;
}
