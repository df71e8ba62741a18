import type { TransportHeaders } from 'client-ts/transport';

/** Who is at the other end, as far as the connection itself proves it. */
export interface Peer {
  /** From a verified client certificate. */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    /** Fingerprint in lower-case hex, which names the credential in logs and reviews. */
    readonly sha256?: string;
  };
}

/** A request as the server's core sees it, whether it came over a socket or not. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: TransportHeaders;
  readonly peer: Peer;
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Reads the whole body; rejects with {@link BodyTooLargeError} past the limit, and with
   * {@link IncompleteBodyError} if the client does not send all of it.
   */
  readonly body: () => Promise<Uint8Array>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * A stream is pulled only as fast as the client reads. It is `return()`ed when the client goes
   * away. Streams are never compressed and are flushed chunk by chunk.
   */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** True for a stream that may be compressed as a whole; false if the answer never is. */
  readonly compressible?: boolean;
}

/**
 * The server's core: everything behind TLS and framing. It answers failures too and rejects with
 * nothing but a {@link ConnectionResetError}.
 */
export type Handler = (request: ApiRequest) => Promise<ApiResponse>;

/**
 * Thrown by a handler instead of an answer, or by a body in the middle of one: the connection is
 * dropped without a word, as if the server's machine had lost its power.
 */
export class ConnectionResetError extends Error {
  override readonly name = 'ConnectionResetError';

  constructor() {
    super('the server drops the connection');
  }
}

/** The request body is longer than the server accepts. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  readonly limit: number;

  constructor(limit: number) {
    super(`request body is larger than ${limit} bytes`);
    this.limit = limit;
  }
}

/** The client has gone in the middle of its request body, or takes too long to send it. */
export class IncompleteBodyError extends Error {
  override readonly name = 'IncompleteBodyError';
  readonly reason: 'aborted' | 'timeout';

  constructor(reason: 'aborted' | 'timeout') {
    super(
      reason === 'aborted'
        ? 'the client closed the connection before its request body was complete'
        : 'the client did not send its request body in time',
    );
    this.reason = reason;
  }
}
