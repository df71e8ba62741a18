import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Readable, Writable } from 'node:stream';

import type { TransportHeaders } from 'client-ts/transport';

import type { ApiResponse } from '../http.ts';

/** One request and its answer, the same for both versions of HTTP. */
export interface Wire {
  /** Of HTTP. */
  readonly version: 1 | 2;
  readonly method: string;
  readonly url: string;
  readonly headers: TransportHeaders;
  readonly input: Readable;
  readonly output: Writable;
  /** Sends status and headers at once, without waiting for a body. */
  sendHead(status: number, headers: ApiResponse['headers']): void;
  /** Breaks an answer off so that the client notices. */
  abort(): void;
}

/** HTTP/1.1, from the objects of `node:http`. */
export function http1Wire(request: IncomingMessage, response: ServerResponse): Wire {
  return {
    version: 1,
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: readHeaders(request.rawHeaders),
    input: request,
    output: response,
    sendHead: (status, headers) => {
      response.writeHead(status, headers as Record<string, string | string[]>);
      response.flushHeaders();
    },
    abort: () => response.destroy(),
  };
}

/** Headers that concern a connection and are an error in HTTP/2. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** HTTP/2, from the `stream` event of a session. */
export function http2Wire(stream: ServerHttp2Stream, rawHeaders: readonly string[]): Wire {
  const pseudo = (name: string): string | undefined => {
    const index = rawHeaders.indexOf(name);
    return index === -1 ? undefined : rawHeaders[index + 1];
  };
  // What HTTP/1.1 says in a header of its own.
  const host = pseudo(':authority');
  return {
    version: 2,
    method: pseudo(':method') ?? 'GET',
    url: pseudo(':path') ?? '/',
    headers: { ...(host !== undefined && { host }), ...readHeaders(rawHeaders) },
    input: stream,
    output: stream,
    sendHead: (status, headers) => {
      if (stream.destroyed) return;
      const sent: Record<string, string | readonly string[] | number> = { ':status': status };
      for (const [name, value] of Object.entries(headers)) {
        if (!CONNECTION_HEADERS.has(name)) sent[name] = value;
      }
      stream.respond(sent as Record<string, string | string[] | number>);
    },
    // `close` with a code would end the stream properly first, and the client would be none the wiser.
    abort: () => stream.destroy(new Error('the answer was broken off')),
  };
}

/**
 * Names in lower case; what was sent several times stays several values. Node would join them with
 * commas, and the name of a group may hold one.
 */
function readHeaders(raw: readonly string[]): TransportHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = readValue(raw[index + 1] ?? '');
    if (name.startsWith(':')) continue;
    const earlier = headers[name];
    if (earlier === undefined) headers[name] = value;
    else headers[name] = typeof earlier === 'string' ? [earlier, value] : [...earlier, value];
  }
  return headers;
}

/** Node reads a byte as a letter; clients send the names of users and groups as UTF-8. */
function readValue(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}
