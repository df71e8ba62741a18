import { setMaxListeners } from 'node:events';

/** An AbortSignal with an owner: disposing removes its listeners from the source signals. */
export interface OwnedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Calls `listener` when the signal aborts, immediately if it has. Disposing removes the listener,
 * so that long-lived signals do not accumulate them.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): Disposable {
  if (signal?.aborted === true) {
    listener();
    return { [Symbol.dispose]: () => undefined };
  }
  if (signal === undefined) return { [Symbol.dispose]: () => undefined };
  // Many listeners on one signal are not a leak, although Node 20 warns of one.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

/** Removes the listeners of targets that were collected. */
const abandoned = new FinalizationRegistry<Disposable>((tie) => tie[Symbol.dispose]());

/**
 * {@link onAbort} for a signal that may outlive `target`: the signal does not keep `target` alive,
 * and the listener is removed when `target` is collected. `listener` is called with `target` and
 * the signal, and must not reference `target` otherwise, also not through a closure that shares its
 * scope.
 */
export function onAbortWeakly<T extends object>(
  signal: AbortSignal | undefined,
  target: T,
  listener: (target: T, signal: AbortSignal) => void,
): Disposable {
  if (signal === undefined) return onAbort(signal, () => undefined);
  const reference = new WeakRef(target);
  const tie = onAbort(signal, () => {
    const present = reference.deref();
    if (present !== undefined) listener(present, signal);
  });
  abandoned.register(target, tie, tie);
  return {
    [Symbol.dispose]: () => {
      abandoned.unregister(tie);
      tie[Symbol.dispose]();
    },
  };
}

/**
 * Returns a signal that aborts with the first of several, with its reason. Use it with `using`.
 *
 * `AbortSignal.any` is not used because some releases of Node 20 and 22 keep every derived signal
 * alive through its sources.
 */
export function anySignal(signals: readonly (AbortSignal | undefined)[]): OwnedSignal {
  const controller = new AbortController();
  const ties: Disposable[] = [];
  const dispose = (): void => {
    for (const tie of ties.splice(0)) tie[Symbol.dispose]();
  };
  for (const signal of signals) {
    if (controller.signal.aborted) break;
    ties.push(
      onAbort(signal, () => {
        controller.abort(signal?.reason);
        dispose();
      }),
    );
  }
  if (controller.signal.aborted) dispose();
  return { signal: controller.signal, [Symbol.dispose]: dispose };
}

/**
 * Settles like `promise`, or rejects with the reason of the signal when it aborts. The work behind
 * the promise continues; its later failure is not reported as unhandled.
 */
export async function abortable<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let tie: Disposable | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      promise.then(resolve, reject);
      tie = onAbort(signal, () => reject(signal?.reason as Error));
    });
  } finally {
    tie?.[Symbol.dispose]();
  }
}
