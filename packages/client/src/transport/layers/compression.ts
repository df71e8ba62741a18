import type { Middleware } from '../config.ts';
import { nodeZlib } from '../../lib/node-modules.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportResponse } from '../transport.ts';

/**
 * Requests gzip and decompresses the body as it arrives; the caller sees a plain response. A
 * request with its own `accept-encoding` is left alone.
 */
export const compression: Middleware = (request, next) => {
  if (request.headers['accept-encoding'] !== undefined) return next(request);
  const headers = { ...request.headers, 'accept-encoding': 'gzip' };
  return next({ ...request, headers }).then(unpack);
};

function unpack(response: TransportResponse): TransportResponse {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers;
  return { ...response, headers, body: new UnpackedBody(response.body) };
}

/**
 * Reads a compressed chunk only when no decompressed data is left, so that back-pressure works as
 * without compression.
 */
class UnpackedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #packed: AsyncIterator<Uint8Array>;
  readonly #gunzip = nodeZlib().createGunzip();
  #isWorking = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#packed = body[Symbol.asyncIterator]();
    const wake = (): void => this.#wake?.();
    const end = (error?: unknown): void => {
      this.#end ??= error === undefined ? {} : { error };
      wake();
    };
    this.#gunzip.on('readable', wake).on('end', end).on('error', end).on('close', end);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const chunk = this.#gunzip.read() as Uint8Array | null;
      if (chunk !== null) return { done: false, value: chunk };
      if (this.#end !== undefined) return await this.#finish(this.#end);
      if (this.#isWorking) await this.#change();
      else await this.#feed();
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#gunzip.destroy();
    await this.#packed.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #feed(): Promise<void> {
    const { done, value } = await this.#packed.next();
    this.#isWorking = true;
    // After the end of the input, only the output is left to wait for.
    if (done === true) this.#gunzip.end();
    else {
      this.#gunzip.write(value, () => {
        this.#isWorking = false;
        this.#wake?.();
      });
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #finish(end: { readonly error?: unknown }): Promise<IteratorResult<Uint8Array>> {
    this.#end = {};
    if (!('error' in end)) return { done: true, value: undefined };
    await this.return();
    const message = 'the response body is not valid gzip';
    throw new TransportError('TRANSPORT_PROTOCOL', message, {
      cause: end.error,
      mayHaveBeenHandled: true,
    });
  }
}
