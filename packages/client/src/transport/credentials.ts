import { readFile } from 'node:fs/promises';
import type { Clock } from '../lib/clock.ts';
import type { AuthConfig, Credentials, CredentialSource } from './config.ts';
import { publish } from './diagnostics.ts';
import { TransportError } from './transport-error.ts';

export interface TokenFileOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly maxAgeMs: number;
  /** Used until the file has been read once. */
  readonly fallback: string | undefined;
}

/**
 * The bearer token in a file that is renewed by another program, as kubelets do for pods. When a
 * server refuses the token, the file is read again immediately.
 */
export class TokenFile implements CredentialSource {
  readonly #credentials: Reloaded<Credentials>;
  readonly #fallback: string | undefined;
  #inUse: string | undefined;

  constructor(path: string, { clock, maxAgeMs, fallback }: TokenFileOptions) {
    this.#fallback = fallback;
    this.#credentials = new Reloaded({
      clock,
      maxAgeMs,
      load: async () => this.#use(await readToken(path)),
      onFailure: (error) => reportFailure(error),
    });
  }

  async get(): Promise<Credentials> {
    try {
      return await this.#credentials.get();
    } catch (error) {
      if (this.#fallback === undefined) throw error;
      reportFailure(error);
      return bearer(this.#fallback);
    }
  }

  refused({ authorization }: Credentials): void {
    // Another request may have read the new token already.
    if (this.#inUse === undefined || authorization === bearer(this.#inUse).authorization) {
      this.#credentials.expire();
    }
  }

  #use(token: string): Credentials {
    if (this.#inUse !== undefined && this.#inUse !== token) {
      publish('client-ts:credentials:reload', () => ({ what: 'token', outcome: 'updated' }));
    }
    this.#inUse = token;
    return bearer(token);
  }
}

async function readToken(path: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    throw new TransportError(
      'TRANSPORT_CREDENTIALS_FAILED',
      `auth.tokenFile: cannot read ${path}`,
      {
        cause,
      },
    );
  }
  if (token === '') {
    throw new TransportError('TRANSPORT_CREDENTIALS_FAILED', `auth.tokenFile: ${path} is empty`);
  }
  return token;
}

function reportFailure(error: unknown): void {
  publish('client-ts:credentials:reload', () => ({ what: 'token', outcome: 'failed', error }));
}

function bearer(token: string): Credentials {
  return { authorization: `Bearer ${token}` };
}

export interface ConfiguredCredentialsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long a token is used before its file is read again. */
  readonly tokenMaxAgeMs: number;
}

/**
 * Returns the source of the configured credentials: a token file (with `token` as fallback), a
 * token, user and password, or `source`; the first that is set.
 */
export function configuredCredentials(
  { token, tokenFile, username, password = '', source }: AuthConfig,
  { clock, tokenMaxAgeMs }: ConfiguredCredentialsOptions,
): CredentialSource | undefined {
  if (tokenFile !== undefined) {
    return new TokenFile(tokenFile, { clock, maxAgeMs: tokenMaxAgeMs, fallback: token });
  }
  if (token !== undefined) return fixed({ authorization: `Bearer ${token}` });
  if (username !== undefined) {
    const pair = Buffer.from(`${username}:${password}`).toString('base64');
    return fixed({ authorization: `Basic ${pair}` });
  }
  return source;
}

/** Credentials that never change. */
function fixed(credentials: Credentials): CredentialSource {
  const found = Promise.resolve(credentials);
  return { get: () => found, refused: () => undefined };
}

export interface ReloadedOptions<T> {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** A value older than this is loaded again when it is next requested. */
  readonly maxAgeMs: number;
  readonly load: () => Promise<T>;
  /** Called when loading fails and the previous value stays in use. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** A failed reload is retried after this time, even if the maximum age is longer. */
const RETRY_MS = 1000;

/**
 * A cached value that is loaded from a file on first use, and again when it is older than
 * `maxAgeMs`. While loading fails, the last good value stays in use. Concurrent calls share one
 * load.
 */
export class Reloaded<T> {
  readonly #options: ReloadedOptions<T>;
  #value: { readonly value: T } | undefined;
  #dueAt = -Infinity;
  #loading: Promise<T> | undefined;

  constructor(options: ReloadedOptions<T>) {
    this.#options = options;
  }

  /** Returns the value. Rejects only if none has ever been loaded. */
  get(): Promise<T> {
    if (this.#value !== undefined && this.#options.clock.monotonic() < this.#dueAt) {
      return Promise.resolve(this.#value.value);
    }
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Makes the next call of {@link get} load the value. */
  expire(): void {
    this.#dueAt = -Infinity;
  }

  async #load(): Promise<T> {
    const { clock, maxAgeMs, load, onFailure } = this.#options;
    try {
      const value = await load();
      this.#value = { value };
      this.#dueAt = clock.monotonic() + maxAgeMs;
      return value;
    } catch (error) {
      if (this.#value === undefined) throw error;
      this.#dueAt = clock.monotonic() + Math.min(maxAgeMs, RETRY_MS);
      onFailure?.(error);
      return this.#value.value;
    } finally {
      this.#loading = undefined;
    }
  }
}
