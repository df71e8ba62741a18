import type {
  Middleware,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
} from 'client-ts/transport';

import type { CommandContext } from './context.ts';
import { printable, printableLines } from './printable.ts';

/** kubectl's levels of `-v`, and what each adds. */
const LINES = 6;
const HEADERS = 7;
const BODIES = 8;
const LONG_BODIES = 9;

/** The characters of a body that level 8 shows. */
const SHORT_BODY = 1024;

/** Headers that authenticate, or that an exec plugin may have put a secret in. */
const SECRET_HEADERS = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i;

/** Paths whose bodies hold secrets or tokens. */
const SECRET_PATHS = /\/(?:secrets|token|tokenreviews|tokenrequests)(?:[/?]|$)/;

/**
 * Returns a layer that logs every attempt to send a request to standard error, as kubectl does with
 * `-v`: from level 6 on method, URL, status and time; from 7 on headers; from 8 on the beginning of
 * bodies; from 9 on whole bodies. Credentials are masked, and bodies with secrets are left out.
 */
export function requestLog(level: number, server: string, context: CommandContext): Middleware {
  const { clock } = context;
  const log = (line: string): void => context.err(printable(line));
  return async (request, next) => {
    const { method, path, headers, body } = request;
    const url = `${server.replace(/\/$/, '')}${path}`;
    if (level >= HEADERS) logHeaders(log, 'Request headers', headers);
    if (level >= BODIES && body !== undefined) logBody(context, 'Request body', body, path, level);
    const start = clock.monotonic();
    const elapsed = (): string => `${Math.round(clock.monotonic() - start)} ms`;
    try {
      const response = await next(request);
      if (level >= LINES) log(`${method} ${url} ${response.status} in ${elapsed()}`);
      if (level >= HEADERS) logHeaders(log, 'Response headers', response.headers);
      return level >= BODIES ? loggedBody(request, response, level, context) : response;
    } catch (error) {
      if (level >= LINES) log(`${method} ${url} failed in ${elapsed()}`);
      throw error;
    }
  };
}

function logHeaders(log: (line: string) => void, title: string, headers: TransportHeaders): void {
  log(`${title}:`);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const shown = SECRET_HEADERS.test(name) ? '<masked>' : [value].flat().join(', ');
    log(`    ${name}: ${shown}`);
  }
}

/** Logs the body of a response when it has been read, that of a stream as it arrives. */
function loggedBody(
  { path, stream: isStream = false }: TransportRequest,
  response: TransportResponse,
  level: number,
  context: CommandContext,
): TransportResponse {
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    const seen: Uint8Array[] = [];
    try {
      for await (const chunk of response.body) {
        if (isStream) logBody(context, 'Response body', chunk, path, level);
        else seen.push(chunk);
        yield chunk;
      }
    } finally {
      logBody(context, 'Response body', Buffer.concat(seen), path, level);
    }
  }
  return { ...response, body: body() };
}

function logBody(
  context: CommandContext,
  title: string,
  body: Uint8Array,
  path: string,
  level: number,
): void {
  if (body.length === 0) return;
  if (SECRET_PATHS.test(path)) {
    context.err(`${title}: <masked>, ${body.length} bytes`);
    return;
  }
  const text = new TextDecoder().decode(body);
  const isCut = level < LONG_BODIES && text.length > SHORT_BODY;
  const shown = isCut ? `${text.slice(0, SHORT_BODY)} [truncated]` : text;
  context.err(`${title}: ${printableLines(shown.trimEnd())}`);
}
