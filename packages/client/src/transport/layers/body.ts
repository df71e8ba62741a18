import type { TransportResponse } from '../transport.ts';

/** Who goes on reading a body that nobody wants beyond this costs more than a new connection. */
const DRAIN_LIMIT = 64 * 1024;

/**
 * Does away with an answer that nobody wants, so that its connection can be used again: a short
 * body is read, a long one is left. What goes wrong then concerns nobody.
 */
export async function discard({ body }: TransportResponse): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > DRAIN_LIMIT) break;
    }
  } catch {
    // The connection broke: nothing is left to be freed.
  }
}

/** The same response; `over` is called once when its body has been read, left or has failed. */
export function whenOver(response: TransportResponse, over: () => void): TransportResponse {
  return { ...response, body: new ObservedBody(response.body, over) };
}

class ObservedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #over: () => void;

  constructor(body: AsyncIterable<Uint8Array>, over: () => void) {
    this.#source = body[Symbol.asyncIterator]();
    this.#over = over;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const result = await this.#source.next();
      if (result.done === true) this.#over();
      return result;
    } catch (error) {
      this.#over();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#over();
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
