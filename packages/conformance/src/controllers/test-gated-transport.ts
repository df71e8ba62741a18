import { onAbort } from 'client-ts/internal';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from 'client-ts/transport';

/** Holds the chunks of watches back until they are released. */
export class Gate {
  #permits = Infinity;
  readonly #waiting: (() => void)[] = [];

  close(): void {
    this.#permits = 0;
  }

  /** Lets this many chunks pass; by default all, now and later. */
  release(chunks: number = Infinity): void {
    this.#permits += chunks;
    while (this.#permits > 0 && this.#waiting.length > 0) {
      this.#permits -= 1;
      this.#waiting.shift()?.();
    }
  }

  async pass(signal: AbortSignal | undefined): Promise<void> {
    if (this.#permits > 0) {
      this.#permits -= 1;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      onAbort(signal, resolve);
    });
  }
}

/** Where the next write is lost. */
export type Loss = 'answer' | 'request';

/**
 * A transport whose watches pass a gate for each resource, whose connections can be broken, and which
 * loses writes on demand.
 */
export class GatedTransport implements Transport {
  readonly #transport: Transport;
  readonly #gates = new Map<string, Gate>();
  #breaking = new AbortController();
  /** What is lost of the next write. */
  loss: Loss | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  gate(resource: string): Gate {
    const gate = this.#gates.get(resource) ?? new Gate();
    this.#gates.set(resource, gate);
    return gate;
  }

  break(): void {
    this.#breaking.abort(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    this.#breaking = new AbortController();
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const { pathname, searchParams } = new URL(request.path, 'http://test');
    if (request.method !== 'GET') return await this.#write(request);
    if (searchParams.get('watch') !== 'true') return await this.#transport.request(request);
    const { signal: breaking } = this.#breaking;
    const { signal = breaking } = request;
    const either = AbortSignal.any([signal, breaking]);
    const response = await this.#transport.request({ ...request, signal: either });
    const gate = this.gate(pathname.split('/').at(-1) ?? '');
    return { ...response, body: gated(response.body, gate, either) };
  }

  async #write(request: TransportRequest): Promise<TransportResponse> {
    const { loss } = this;
    this.loss = undefined;
    if (loss !== 'request') {
      const response = await this.#transport.request(request);
      if (loss === undefined) return response;
    }
    throw new TransportError('TRANSPORT_CONNECTION_RESET', 'lost', { mayHaveBeenHandled: true });
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#transport[Symbol.asyncDispose]();
  }
}

async function* gated(
  body: AsyncIterable<Uint8Array>,
  gate: Gate,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    await gate.pass(signal);
    signal.throwIfAborted();
    yield chunk;
  }
}
