import { createHash, timingSafeEqual } from 'node:crypto';

import { aggregateMessage } from 'client-ts/internal';

import type { UserInfo } from './user.ts';

/** What this server calls itself in tokens, unless told otherwise. */
export const DEFAULT_AUDIENCE = 'https://kubernetes.default.svc';

/** What an authenticator makes of a token. */
export type TokenVerdict =
  | { readonly outcome: 'accepted'; readonly user: UserInfo; readonly audiences: readonly string[] }
  /** One of its own, but not valid; the reason never holds the token. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** None of its own. */
  | { readonly outcome: 'unknown' };

/** Knows some kind of bearer token. */
export interface TokenAuthenticator {
  /** `audiences` are those that the token must be for; one of them is enough. */
  authenticate(token: string, audiences: readonly string[]): TokenVerdict;
}

/** Asks each authenticator in turn. A token that nobody accepts is refused. */
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
 * Tokens that stand for fixed users, for every audience. Only digests are kept, and every lookup
 * compares them all in constant time, so neither a heap dump nor the time of an answer gives a
 * token away.
 */
export class StaticTokens implements TokenAuthenticator {
  readonly #known: KnownToken[] = [];

  constructor(users: Readonly<Record<string, UserInfo>> = {}) {
    for (const [token, user] of Object.entries(users)) this.add(token, user);
  }

  /** Accepts `token` from now on. Throws if it could not be sent in a header. */
  add(token: string, user: UserInfo): void {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new TypeError(`the token of user ${user.name} must be printable ASCII without spaces`);
    }
    this.remove(token);
    this.#known.push({ digest: digestOf(token), user });
  }

  /** Refuses `token` from now on. */
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
  return createHash('sha256').update(token).digest();
}
