import { Backoff } from '../../lib/backoff.ts';
import type { Clock, ScheduledCall } from '../../lib/clock.ts';
import { Deferred } from '../../lib/deferred.ts';
import { onAbort } from '../../lib/signal.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { Connection, ConnectionObserver, OpenSocket, Protocol } from './connection.ts';

export interface PoolOptions {
  /** Host and port, for errors. */
  readonly authority: string;
  readonly clock: Clock;
  /** How long a request waits for connections without capacity. */
  readonly streamWaitMs: number;
  /** Opens another connection. */
  readonly open: (signal: AbortSignal) => Promise<OpenSocket>;
  /** Starts HTTP on an open connection. */
  readonly speak: (open: OpenSocket, observer: ConnectionObserver) => Connection;
  /**
   * Called when new connections have no capacity for a single request, and when one has capacity
   * again.
   */
  readonly onStarved: (isStarved: boolean) => void;
  /** Called before a request is sent on a connection. */
  readonly onSend?: ((connection: Connection, request: TransportRequest) => void) | undefined;
}

/** A request that waits for a connection. */
interface Waiter {
  readonly request: TransportRequest;
  readonly answer: Deferred<TransportResponse>;
  readonly tie: Disposable;
  readonly since: number;
}

/** The maximum number of idle HTTP/1.1 connections. */
const MAX_IDLE = 25;

/** The back-off between connections to a server that allows no streams. */
const STARVED_BACKOFF = { initialMs: 1000, maxMs: 10_000 };

/**
 * The connections to one server. A request is sent on an open connection with capacity; otherwise
 * it waits for the first one that has capacity, either existing or opened for it.
 *
 * Until the protocol of the server is known, and with HTTP/2, one connection is opened at a time,
 * because it may serve all waiting requests. With HTTP/1.1 each request gets its own.
 *
 * A server may allow no streams at all (SETTINGS_MAX_CONCURRENT_STREAMS of 0). Its connections stay
 * open in case that changes, others are opened with a back-off because another replica may answer,
 * and requests wait for `streamWaitMs` before they fail with `TRANSPORT_NO_STREAMS`.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #connections = new Set<Connection>();
  /**
   * Connections with capacity; the most recently used first, so that others become idle and close.
   */
  readonly #available: Connection[] = [];
  readonly #waiting = new Set<Waiter>();
  readonly #dials = new Set<AbortController>();
  /** Set while new connections have no capacity. */
  #starved: Backoff | undefined;
  #nextDial: ScheduledCall | undefined;
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
   * Uses no open connection for further requests; each closes when its requests in flight are
   * answered. Streams end with `streamError`, if it is given, and otherwise continue.
   */
  replaceConnections(streamError?: TransportError): void {
    this.#generation += 1;
    this.#available.length = 0;
    for (const connection of this.#connections) connection.drain(streamError);
  }

  /** Fails everything with `error`, and resolves when the last connection is closed. */
  async close(error: TransportError): Promise<void> {
    this.#closed ??= error;
    for (const waiter of this.#waiting) this.#leave(waiter).answer.reject(error);
    this.#cancelNextDial();
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
    this.#options.onSend?.(connection, request);
    try {
      return connection.send(request);
    } catch (cause) {
      const message = 'the request is invalid and cannot be sent';
      const error = new TransportError('TRANSPORT_REQUEST_INVALID', message, { cause });
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
        // Without a waiting request no connection is needed.
        if (this.#waiting.size > 0) return;
        this.#cancelNextDial();
        for (const dial of this.#dials) dial.abort(signal?.reason);
      }),
      since: this.#options.clock.monotonic(),
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
    if (this.#starved !== undefined) {
      this.#openLater(this.#starved);
      return;
    }
    const { size } = this.#waiting;
    const wanted = this.#protocol === 'http/1.1' ? size : Math.min(size, 1);
    while (this.#dials.size < wanted) void this.#dial();
  }

  /** Opens one connection after the back-off, unless one is being opened or already scheduled. */
  #openLater(backoff: Backoff): void {
    if (this.#waiting.size === 0 || this.#dials.size > 0 || this.#nextDial !== undefined) return;
    this.#nextDial = this.#options.clock.schedule(backoff.next(), () => {
      this.#nextDial = undefined;
      this.#refuseLate();
      if (this.#waiting.size > 0) void this.#dial();
    });
  }

  #cancelNextDial(): void {
    this.#nextDial?.cancel();
    this.#nextDial = undefined;
  }

  #refuseLate(): void {
    const { authority: server, clock, streamWaitMs } = this.#options;
    const now = clock.monotonic();
    for (const waiter of this.#waiting) {
      if (now - waiter.since < streamWaitMs) continue;
      const waited = Math.round((now - waiter.since) / 1000);
      const message = `${server}: the server allowed no stream for ${waited} s`;
      const error = new TransportError('TRANSPORT_NO_STREAMS', message, { server });
      this.#leave(waiter).answer.reject(error);
    }
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
    // It was opened with credentials that have been replaced since.
    if (generation !== this.#generation) connection.drain();
    else if (connection.hasRoom) this.#hasRoom(connection);
    else this.#starve();
  }

  #starve(): void {
    if (this.#starved !== undefined) return;
    const { clock, onStarved } = this.#options;
    this.#starved = new Backoff({ ...STARVED_BACKOFF, clock });
    onStarved(true);
  }

  /** A connection that could not be opened fails its share of the waiting requests. */
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
    if (this.#starved !== undefined) {
      this.#starved = undefined;
      this.#cancelNextDial();
      this.#options.onStarved(false);
    }
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
