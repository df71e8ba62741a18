import { readFile } from 'node:fs/promises';

import type { Clock } from '../../lib/clock.ts';
import type { Credentials, CredentialSource } from '../config.ts';
import { publish } from '../diagnostics.ts';
import { Reloaded } from '../reloaded.ts';
import { TransportError } from '../transport-error.ts';

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
