import { setMaxListeners } from 'node:events';

/** An AbortSignal that belongs to somebody: disposing cuts its ties, so that nothing is kept alive. */
export interface OwnedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Calls `listener` when the signal aborts, at once if it has aborted already. Disposing removes the
 * listener; long-lived signals otherwise collect one for every piece of work done under them.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): Disposable {
  if (signal?.aborted === true) {
    listener();
    return { [Symbol.dispose]: () => undefined };
  }
  if (signal === undefined) return { [Symbol.dispose]: () => undefined };
  // A thousand pieces of work under one signal are no leak, though Node 20 warns of one.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

/** Removes the listeners of targets that were collected. */
const abandoned = new FinalizationRegistry<Disposable>((tie) => tie[Symbol.dispose]());

/**
 * {@link onAbort} for a signal that may outlive what it is about: the signal does not keep `target`
 * alive, and when `target` is collected its listener is removed. `listener` is called with `target`
 * and the signal. It must hold `target` in no other way: a closure made beside others holds everything
 * that those hold.
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
 * A signal that aborts with the first of several, with its reason. Use it with `using`.
 *
 * `AbortSignal.any` is not used because it keeps every derived signal alive through its sources in
 * some releases of Node 20 and 22: one per request on a signal that lives as long as the program.
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
 * Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. The work
 * behind the promise goes on; its later failure is not reported as unhandled.
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
