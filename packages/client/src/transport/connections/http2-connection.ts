import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  IncomingHttpStatusHeader,
  Settings,
} from 'node:http2';

import type { Clock, ScheduledCall } from '../../lib/clock.ts';
import { connectionError, TransportError } from '../transport-error.ts';
import { nodeHttp2 } from '../../lib/node-modules.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import {
  type Connection,
  type ConnectionObserver,
  Exchange,
  type OpenSocket,
} from './connection.ts';
import { readHeaders, writeHeaders } from './headers.ts';
import { Liveness } from './liveness.ts';

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

/** Error codes of RFC 9113. */
const NO_ERROR = 0;
const REFUSED_STREAM = 7;
const CANCEL = 8;

/**
 * The stream window: how much a server may send ahead of a slow consumer. See
 * docs/adr/0006-http-connections.md.
 */
const STREAM_WINDOW = 1024 * 1024;
/** The session window is the protocol's maximum: the sum over all streams is not limited. */
const SESSION_WINDOW = 2 ** 31 - 1;
/** In MB. Node counts queued data of a session against this; its default is 10. */
const SESSION_MEMORY = 1024;

/** An HTTP/2 session: as many concurrent requests as the server allows. */
export class Http2Connection implements Connection {
  readonly protocol = 'h2';
  readonly #socket: OpenSocket['socket'];
  readonly #session: ClientHttp2Session;
  readonly #options: Http2Options;
  readonly #exchanges = new Set<Exchange>();
  readonly #liveness: Disposable | undefined;
  #limit: number;
  #isDraining = false;
  #isClosed = false;
  #expiry: ScheduledCall | undefined;
  /** The reason if this side destroyed the session. */
  #reason: TransportError | undefined;
  /** The error of the socket; Node does not report it to the streams in every case. */
  #socketError: Error | undefined;

  constructor({ socket, bytesRead }: OpenSocket, options: Http2Options) {
    this.#options = options;
    this.#socket = socket;
    socket.on('error', (error) => {
      this.#socketError ??= error;
      // After a TLS alert, Node closes neither the socket nor the session.
      socket.destroy();
    });
    const session = nodeHttp2().connect(`${options.scheme}://${options.authority}`, {
      createConnection: () => socket,
      maxSessionMemory: SESSION_MEMORY,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
    });
    this.#session = session;
    this.#limit = options.streamLimit.current;
    session.on('connect', () => {
      if (!session.destroyed) session.setLocalWindowSize(SESSION_WINDOW);
    });
    session.on('remoteSettings', (settings) => this.#limited(settings));
    // After a GOAWAY, Node closes the session: it accepts no new streams, and open ones continue.
    session.on('error', () => undefined);
    session.on('close', () => this.#closed());
    socket.on('close', () => this.#closed());
    this.#liveness = this.#watchOver(session, bytesRead);
    this.#rest();
  }

  get hasRoom(): boolean {
    const { closed, destroyed } = this.#session;
    return !this.#isDraining && !closed && !destroyed && this.#exchanges.size < this.#limit;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    const stream = this.#open(request);
    const exchange = new Exchange(request, () => {
      stream.close(CANCEL);
      stream.destroy();
    });
    this.#exchanges.add(exchange);
    this.#observe(stream, exchange);
    if (request.body !== undefined) stream.end(request.body);
    return exchange.answer;
  }

  drain(streamError?: TransportError): void {
    this.#isDraining = true;
    this.#session.close();
    if (streamError === undefined) return;
    for (const exchange of this.#exchanges) {
      if (exchange.request.stream === true) exchange.break(streamError);
    }
  }

  destroy(error: TransportError): void {
    this.#isDraining = true;
    this.#reason = error;
    for (const exchange of this.#exchanges) exchange.break(error);
    this.#session.destroy();
    // After a GOAWAY the session only half-closes and waits for the server with a socket that does
    // not keep the process alive; the close of this connection might never be reported.
    this.#socket.destroy();
  }

  #open({ method, path, headers, body }: TransportRequest): ClientHttp2Stream {
    const pseudo = { ':method': method, ':path': path, ':authority': this.#options.authority };
    const written = writeHeaders(headers);
    if (body !== undefined) written['content-length'] = String(body.length);
    const options = { endStream: body === undefined };
    const stream = this.#session.request({ ...pseudo, ...written }, options);
    this.#expiry?.cancel();
    this.#session.ref();
    return stream;
  }

  #observe(stream: ClientHttp2Stream, exchange: Exchange): void {
    let failure: Error | undefined;
    stream.on('error', (error) => {
      failure = error;
    });
    stream.on('response', (headers, _flags, raw?: string[]) => {
      this.#respond(stream, exchange, headers, raw);
    });
    // Only now is it certain how the stream ended: Node ends the readable side of a broken stream
    // as if it were complete.
    stream.on('close', () => {
      const isBroken = stream.aborted || stream.rstCode !== NO_ERROR;
      if (exchange.hasAnswer && failure === undefined && !isBroken) exchange.complete();
      else exchange.fail(this.#failure(stream, failure));
      this.#ended(exchange);
    });
  }

  #respond(
    stream: ClientHttp2Stream,
    exchange: Exchange,
    parsed: IncomingHttpHeaders & IncomingHttpStatusHeader,
    raw: readonly string[] | undefined,
  ): void {
    const headers = readHeaders(raw ?? Object.entries(parsed).flatMap(flatHeader));
    const status = parsed[':status'] ?? 0;
    if (exchange.request.method === 'HEAD' || status === 204 || status === 304) {
      exchange.respond(status, headers, undefined);
      stream.resume();
    } else exchange.respond(status, headers, stream);
  }

  #failure(stream: ClientHttp2Stream, error: Error | undefined): TransportError {
    if (this.#reason !== undefined) return this.#reason;
    const { authority: server } = this.#options;
    if (stream.rstCode === REFUSED_STREAM) {
      return new TransportError(
        'TRANSPORT_STREAM_REFUSED',
        `${server}: the server refused the stream before processing it`,
        { cause: error, server },
      );
    }
    const cause =
      this.#socketError ??
      error ??
      Object.assign(new Error('stream closed'), { code: 'ECONNRESET' });
    return connectionError(cause, { server, mayHaveBeenHandled: true });
  }

  #ended(exchange: Exchange): void {
    const hadRoom = this.hasRoom;
    this.#exchanges.delete(exchange);
    if (this.#exchanges.size === 0 && !this.#session.destroyed) this.#rest();
    if (!hadRoom && this.hasRoom) this.#options.observer.onRoom(this);
  }

  /** An idle session does not keep the process alive, and closes after a while. */
  #rest(): void {
    const { clock, idleMs } = this.#options;
    this.#session.unref();
    this.#expiry = clock.schedule(idleMs, () => this.drain(), { background: true });
  }

  #limited({ maxConcurrentStreams = Infinity }: Settings): void {
    const hadRoom = this.hasRoom;
    this.#limit = maxConcurrentStreams;
    this.#options.streamLimit.current = maxConcurrentStreams;
    if (!hadRoom && this.hasRoom) this.#options.observer.onRoom(this);
  }

  #watchOver(session: ClientHttp2Session, bytesRead: () => number): Disposable | undefined {
    const { clock, readIdleMs, pingMs, authority: server } = this.#options;
    if (readIdleMs === 0) return undefined;
    const silence = `${server}: no data, and no answer to a ping within ${pingMs / 1000} s`;
    return new Liveness({
      clock,
      idleMs: readIdleMs,
      pingMs,
      bytesRead,
      ping: (answered) => {
        if (session.destroyed) return;
        session.ping((error) => {
          if (error === null) answered();
        });
      },
      onDead: () => {
        const options = { server, mayHaveBeenHandled: true };
        this.destroy(new TransportError('TRANSPORT_CONNECTION_LOST', silence, options));
      },
    });
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isDraining = true;
    this.#expiry?.cancel();
    this.#liveness?.[Symbol.dispose]();
    this.#options.observer.onClose(this);
  }
}

/** Returns a parsed header as entries of a raw list. */
function flatHeader([name, value]: [string, string | string[] | number | undefined]): string[] {
  return [value ?? []].flat().flatMap((one) => [name, String(one)]);
}
