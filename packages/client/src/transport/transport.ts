/** Headers by name in lower case; a header that occurs several times is an array. */
export type TransportHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One HTTP request to the server of a {@link Transport}. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query, from the server's root: `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly headers: TransportHeaders;
  readonly body?: Uint8Array;
  /**
   * True for a response that is streamed until it is closed: a watch, or followed logs. Such a
   * request has no total timeout and does not count against the client's own rate limit.
   */
  readonly stream?: boolean;
  /**
   * Aborting releases the socket or stream immediately, also while the response body is being read.
   * Pending promises reject with the reason of the signal.
   */
  readonly signal?: AbortSignal;
}

/** The response to a {@link TransportRequest}. The body must be read, left or aborted. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: TransportHeaders;
  /**
   * The body as it arrives. Chunks are read on demand, so a slow consumer slows down the server
   * instead of filling memory. Leaving the loop early releases the stream.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request and returns one response. It implements HTTP and nothing of Kubernetes. The embedded
 * API server provides one without sockets.
 */
export interface Transport extends AsyncDisposable {
  /**
   * Resolves when the response headers have arrived. Any HTTP status is a response, not an error.
   */
  request(request: TransportRequest): Promise<TransportResponse>;
}
