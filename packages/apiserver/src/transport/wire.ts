import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

import { getKey, nodeHttp, setKey } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';

import type { ApiResponse, UpgradableConnection } from '../http.ts';

/** One request and its response, the same for both versions of HTTP. */
export interface Wire {
  /** The HTTP version. */
  readonly version: 1 | 2;
  readonly method: string;
  readonly url: string;
  readonly headers: TransportHeaders;
  readonly input: Readable;
  /** False if the request ends with its headers. */
  readonly hasBody: boolean;
  readonly output: Writable;
  /** Writes a chunk of a stream; false if the next one should wait for `drain` of the sink. */
  write(chunk: Uint8Array, written: () => void): boolean;
  /** Emits `drain` when there is room for another chunk. */
  readonly sink: Writable;
  /** True once {@link sendHead} has been called: too late for another response. */
  readonly isHeadSent: boolean;
  /** Sends status and headers: with the first bytes of the body, or immediately for a stream. */
  sendHead(status: number, headers: ApiResponse['headers'], isStream: boolean): void;
  /** Breaks off the response so that the client notices. */
  abort(): void;
  /** Releases the connection to another protocol. Absent if the client did not ask for one. */
  readonly takeOver?: () => UpgradableConnection;
}

/** Wraps the objects of `node:http`. */
export class Http1Wire implements Wire {
  readonly version = 1;
  readonly headers: TransportHeaders;
  readonly input: IncomingMessage;
  readonly output: ServerResponse;
  #isBuffered = false;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.headers = readHeaders(request.rawHeaders);
    this.input = request;
    this.output = response;
  }

  get method(): string {
    return this.input.method ?? 'GET';
  }

  get url(): string {
    return this.input.url ?? '/';
  }

  get hasBody(): boolean {
    const isEmpty = (this.headers['content-length'] ?? '0') === '0';
    return !isEmpty || this.headers['transfer-encoding'] !== undefined;
  }

  get sink(): Writable {
    return this.output.socket ?? this.output;
  }

  get isHeadSent(): boolean {
    return this.output.headersSent;
  }

  write(chunk: Uint8Array, written: () => void): boolean {
    const { output } = this;
    const { socket } = output;
    // The response of a request behind another one has no socket yet. An empty chunk would be the end of the stream.
    const isFramed = output.chunkedEncoding && chunk.length > 0 && chunk.length <= FRAMED_BYTES;
    if (socket !== null && isFramed && !this.#isBuffered)
      return socket.write(framed(chunk), written);
    // What the response may still hold back must not be overtaken.
    this.#isBuffered = true;
    return output.write(chunk, written);
  }

  sendHead(status: number, headers: ApiResponse['headers'], isStream: boolean): void {
    const sent: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(headers)) setKey(sent, name, writeValue(value));
    this.output.writeHead(status, sent);
    // Not `flushHeaders`, which would encode header bytes as UTF-8.
    if (isStream) this.output.write('', 'latin1');
  }

  abort(): void {
    this.output.destroy();
  }
}

/** Larger chunks are not copied to be framed. */
const FRAMED_BYTES = 16 * 1024;

let lastChunk: Uint8Array | undefined;
let lastFramed: Uint8Array = new Uint8Array();

/**
 * Returns a chunk with the framing of HTTP/1.1, in one piece. An event goes to all its watches one after the other, so it is framed
 * once. Node would make three writes of it for each watch.
 */
function framed(chunk: Uint8Array): Uint8Array {
  if (chunk !== lastChunk) {
    lastFramed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, CRLF]);
    lastChunk = chunk;
  }
  return lastFramed;
}

const CRLF = Buffer.from('\r\n');

/**
 * Wraps the `upgrade` event of `node:http`, after which the HTTP server no longer reads from the
 * socket. A response without an upgrade is therefore the last on the connection.
 */
export class UpgradeWire extends Http1Wire {
  readonly #socket: Socket;
  readonly #head: Buffer;
  readonly #end: () => void;

  constructor(request: IncomingMessage, socket: Socket, head: Buffer) {
    const response = new (nodeHttp().ServerResponse)(request);
    super(request, response);
    this.#socket = socket;
    this.#head = head;
    this.#end = () => socket.destroySoon();
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', this.#end);
  }

  takeOver(): UpgradableConnection {
    this.output.off('finish', this.#end);
    this.output.detachSocket(this.#socket);
    return { request: this.input, socket: this.#socket, head: this.#head };
  }
}

/** Connection-specific headers, which are invalid in HTTP/2. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** Wraps the `stream` event of an HTTP/2 session. */
export function http2Wire(stream: ServerHttp2Stream, rawHeaders: readonly string[]): Wire {
  const pseudo = (name: string): string | undefined => {
    const index = rawHeaders.indexOf(name);
    return index === -1 ? undefined : rawHeaders[index + 1];
  };
  // The `host` header of HTTP/1.1.
  const host = pseudo(':authority');
  return {
    version: 2,
    method: pseudo(':method') ?? 'GET',
    url: pseudo(':path') ?? '/',
    headers: readHeaders(host === undefined ? rawHeaders : ['host', host, ...rawHeaders]),
    input: stream,
    hasBody: !stream.endAfterHeaders,
    output: stream,
    write: (chunk, written) => stream.write(chunk, written),
    sink: stream,
    get isHeadSent() {
      return stream.headersSent;
    },
    sendHead: (status, headers) => {
      if (stream.destroyed) return;
      const sent: Record<string, string | string[] | number> = { ':status': status };
      for (const [name, value] of Object.entries(headers)) {
        if (!CONNECTION_HEADERS.has(name)) setKey(sent, name, writeValue(value));
      }
      stream.respond(sent);
    },
    // `close` with a code would end the stream cleanly first, and the client would not notice.
    abort: () => stream.destroy(new Error('the response was broken off')),
  };
}

/**
 * Returns headers with lower-case names; repeated headers stay separate values. Node would join
 * them with commas, which group names can contain.
 */
function readHeaders(raw: readonly string[]): TransportHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = readValue(raw[index + 1] ?? '');
    if (name.startsWith(':')) continue;
    const earlier = getKey(headers, name);
    if (earlier === undefined) setKey(headers, name, value);
    else if (typeof earlier === 'string') setKey(headers, name, [earlier, value]);
    else earlier.push(value);
  }
  return headers;
}

/** Node decodes bytes as Latin-1; clients send the names of users and groups as UTF-8. */
function readValue(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** The reverse: Node rejects characters that are not bytes. */
function writeValue(value: string | readonly string[]): string | string[] {
  if (typeof value !== 'string') return value.map((one) => writeValue(one) as string);
  return /[^\x00-\x7f]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}
