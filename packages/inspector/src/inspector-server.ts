import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { type Clock, type Logger, messageOf, nodeHttp } from 'client-ts/internal';
import { Access, type Refusal } from './access.ts';
import { EventStreams } from './event-streams.ts';
import { InspectorError } from './inspector-error.ts';
import { act, read, RouteProblem, streamStart } from './routes.ts';
import { sessionLines } from './session-lines.ts';
import type { Source } from './source.ts';
import { readPage, type StaticFile } from './static-files.ts';

/** Options of {@link InspectorServer}. */
export interface InspectorServerOptions {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly needsToken: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The body of an action may have this many bytes. */
const MAX_BODY = 10_000;

/** Of all answers. Nothing comes from elsewhere, and no other site can embed the page. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-client-ts-inspector': '1',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Serves the page and its data. */
export class InspectorServer implements AsyncDisposable {
  readonly access: Access;
  readonly port: number;
  readonly #host: string;
  readonly #source: Source;
  readonly #server: Server;
  readonly #streams: EventStreams;
  readonly #page: ReadonlyMap<string, StaticFile>;
  readonly #logger: Logger;

  private constructor(
    source: Source,
    server: Server,
    page: ReadonlyMap<string, StaticFile>,
    options: InspectorServerOptions,
  ) {
    const { port } = server.address() as AddressInfo;
    const { allowedHosts, needsToken, host } = options;
    this.port = port;
    // A name that the program listens on by its own choice is a name to be reached by.
    const hosts = isWildcard(host) ? allowedHosts : [...allowedHosts, urlHost(host)];
    this.access = new Access({ port, allowedHosts: hosts, needsToken });
    this.#host = isWildcard(host) ? 'localhost' : urlHost(host);
    this.#source = source;
    this.#server = server;
    this.#page = page;
    this.#logger = options.logger;
    this.#streams = new EventStreams(source, options.clock);
  }

  /** Starts to listen. Does not keep the process alive if that is what is inspected. */
  static async start(source: Source, options: InspectorServerOptions): Promise<InspectorServer> {
    const page = await readPage();
    const server = nodeHttp().createServer({ maxHeaderSize: 16_384, requestTimeout: 30_000 });
    server.maxConnections = 128;
    server.listen({ host: options.host, port: options.port });
    if (source.info.isLive) server.unref();
    try {
      await once(server, 'listening');
    } catch (cause) {
      const message = `cannot listen on ${options.host}:${options.port}: ${messageOf(cause)}`;
      throw new InspectorError('INSPECTOR_LISTEN_FAILED', message, { cause });
    }
    const own = new InspectorServer(source, server, page, options);
    server.on('request', (request, response) => void own.#handle(request, response));
    server.on('error', (error) => own.#logger.warn(`inspector: ${messageOf(error)}`));
    return own;
  }

  /** The address without a token. */
  get origin(): string {
    return `http://${this.#host}:${this.port}`;
  }

  /** Returns the address to open: with a new one-time token, if one is needed. */
  newUrl(): string {
    return this.access.needsToken
      ? `${this.origin}/?token=${this.access.mint()}`
      : `${this.origin}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#streams[Symbol.dispose]();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.on('error', () => undefined);
    try {
      await this.#answer(request, response);
    } catch (error) {
      // Internals are for the log of the program, not for whatever has sent the request.
      this.#logger.warn(`inspector: a request failed: ${messageOf(error)}`);
      if (!response.headersSent) sendProblem(response, 500, 'the request failed');
      else response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '' } = request;
    const url = parseUrl(request.url ?? '');
    if (url === undefined) return sendProblem(response, 400, 'the address is not valid');
    const { pathname: path, searchParams: parameters } = url;
    const refusal = this.access.refuseOrigin(request);
    if (refusal !== undefined) return sendRefusal(response, refusal);
    if (path === '/api/tokens') return this.#mint(request, response);
    const token = parameters.get('token');
    if (path === '/' && method === 'GET' && token !== null) {
      return this.#signIn(token, response);
    }
    const stranger = this.access.refuseStranger(request);
    if (stranger !== undefined) return sendRefusal(response, stranger);
    if (method === 'POST') return this.#post(request, response, path);
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD, POST');
      return sendProblem(response, 405, `${method} is not supported`);
    }
    if (path === '/api/stream') return this.#stream(request, response, parameters);
    if (path === '/api/export') return this.#export(response);
    if (path.startsWith('/api/')) {
      return sendAnswer(response, read(this.#source, path, parameters));
    }
    this.#sendFile(request, response, path);
  }

  /** A token in the address becomes a cookie, so that it is in no history and no referrer. */
  #signIn(token: string, response: ServerResponse): void {
    const cookie = this.access.redeem(token);
    if (cookie === undefined) {
      const message = 'the token is not valid, or was used before';
      return sendRefusal(response, { status: 401, message });
    }
    const attributes = 'HttpOnly; SameSite=Strict; Path=/';
    response.setHeader('set-cookie', `${this.access.cookieName}=${cookie}; ${attributes}`);
    response.writeHead(303, { location: '/' }).end();
  }

  /** The same user can read the secret in the discovery file, and gets a token for a browser. */
  #mint(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'POST' || !this.access.hasSecret(request)) {
      return sendProblem(response, 401, 'the secret of the discovery file is needed');
    }
    sendAnswer(response, { url: this.newUrl() });
  }

  async #post(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (path !== '/api/actions/enqueue') {
      return sendProblem(response, 404, `there is nothing at ${path}`);
    }
    // A form of another site cannot set this header, whatever the browser does about origins.
    if (request.headers['x-client-ts-inspector'] !== '1') {
      return sendProblem(response, 403, 'the header X-Client-Ts-Inspector is missing');
    }
    const body = await readJson(request);
    sendAnswer(response, body instanceof RouteProblem ? body : act(this.#source, body));
  }

  #stream(request: IncomingMessage, response: ServerResponse, parameters: URLSearchParams): void {
    if (!this.#source.info.isLive) return void response.writeHead(204).end();
    const after = streamStart(parameters);
    if (after instanceof RouteProblem) return sendAnswer(response, after);
    if (this.#streams.isFull) return sendProblem(response, 503, 'too many pages are open');
    this.#streams.open(request, response, after);
  }

  async #export(response: ServerResponse): Promise<void> {
    const { program } = this.#source.info;
    const name = program.replaceAll(/[^\w.-]+/g, '-');
    response.writeHead(200, {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.session"`,
    });
    const lines = sessionLines(this.#source);
    const batches = function* (): Generator<string, void, undefined> {
      let batch = '';
      for (const line of lines) {
        batch += line;
        if (batch.length < 65_536) continue;
        yield batch;
        batch = '';
      }
      yield batch;
    };
    // A reader that goes away is no error of the server.
    await pipeline(batches, response).catch(() => undefined);
  }

  #sendFile(request: IncomingMessage, response: ServerResponse, path: string): void {
    const file = this.#page.get(path);
    if (file === undefined) {
      const isUnbuilt = this.#page.size === 0;
      const message = isUnbuilt ? 'the page was not built' : `there is nothing at ${path}`;
      return sendProblem(response, isUnbuilt ? 503 : 404, message);
    }
    const accepted = request.headers['accept-encoding'] ?? '';
    const isSmall = file.brotli !== undefined && /\bbr\b/.test(accepted);
    if (isSmall) response.setHeader('content-encoding', 'br');
    response.setHeader('vary', 'accept-encoding');
    const content = (isSmall ? file.brotli : undefined) ?? file.content;
    response.writeHead(200, { 'content-type': file.type, 'content-length': content.length });
    response.end(request.method === 'HEAD' ? undefined : content);
  }
}

function sendAnswer(response: ServerResponse, answer: unknown): void {
  if (answer instanceof RouteProblem) {
    return sendProblem(response, answer.status, answer.message);
  }
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(answer));
}

function sendProblem(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error }));
}

/** Plain text, for the person who opens the address in a browser. */
function sendRefusal(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}

function parseUrl(target: string): URL | undefined {
  if (!target.startsWith('/')) return undefined;
  return URL.canParse(`http://inspector${target}`)
    ? new URL(`http://inspector${target}`)
    : undefined;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/json')) {
    return new RouteProblem(400, 'the body must be application/json');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) return new RouteProblem(413, 'the body is too large');
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return new RouteProblem(400, 'the body is not JSON');
  }
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

/** Returns a host as it stands in a URL. */
function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
