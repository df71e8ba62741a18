import { Deferred } from 'client-ts/internal';

/** Lets work pass while it is open. */
export class Gate {
  #running = 0;
  #closed: Deferred | undefined;
  #idle: Deferred | undefined;

  /** Runs work, or waits until the gate is open again. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed.promise;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idle?.resolve();
    }
  }

  /** Runs work while nothing passes: what runs already is awaited, what comes waits. */
  async closed<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed.promise;
    const closed = new Deferred();
    this.#closed = closed;
    try {
      if (this.#running > 0) {
        this.#idle = new Deferred();
        await this.#idle.promise;
      }
      return await work();
    } finally {
      this.#idle = undefined;
      this.#closed = undefined;
      closed.resolve();
    }
  }
}
