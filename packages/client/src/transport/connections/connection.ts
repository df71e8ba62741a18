import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Deferred } from '../../lib/deferred.ts';
import { onAbort } from '../../lib/signal.ts';
import type { TransportError } from '../transport-error.ts';
import type { TransportHeaders, TransportRequest, TransportResponse } from '../transport.ts';
import { emptyBody, ResponseBody } from './response-body.ts';

/** What was agreed on in the TLS handshake; plain connections speak HTTP/1.1. */
export type Protocol = 'h2' | 'http/1.1';

/** A connection that is open and has not been used. */
export interface OpenSocket {
  /** What to speak HTTP on: the TLS socket, if there is one. */
  readonly socket: Socket;
  readonly protocol: Protocol;
  /** How many bytes have come from the network; a dead connection receives none. */
  readonly bytesRead: () => number;
}

/** One connection to the server, whichever HTTP it speaks. */
export interface Connection {
  readonly protocol: Protocol;
  /** True if it can take a further request now. */
  readonly hasRoom: boolean;
  /** Sends a request. Only to be called while there is room. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Takes no further requests and closes when those under way are answered. Streams would go on
   * for ever: they end with `streamError`, if one is given.
   */
  drain(streamError?: TransportError): void;
  /** Closes at once; requests under way fail with the error. */
  destroy(error: TransportError): void;
}

/** How a connection tells its pool. */
export interface ConnectionObserver {
  /** There is room again. */
  onRoom(connection: Connection): void;
  /** It is gone, and with it everything that was under way. */
  onClose(connection: Connection): void;
}

/**
 * One request on a connection, from sending to the last byte of its answer. However it ends (whole,
 * broken, aborted, left), its waiting reader is told, and nothing stays tied to the signal.
 */
export class Exchange {
  readonly request: TransportRequest;
  readonly #answer = new Deferred<TransportResponse>();
  readonly #tie: Disposable | undefined;
  readonly #cancel: () => void;
  #body: ResponseBody | undefined;
  #hasAnswer = false;
  #isOver = false;

  /** `cancel` frees the socket or the stream at once; it is called at most once. */
  constructor(request: TransportRequest, cancel: () => void) {
    this.request = request;
    this.#cancel = cancel;
    const { signal } = request;
    this.#tie = onAbort(signal, () => this.#abort(signal?.reason));
  }

  /** Settles with the head of the answer. */
  get answer(): Promise<TransportResponse> {
    return this.#answer.promise;
  }

  /** The head is there; the body will come from `stream`, if there is one. */
  respond(status: number, headers: TransportHeaders, stream: Readable | undefined): void {
    if (this.#isOver) return;
    this.#hasAnswer = true;
    if (stream !== undefined) {
      const length = Number(headers['content-length'] ?? Number.NaN);
      this.#body = new ResponseBody(stream, length, () => this.#left());
    }
    this.#answer.resolve({ status, headers, body: this.#body ?? emptyBody });
  }

  get hasAnswer(): boolean {
    return this.#hasAnswer;
  }

  /** Everything has arrived. */
  complete(): void {
    if (this.#close()) this.#body?.finish({});
  }

  /** It broke; what has arrived of the body can still be read. */
  fail(error: unknown): void {
    if (!this.#close()) return;
    this.#answer.reject(error);
    this.#body?.finish({ error });
  }

  /** Ends it from this side, with an error for whoever waits. */
  break(error: unknown): void {
    if (this.#isOver) return;
    this.fail(error);
    this.#cancel();
  }

  #abort(reason: unknown): void {
    if (!this.#close()) return;
    this.#answer.reject(reason);
    this.#body?.abort(reason);
    this.#cancel();
  }

  #left(): void {
    if (this.#close()) this.#cancel();
  }

  #close(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#tie?.[Symbol.dispose]();
    return true;
  }
}
