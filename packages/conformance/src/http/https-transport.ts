import { getKey, setKey } from 'client-ts/internal';
import * as http from 'node:http';
import * as https from 'node:https';
import type {
  Transport,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
} from 'client-ts/transport';
import type { Endpoint } from './kubeconfig.ts';

/**
 * HTTP/1.1 over real sockets with plain Node: no retries, no redirects, no default headers besides
 * `Authorization`. A request for an upgrade (WebSocket, SPDY) resolves with status 101 and the
 * bytes of the upgraded connection as body.
 */
export class HttpsTransport implements Transport {
  readonly #endpoint: Endpoint;
  readonly #agent: http.Agent;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#agent =
      endpoint.url.protocol === 'https:'
        ? new https.Agent({
            keepAlive: true,
            ca: endpoint.ca,
            cert: endpoint.clientCertificate?.certificate,
            key: endpoint.clientCertificate?.key,
            ...(endpoint.serverName !== undefined && { servername: endpoint.serverName }),
            rejectUnauthorized: endpoint.insecure !== true,
          })
        : new http.Agent({ keepAlive: true });
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    const { url, authorization } = this.#endpoint;
    const headers: Record<string, string | string[]> = {};
    if (authorization !== undefined) headers['authorization'] = authorization;
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined)
        setKey(headers, name, typeof value === 'string' ? value : [...value]);
    }
    if (request.body !== undefined) headers['content-length'] = String(request.body.length);

    const send = url.protocol === 'https:' ? https.request : http.request;
    const outgoing = send({
      agent: this.#agent,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? undefined : Number(url.port),
      method: request.method,
      // A base path in the kubeconfig's server URL is a prefix of every path.
      path: url.pathname.replace(/\/$/, '') + request.path,
      headers,
      ...(request.signal !== undefined && { signal: request.signal }),
    });
    const answer = answerOf(outgoing);
    outgoing.end(request.body);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }
}

function answerOf(outgoing: http.ClientRequest): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', (incoming) => resolve(responseOf(incoming, incoming)));
    outgoing.on('upgrade', (incoming, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve(responseOf(incoming, socket));
    });
    // Stays on after the headers: the body reports a later abort, which must not be uncaught here.
    outgoing.on('error', reject);
  });
}

function responseOf(
  incoming: http.IncomingMessage,
  body: AsyncIterable<unknown>,
): TransportResponse {
  return {
    status: incoming.statusCode ?? 0,
    headers: headersOf(incoming.rawHeaders),
    body: body as AsyncIterable<Uint8Array>,
  };
}

/** Node joins or drops repeated headers; the raw list keeps `Warning` and `Vary` separate. */
function headersOf(raw: readonly string[]): TransportHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    const value = raw[index + 1] ?? '';
    const before = getKey(headers, name);
    setKey(headers, name, before === undefined ? value : [before, value].flat());
  }
  return headers;
}
