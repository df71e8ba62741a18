/** The source of a {@link PromptIterator}. */
export interface PromptSource<T> {
  /**
   * Returns the next item if it need not be waited for, which saves most of the cost of a wait;
   * undefined to be asked by `pull`. Must not throw.
   */
  ready?(): IteratorResult<T, void> | undefined;
  /**
   * Resolves with the next item. It may reject when the signal aborts, which `stop` returns: a signal
   * that is not asked for costs nothing.
   */
  pull(stop: () => AbortSignal): Promise<IteratorResult<T, void>>;
  /** Called with an item that arrives after the end and is not delivered. */
  drop?(item: T): void;
  /** Called once, at the end. */
  end?(): void;
}

const done: IteratorReturnResult<void> = { done: true, value: undefined };

/**
 * An async iterator that can be closed while it waits. `return` of an async generator waits for a
 * pending `next`, possibly forever; here it ends that `next`, and the source keeps the item.
 */
export class PromptIterator<T> implements AsyncIterableIterator<T>, AsyncDisposable {
  readonly #source: PromptSource<T>;
  #stop: AbortController | undefined;
  #isOver = false;
  /** Concurrent calls of `next` are served in order. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: PromptSource<T>) {
    this.#source = source;
  }

  next(): Promise<IteratorResult<T, void>> {
    const ready = this.#isOver || this.#waiting > 0 ? undefined : this.#source.ready?.();
    if (ready !== undefined) {
      if (ready.done === true) this.#finish();
      return Promise.resolve(ready);
    }
    const isFirst = this.#waiting === 0;
    this.#waiting += 1;
    const turn = isFirst ? this.#advance() : this.#last.then(() => this.#advance());
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the iteration immediately, including a pending `next`. */
  async return(): Promise<IteratorResult<T, void>> {
    this.#finish();
    return done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #advance(): Promise<IteratorResult<T, void>> {
    try {
      if (this.#isOver) return done;
      const result = await this.#source.pull(() => this.#stopSignal());
      if (result.done === true) this.#finish();
      else if (this.#isOver) this.#source.drop?.(result.value);
      return this.#isOver ? done : result;
    } catch (error) {
      if (this.#isOver) return done;
      this.#finish();
      throw error;
    } finally {
      this.#waiting -= 1;
    }
  }

  #stopSignal(): AbortSignal {
    this.#stop ??= new AbortController();
    if (this.#isOver) this.#stop.abort();
    return this.#stop.signal;
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop?.abort();
    this.#source.end?.();
  }
}
