import { type Clock, isJsonObject, type JsonObject } from '../lib/index.ts';

const LONGEST_ANSWER = 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface OidcRequest {
  readonly url: URL;
  /** PEM of the issuer's authority; without it the system's are trusted. */
  readonly ca: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form; without it the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** Why an issuer gave no answer. The message names the URL; it never quotes an answer. */
export class OidcRequestError extends Error {
  /** The status, if there was an answer. */
  readonly status: number | undefined;

  constructor(url: URL, problem: string, { cause, status }: OidcRequestErrorOptions = {}) {
    super(`${url.origin}${url.pathname} ${problem}`, cause === undefined ? {} : { cause });
    this.status = status;
  }
}

interface OidcRequestErrorOptions {
  readonly cause?: unknown;
  readonly status?: number;
}

/**
 * Sends a request to an issuer and returns its JSON answer. The whole exchange has 30 seconds,
 * however slowly the answer comes. Throws an {@link OidcRequestError}.
 */
export async function askIssuer({
  url,
  ca,
  headers,
  form,
  clock,
}: OidcRequest): Promise<JsonObject> {
  if (!isConfidential(url)) {
    throw new OidcRequestError(url, 'is not https, so tokens would travel in the clear');
  }
  const body = form === undefined ? undefined : new URLSearchParams(form).toString();
  // Loaded here, because most programs never refresh a token.
  const { request: send } = await (url.protocol === 'http:'
    ? import('node:http')
    : import('node:https'));
  return await new Promise<JsonObject>((resolve, reject) => {
    const fail = (problem: string, options?: OidcRequestErrorOptions): void => {
      reject(new OidcRequestError(url, problem, options));
      request.destroy();
    };
    const request = send(url, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      ...(ca !== undefined && { ca }),
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    const deadline = clock.schedule(TIMEOUT_MS, () =>
      fail(`did not answer within ${TIMEOUT_MS / 1000} s`),
    );
    request.on('close', () => deadline.cancel());
    request.on('error', (cause) => fail('cannot be reached', { cause }));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > LONGEST_ANSWER) fail('answered too much');
      });
      response.on('error', (cause) => fail('broke off', { cause }));
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        if (status < 200 || status > 299) return fail(`answered ${status}`, { status });
        const answer = parseObject(Buffer.concat(chunks).toString('utf8'));
        return answer === undefined ? fail('did not answer with JSON') : resolve(answer);
      });
    });
    request.end(body);
  });
}

/** Tokens go over TLS, or do not leave the machine. */
function isConfidential({ protocol, hostname }: URL): boolean {
  if (protocol !== 'http:') return protocol === 'https:';
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
