import { AsyncLocalStorage } from 'node:async_hooks';
import { isThenable } from './thenable.ts';

/** Each call of a tracked function is one object. */
const storage = new AsyncLocalStorage<object>();
/** Up to Node 22, storage in use slows every promise down: it is switched off when it has no users. */
let users = 0;

function enter(): void {
  users += 1;
}

function leave(): void {
  users -= 1;
  if (users === 0) storage.disable();
}

/**
 * Tells whether code runs within the call of a function that is under way, also after an `await`. It
 * is for functions that are called one after another, such as an event handler: code that is about to
 * wait for the current call can find out that it would wait for itself.
 *
 * A function that returns no promise is tracked in its first call only, and costs next to nothing
 * later; if it returns a promise after that, it is tracked from the next call on. Async functions are
 * tracked in every call.
 */
export class CallTracker<Kind extends string> implements Disposable {
  /** The kinds of calls that have returned nothing to wait for so far. */
  readonly #synchronous = new Set<Kind>();
  /** True within the part of a call that runs before its first `await`. */
  #isEntered = false;
  #current: object | undefined;
  #isUser = false;

  /** True within the call that is under way, and in what it has started. */
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
        if (isThenable(result)) this.#synchronous.delete(kind);
        return result;
      }
      // From here on until it is disposed of: tracked calls go on after this one has returned.
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

  /** Notes that the call has ended, and what it has returned has settled. */
  settled(): void {
    this.#current = undefined;
  }

  /** Tracks nothing for now; the next call starts again. */
  [Symbol.dispose](): void {
    this.#current = undefined;
    if (this.#isUser) leave();
    this.#isUser = false;
  }
}
