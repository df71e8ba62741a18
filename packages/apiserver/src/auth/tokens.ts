import { hash, timingSafeEqual } from 'node:crypto';

import { aggregateMessage, OptionError, quoteGo } from 'client-ts/internal';

import type { UserInfo } from './user.ts';

/** The default audience of tokens for this server. */
export const DEFAULT_AUDIENCE = 'https://kubernetes.default.svc';

/** The result of checking a token. */
export type TokenVerdict =
  | { readonly outcome: 'accepted'; readonly user: UserInfo; readonly audiences: readonly string[] }
  /** Recognised, but not valid; the reason never contains the token. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Not a token of this authenticator. */
  | { readonly outcome: 'unknown' };

/** Authenticates one kind of bearer token. */
export interface TokenAuthenticator {
  /** The token must be for at least one of `audiences`. */
  authenticate(token: string, audiences: readonly string[]): TokenVerdict;
}

/** Tries each authenticator in order. A token that none accepts is refused. */
export function authenticateToken(
  authenticators: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[],
): Exclude<TokenVerdict, { outcome: 'unknown' }> {
  const reasons: string[] = ['invalid bearer token'];
  for (const authenticator of authenticators) {
    const verdict = authenticator.authenticate(token, audiences);
    if (verdict.outcome === 'accepted') return verdict;
    if (verdict.outcome === 'refused') reasons.push(verdict.reason);
  }
  return { outcome: 'refused', reason: aggregateMessage(reasons) };
}

interface KnownToken {
  readonly digest: Buffer;
  readonly user: UserInfo;
}

/**
 * Tokens of fixed users, for every audience. Only digests are kept, and every lookup compares all
 * of them in constant time, so neither a heap dump nor response times reveal a token.
 */
export class StaticTokens implements TokenAuthenticator {
  readonly #known: KnownToken[] = [];

  constructor(users: Readonly<Record<string, UserInfo>> = {}) {
    for (const [token, user] of Object.entries(users)) this.add(token, user);
  }

  /** Accepts `token` from now on. Throws an `OptionError` if a header cannot carry it. */
  add(token: string, user: UserInfo): void {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new OptionError(
        'tokens',
        `the token of user ${quoteGo(user.name)} is not printable ASCII without spaces`,
      );
    }
    this.remove(token);
    this.#known.push({ digest: digestOf(token), user });
  }

  /** Rejects `token` from now on. */
  remove(token: string): void {
    const digest = digestOf(token);
    const index = this.#known.findIndex((known) => timingSafeEqual(known.digest, digest));
    if (index !== -1) this.#known.splice(index, 1);
  }

  authenticate(token: string, audiences: readonly string[]): TokenVerdict {
    const digest = digestOf(token);
    let found: UserInfo | undefined;
    for (const known of this.#known) {
      if (timingSafeEqual(known.digest, digest)) found = known.user;
    }
    return found === undefined
      ? { outcome: 'unknown' }
      : { outcome: 'accepted', user: found, audiences };
  }
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
