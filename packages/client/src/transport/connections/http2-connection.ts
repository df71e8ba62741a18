import type { Clock, ScheduledCall } from '../../lib/clock.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { Connection, ConnectionObserver, OpenSocket } from './connection.ts';
import { Http2Session } from './http2/session.ts';
import { Liveness } from './liveness.ts';
import { SocketReader } from './socket-reader.ts';

export interface Http2Options {
  /** Host and port, for `:authority` and errors. */
  readonly authority: string;
  readonly scheme: 'http' | 'https';
  readonly clock: Clock;
  /** A session without streams is closed after this time. */
  readonly idleMs: number;
  /** See {@link Liveness}; 0 turns it off. */
  readonly readIdleMs: number;
  readonly pingMs: number;
  /** The server's stream limit, shared by all sessions, so that a new session starts with it. */
  readonly streamLimit: StreamLimit;
  readonly observer: ConnectionObserver;
}

/** The maximum number of concurrent streams of a session. */
export interface StreamLimit {
  current: number;
}

/** The limit until the server announces one, as in Go's client. */
export function assumedStreamLimit(): StreamLimit {
  return { current: 100 };
}

/** An HTTP/2 connection: as many concurrent requests as the server allows. */
export class Http2Connection implements Connection {
  readonly protocol = 'h2';
  readonly #socket: OpenSocket['socket'];
  readonly #session: Http2Session;
  readonly #options: Http2Options;
  readonly #liveness: Disposable | undefined;
  #limit: number;
  #isDraining = false;
  #isFull = false;
  #expiry: ScheduledCall | undefined;
  #socketError: Error | undefined;

  constructor(
    { socket, bytesRead, reader = new SocketReader(socket) }: OpenSocket,
    options: Http2Options,
  ) {
    this.#options = options;
    this.#socket = socket;
    this.#limit = options.streamLimit.current;
    const { authority, scheme } = options;
    this.#session = new Http2Session(socket, {
      authority,
      scheme,
      onStreamLimit: (limit) => this.#limited(limit),
      onGoaway: () => this.drain(),
      onStreamEnd: () => this.#ended(),
    });
    socket.on('error', (error) => {
      this.#socketError ??= error;
      // After a TLS alert, Node does not close the socket.
      socket.destroy();
    });
    // No answer can come any more.
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#closed());
    reader.receive((bytes, size) => this.#session.receive(bytes, size));
    socket.resume();
    this.#liveness = this.#watchOver(bytesRead);
    this.#isFull = !this.hasRoom;
    this.#rest();
  }

  get hasRoom(): boolean {
    const { isOpen, streamCount } = this.#session;
    return isOpen && !this.#isDraining && streamCount < this.#limit && this.#socket.writable;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    const { exchange } = this.#session.open(request);
    // None if its signal has aborted it.
    if (this.#session.streamCount > 0) {
      this.#expiry?.cancel();
      this.#socket.ref();
    }
    this.#isFull = !this.hasRoom;
    return exchange.answer;
  }

  drain(streamError?: TransportError): void {
    this.#isDraining = true;
    if (streamError !== undefined) {
      for (const { exchange } of this.#session.streams) {
        if (exchange.request.stream === true) exchange.break(streamError);
      }
    }
    if (this.#session.streamCount === 0) this.#session.close();
  }

  destroy(error: TransportError): void {
    this.#isDraining = true;
    this.#socket.destroy();
    this.#session.failAll(error);
  }

  #ended(): void {
    if (this.#session.streamCount === 0) {
      if (this.#isDraining) this.#session.close();
      else this.#rest();
    }
    this.#noteRoom();
  }

  #limited(limit: number): void {
    this.#limit = limit;
    this.#options.streamLimit.current = limit;
    this.#noteRoom();
  }

  #noteRoom(): void {
    const wasFull = this.#isFull;
    this.#isFull = !this.hasRoom;
    if (wasFull && !this.#isFull) this.#options.observer.onRoom(this);
  }

  /** An idle session does not keep the process alive, and closes after a while. */
  #rest(): void {
    const { clock, idleMs } = this.#options;
    this.#socket.unref();
    this.#expiry?.cancel();
    this.#expiry = clock.schedule(idleMs, () => this.drain(), { background: true });
  }

  #watchOver(bytesRead: () => number): Disposable | undefined {
    const { clock, readIdleMs, pingMs, authority: server } = this.#options;
    if (readIdleMs === 0) return undefined;
    const silence = `${server}: no data, and no answer to a ping within ${pingMs / 1000} s`;
    return new Liveness({
      clock,
      idleMs: readIdleMs,
      pingMs,
      bytesRead,
      ping: (answered) => this.#session.ping(answered),
      onDead: () => {
        const options = { server, mayHaveBeenHandled: true };
        this.destroy(new TransportError('TRANSPORT_CONNECTION_LOST', silence, options));
      },
    });
  }

  #closed(): void {
    this.#isDraining = true;
    this.#session.closed(this.#socketError);
    this.#expiry?.cancel();
    this.#liveness?.[Symbol.dispose]();
    this.#options.observer.onClose(this);
  }
}
