import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';

import { ClientError, type Clock, nextTurn } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';
import { RESTClient } from 'client-ts/rest';
import type { VirtualClock } from 'client-ts/testing';
import { createTransport, type ProtocolChoice } from 'client-ts/transport';

import { authority } from './test-tls-server.ts';

const ca = authority();
const { certificate: cert, key } = ca.issueServerCertificate(['127.0.0.1']);

/** One request over any version of HTTP. */
export interface HostileCall {
  respond(status: number, headers: Record<string, string | string[] | number>): void;
  readonly output: ServerHttp2Stream | ServerResponse;
  /** Breaks the connection. */
  cut(): void;
}

export interface HostileServer extends AsyncDisposable {
  readonly url: string;
  /** How many connections were accepted. */
  readonly accepted: () => number;
  readonly open: () => number;
}

export interface HostileServerOptions {
  readonly settings?: Settings;
  readonly onSession?: (session: ServerHttp2Session) => void;
}

/** Starts a server with a valid certificate and a custom handler, over HTTP/2 or HTTP/1.1. */
export async function startHostileServer(
  serve: (call: HostileCall) => void,
  { settings = {}, onSession }: HostileServerOptions = {},
): Promise<HostileServer> {
  const server = createSecureServer({
    cert,
    key,
    allowHTTP1: true,
    settings,
    maxSendHeaderBlockLength: 64 * 1024 * 1024,
  });
  server.on('session', (session) => {
    session.on('error', () => undefined);
    onSession?.(session);
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    serve({
      respond: (status, headers) => stream.respond({ ':status': status, ...headers }),
      output: stream,
      cut: () => stream.session?.destroy(),
    });
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // HTTP/2 is handled by the 'stream' event.
    if (request.httpVersion !== '1.1') return;
    response.on('error', () => undefined);
    serve({
      respond: (status, headers) => response.writeHead(status, headers).flushHeaders(),
      output: response,
      cut: () => request.socket.destroy(),
    });
  });
  return await listening(server);
}

/** Starts a server with a valid certificate that writes raw bytes. */
export async function startRawServer(
  protocols: readonly string[],
  serve: (socket: TLSSocket) => void,
): Promise<HostileServer> {
  const server = createTlsServer({ cert, key, ALPNProtocols: [...protocols] }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  server.on('tlsClientError', () => undefined);
  return await listening(server);
}

async function listening(
  server: ReturnType<typeof createSecureServer> | ReturnType<typeof createTlsServer>,
): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: () => accepted,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface VictimOptions {
  readonly protocol?: ProtocolChoice;
  readonly clock?: Clock;
  readonly maxRetries?: number;
  readonly maxResponseBytes?: number;
  readonly timeout?: number;
}

/** Returns a client of the server, with few retries by default. */
export function connectVictim(server: HostileServer, options: VictimOptions = {}): Victim {
  return new Victim(server, options);
}

const ignore = (): void => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export class Victim implements AsyncDisposable {
  readonly rest: RESTClient;
  readonly #transport: ReturnType<typeof createTransport>;

  constructor({ url }: HostileServer, options: VictimOptions) {
    const { protocol = 'auto', clock, maxRetries = 0, maxResponseBytes, timeout } = options;
    const config = { server: url, tls: { ca: ca.certificate }, protocol, logger: SILENT };
    this.#transport = createTransport(
      { ...config, maxRetries, ...(timeout !== undefined && { timeoutMs: timeout }) },
      { env: {}, ...(clock !== undefined && { clock }) },
    );
    this.rest = RESTClient.over(this.#transport, {
      logger: SILENT,
      ...(clock !== undefined && { clock }),
      ...(maxResponseBytes !== undefined && { maxResponseBytes }),
    });
  }

  get(): Promise<KubernetesObject> {
    return this.rest.get().resource('pods').into<KubernetesObject>();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }
}

/** Asserts that a request fails with a ClientError, and returns its code. */
export async function failsTyped(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof ClientError, String(error));
    return error.code;
  }
  assert.fail('the request did not fail');
}

/** Advances a virtual clock until the work is done. */
export async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const watched = work.finally(() => over.abort());
  watched.catch(() => undefined);
  for (let turn = 1; !over.signal.aborted; turn += 1) {
    await nextTurn();
    // Retries wait on the clock; sockets take turns of the event loop.
    if (turn % 50 === 0 && (clock.untilNext ?? Infinity) < 30_000) await clock.advanceToNext();
  }
  return await watched;
}
