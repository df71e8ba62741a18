import type { Socket } from 'node:net';

import type { TransportError } from '../transport-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';

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
