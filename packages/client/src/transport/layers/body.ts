import type { IsEnough, ResponseBody } from '../connections/response-body.ts';
import type { TransportResponse } from '../transport.ts';

/** Draining more than this costs more than opening a new connection. */
const DRAIN_LIMIT = 64 * 1024;

/**
 * Discards a response so that its connection can be reused: a short body is drained; a long one, or
 * one that has not ended when `enough` resolves, is cancelled. Errors are ignored.
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
    // Returning after the end has no effect.
    await chunks.return?.();
  } catch {
    // The connection has failed; there is nothing to release.
  }
}

/** How a body has ended: `read` to its end, `cancelled` by the reader, or `failed`. */
export type BodyEnding = 'cancelled' | 'failed' | 'read';

/** Observes how a body ends. */
export interface BodyObserver {
  /** Called once, when the body has been read, cancelled or has failed. */
  readonly over: (ending: BodyEnding) => void;
  /** Called with each chunk. */
  readonly chunk?: (chunk: Uint8Array) => void;
  /** Returns the error to throw instead. Default: the same error. */
  readonly translate?: (error: unknown) => unknown;
}

/**
 * Returns the response with a body that reports how it ends. Not a generator: a generator that
 * waits for a chunk cannot be cancelled, so the stream would stay open until the next chunk.
 */
export function observeBody(
  response: TransportResponse,
  observer: BodyObserver,
): TransportResponse {
  return { ...response, body: new ObservedBody(response.body, observer) };
}

/** The parts of a body of a connection that take no promise for what has arrived; others lack them. */
type ReadySource = AsyncIterator<Uint8Array> &
  Partial<Pick<ResponseBody, 'arrival' | 'ready' | 'reuse'>>;

class ObservedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: ReadySource;
  readonly #observer: BodyObserver;
  #isOver = false;

  constructor(body: AsyncIterable<Uint8Array>, observer: BodyObserver) {
    this.#source = body[Symbol.asyncIterator]();
    this.#observer = observer;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const { translate, chunk } = this.#observer;
    try {
      const result = await this.#source.next();
      if (result.done === true) this.#over('read');
      else chunk?.(result.value);
      return result;
    } catch (error) {
      this.#over('failed');
      throw translate === undefined ? error : translate(error);
    }
  }

  ready(): Uint8Array | undefined {
    const chunk = this.#source.ready?.();
    if (chunk !== undefined) this.#observer.chunk?.(chunk);
    return chunk;
  }

  arrival(isEnough?: IsEnough): Promise<void> | undefined {
    return this.#source.arrival?.(isEnough);
  }

  reuse(): void {
    this.#source.reuse?.();
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#over('cancelled');
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #over(ending: BodyEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#observer.over(ending);
  }
}
