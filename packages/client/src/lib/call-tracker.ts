import { AsyncLocalStorage } from 'node:async_hooks';
import { isThenable } from './thenable.ts';

/** A call of a tracked function. */
const storage = new AsyncLocalStorage<object>();
/** Up to Node 22, async storage slows down every promise, so it is disabled while unused. */
let users = 0;

function enter(): void {
  users += 1;
}

function leave(): void {
  users -= 1;
  if (users === 0) storage.disable();
}

/**
 * Detects whether code runs within the current call of a function, also after an `await`. For
 * functions whose calls do not overlap, such as an event handler: code that is about to wait for
 * the current call can detect that it would deadlock.
 *
 * A function that returns no promise is tracked only in its first call, so that later calls cost
 * little; if it then returns a promise, it is tracked from the next call on. Async functions are
 * tracked in every call.
 */
export class CallTracker<Kind extends string> implements Disposable {
  /** The kinds of calls that have not returned a promise so far. */
  readonly #synchronous = new Set<Kind>();
  /** True in the synchronous part of a call, before its first `await`. */
  #isEntered = false;
  #current: object | undefined;
  #isUser = false;

  /** True within the current call and what it has started. */
  get isWithin(): boolean {
    if (this.#isEntered) return true;
    return this.#current !== undefined && storage.getStore() === this.#current;
  }

  /** Calls the function. Call {@link CallTracker.settled} when what it returns has settled. */
  call<A, R>(kind: Kind, invoke: (argument: A) => R, argument: A): R {
    this.#isEntered = true;
    try {
      if (this.#synchronous.has(kind)) {
        const result = invoke(argument);
        if (result !== undefined && isThenable(result)) this.#synchronous.delete(kind);
        return result;
      }
      // Enabled until it is disposed: tracked calls continue after this one has returned.
      if (!this.#isUser) enter();
      this.#isUser = true;
      this.#current = {};
      const result = storage.run(this.#current, invoke, argument);
      if (!isThenable(result)) this.#synchronous.add(kind);
      return result;
    } finally {
      this.#isEntered = false;
    }
  }

  /** Marks the current call as settled. */
  settled(): void {
    this.#current = undefined;
  }

  /** Stops tracking until the next call. */
  [Symbol.dispose](): void {
    this.#current = undefined;
    if (this.#isUser) leave();
    this.#isUser = false;
  }
}
