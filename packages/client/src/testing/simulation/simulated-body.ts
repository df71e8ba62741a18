import { Deferred } from '../../lib/deferred.ts';

/** The body of an answer whose chunks are delivered by the simulation. */
export class SimulatedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  readonly #onLeave: () => void;
  #waiting: Deferred<IteratorResult<Uint8Array>> | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** `onLeave` is called when the reader stops before the end. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  /** True until the end, or until the reader has stopped. */
  get isOpen(): boolean {
    return this.#end === undefined;
  }

  deliver(chunk: Uint8Array): void {
    if (!this.isOpen) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#chunks.push(chunk);
    else waiting.resolve({ done: false, value: chunk });
  }

  /** Ends the body, with an error if the connection has broken. Chunks that were not read are lost. */
  end(end: { readonly error?: unknown }): void {
    if (!this.isOpen) return;
    this.#end = end;
    if ('error' in end) this.#chunks.length = 0;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#finish(waiting);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#chunks.shift();
    if (value !== undefined) return { done: false, value };
    const waiting = new Deferred<IteratorResult<Uint8Array>>();
    if (this.#end === undefined) this.#waiting = waiting;
    else this.#finish(waiting);
    return await waiting.promise;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (this.isOpen) this.#onLeave();
    this.end({});
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(waiting: Deferred<IteratorResult<Uint8Array>>): void {
    const end = this.#end ?? {};
    if ('error' in end) waiting.reject(end.error);
    else waiting.resolve({ done: true, value: undefined });
  }
}
