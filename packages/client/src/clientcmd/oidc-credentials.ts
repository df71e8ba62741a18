import { abortable, type Clock, isJsonObject, type JsonObject, systemClock } from '../lib/index.ts';
import type { Credentials, CredentialSource } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { dataOrFile } from './files.ts';
import { modifyConfig } from './modify.ts';
import { askIssuer, type IssuerAnswer, type OidcRequest } from './oidc-request.ts';

/** A token that ends sooner than this is not worth sending. */
const EXPIRY_MARGIN_MS = 10_000;

export interface OidcCredentialsOptions {
  /** The `config` of the auth-provider stanza. */
  readonly config: Readonly<Record<string, string>>;
  readonly userName: string;
  /** The kubeconfig that the stanza stands in, and that new tokens are written back to. */
  readonly origin: string;
  readonly clock?: Clock;
}

/**
 * The `oidc` auth provider: an id token that is used until shortly before it expires, and then
 * refreshed once, for all requests together. New tokens are written back to the kubeconfig, because
 * many issuers accept a refresh token only once.
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

  async get(signal?: AbortSignal): Promise<Credentials> {
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

  /** A kubeconfig that cannot be written is no reason to fail a request that could succeed. */
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

/** As the parts of an HTTP Basic header are encoded in OAuth 2 (RFC 6749, 2.3.1). */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** When a JWT expires, in milliseconds; undefined if it does not say or is none. */
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
