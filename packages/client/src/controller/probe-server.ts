import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../lib/errors.ts';
import { nodeHttp } from '../lib/node-modules.ts';
import { ControllerError } from './controller-error.ts';

/** Where an endpoint listens. */
export interface EndpointOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** Default: all interfaces. */
  readonly host?: string | undefined;
}

/** A response of an endpoint. */
export interface EndpointAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Answers a GET of a decoded path; undefined if it does not have it. */
export type Endpoint = (
  path: string,
  query: URLSearchParams,
) => Promise<EndpointAnswer | undefined> | EndpointAnswer | undefined;

/**
 * A plain HTTP server for probes and metrics: GET and HEAD, no keep-alive, nothing else. Every request
 * is answered: a path that cannot be read with 400, an endpoint that throws with 500.
 */
export class ProbeServer implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Listens. Rejects with `CONTROLLER_LISTEN_FAILED` if the port is not free. */
  static async start(
    { port, host }: EndpointOptions,
    endpoints: readonly Endpoint[],
  ): Promise<ProbeServer> {
    // Loaded here, so that programs without endpoints do not pay for it.
    const { createServer } = nodeHttp();
    const server = createServer({ keepAlive: false }, (request, response) => {
      void answer(endpoints, request, response);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const place = host === undefined ? `port ${port}` : `${host}:${port}`;
        const message = `cannot listen on ${place}: ${messageOf(cause)}`;
        reject(new ControllerError('CONTROLLER_LISTEN_FAILED', message, { cause }));
      });
      server.listen({ port, host }, resolve);
    });
    return new ProbeServer(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function answer(
  endpoints: readonly Endpoint[],
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const found =
    method === 'GET' || method === 'HEAD'
      ? await find(endpoints, url)
      : plain(405, 'method not allowed');
  response.writeHead(found.status, {
    'content-type': found.contentType,
    'content-length': Buffer.byteLength(found.text),
    connection: 'close',
    'x-content-type-options': 'nosniff',
  });
  response.end(method === 'HEAD' ? undefined : found.text);
}

async function find(endpoints: readonly Endpoint[], url: string): Promise<EndpointAnswer> {
  const place = placeOf(url);
  if (place === undefined) return plain(400, 'the path cannot be read');
  try {
    for (const endpoint of endpoints) {
      const found = await endpoint(place.path, place.query);
      if (found !== undefined) return found;
    }
  } catch (error) {
    return plain(500, messageOf(error));
  }
  return plain(404, 'not found');
}

/** Returns the decoded path and the query; undefined if they are malformed. */
function placeOf(
  url: string,
): { readonly path: string; readonly query: URLSearchParams } | undefined {
  try {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    return { path: decodeURIComponent(pathname), query: searchParams };
  } catch {
    return undefined;
  }
}

function plain(status: number, text: string): EndpointAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', text: `${text}\n` };
}
