import { abortable, anySignal, type OwnedSignal } from 'client-ts/internal';

import { ConnectionResetError, type Handler } from '../http.ts';

/**
 * A plug that can be pulled: while it is out, requests meet a dropped connection, and those that
 * were under way are dropped with it. It does for a server without sockets what closing them does
 * for the others.
 */
export class Outage {
  #pulled = new AbortController();

  begin(): void {
    this.#pulled.abort(new ConnectionResetError());
  }

  end(): void {
    if (this.#pulled.signal.aborted) this.#pulled = new AbortController();
  }

  /** The handler behind the plug. */
  wrap(handler: Handler): Handler {
    return async (request) => {
      const pulled = this.#pulled.signal;
      pulled.throwIfAborted();
      // The handler sees an outage as a client that went away, and frees what it holds.
      const tie = anySignal([request.signal, pulled]);
      try {
        const answer = handler({ ...request, signal: tie.signal });
        const response = await abortable(answer, pulled);
        const { body } = response;
        if (body !== undefined && Symbol.asyncIterator in body) {
          return { ...response, body: new DroppableBody(body, pulled, tie) };
        }
        tie[Symbol.dispose]();
        return response;
      } catch (error) {
        tie[Symbol.dispose]();
        throw error;
      }
    };
  }
}

/** Not a generator: one that nobody started would never cut its ties. */
class DroppableBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pulled: AbortSignal;
  readonly #tie: OwnedSignal;

  constructor(body: AsyncIterable<Uint8Array>, pulled: AbortSignal, tie: OwnedSignal) {
    this.#source = body[Symbol.asyncIterator]();
    this.#pulled = pulled;
    this.#tie = tie;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const result = await abortable(this.#source.next(), this.#pulled);
      if (result.done === true) this.#tie[Symbol.dispose]();
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
    this.#tie[Symbol.dispose]();
    // Not waited for: the source may be waiting for the next event of a watch.
    this.#source.return?.().catch(() => undefined);
  }
}
