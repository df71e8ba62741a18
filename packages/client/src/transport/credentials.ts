import { readFile } from 'node:fs/promises';
import type { Clock } from '../lib/clock.ts';
import type { AuthConfig, Credentials, CredentialSource } from './config.ts';
import { publish } from './diagnostics.ts';
import { TransportError } from './transport-error.ts';

export interface TokenFileOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly maxAgeMs: number;
  /** Used as long as the file has never been readable. */
  readonly fallback: string | undefined;
}

/**
 * The bearer token in a file that somebody renews, as kubelets do for pods. When a server refuses
 * the token, the file is read at once.
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
    // Another request may have found the new token already.
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
  /** How long the token of a file is used before the file is read again. */
  readonly tokenMaxAgeMs: number;
}

/**
 * Where the credentials of a configuration come from: a token (from a file that can be read, or
 * given), user and password, or a source of its own; the first of these that is there.
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

/** Credentials that never change: refusing them brings no others. */
function fixed(credentials: Credentials): CredentialSource {
  const found = Promise.resolve(credentials);
  return { get: () => found, refused: () => undefined };
}

export interface ReloadedOptions<T> {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** What was loaded longer ago than this is loaded again when it is next asked for. */
  readonly maxAgeMs: number;
  readonly load: () => Promise<T>;
  /** Told when loading fails and an earlier value goes on being used. */
  readonly onFailure?: (error: unknown) => void;
}

/** A failed reload is tried again after this, also if the value is meant to last longer. */
const RETRY_MS = 1000;

/**
 * A value that comes from a file and follows it: loaded when first asked for, and again when it is
 * old. While loading fails, the last good value stays. Who asks at the same time shares one load.
 */
export class Reloaded<T> {
  readonly #options: ReloadedOptions<T>;
  #value: { readonly value: T } | undefined;
  #dueAt = -Infinity;
  #loading: Promise<T> | undefined;

  constructor(options: ReloadedOptions<T>) {
    this.#options = options;
  }

  /** Rejects only if there has never been a value. */
  get(): Promise<T> {
    if (this.#value !== undefined && this.#options.clock.monotonic() < this.#dueAt) {
      return Promise.resolve(this.#value.value);
    }
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The value is suspect: the next call of {@link get} loads it. */
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
