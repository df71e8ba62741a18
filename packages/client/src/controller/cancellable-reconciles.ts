import { anySignal, type OwnedSignal } from '../lib/signal.ts';
import type { Reconcile } from '../workqueue/reconcile.ts';

/** Options of {@link cancellableReconciles}. */
export interface CancellableOptions {
  /** Undefined if nothing cancels them but their own signals. */
  readonly cancel: AbortSignal | undefined;
  /** True if each attempt has a signal of its own, because attempts have a timeout. */
  readonly hasOwnSignals: boolean;
}

/** A reconcile function with something to release at the end. */
export interface CancellableReconciles extends Disposable {
  readonly reconcile: Reconcile<string>;
}

/**
 * Returns a function that reconciles as the given one, with signals that also abort with `cancel`.
 * Attempts without a timeout have one signal for all, and get one combination for all: it costs
 * nothing per attempt.
 */
export function cancellableReconciles(
  { cancel, hasOwnSignals }: CancellableOptions,
  reconcile: Reconcile<string>,
): CancellableReconciles {
  if (cancel === undefined) return { reconcile, [Symbol.dispose]: () => undefined };
  if (hasOwnSignals) {
    return {
      reconcile: async (key, context) => {
        using either = anySignal([context.signal, cancel]);
        return await reconcile(key, { ...context, signal: either.signal });
      },
      [Symbol.dispose]: () => undefined,
    };
  }
  let shared: OwnedSignal | undefined;
  return {
    reconcile: (key, { signal, attempt }) => {
      shared ??= anySignal([signal, cancel]);
      return reconcile(key, { signal: shared.signal, attempt });
    },
    [Symbol.dispose]: () => shared?.[Symbol.dispose](),
  };
}
