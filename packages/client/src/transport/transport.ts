import type { Duplex } from 'node:stream';

/** Headers by name in lower case; a header that occurs several times is an array. */
export type TransportHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An open connection, and the request to begin with on it. */
export interface UpgradeConnection {
  /** Open, secured if the server's URL says so, and not used yet. The receiver owns it. */
  readonly socket: Duplex;
  /**
   * Hands everything that has not been read to the receiver, once the socket is resumed: cheaper than
   * `data` events. The bytes are valid until the receiver returns; some may still come after a pause.
   */
  readonly receive: (receiver: (bytes: Buffer) => void) => void;
  /** Host and port, for the `Host` header. */
  readonly server: string;
  /** Path and query, with the path of the server's URL. */
  readonly path: string;
  /** The headers of the request, with credentials. */
  readonly headers: TransportHeaders;
}

/**
 * Sends an upgrade request (RFC 9110, 7.8) on a connection and returns the response. With status 101
 * the connection speaks another protocol from then on, and belongs to the function.
 */
export type Upgrade = (connection: UpgradeConnection) => Promise<TransportResponse>;

/** What the layers of a transport note about one request. */
export interface RequestTrace {
  /** The number of attempts so far, with the current one. */
  attempts: number;
  /** How long the client's own `qps` and `burst` have held it back. */
  throttledMs: number;
  /** The connection of the last attempt; undefined if none was sent. */
  connection?: ConnectionName;
}

/** A connection in diagnostics. */
export interface ConnectionName {
  /** The number of the connection, unique in the process. */
  readonly connection: number;
  readonly server: string;
  readonly protocol: string;
}

/** One HTTP request to the server of a {@link Transport}. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query, from the server's root: `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly headers: TransportHeaders;
  readonly body?: Uint8Array;
  /** The id of the request in diagnostics; set by the transport while they have subscribers. */
  readonly id?: number;
  /** The number of the client that sends it, for diagnostics: `RESTClient.id`. */
  readonly client?: number;
  /** The name of the object that is created, for diagnostics: the path of a creation has none. */
  readonly createdName?: string;
  /**
   * True for a response that is streamed until it is closed: a watch, or followed logs. Such a
   * request has no total timeout and does not count against the client's own rate limit.
   */
  readonly stream?: boolean;
  /**
   * Called with an HTTP/1.1 connection of its own instead of sending the request; it is never
   * repeated once it may have reached the server. A transport without connections ignores it.
   */
  readonly upgrade?: Upgrade;
  /** Updated by the layers that the request passes, for middleware that measures. */
  readonly trace?: RequestTrace;
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
