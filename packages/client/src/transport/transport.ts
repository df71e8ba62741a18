/** Header names in lower case; a header that came several times is an array. */
export type TransportHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface TransportRequest {
  readonly method: string;
  /** Path and query, from the server's root: `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly headers: TransportHeaders;
  readonly body?: Uint8Array;
  /**
   * True if the answer goes on for as long as somebody listens: watches, logs that are followed.
   * Such a request has no total timeout and does not count against the client's own rate limit.
   */
  readonly stream?: boolean;
  /**
   * Aborting frees the socket or stream at once, also while the response body is being read.
   * Whoever waits gets the reason of the signal.
   */
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: TransportHeaders;
  /**
   * The body as it arrives. The next chunk is asked for only when the consumer is ready, so a slow
   * consumer slows the server down instead of filling memory. Leaving the loop early frees the
   * stream.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The seam between clients and the wire: one request in, one response out. It knows HTTP and
 * nothing of Kubernetes. The embedded API server offers one that needs no sockets.
 */
export interface Transport extends AsyncDisposable {
  /** Resolves when the response headers are there; any HTTP status is a response, not an error. */
  request(request: TransportRequest): Promise<TransportResponse>;
}
