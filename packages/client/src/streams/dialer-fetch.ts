import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nodeHttp } from '../lib/node-modules.ts';
import { StreamsError } from './streams-error.ts';

/** Statuses whose responses have no body, which `Response` insists on. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Returns the request and the port of its URL; 80 if it has none. */
export function plainRequest(
  input: Request | URL | string,
  init: RequestInit | undefined,
): { readonly request: Request; readonly port: number } {
  const request = new Request(input, init);
  const url = new URL(request.url);
  if (url.protocol !== 'http:') {
    const message = `fetch through a port-forward takes http: URLs, not ${url.protocol}`;
    throw new StreamsError('STREAMS_OPTIONS', message, {
      hint: 'For TLS, open a connection with connect() and secure it with tls.connect({ socket }).',
    });
  }
  return { request, port: url.port === '' ? 80 : Number(url.port) };
}

/**
 * Sends a request through an agent. Resolves with the head of the response, also while the body of the
 * request is still sent. Redirects are not followed, and bodies not decompressed.
 */
export async function fetchThrough(request: Request, agent: Agent): Promise<Response> {
  const { method, url, signal, body } = request;
  const headers: OutgoingHttpHeaders = Object.fromEntries(request.headers);
  const outgoing = nodeHttp().request(url, { method, headers, agent, signal });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    // The listener stays: a connection can also break after the response has begun.
    outgoing.once('response', resolve).on('error', reject);
    if (body === null) outgoing.end();
    else pipeline(Readable.fromWeb(body as never), outgoing).catch(reject);
  });
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
  const received = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    received.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const content = BODILESS.has(status) || method === 'HEAD' ? null : Readable.toWeb(incoming);
  if (content === null) incoming.resume();
  return new Response(content as ReadableStream | null, { status, statusText, headers: received });
}
