import { abortable, anySignal, type OwnedSignal } from 'client-ts/internal';

import { ConnectionResetError, type Handler, isStream } from '../http.ts';

/**
 * Simulates a stopped server for requests that do not use sockets: during an outage new requests
 * fail with a dropped connection, and requests in flight are dropped.
 */
export class Outage {
  #outage = new AbortController();

  begin(): void {
    this.#outage.abort(new ConnectionResetError());
  }

  end(): void {
    if (this.#outage.signal.aborted) this.#outage = new AbortController();
  }

  /** Returns the handler, subject to outages. */
  wrap(handler: Handler): Handler {
    return async (request) => {
      const outage = this.#outage.signal;
      outage.throwIfAborted();
      // To the handler an outage looks like a client that disconnects, so it releases its resources.
      const signal = anySignal([request.signal, outage]);
      try {
        const answer = handler({ ...request, signal: signal.signal });
        const response = await abortable(answer, outage);
        const { body } = response;
        if (isStream(body)) {
          return { ...response, body: new DroppableBody(body, outage, signal) };
        }
        signal[Symbol.dispose]();
        return response;
      } catch (error) {
        signal[Symbol.dispose]();
        throw error;
      }
    };
  }
}

/** Not a generator: a generator that is never started would never dispose its signal. */
class DroppableBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #outage: AbortSignal;
  readonly #signal: OwnedSignal;

  constructor(body: AsyncIterable<Uint8Array>, outage: AbortSignal, signal: OwnedSignal) {
    this.#source = body[Symbol.asyncIterator]();
    this.#outage = outage;
    this.#signal = signal;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const result = await abortable(this.#source.next(), this.#outage);
      if (result.done === true) this.#signal[Symbol.dispose]();
      return result;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#leave();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #leave(): void {
    this.#signal[Symbol.dispose]();
    // Not awaited: the source may be blocked until the next watch event.
    this.#source.return?.().catch(() => undefined);
  }
}
