import type {
  Transport,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
} from '../transport/transport.ts';

/** An answer in short form: a string body is sent as it is, an object as JSON. */
export interface Reply {
  readonly status?: number | undefined;
  readonly headers?: TransportHeaders | undefined;
  readonly body?: AsyncIterable<Uint8Array> | Uint8Array | object | string | undefined;
}

/** Answers requests from a script, and keeps them. */
export class ScriptedTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly #replies: ((request: TransportRequest) => Promise<Reply> | Reply)[];
  isClosed = false;

  /** One reply for each request, in order; the last one serves all further requests. */
  constructor(
    ...replies: readonly (Reply | ((request: TransportRequest) => Promise<Reply> | Reply))[]
  ) {
    this.#replies = replies.map((reply) => (typeof reply === 'function' ? reply : () => reply));
  }

  /** The last request. */
  get last(): TransportRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('no request was made');
    return request;
  }

  /** The body of the last request, as JSON. */
  get lastBody(): unknown {
    return JSON.parse(new TextDecoder().decode(this.last.body));
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    this.requests.push(request);
    const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
    const { status = 200, headers, body = '' } = (await reply?.(request)) ?? {};
    const isJson = typeof body === 'object' && !isBytes(body);
    return {
      status,
      headers: headers ?? (isJson ? { 'content-type': 'application/json' } : {}),
      body: isJson ? once(Buffer.from(JSON.stringify(body))) : bytesOf(body),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
  }
}

function isBytes(body: object): body is AsyncIterable<Uint8Array> | Uint8Array {
  return body instanceof Uint8Array || Symbol.asyncIterator in body;
}

function bytesOf(
  body: AsyncIterable<Uint8Array> | Uint8Array | object | string,
): AsyncIterable<Uint8Array> {
  if (typeof body === 'string') return once(Buffer.from(body));
  return body instanceof Uint8Array ? once(body) : (body as AsyncIterable<Uint8Array>);
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (chunk.length > 0) yield chunk;
}
