import { anySignal } from '../lib/signal.ts';
import { connectionError } from './connection-error.ts';
import { observeBody } from './layers/body.ts';
import { TransportError } from './transport-error.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/**
 * A transport that belongs to somebody else, used as if it were ours: closing this ends our own
 * requests and leaves the other one alone. What it throws becomes a {@link TransportError}.
 */
export class BorrowedTransport implements Transport {
  readonly #transport: Transport;
  readonly #server: string;
  readonly #closing = new AbortController();

  /** `server` is how errors name the other end. */
  constructor(transport: Transport, server: string) {
    this.#transport = transport;
    this.#server = server;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const either = anySignal([request.signal, this.#closing.signal]);
    const over = (): void => either[Symbol.dispose]();
    try {
      const response = await this.#transport.request({ ...request, signal: either.signal });
      const translate = (error: unknown): unknown => this.#translate(error, either.signal);
      return observeBody(response, { over, translate });
    } catch (error) {
      over();
      throw this.#translate(error, either.signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new TransportError('TRANSPORT_CLOSED', 'the transport is closed'));
  }

  #translate(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    const isSystemError = error instanceof Error && 'code' in error;
    return isSystemError
      ? connectionError(error, { server: this.#server, mayHaveBeenHandled: true })
      : error;
  }
}
