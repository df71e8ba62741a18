/**
 * A background task, until disposed: then it is aborted and awaited. Failures go to `onFailure`.
 */
export class Task implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(work: (signal: AbortSignal) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#ended = work(this.#stop.signal).catch(onFailure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}
