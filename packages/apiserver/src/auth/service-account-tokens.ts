import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';

import { type Clock, quoteGo, type Random } from 'client-ts/lib';

import { DEFAULT_AUDIENCE, type TokenAuthenticator, type TokenVerdict } from './tokens.ts';
import { serviceAccountGroups } from './user.ts';

/** The object that a token lives and dies with. */
export interface BoundObject {
  readonly kind: 'Node' | 'Pod' | 'Secret';
  readonly name: string;
  readonly uid: string;
}

export interface TokenSpec {
  readonly namespace: string;
  readonly name: string;
  /** Of the service account; the token is worth nothing once another one has its name. */
  readonly uid: string;
  /** Default: the server itself. */
  readonly audiences?: readonly string[];
  readonly expirationSeconds: number;
  readonly boundObject?: BoundObject;
}

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface ServiceAccountTokensOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly issuer?: string;
  /** The uid of the service account that exists now; undefined if there is none. */
  readonly currentUid: (namespace: string, name: string) => string | undefined;
}

interface Reference {
  readonly name: string;
  readonly uid: string;
}

/** The claims of a token that the server itself has signed. */
interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly node?: Reference;
    readonly pod?: Reference;
    readonly secret?: Reference;
    readonly serviceaccount: Reference;
  };
  readonly nbf: number;
  readonly sub: string;
}

/**
 * Signed tokens for service accounts, as `kubectl create token` asks for. The key is made at start
 * and never leaves the process, so tokens end with it.
 */
export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #options: ServiceAccountTokensOptions;
  readonly #issuer: string;
  #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    this.#issuer = options.issuer ?? DEFAULT_AUDIENCE;
  }

  issue(spec: TokenSpec): IssuedToken {
    const { clock, random } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    const { namespace, name, uid, boundObject } = spec;
    const claims: Claims = {
      aud: [...(spec.audiences ?? [this.#issuer])],
      exp: now + spec.expirationSeconds,
      iat: now,
      iss: this.#issuer,
      jti: random.uuid(),
      'kubernetes.io': {
        namespace,
        ...boundClaim(boundObject),
        serviceaccount: { name, uid },
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const content = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`;
    const { privateKey } = this.#keyPair();
    const signature = sign('sha256', Buffer.from(content), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    const token = `${content}.${signature.toString('base64url')}`;
    return { token, expiresAt: claims.exp * 1000 };
  }

  authenticate(token: string, audiences: readonly string[]): TokenVerdict {
    const claims = this.#verified(token);
    if (claims === undefined) return { outcome: 'unknown' };
    if (claims.exp * 1000 <= this.#options.clock.now()) {
      return { outcome: 'refused', reason: 'service account token has expired' };
    }
    const shared = claims.aud.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) {
      const reason = `token audiences ${quoteAll(claims.aud)} is invalid for the target audiences ${quoteAll(audiences)}`;
      return { outcome: 'refused', reason };
    }
    const { namespace, serviceaccount } = claims['kubernetes.io'];
    const uid = this.#options.currentUid(namespace, serviceaccount.name);
    if (uid !== serviceaccount.uid) {
      return { outcome: 'refused', reason: 'service account token has been invalidated' };
    }
    return { outcome: 'accepted', user: userOf(claims), audiences: shared };
  }

  /** The claims, if the signature is ours. What we have signed has the right shape. */
  #verified(token: string): Claims | undefined {
    const [head = '', body = '', signature = '', rest] = token.split('.');
    if (this.#keys === undefined || signature === '' || rest !== undefined) return undefined;
    const key = { key: this.#keys.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const content = Buffer.from(`${head}.${body}`);
    if (!verify('sha256', content, key, Buffer.from(signature, 'base64url'))) return undefined;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
  }

  /** Made when first needed: most servers never issue a token. */
  #keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
    this.#keys ??= generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return this.#keys;
  }
}

function boundClaim(bound: BoundObject | undefined): Record<string, Reference> {
  if (bound === undefined) return {};
  return { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } };
}

function userOf(claims: Claims): Extract<TokenVerdict, { outcome: 'accepted' }>['user'] {
  const { namespace, serviceaccount, pod, node } = claims['kubernetes.io'];
  const extra: Record<string, string[]> = {
    'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`],
  };
  for (const [kind, bound] of Object.entries({ pod, node })) {
    if (bound === undefined) continue;
    extra[`authentication.kubernetes.io/${kind}-name`] = [bound.name];
    extra[`authentication.kubernetes.io/${kind}-uid`] = [bound.uid];
  }
  return {
    name: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
    uid: serviceaccount.uid,
    groups: serviceAccountGroups(namespace),
    extra,
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function quoteAll(values: readonly string[]): string {
  return `[${values.map(quoteGo).join(' ')}]`;
}
