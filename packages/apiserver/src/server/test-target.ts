import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import { ApiServer, type ApiServerOptions } from './api-server.ts';

/** A server under attack, with what it reports about itself. */
export class Target implements AsyncDisposable {
  readonly server: ApiServer;
  readonly errors: unknown[];
  readonly #sessions = new Set<ClientHttp2Session>();

  private constructor(server: ApiServer, errors: unknown[]) {
    this.server = server;
    this.errors = errors;
  }

  static async start(options: ApiServerOptions = {}): Promise<Target> {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    return new Target(await ApiServer.start({ ...options, onError }), errors);
  }

  get port(): number {
    return Number(new URL(this.server.url).port);
  }

  get authorization(): string {
    return `Bearer ${this.server.token}`;
  }

  async secure(alpn = 'http/1.1'): Promise<TLSSocket> {
    const { ca } = this.server;
    const options = { ca, host: '127.0.0.1', port: this.port, ALPNProtocols: [alpn] };
    const socket = connectTls(options);
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  }

  /** Sends bytes over HTTP/1.1 and reads until the server, or a complete answer, ends it. */
  async say(request: string | Uint8Array): Promise<string> {
    const socket = await this.secure();
    socket.write(request);
    return (await read(socket)).toString('latin1');
  }

  /** The same with the head of a request that asks for the connection to be closed after it. */
  async request(line: string, headers: readonly string[] = [], body = ''): Promise<string> {
    const head = [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers];
    return await this.say(`${head.join('\r\n')}\r\n\r\n${body}`);
  }

  http2(): ClientHttp2Session {
    const session = connectHttp2(this.server.url, { ca: this.server.ca });
    session.on('error', () => undefined);
    this.#sessions.add(session);
    return session;
  }

  /** The status of an answer over HTTP/2; undefined if the stream was reset. */
  async request2(headers: OutgoingHttpHeaders, body?: string): Promise<number | undefined> {
    const stream = open(this.http2(), headers, body === undefined);
    if (body !== undefined) stream.end(body);
    return await statusOf(stream);
  }

  /** The server still answers another client, over both protocols, and found no fault in itself. */
  async survives(): Promise<void> {
    assert.match(
      await this.request('GET /readyz', [`Authorization: ${this.authorization}`]),
      /ok$/,
    );
    const headers = { ':path': '/version', authorization: this.authorization };
    assert.equal(await this.request2(headers), 200);
    assert.deepEqual(this.errors, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await this.server[Symbol.asyncDispose]();
  }
}

/** All that comes before the other end closes, in order or by a reset. */
export async function read(socket: TLSSocket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await new Promise((resolve) => socket.on('close', resolve));
  return Buffer.concat(chunks);
}

export function open(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  endStream: boolean,
): ClientHttp2Stream {
  const stream = session.request(headers, { endStream });
  stream.on('error', () => undefined);
  return stream;
}

export async function statusOf(stream: ClientHttp2Stream): Promise<number | undefined> {
  return await new Promise((resolve) => {
    stream.on('response', (headers) => {
      stream.resume();
      resolve(Number(headers[':status']));
    });
    stream.on('close', () => resolve(undefined));
  });
}

export function statusLine(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}
