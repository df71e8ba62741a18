import type { Socket } from 'node:net';
import { Deferred } from '../../lib/deferred.ts';
import { ClientError } from '../../lib/errors.ts';
import { anySignal, onAbort } from '../../lib/signal.ts';
import { connectionError, type TransportError } from '../transport-error.ts';
import type {
  TransportRequest,
  TransportResponse,
  Upgrade,
  UpgradeConnection,
} from '../transport.ts';
import type { OpenSocket } from './connection.ts';
import { SocketReader } from './socket-reader.ts';

/**
 * The connections of upgraded requests: one each, and none is reused. The upgrader closes its
 * connection; what is left is closed with the transport.
 */
export class Upgrades {
  readonly #server: string;
  readonly #open: (signal: AbortSignal, reader: SocketReader) => Promise<OpenSocket>;
  readonly #closing = new AbortController();
  readonly #sockets = new Set<Socket>();
  #emptied: Deferred | undefined;

  /** `open` offers HTTP/1.1 only: HTTP/2 has no upgrades. */
  constructor(
    server: string,
    open: (signal: AbortSignal, reader: SocketReader) => Promise<OpenSocket>,
  ) {
    this.#server = server;
    this.#open = open;
  }

  /** Opens a connection and lets `upgrade` send the request; `signal` ends both. */
  async request(request: TransportRequest, upgrade: Upgrade): Promise<TransportResponse> {
    using either = anySignal([request.signal, this.#closing.signal]);
    const { signal } = either;
    signal.throwIfAborted();
    const reader = new SocketReader();
    const { socket } = await this.#open(signal, reader);
    this.#keep(socket);
    using _abort = onAbort(signal, () => socket.destroy());
    try {
      signal.throwIfAborted();
      const { path, headers } = request;
      const receive: UpgradeConnection['receive'] = (receiver) =>
        reader.receive((bytes, size) => receiver(bytes.subarray(0, size)));
      return await upgrade({ socket, receive, server: this.#server, path, headers });
    } catch (error) {
      socket.destroy();
      if (signal.aborted) throw signal.reason;
      if (error instanceof ClientError) throw error;
      throw connectionError(error, { server: this.#server, mayHaveBeenHandled: true });
    }
  }

  /** Closes every connection, and resolves when the last one is closed. */
  async close(error: TransportError): Promise<void> {
    this.#closing.abort(error);
    for (const socket of this.#sockets) socket.destroy();
    if (this.#sockets.size === 0) return;
    this.#emptied ??= new Deferred();
    await this.#emptied.promise;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#emptied?.resolve();
    });
  }
}
