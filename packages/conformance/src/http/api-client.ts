import { isJsonObject } from 'client-ts/internal';
import type { Transport, TransportHeaders } from 'client-ts/transport';
import { type ApiObject, exchange } from './exchange.ts';
import { WatchStream } from './watch-stream.ts';

/** A complete response. */
export interface Reply {
  /** Method and path, for error messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: TransportHeaders;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The parsed body if it is a JSON object, else an empty object. */
  readonly body: ApiObject;
}

export interface RequestOptions {
  readonly headers?: TransportHeaders;
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: object | string;
  readonly contentType?: string;
}

/** The content types of the four kinds of patch. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** A minimal client for black-box tests: one request, one response. */
export class ApiClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { body, contentType = 'application/json' } = options;
    const response = await exchange(this.#transport, {
      method,
      path,
      headers: { ...(body !== undefined && { 'content-type': contentType }), ...options.headers },
      ...(body !== undefined && { body: bytesOf(body) }),
    });
    const text = Buffer.from(response.body).toString('utf8');
    return {
      request: `${method} ${path}`,
      status: response.status,
      headers: response.headers,
      bytes: response.body,
      text,
      body: objectOf(text),
    };
  }

  get(path: string, headers: TransportHeaders = {}): Promise<Reply> {
    return this.request('GET', path, { headers });
  }

  post(path: string, body: object | string, headers: TransportHeaders = {}): Promise<Reply> {
    return this.request('POST', path, { body, headers });
  }

  put(path: string, body: object, headers: TransportHeaders = {}): Promise<Reply> {
    return this.request('PUT', path, { body, headers });
  }

  patch(
    type: keyof typeof patchTypes,
    path: string,
    body: object | string,
    headers: TransportHeaders = {},
  ): Promise<Reply> {
    return this.request('PATCH', path, { body, contentType: patchTypes[type], headers });
  }

  delete(path: string, body?: object, headers: TransportHeaders = {}): Promise<Reply> {
    return this.request('DELETE', path, { headers, ...(body !== undefined && { body }) });
  }

  /** Opens a watch; `path` includes `watch=1`. */
  watch(path: string, headers: TransportHeaders = {}): Promise<WatchStream> {
    return WatchStream.open(this.#transport, path, headers);
  }
}

function bytesOf(body: object | string): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function objectOf(text: string): ApiObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return { metadata: {}, ...value };
  } catch {
    // Not JSON: the test uses `text` or `bytes`.
  }
  return { metadata: {} };
}
