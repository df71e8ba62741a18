import { abortable, onAbort } from 'client-ts/internal';
import type {
  Transport,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
} from 'client-ts/transport';

import {
  type ApiResponse,
  BodyTooLargeError,
  ConnectionResetError,
  discardBody,
  type Handler,
  isStream,
  leave,
  type Peer,
} from '../http.ts';

/** The identity of requests. Requests can have their own credentials in their headers. */
export interface MemoryIdentity {
  /** Sent as a bearer token with requests that have no `authorization`. */
  readonly token?: string | undefined;
  /** The client certificate of the simulated connection. */
  readonly certificate?: Peer['certificate'] | undefined;
}

export interface MemoryTransportOptions extends MemoryIdentity {
  /** The maximum size of a request body, in bytes. Default: 3 MiB. */
  readonly bodyLimit?: number | undefined;
}

const BODY_LIMIT = 3 * 1024 * 1024;

/**
 * Returns a transport that calls the handler without sockets, with the same behaviour: a stream is
 * pulled only as the client reads, aborting or leaving releases it immediately, and a dropped
 * connection is an error with the code `ECONNRESET`. Closing it ends every request in flight.
 */
export function memoryTransport(handler: Handler, options: MemoryTransportOptions = {}): Transport {
  return new MemoryTransport(handler, options);
}

class MemoryTransport implements Transport {
  readonly #handler: Handler;
  readonly #options: MemoryTransportOptions;
  readonly #peer: Peer;
  readonly #calls = new Set<Call>();
  #isClosed = false;

  constructor(handler: Handler, options: MemoryTransportOptions) {
    this.#handler = handler;
    this.#options = options;
    const { certificate } = options;
    this.#peer = certificate === undefined ? {} : { certificate };
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    const call = new Call(request.signal, this.#calls);
    try {
      const answer = this.#handler({
        method: request.method,
        url: request.path,
        headers: this.#headers(request.headers),
        peer: this.#peer,
        signal: call.signal,
        body: async () => this.#body(request),
        bodyStream: request.body && (() => only(request.body)),
      });
      // A response that comes after the client has disconnected is not sent.
      const response = await call.unlessAborted(answer, discardBody);
      const { status, headers, body } = response;
      const isHead = request.method === 'HEAD';
      if (isHead) discardBody(response);
      return { status, headers, body: new MemoryBody(isHead ? undefined : body, call) };
    } catch (error) {
      call.complete();
      throw clientError(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls) call.abort(closed());
  }

  #headers(headers: TransportHeaders): TransportHeaders {
    const { token } = this.#options;
    return token === undefined || headers['authorization'] !== undefined
      ? headers
      : { ...headers, authorization: `Bearer ${token}` };
  }

  #body({ body = new Uint8Array() }: TransportRequest): Uint8Array {
    const { bodyLimit = BODY_LIMIT } = this.#options;
    if (body.length > bodyLimit) throw new BodyTooLargeError(bodyLimit);
    return body;
  }
}

/** One request in flight, with the signal that its handler sees. */
class Call {
  readonly #abort = new AbortController();
  readonly #calls: Set<Call>;
  readonly #tie: Disposable;

  /** It is in `calls` while in flight. */
  constructor(source: AbortSignal | undefined, calls: Set<Call>) {
    this.#calls = calls;
    calls.add(this);
    this.#tie = onAbort(source, () => this.abort(source?.reason));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The client has disconnected, or the transport is closed. */
  abort(reason?: unknown): void {
    this.complete();
    this.#abort.abort(reason);
  }

  /** The request is complete; releases everything that refers to it. */
  complete(): void {
    this.#tie[Symbol.dispose]();
    this.#calls.delete(this);
  }

  /**
   * Like `work`, but rejects as soon as the call is aborted; `late` receives a result after that.
   */
  unlessAborted<T>(work: Promise<T>, late: (result: T) => void): Promise<T> {
    const { signal } = this;
    work.then(
      (result) => {
        if (signal.aborted) late(result);
      },
      () => undefined,
    );
    return abortable(work, signal);
  }
}

/** A body that can be read once, like one from a socket. */
class MemoryBody implements AsyncIterableIterator<Uint8Array> {
  readonly #call: Call;
  readonly #source: AsyncIterator<Uint8Array>;
  #isOver = false;

  constructor(body: ApiResponse['body'], call: Call) {
    this.#call = call;
    this.#source = iteratorOf(body);
    // Also without a reader: an abort must not leave the handler's stream open.
    call.signal.addEventListener('abort', this.#leave, { once: true });
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const result = await this.#call.unlessAborted(this.#source.next(), () => undefined);
      if (result.done === true) this.#finish();
      return result;
    } catch (error) {
      this.#finish();
      throw clientError(error);
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isOver) this.#call.abort();
    this.#finish();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #leave = (): void => leave(this.#source);

  #finish(): void {
    this.#isOver = true;
    this.#call.signal.removeEventListener('abort', this.#leave);
    this.#call.complete();
  }
}

function iteratorOf(body: ApiResponse['body']): AsyncIterator<Uint8Array> {
  if (isStream(body)) return body[Symbol.asyncIterator]();
  let rest = body === undefined || body.length === 0 ? [] : [body];
  return {
    next: async () => {
      const [value] = rest;
      rest = [];
      return value === undefined ? { done: true, value } : { done: false, value };
    },
  };
}

async function* only(chunk: Uint8Array | undefined): AsyncGenerator<Uint8Array, void> {
  if (chunk !== undefined) yield chunk;
}

function closed(): Error {
  return new Error('the transport is closed');
}

/** Returns the error that a client would see on a socket. */
function clientError(error: unknown): unknown {
  return error instanceof ConnectionResetError
    ? Object.assign(new Error('read ECONNRESET', { cause: error }), { code: 'ECONNRESET' })
    : error;
}
