import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { ClientError, defineErrors } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';

/** The client of a request, as far as the connection itself proves its identity. */
export interface Peer {
  /** The IP address. */
  readonly address?: string | undefined;
  /** True for a client certificate that is expired or signed by another CA. */
  readonly hasUntrustedCertificate?: boolean | undefined;
  /** From a verified client certificate. */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    /** SHA-256 fingerprint in lower-case hex; it identifies the credential in logs and reviews. */
    readonly sha256?: string;
  };
}

/** A request to the server's core, received over a socket or in memory. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, as received. */
  readonly url: string;
  readonly headers: TransportHeaders;
  readonly peer: Peer;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Reads the whole body. Rejects with {@link BodyTooLargeError} above the limit, and with {@link
   * IncompleteBodyError} if the client does not send all of it.
   */
  readonly body: () => Promise<Uint8Array>;
  /** The body as it arrives, without limits of size and time, to pass it on. Absent without a body. */
  readonly bodyStream?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** True if the client asks for another protocol and the response may {@link ApiResponse.upgrade}. */
  readonly canUpgrade?: boolean;
}

/** A connection whose client has asked for another protocol, before the response is sent. */
export interface UpgradableConnection {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client has sent after its request. */
  readonly head: Buffer;
}

/** A stream that can also be asked without a promise, which would cost more than a small chunk. */
export interface PollableStream extends AsyncIterableIterator<Uint8Array> {
  /**
   * Returns the next result, or throws as `next()` would reject. Undefined: none is ready, and `wake` is called when it is worth asking
   * again. Must not be mixed with `next()`.
   */
  poll(wake: () => void): IteratorResult<Uint8Array> | undefined;
  /** Calls `listener` when the stream is over, however it ends. */
  onEnd(listener: () => void): void;
}

/** True if a stream can be polled. */
export function isPollable(stream: AsyncIterable<Uint8Array>): stream is PollableStream {
  return 'poll' in stream;
}

/** The response of the server's core. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * A stream is pulled only as fast as the client reads, and `return()`ed when the client
   * disconnects. Every chunk is flushed.
   */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** True: a stream that may be compressed as a whole. False: never compress this response. */
  readonly compressible?: boolean;
  /** How the stream is sent to a client that asks for a WebSocket. Absent: not at all. */
  readonly webSocket?: 'bytes' | 'events';
  /**
   * Takes over the connection, sends the response itself and continues in the new protocol. Resolves
   * when it is done with the connection, which is closed then. Only for requests that ask for an
   * upgrade; `status` is 101 and only for information.
   */
  readonly upgrade?: (connection: UpgradableConnection) => Promise<void>;
}

/** True if a body comes in chunks. */
export function isStream(body: ApiResponse['body']): body is AsyncIterable<Uint8Array> {
  return body !== undefined && Symbol.asyncIterator in body;
}

/** Releases the stream of a response that is not sent. */
export function discardBody({ body }: ApiResponse): void {
  if (isStream(body)) leave(body[Symbol.asyncIterator]());
}

/** Calls `return()` on an iterator and ignores its errors. */
export function leave(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().catch(() => undefined);
}

/**
 * The server's core: everything behind TLS and framing. It answers failures with a Status and
 * rejects only with {@link ConnectionResetError}.
 */
export type Handler = (request: ApiRequest) => Promise<ApiResponse>;

/**
 * Thrown by a handler, or by a response body, to drop the connection without an answer, as if the
 * server had lost power.
 */
export class ConnectionResetError extends ClientError {
  constructor() {
    super('APISERVER_CONNECTION_RESET', 'the server dropped the connection');
  }

  static {
    defineErrors(this, 'ConnectionResetError', 'APISERVER', {
      APISERVER_CONNECTION_RESET: { retry: 'unsafe' },
    });
  }
}

/** Thrown by a response body that breaks off: the client must not take it for complete. */
export class BrokenResponseError extends ClientError {
  constructor(cause: unknown) {
    super('APISERVER_RESPONSE_BROKEN', 'the response broke off', { cause });
  }

  static {
    defineErrors(this, 'BrokenResponseError', 'APISERVER', {
      APISERVER_RESPONSE_BROKEN: { retry: 'unsafe' },
    });
  }
}

/** The request body exceeds the server's limit. */
export class BodyTooLargeError extends ClientError {
  readonly limit: number;

  constructor(limit: number) {
    super('APISERVER_BODY_TOO_LARGE', `request body is larger than ${limit} bytes`);
    this.limit = limit;
  }

  static {
    defineErrors(this, 'BodyTooLargeError', 'APISERVER', {
      APISERVER_BODY_TOO_LARGE: { retry: 'never' },
    });
  }
}

/** The client disconnected while sending its request body, or was too slow. */
export class IncompleteBodyError extends ClientError {
  readonly reason: 'aborted' | 'timeout';

  constructor(reason: 'aborted' | 'timeout') {
    super(
      'APISERVER_BODY_INCOMPLETE',
      reason === 'aborted'
        ? 'the client closed the connection before its request body was complete'
        : 'the client did not send its request body in time',
    );
    this.reason = reason;
  }

  static {
    defineErrors(this, 'IncompleteBodyError', 'APISERVER', {
      APISERVER_BODY_INCOMPLETE: { retry: 'unsafe' },
    });
  }
}
