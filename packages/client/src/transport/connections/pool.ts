import { Deferred } from '../../lib/deferred.ts';
import { onAbort } from '../../lib/signal.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { Connection, ConnectionObserver, OpenSocket, Protocol } from './connection.ts';

export interface PoolOptions {
  /** Opens a further connection. */
  readonly open: (signal: AbortSignal) => Promise<OpenSocket>;
  /** Speaks HTTP on it. */
  readonly speak: (open: OpenSocket, observer: ConnectionObserver) => Connection;
}

/** A request that waits for a connection. */
interface Waiter {
  readonly request: TransportRequest;
  readonly answer: Deferred<TransportResponse>;
  readonly tie: Disposable;
}

/** More unused HTTP/1.1 connections than this are closed. */
const MAX_IDLE = 25;

/**
 * The connections to one server. A request goes out on one that is open and has room; if there is
 * none, it waits for the first that has, be it one that becomes free or one that is opened for it.
 *
 * Until it is known what the server speaks, and with HTTP/2, one connection is opened at a time,
 * because it may serve all who wait. With HTTP/1.1 there is one for each.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #connections = new Set<Connection>();
  /** Those with room; the one used last comes first, so that others become idle and close. */
  readonly #available: Connection[] = [];
  readonly #waiting = new Set<Waiter>();
  readonly #dials = new Set<AbortController>();
  #protocol: Protocol | undefined;
  #generation = 0;
  #closed: TransportError | undefined;
  #emptied: Deferred | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const { signal } = request;
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const connection = this.#take();
    return connection === undefined ? this.#wait(request) : this.#send(connection, request);
  }

  /**
   * Uses no open connection for further requests; each closes when it has answered those under way.
   * Streams end with `streamError`, if one is given, and otherwise go on.
   */
  replaceConnections(streamError?: TransportError): void {
    this.#generation += 1;
    this.#available.length = 0;
    for (const connection of this.#connections) connection.drain(streamError);
  }

  /** Ends everything with `error`, and resolves when the last connection is gone. */
  async close(error: TransportError): Promise<void> {
    this.#closed ??= error;
    for (const waiter of this.#waiting) this.#leave(waiter).answer.reject(error);
    for (const dial of this.#dials) dial.abort(error);
    for (const connection of this.#connections) connection.destroy(error);
    if (this.#isEmpty()) return;
    this.#emptied ??= new Deferred();
    await this.#emptied.promise;
  }

  #take(): Connection | undefined {
    for (let last = this.#available.at(-1); last !== undefined; last = this.#available.at(-1)) {
      if (last.hasRoom) return last;
      this.#available.pop();
    }
    return undefined;
  }

  #send(connection: Connection, request: TransportRequest): Promise<TransportResponse> {
    try {
      return connection.send(request);
    } catch (cause) {
      const message = 'the request cannot be sent as it is';
      const error = new TransportError('REQUEST_INVALID', message, { cause });
      return Promise.reject(cause instanceof TransportError ? cause : error);
    }
  }

  #wait(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = request;
    const waiter: Waiter = {
      request,
      answer: new Deferred<TransportResponse>(),
      tie: onAbort(signal, () => {
        this.#leave(waiter).answer.reject(signal?.reason);
        // A connection that nobody wants any more must not go on being opened.
        if (this.#waiting.size === 0) for (const dial of this.#dials) dial.abort(signal?.reason);
      }),
    };
    this.#waiting.add(waiter);
    this.#openAsNeeded();
    return waiter.answer.promise;
  }

  #leave(waiter: Waiter): Waiter {
    this.#waiting.delete(waiter);
    waiter.tie[Symbol.dispose]();
    return waiter;
  }

  #openAsNeeded(): void {
    const { size } = this.#waiting;
    const wanted = this.#protocol === 'http/1.1' ? size : Math.min(size, 1);
    while (this.#dials.size < wanted) void this.#dial();
  }

  async #dial(): Promise<void> {
    const dial = new AbortController();
    this.#dials.add(dial);
    const generation = this.#generation;
    try {
      const open = await this.#options.open(dial.signal);
      this.#dials.delete(dial);
      this.#opened(open, generation);
    } catch (error) {
      this.#failed(dial, error);
    }
    this.#openAsNeeded();
    this.#settle();
  }

  #opened(open: OpenSocket, generation: number): void {
    if (this.#closed !== undefined) {
      open.socket.destroy();
      return;
    }
    this.#protocol = open.protocol;
    const connection = this.#options.speak(open, {
      onRoom: (connection) => this.#hasRoom(connection),
      onClose: (connection) => {
        this.#connections.delete(connection);
        this.#settle();
      },
    });
    this.#connections.add(connection);
    // It was opened with credentials that were replaced meanwhile.
    if (generation !== this.#generation) connection.drain();
    else this.#hasRoom(connection);
  }

  /** A connection that could not be opened fails its share of those who wait. */
  #failed(dial: AbortController, error: unknown): void {
    let share = Math.ceil(this.#waiting.size / this.#dials.size);
    this.#dials.delete(dial);
    if (dial.signal.aborted) return;
    for (const waiter of this.#waiting) {
      if (share === 0) break;
      share -= 1;
      this.#leave(waiter).answer.reject(error);
    }
  }

  #hasRoom(connection: Connection): void {
    if (!this.#available.includes(connection)) this.#available.push(connection);
    for (const waiter of this.#waiting) {
      const taken = this.#take();
      if (taken === undefined) break;
      this.#leave(waiter).answer.resolve(this.#send(taken, waiter.request));
    }
    if (this.#protocol === 'http/1.1' && this.#available.length > MAX_IDLE) {
      this.#available.shift()?.drain();
    }
  }

  #isEmpty(): boolean {
    return this.#connections.size === 0 && this.#dials.size === 0;
  }

  #settle(): void {
    if (this.#isEmpty()) this.#emptied?.resolve();
  }
}
