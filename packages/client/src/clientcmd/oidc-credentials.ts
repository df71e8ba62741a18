import {
  abortable,
  type Clock,
  isJsonObject,
  type JsonObject,
  nodeHttp,
  nodeHttps,
  systemClock,
} from '../lib/index.ts';
import type { Credentials, CredentialSource } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { dataOrFile } from './files.ts';
import { modifyConfig } from './modify.ts';

/** A token that expires within this time is refreshed. */
const EXPIRY_MARGIN_MS = 10_000;

/** Options of {@link OidcCredentials}. */
export interface OidcCredentialsOptions {
  /** The `config` of the auth-provider stanza. */
  readonly config: Readonly<Record<string, string>>;
  readonly userName: string;
  /** The kubeconfig that contains the stanza and receives new tokens. */
  readonly origin: string;
  readonly clock?: Clock | undefined;
}

/**
 * The `oidc` auth provider: an id token that is used until shortly before it expires, and then
 * refreshed once for all requests. New tokens are written back to the kubeconfig, because many
 * issuers accept a refresh token only once.
 */
export class OidcCredentials implements CredentialSource {
  readonly #options: OidcCredentialsOptions;
  readonly #clock: Clock;
  #idToken: string;
  #refreshToken: string;
  #current: Credentials | undefined;
  #running: Promise<Credentials> | undefined;
  #clientIn: 'body' | 'header' | undefined;

  constructor(options: OidcCredentialsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#idToken = options.config['id-token'] ?? '';
    this.#refreshToken = options.config['refresh-token'] ?? '';
  }

  async get({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Credentials> {
    if (this.#isFresh()) {
      return (this.#current ??= { authorization: `Bearer ${this.#idToken}` });
    }
    this.#running ??= this.#refresh().finally(() => (this.#running = undefined));
    return await abortable(this.#running, signal);
  }

  refused(credentials: Credentials): void {
    if (this.#current !== credentials) return;
    this.#current = undefined;
    this.#idToken = '';
  }

  #isFresh(): boolean {
    if (this.#idToken === '') return false;
    const expiry = expiryOf(this.#idToken);
    return expiry !== undefined && expiry - EXPIRY_MARGIN_MS > this.#clock.now();
  }

  async #refresh(): Promise<Credentials> {
    const { config } = this.#options;
    const issuer = config['idp-issuer-url'] ?? '';
    if (issuer === '') throw this.#failure('idp-issuer-url is not set');
    if (this.#refreshToken === '') {
      throw this.#failure('the id token has expired and there is no refresh-token; log in again');
    }
    const answer = await this.#askForTokens(issuer);
    const idToken = answer['id_token'];
    if (typeof idToken !== 'string' || idToken === '') {
      throw this.#failure('the issuer answered without an id token');
    }
    const refreshToken = answer['refresh_token'];
    if (typeof refreshToken === 'string' && refreshToken !== '') this.#refreshToken = refreshToken;
    this.#idToken = idToken;
    await this.#writeBack();
    this.#current = { authorization: `Bearer ${idToken}` };
    return this.#current;
  }

  /** A kubeconfig that cannot be written does not fail the request. */
  async #writeBack(): Promise<void> {
    const { origin, userName } = this.#options;
    const tokens = { 'id-token': this.#idToken, 'refresh-token': this.#refreshToken };
    await modifyConfig(origin, (document) => {
      document.setUserAuthProvider(userName, tokens);
    }).catch(() => undefined);
  }

  async #askForTokens(issuer: string): Promise<JsonObject> {
    const ca = await this.#authority();
    const base = issuer.replace(/\/$/, '');
    const configuration = this.#url(`${base}/.well-known/openid-configuration`, 'idp-issuer-url');
    const discovered = this.#bodyOf(configuration, await this.#ask({ url: configuration, ca }));
    const { issuer: named, token_endpoint: endpoint } = discovered;
    if (typeof named !== 'string' || named.replace(/\/$/, '') !== base) {
      throw this.#failure('idp-issuer-url and the issuer that answers there are not the same');
    }
    if (typeof endpoint !== 'string') throw this.#failure('the issuer names no token endpoint');
    const url = this.#url(endpoint, 'the token endpoint of the issuer');
    // Issuers differ in where they expect the client id; Go's oauth2 tries in the same order.
    const places = this.#clientIn === undefined ? (['header', 'body'] as const) : [this.#clientIn];
    let answer: IssuerAnswer = { status: 0 };
    for (const place of places) {
      answer = await this.#refreshAt(url, ca, place);
      if ('status' in answer) continue;
      this.#clientIn = place;
      break;
    }
    return this.#bodyOf(url, answer);
  }

  async #refreshAt(
    url: URL,
    ca: string | undefined,
    clientIn: 'body' | 'header',
  ): Promise<IssuerAnswer> {
    const { 'client-id': id = '', 'client-secret': secret = '' } = this.#options.config;
    const form = { grant_type: 'refresh_token', refresh_token: this.#refreshToken };
    if (clientIn === 'header') {
      const pair = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64');
      return await this.#ask({ url, ca, headers: { authorization: `Basic ${pair}` }, form });
    }
    const client = { client_id: id, ...(secret !== '' && { client_secret: secret }) };
    return await this.#ask({ url, ca, form: { ...form, ...client } });
  }

  async #ask(request: Omit<OidcRequest, 'clock' | 'fail'>): Promise<IssuerAnswer> {
    const fail = (problem: string, cause?: unknown): ConfigError => this.#failure(problem, cause);
    return await askIssuer({ ...request, clock: this.#clock, fail });
  }

  #bodyOf({ origin, pathname }: URL, answer: IssuerAnswer): JsonObject {
    if ('body' in answer) return answer.body;
    throw this.#failure(`${origin}${pathname} answered ${answer.status}`);
  }

  async #authority(): Promise<string | undefined> {
    const { config, origin } = this.#options;
    const { 'idp-certificate-authority-data': data = '', 'idp-certificate-authority': file = '' } =
      config;
    const authority = await dataOrFile(data, file, origin);
    return authority === '' ? undefined : Buffer.from(authority, 'base64').toString('utf8');
  }

  #url(text: string, what: string): URL {
    if (!URL.canParse(text)) throw this.#failure(`${what} is not a URL`);
    return new URL(text);
  }

  #failure(problem: string, cause?: unknown): ConfigError {
    const { userName, origin } = this.#options;
    return new ConfigError(
      'CONFIG_OIDC_FAILED',
      `${origin}: user ${JSON.stringify(userName)}: oidc: ${problem}`,
      cause === undefined ? {} : { cause },
    );
  }
}

/** Encodes a part of an HTTP Basic header for OAuth 2 (RFC 6749, 2.3.1). */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** Returns the expiry of a JWT in milliseconds; undefined if it has none or is invalid. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
    );
    const expiry = isJsonObject(claims) ? claims['exp'] : undefined;
    return typeof expiry === 'number' ? expiry * 1000 : undefined;
  } catch {
    return undefined;
  }
}

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
  const { request: send } = url.protocol === 'http:' ? nodeHttp() : nodeHttps();
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
