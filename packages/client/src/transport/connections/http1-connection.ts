import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Clock, ScheduledCall } from '../../lib/clock.ts';
import { connectionError, TransportError } from '../transport-error.ts';
import { nodeHttp } from '../../lib/node-modules.ts';
import type { TransportHeaders, TransportRequest, TransportResponse } from '../transport.ts';
import {
  type Connection,
  type ConnectionObserver,
  Exchange,
  type OpenSocket,
} from './connection.ts';
import { readHeaders, writeHeaders } from './headers.ts';
import { ReadableSource } from './response-body.ts';

export interface Http1Options {
  /** Host and port, for the `Host` header and errors. */
  readonly authority: string;
  readonly clock: Clock;
  /** An idle connection is closed after this time. */
  readonly idleMs: number;
  readonly observer: ConnectionObserver;
}

/** Node's limit is 16 KB of headers; Go's clients accept more. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** A persistent HTTP/1.1 connection: one request at a time. */
export class Http1Connection implements Connection {
  readonly protocol = 'http/1.1';
  readonly #socket: Socket;
  readonly #agent: Agent;
  readonly #options: Http1Options;
  #exchange: Exchange | undefined;
  #isDraining = false;
  #expiry: ScheduledCall | undefined;
  /** How long the server keeps an idle connection, if it announces that. */
  #keepMs = Infinity;

  constructor({ socket }: OpenSocket, options: Http1Options) {
    this.#socket = socket;
    this.#options = options;
    this.#agent = oneSocketAgent(socket, () => this.#free());
    socket.on('close', () => this.#closed());
    // Errors of the socket are reported by its request, if there is one.
    socket.on('error', () => socket.destroy());
    this.#rest();
  }

  get hasRoom(): boolean {
    return this.#exchange === undefined && !this.#isDraining && !this.#socket.destroyed;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    const headers = writeHeaders(request.headers);
    headers['host'] = this.#options.authority;
    if (request.body !== undefined) headers['content-length'] = String(request.body.length);
    const outgoing = nodeHttp().request({
      agent: this.#agent,
      method: request.method,
      path: request.path,
      headers,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    this.#expiry?.cancel();
    this.#socket.ref();
    const exchange = new Exchange(request, () => outgoing.destroy());
    this.#exchange = exchange;
    this.#observe(outgoing, exchange);
    outgoing.end(request.body);
    return exchange.answer;
  }

  drain(streamError?: TransportError): void {
    this.#isDraining = true;
    if (this.#exchange === undefined) this.#socket.destroy();
    else if (streamError !== undefined && this.#exchange.request.stream === true) {
      this.#exchange.break(streamError);
    }
  }

  destroy(error: TransportError): void {
    this.#isDraining = true;
    this.#exchange?.break(error);
    this.#socket.destroy();
  }

  #observe(outgoing: ClientRequest, exchange: Exchange): void {
    // After the head has arrived, the response reports its own end: it may be complete although the
    // connection is closed.
    const failed = (error?: Error): void => {
      if (!exchange.hasAnswer) exchange.fail(this.#failure(error));
    };
    outgoing.on('error', failed);
    outgoing.on('close', failed);
    outgoing.on('response', (incoming) => this.#respond(incoming, exchange));
  }

  #respond(incoming: IncomingMessage, exchange: Exchange): void {
    const { statusCode: status = 0, rawHeaders } = incoming;
    const headers = readHeaders(rawHeaders);
    this.#keepMs = keepAliveMs(headers);
    incoming.on('error', (error) => exchange.fail(this.#failure(error)));
    incoming.on('end', () => exchange.complete());
    if (hasBody(exchange.request.method, status)) {
      exchange.respond(status, headers, new ReadableSource(incoming));
      incoming.on('readable', () => exchange.arrived());
    } else {
      exchange.respond(status, headers, undefined);
      // A body that is not there is drained, so that Node notices the end of the response.
      incoming.resume();
    }
  }

  #failure(error: Error | undefined): TransportError {
    const { authority: server } = this.#options;
    const cause = error ?? Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    return connectionError(cause, { server, mayHaveBeenHandled: true });
  }

  /** The response is complete, and the server keeps the connection open. */
  #free(): boolean {
    this.#exchange = undefined;
    if (this.#isDraining) return false;
    this.#rest();
    const { observer } = this.#options;
    // Node frees the socket after this returns; only then can it be reused.
    process.nextTick(() => {
      if (this.hasRoom) observer.onRoom(this);
    });
    return true;
  }

  /** An idle connection does not keep the process alive, and closes after a while. */
  #rest(): void {
    const { clock } = this.#options;
    const idleMs = Math.min(this.#options.idleMs, this.#keepMs);
    this.#socket.unref();
    this.#expiry = clock.schedule(idleMs, () => this.drain(), { background: true });
  }

  #closed(): void {
    this.#isDraining = true;
    this.#expiry?.cancel();
    this.#options.observer.onClose(this);
  }
}

/**
 * Node's keep-alive agent, for one socket that is already open. It detects when a response is
 * complete and whether the server keeps the connection. `onFree` returns whether to keep it.
 */
function oneSocketAgent(socket: Socket, onFree: () => boolean): Agent {
  const agent = new (nodeHttp().Agent)({ keepAlive: true, maxSockets: 1 });
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  let isGiven = false;
  return Object.assign(agent, {
    createConnection: (): Duplex => {
      if (isGiven) throw new TransportError('TRANSPORT_CONNECTION_RESET', 'the connection is gone');
      isGiven = true;
      return socket;
    },
    keepSocketAlive: (unused: Duplex): boolean => {
      // The base method guards the idle socket against unexpected bytes.
      keepSocketAlive(unused);
      return onFree();
    },
  });
}

function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}

/**
 * A second less than the server announces, so that no request hits a connection that is being
 * closed.
 */
function keepAliveMs(headers: TransportHeaders): number {
  const seconds = /(?:^|[,\s])timeout=(\d+)/i.exec(String(headers['keep-alive'] ?? ''))?.[1];
  return seconds === undefined ? Infinity : Math.max(0, Number(seconds) - 1) * 1000;
}
