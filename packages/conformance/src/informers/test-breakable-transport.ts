import type { Transport, TransportRequest, TransportResponse } from 'client-ts/transport';

/** A transport whose connections can all be broken at once. New requests get through. */
export class BreakableTransport implements Transport {
  readonly #transport: Transport;
  #breaking = new AbortController();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = request;
    const { signal: breaking } = this.#breaking;
    return this.#transport.request({
      ...request,
      signal: signal === undefined ? breaking : AbortSignal.any([signal, breaking]),
    });
  }

  break(): void {
    this.#breaking.abort(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    this.#breaking = new AbortController();
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#transport[Symbol.asyncDispose]();
  }
}
