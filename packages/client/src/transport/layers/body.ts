import type { TransportResponse } from '../transport.ts';

/** Who goes on reading a body that nobody wants beyond this costs more than a new connection. */
const DRAIN_LIMIT = 64 * 1024;

/**
 * Does away with an answer that nobody wants, so that its connection can be used again: a short
 * body is read, a long one is left, and one that does not come to an end until `enough` resolves is
 * left then. What goes wrong meanwhile concerns nobody.
 */
export async function discard(
  { body }: TransportResponse,
  enough: Promise<unknown> = new Promise(() => undefined),
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  const read = async (): Promise<void> => {
    let size = 0;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      size += next.value.length;
      if (size > DRAIN_LIMIT) return;
    }
  };
  try {
    await Promise.race([read(), enough]);
    // Leaving what has been read to its end changes nothing.
    await chunks.return?.();
  } catch {
    // The connection broke: nothing is left to be freed.
  }
}

/** Who is told about the fate of a body. */
export interface BodyObserver {
  /** Called once, when the body has been read, left or has failed. */
  readonly over: () => void;
  /** What to throw instead of an error. Default: the error. */
  readonly translate?: (error: unknown) => unknown;
}

/**
 * The same response, whose body tells how it ends. Not a generator: one that waits for a chunk
 * cannot be left, and the stream behind it would stay open until the next chunk.
 */
export function observeBody(
  response: TransportResponse,
  observer: BodyObserver,
): TransportResponse {
  return { ...response, body: new ObservedBody(response.body, observer) };
}

class ObservedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #observer: BodyObserver;
  #isOver = false;

  constructor(body: AsyncIterable<Uint8Array>, observer: BodyObserver) {
    this.#source = body[Symbol.asyncIterator]();
    this.#observer = observer;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const { translate } = this.#observer;
    try {
      const result = await this.#source.next();
      if (result.done === true) this.#over();
      return result;
    } catch (error) {
      this.#over();
      throw translate === undefined ? error : translate(error);
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

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#observer.over();
  }
}
