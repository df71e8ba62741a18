import type { Socket } from 'node:net';
import { Deferred } from '../../lib/deferred.ts';
import { onAbort } from '../../lib/signal.ts';
import type { TransportError } from '../transport-error.ts';
import type { TransportHeaders, TransportRequest, TransportResponse } from '../transport.ts';
import type { SocketReader } from './socket-reader.ts';
import { type BodySource, emptyBody, ResponseBody } from './response-body.ts';

/** The protocol that the TLS handshake negotiated; plain connections use HTTP/1.1. */
export type Protocol = 'h2' | 'http/1.1';

/** An open connection that has not been used. */
export interface OpenSocket {
  /** The socket for HTTP: the TLS socket, if there is one. */
  readonly socket: Socket;
  readonly protocol: Protocol;
  /** Returns the number of bytes received; a dead connection receives none. */
  readonly bytesRead: () => number;
  /** What reads the socket; undefined for an ordinary one. */
  readonly reader?: SocketReader | undefined;
}

/** A connection to the server, over HTTP/1.1 or HTTP/2. */
export interface Connection {
  readonly protocol: Protocol;
  /** True if it can send another request now. */
  readonly hasRoom: boolean;
  /** Sends a request. Call it only while `hasRoom` is true. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Accepts no further requests and closes when those in flight are answered. Streams, which would
   * not end by themselves, fail with `streamError`, if it is given.
   */
  drain(streamError?: TransportError): void;
  /** Closes immediately; requests in flight fail with the error. */
  destroy(error: TransportError): void;
}

/** Notifies the pool of a connection. */
export interface ConnectionObserver {
  /** The connection can send another request again. */
  onRoom(connection: Connection): void;
  /** The connection is closed, and so are all its requests. */
  onClose(connection: Connection): void;
}

/**
 * One request on a connection, until the last byte of its response. However it ends (completed,
 * failed, aborted, cancelled), its pending promises settle and its listener on the signal is
 * removed.
 */
export class Exchange {
  readonly request: TransportRequest;
  readonly #answer = new Deferred<TransportResponse>();
  readonly #tie: Disposable | undefined;
  readonly #cancel: () => void;
  #body: ResponseBody | undefined;
  #hasAnswer = false;
  #isOver = false;

  /** `cancel` releases the socket or the stream immediately; it is called at most once. */
  constructor(request: TransportRequest, cancel: () => void) {
    this.request = request;
    this.#cancel = cancel;
    const { signal } = request;
    this.#tie = onAbort(signal, () => this.#abort(signal?.reason));
  }

  /** Settles with the head of the response. */
  get answer(): Promise<TransportResponse> {
    return this.#answer.promise;
  }

  /** The head has arrived; the body comes from `source`, if there is one. */
  respond(status: number, headers: TransportHeaders, source: BodySource | undefined): void {
    if (this.#isOver) return;
    this.#hasAnswer = true;
    if (source !== undefined) {
      const length = Number(headers['content-length'] ?? Number.NaN);
      this.#body = new ResponseBody(source, length, () => this.#left());
    }
    this.#answer.resolve({ status, headers, body: this.#body ?? emptyBody });
  }

  /** Something of the body has arrived. */
  arrived(): void {
    this.#body?.arrived();
  }

  get hasAnswer(): boolean {
    return this.#hasAnswer;
  }

  /** The response is complete. */
  complete(): void {
    if (this.#close()) this.#body?.finish({});
  }

  /** The connection failed; what has arrived of the body can still be read. */
  fail(error: unknown): void {
    if (!this.#close()) return;
    this.#answer.reject(error);
    this.#body?.finish({ error });
  }

  /** Cancels the request; its pending promises reject with the error. */
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
