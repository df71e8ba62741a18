import { type Clock, isJsonObject, type JsonObject } from '../lib/index.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface OidcRequest {
  readonly url: URL;
  /** The CA of the issuer in PEM form. Default: the CAs of the system. */
  readonly ca: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form in a POST request. Without it the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Returns the error to reject with. The problem names the URL; it never quotes an answer. */
  readonly fail: (problem: string, cause?: unknown) => Error;
}

/** What an issuer answered: a JSON object, or a status that is not a success. */
export type IssuerAnswer = { readonly body: JsonObject } | { readonly status: number };

/**
 * Sends a request to an issuer and returns its JSON answer. The whole exchange may take 30 seconds.
 * Rejects with what `fail` returns.
 */
export async function askIssuer(request: OidcRequest): Promise<IssuerAnswer> {
  const { url, ca, headers, form, clock } = request;
  const failure = (problem: string, cause?: unknown): Error =>
    request.fail(`${url.origin}${url.pathname} ${problem}`, cause);
  if (!isConfidential(url)) {
    throw failure('is not https, so tokens would be sent in plain text');
  }
  const body = form === undefined ? undefined : new URLSearchParams(form).toString();
  // Loaded here, because most programs never refresh a token.
  const { request: send } = await (url.protocol === 'http:'
    ? import('node:http')
    : import('node:https'));
  return await new Promise<IssuerAnswer>((resolve, reject) => {
    const fail = (problem: string, cause?: unknown): void => {
      reject(failure(problem, cause));
      sent.destroy();
    };
    const sent = send(url, {
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
    sent.on('close', () => deadline.cancel());
    sent.on('error', (cause) => fail('cannot be reached', cause));
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_ANSWER_BYTES) fail('sent too large an answer');
      });
      response.on('error', (cause) => fail('closed the connection during the answer', cause));
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        if (status < 200 || status > 299) return resolve({ status });
        const answer = parseObject(Buffer.concat(chunks).toString('utf8'));
        return answer === undefined ? fail('did not answer with JSON') : resolve({ body: answer });
      });
    });
    sent.end(body);
  });
}

/** True if the URL is https or on this machine, so that tokens are not sent in plain text. */
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
