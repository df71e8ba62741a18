import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { deflateRaw, gunzip, gzip, inflateRaw } from 'node:zlib';

import { nodeHttp, nodeTls, onAbort } from 'client-ts/internal';

import {
  type ApiRequest,
  type ApiResponse,
  BrokenResponseError,
  type UpgradableConnection,
} from '../http.ts';
import { type ProxiedPlace, proxiedUrl, rewriteLinks } from './proxied-links.ts';

/** Where a request goes. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https';
  /** Path and query. */
  readonly url: string;
  /** Host and port, for links that lead back to it. */
  readonly host: string;
  /** The path of the proxy itself. */
  readonly prefix: string;
  /** An open connection, used for this request only. */
  readonly connection: Duplex;
}

/** Headers about one connection, which are not passed on; as in Go's reverse proxy. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type Headers = Record<string, string | string[]>;

/** True if the client asks for another protocol, whatever it is. */
export function asksForUpgrade({ canUpgrade, headers }: ApiRequest): boolean {
  return canUpgrade === true && headers['upgrade'] !== undefined;
}

/**
 * Sends a request over a connection and returns the response, without waiting for either body.
 * Rejects if there is no response. The response to an upgrade may be a refusal.
 */
export async function forwardRequest(
  request: ApiRequest,
  target: ProxyTarget,
): Promise<ApiResponse> {
  const { connection, scheme } = target;
  connection.on('error', () => undefined);
  const call = nodeHttp().request({
    method: request.method,
    path: target.url,
    headers: forwardedHeaders(request, target),
    setHost: false,
    // Real servers do not verify the certificates of pods either: there is no name to check.
    createConnection: () =>
      scheme === 'https'
        ? nodeTls().connect({ socket: connection, rejectUnauthorized: false })
        : connection,
  });
  const tie = onAbort(request.signal, () => call.destroy());
  call.once('close', () => tie[Symbol.dispose]());
  void upload(request, call);
  return await new Promise((resolve, reject) => {
    // Stays attached: a connection can also break after the response has begun.
    call.on('error', reject);
    call.once('response', (message) => resolve(answerOf(request, message, target)));
    call.once('upgrade', (message, socket, head) =>
      resolve({
        status: 101,
        headers: {},
        upgrade: (client) => join(client, message, { socket, head }),
      }),
    );
  });
}

/** Returns headers without those that are about one connection. */
function endToEnd(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Headers {
  const listed = [headers['connection'] ?? []].flat().join(',').toLowerCase().split(',');
  const dropped = new Set([...HOP_BY_HOP, ...listed.map((name) => name.trim())]);
  const kept: [string, string | string[]][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name) || name.startsWith(':')) continue;
    kept.push([name, typeof value === 'string' ? value : [...value]]);
  }
  return Object.fromEntries(kept);
}

/** The credentials of the client are for the server, not for what is behind it. */
function isCredential(name: string): boolean {
  return name === 'authorization' || name.startsWith('impersonate-');
}

function forwardedHeaders(request: ApiRequest, { prefix, url }: ProxyTarget): Headers {
  const { headers, peer, bodyStream } = request;
  const sent = Object.fromEntries(
    Object.entries(endToEnd(headers)).filter(([name]) => !isCredential(name)),
  );
  const isCounted = sent['content-length'] !== undefined;
  const earlier = [sent['x-forwarded-for'] ?? []].flat();
  const forwardedFor = [...earlier, ...(peer.address === undefined ? [] : [peer.address])];
  const [path = ''] = url.split('?');
  return {
    ...sent,
    ...(forwardedFor.length > 0 && { 'x-forwarded-for': forwardedFor.join(', ') }),
    ...(!isCounted && bodyStream !== undefined && { 'transfer-encoding': 'chunked' }),
    ...(asksForUpgrade(request)
      ? { connection: 'Upgrade', upgrade: [headers['upgrade'] ?? []].flat()[0] ?? '' }
      : { 'x-forwarded-uri': `${prefix}${path}` }),
  };
}

async function upload({ bodyStream }: ApiRequest, call: ClientRequest): Promise<void> {
  try {
    for await (const chunk of bodyStream?.() ?? []) {
      if (call.destroyed) return;
      if (!call.write(chunk)) await drained(call);
    }
    call.end();
  } catch {
    // The client is gone, and with it the reader of the response.
    call.destroy();
  }
}

async function drained(call: ClientRequest): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      call.off('drain', done).off('close', done);
      resolve();
    };
    call.on('drain', done).on('close', done);
  });
}

async function answerOf(
  request: ApiRequest,
  message: IncomingMessage,
  target: ProxyTarget,
): Promise<ApiResponse> {
  const { statusCode: status = 502 } = message;
  const place: ProxiedPlace = {
    host: target.host,
    prefix: target.prefix,
    requestHost: [request.headers['host'] ?? []].flat()[0] ?? '',
  };
  const headers: Headers = { 'cache-control': 'no-cache, private', ...endToEnd(message.headers) };
  const { location } = headers;
  if (typeof location === 'string') headers['location'] = proxiedUrl(location, place);
  const isEmpty = request.method === 'HEAD' || status === 204 || status === 304;
  if (isEmpty) {
    message.resume();
    return { status, headers };
  }
  const page = location === undefined ? await rewrittenPage(message, place) : undefined;
  if (page === undefined) return { status, headers, body: bodyOf(message), compressible: false };
  headers['content-length'] = String(page.length);
  return { status, headers, body: page, compressible: false };
}

/** The ways to take content apart and put it together again; as Go has them. */
const ENCODINGS = new Map([
  ['', { decode: async (body: Buffer) => body, encode: async (body: Buffer) => body }],
  ['gzip', { decode: promisify<Buffer, Buffer>(gunzip), encode: promisify<Buffer, Buffer>(gzip) }],
  [
    'deflate',
    {
      decode: promisify<Buffer, Buffer>(inflateRaw),
      encode: promisify<Buffer, Buffer>(deflateRaw),
    },
  ],
]);

/** Returns a page with its links rewritten; undefined if the response is something else. */
async function rewrittenPage(
  message: IncomingMessage,
  place: ProxiedPlace,
): Promise<Buffer | undefined> {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = message.headers;
  const codec = ENCODINGS.get(encoding);
  if (type.split(';')[0]?.trim() !== 'text/html' || codec === undefined) return undefined;
  const html = await codec.decode(await buffer(message));
  return await codec.encode(Buffer.from(rewriteLinks(html.toString(), place)));
}

/** A response that breaks off must not look complete to the client. */
async function* bodyOf(message: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of message as AsyncIterable<Uint8Array>) yield chunk;
  } catch (cause) {
    throw new BrokenResponseError(cause);
  }
}

/** Passes the agreement of the target on, and then everything in both directions. */
async function join(
  { socket: client, head: sent }: UpgradableConnection,
  message: IncomingMessage,
  { socket: target, head: received }: { readonly socket: Duplex; readonly head: Buffer },
): Promise<void> {
  const lines = [`HTTP/1.1 101 ${message.statusMessage ?? 'Switching Protocols'}`];
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    lines.push(`${message.rawHeaders[at] ?? ''}: ${message.rawHeaders[at + 1] ?? ''}`);
  }
  client.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  if (received.length > 0) client.write(received);
  if (sent.length > 0) target.write(sent);
  // Not two pipelines, which would add more listeners to one socket than Node accepts silently.
  client.pipe(target).pipe(client);
  await Promise.all([closeTogether(client, target), closeTogether(target, client)]);
}

/** Resolves when a stream is closed; the other is closed too, after what was written to it. */
function closeTogether(stream: Duplex, other: Duplex): Promise<void> {
  stream.on('error', () => undefined);
  return new Promise((resolve) => {
    const closed = (): void => {
      if (other.writableFinished) other.destroy();
      else other.once('finish', () => other.destroy()).end();
      resolve();
    };
    if (stream.destroyed) closed();
    else stream.once('close', closed);
  });
}
