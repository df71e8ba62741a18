import { onAbort } from 'client-ts/internal';
import type { Transport, TransportRequest, TransportResponse } from 'client-ts/transport';

/**
 * A transport whose connections can be broken, and that counts requests in flight. New requests get
 * through.
 */
export class BreakableTransport implements Transport {
  readonly #transport: Transport;
  readonly #open = new Set<object>();
  #requests = 0;
  #breaking = new AbortController();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** How many requests there have been. */
  get requests(): number {
    return this.#requests;
  }

  /** How many requests are in flight: neither completed, nor failed, nor aborted. */
  get open(): number {
    return this.#open.size;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = request;
    const { signal: breaking } = this.#breaking;
    const either = signal === undefined ? breaking : AbortSignal.any([signal, breaking]);
    const call = {};
    const over = (): void => void this.#open.delete(call);
    this.#requests += 1;
    this.#open.add(call);
    const tie = onAbort(either, over);
    try {
      const response = await this.#transport.request({ ...request, signal: either });
      return { ...response, body: untilOver(response.body, [over, () => tie[Symbol.dispose]()]) };
    } catch (error) {
      over();
      throw error;
    }
  }

  break(): void {
    this.#breaking.abort(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    this.#breaking = new AbortController();
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#transport[Symbol.asyncDispose]();
  }
}

async function* untilOver(
  body: AsyncIterable<Uint8Array>,
  over: readonly (() => void)[],
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } finally {
    for (const call of over) call();
  }
}
