import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type Clock,
  messageOf,
  nodeHttp,
  OptionError,
  systemClock,
  withDeadline,
} from 'client-ts/internal';
import { CollectorError } from './collector-error.ts';

/** The connection to a receiver of OTLP over HTTP. */
export interface OtlpConnection {
  /** The whole URL, with the path: `http://localhost:4318/v1/logs`. */
  readonly url: string;
  /** Sent with every request; usually credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default `none`. */
  readonly compression?: 'gzip' | 'none' | undefined;
  /** The time limit of a request. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** The CA certificates of the receiver, PEM. */
  readonly ca?: string | undefined;
  /** A client certificate and its key, PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Do not verify the certificate of the receiver. */
  readonly insecure?: boolean | undefined;
}

/** A response of a receiver. */
export interface OtlpAnswer {
  readonly status: number;
  /** The value of `Retry-After`. */
  readonly retryAfter?: string | undefined;
  /** The JSON of the body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** Sends export requests. */
export interface OtlpTransport {
  /** Resolves with any status. Rejects with `COLLECTOR_OTLP_FAILED` if there is no response. */
  send(body: object): Promise<OtlpAnswer>;
  close(): Promise<void>;
}

/** Options of {@link otlpTransport}. */
export interface OtlpTransportOptions {
  readonly clock?: Clock | undefined;
}

/** The part of a response that is read; an answer is much smaller. */
const MAX_ANSWER_BYTES = 64 * 1024;

const compress = promisify(gzip);

/** Returns a transport that sends JSON over connections that it keeps open. Redirects are not followed. */
export function otlpTransport(
  connection: OtlpConnection,
  { clock = systemClock }: OtlpTransportOptions = {},
): OtlpTransport {
  const url = checkedUrl(connection.url);
  const { ca, cert, key, insecure = false, compression = 'none', timeoutMs = 10_000 } = connection;
  const tls = { ca, cert, key, rejectUnauthorized: !insecure };
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new Agent({ keepAlive: true, ...tls }) : undefined;
  const isPacked = compression === 'gzip';
  const headers = {
    'user-agent': 'client-ts-collector',
    ...connection.headers,
    'content-type': 'application/json',
    ...(isPacked && { 'content-encoding': 'gzip' }),
  };
  const where = `${url.host}${url.pathname}`;
  const failed = (cause: unknown): CollectorError =>
    new CollectorError('COLLECTOR_OTLP_FAILED', `otlp: ${where}: ${messageOf(cause)}`, { cause });
  const exchange = (data: Uint8Array, signal: AbortSignal): Promise<OtlpAnswer> =>
    new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-length': data.length },
        signal,
      };
      const sending = isSecure
        ? httpsRequest(url, { ...options, agent })
        : nodeHttp().request(url, options);
      sending.on('error', (error) => reject(failed(signal.aborted ? signal.reason : error)));
      sending.on('response', (response) => {
        answerOf(response).then(resolve, (error: unknown) => reject(failed(error)));
      });
      sending.end(data);
    });
  return {
    send: async (body) => {
      const json = Buffer.from(JSON.stringify(body));
      const data = isPacked ? await compress(json) : json;
      using limited = withDeadline(undefined, {
        clock,
        timeoutMs,
        reason: () => new DOMException(`no answer after ${timeoutMs} ms`, 'TimeoutError'),
      });
      return await exchange(data, limited.signal);
    },
    close: async () => agent?.destroy(),
  };
}

function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionError('url', 'must be a URL such as http://localhost:4318/v1/logs');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionError('url', 'must not contain credentials; set a header instead');
  }
  return url;
}

async function answerOf(response: IncomingMessage): Promise<OtlpAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the response, and its connection.
    if (size > MAX_ANSWER_BYTES) break;
  }
  const { statusCode: status = 0, headers } = response;
  const retryAfter = headers['retry-after'];
  return {
    status,
    ...(retryAfter !== undefined && { retryAfter }),
    body: jsonOf(Buffer.concat(chunks)),
  };
}

function jsonOf(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString()) as unknown;
  } catch {
    return undefined;
  }
}
