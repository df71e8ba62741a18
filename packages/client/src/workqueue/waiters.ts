import { Deferred } from '../lib/deferred.ts';
import { onAbort } from '../lib/signal.ts';

/** A wait of one worker. */
export interface Waiter<V> extends Deferred<V> {
  readonly signal: AbortSignal | undefined;
}

/** A listener to a signal, which all that wait with it share. */
interface Tie {
  waiting: number;
  readonly listener: Disposable;
}

/**
 * Workers that wait, in the order in which they began to. A signal has one listener while anyone
 * waits with it: workers share a signal, and to add a listener costs more than the rest of a wait.
 */
export class Waiters<V> {
  /** A set, because a wait can be cancelled in any order. */
  readonly #waiters = new Set<Waiter<V>>();
  readonly #ties = new Map<AbortSignal, Tie>();

  get size(): number {
    return this.#waiters.size;
  }

  /** Adds a wait that rejects with the reason of the signal when it aborts. It must not have aborted. */
  add(signal: AbortSignal | undefined): Waiter<V> {
    const waiter: Waiter<V> = Object.assign(new Deferred<V>(), { signal });
    this.#waiters.add(waiter);
    if (signal !== undefined) this.#tieTo(signal).waiting += 1;
    return waiter;
  }

  /** Ends the wait that began first. */
  resolveFirst(value: V): void {
    for (const waiter of this.#waiters) {
      this.resolve(waiter, value);
      return;
    }
  }

  /** Ends a wait. Does nothing if it is over. */
  resolve(waiter: Waiter<V>, value: V): void {
    if (!this.#waiters.delete(waiter)) return;
    if (waiter.signal !== undefined) this.#leave(waiter.signal);
    waiter.resolve(value);
  }

  #tieTo(signal: AbortSignal): Tie {
    const known = this.#ties.get(signal);
    if (known !== undefined) return known;
    const tie: Tie = { waiting: 0, listener: onAbort(signal, () => this.#abort(signal)) };
    this.#ties.set(signal, tie);
    return tie;
  }

  #abort(signal: AbortSignal): void {
    this.#ties.delete(signal);
    for (const waiter of this.#waiters) {
      if (waiter.signal !== signal) continue;
      this.#waiters.delete(waiter);
      waiter.reject(signal.reason);
    }
  }

  #leave(signal: AbortSignal): void {
    const tie = this.#ties.get(signal);
    if (tie === undefined) return;
    tie.waiting -= 1;
    if (tie.waiting > 0) return;
    tie.listener[Symbol.dispose]();
    this.#ties.delete(signal);
  }
}
