import { readFile } from 'node:fs/promises';
import { abortable, type Clock, isJsonObject, type JsonObject, systemClock } from '../lib/index.ts';
import type { Credentials, CredentialSource } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { resolvePath } from './files.ts';
import { modifyConfig } from './modify.ts';

/** A token that ends sooner than this is not worth sending. */
const EXPIRY_MARGIN_MS = 10_000;
const LONGEST_ANSWER = 1024 * 1024;
const TIMEOUT_MS = 30_000;

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
    const ca = await this.#authority();
    const discovered = await this.#ask(
      new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
      ca,
    );
    const endpoint = discovered['token_endpoint'];
    if (typeof endpoint !== 'string') throw this.#failure('the issuer names no token endpoint');
    const answer = await this.#ask(new URL(endpoint), ca, {
      grant_type: 'refresh_token',
      refresh_token: this.#refreshToken,
    });
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

  async #authority(): Promise<string | undefined> {
    const { config, origin } = this.#options;
    const data = config['idp-certificate-authority-data'] ?? '';
    if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
    const file = config['idp-certificate-authority'] ?? '';
    return file === '' ? undefined : await readFile(resolvePath(file, origin), 'utf8');
  }

  async #ask(url: URL, ca: string | undefined, form?: Record<string, string>): Promise<JsonObject> {
    const { config } = this.#options;
    const client = `${encodeURIComponent(config['client-id'] ?? '')}:${encodeURIComponent(config['client-secret'] ?? '')}`;
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    // Loaded here, because most programs never refresh a token.
    const { request: send } = await (url.protocol === 'http:'
      ? import('node:http')
      : import('node:https'));
    return await new Promise<JsonObject>((resolve, reject) => {
      const fail = (problem: string, cause?: unknown): void =>
        reject(this.#failure(`${url.origin}${url.pathname} ${problem}`, cause));
      const request = send(
        url,
        {
          method: body === undefined ? 'GET' : 'POST',
          agent: false,
          timeout: TIMEOUT_MS,
          ...(ca !== undefined && { ca }),
          headers:
            body === undefined
              ? { accept: 'application/json' }
              : {
                  accept: 'application/json',
                  authorization: `Basic ${Buffer.from(client).toString('base64')}`,
                  'content-type': 'application/x-www-form-urlencoded',
                },
        },
        (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size <= LONGEST_ANSWER) chunks.push(chunk);
          });
          response.on('error', (cause) => fail('broke off', cause));
          response.on('end', () => {
            if (response.statusCode !== 200) return fail(`answered ${response.statusCode}`);
            try {
              const answer: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
              if (isJsonObject(answer)) return resolve(answer);
            } catch {
              // Answered below; what came may hold tokens and is not quoted.
            }
            return fail('did not answer with JSON');
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error('timed out')));
      request.on('error', (cause) => fail('cannot be reached', cause));
      request.end(body);
    });
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
