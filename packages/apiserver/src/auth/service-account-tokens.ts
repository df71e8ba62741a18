import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';

import { type Clock, quoteGo, type Random } from 'client-ts/internal';

import { BoundedMap } from './bounded-map.ts';
import { DEFAULT_AUDIENCE, type TokenAuthenticator, type TokenVerdict } from './tokens.ts';
import { serviceAccountGroups } from './user.ts';

/** The object that a token is bound to: the token is invalid once the object is gone. */
export interface BoundObject {
  readonly kind: 'Node' | 'Pod' | 'Secret';
  readonly name: string;
  readonly uid: string;
}

export interface TokenSpec {
  readonly namespace: string;
  readonly name: string;
  /** Uid of the service account; the token is invalid for another account with the same name. */
  readonly uid: string;
  /** Default: the audience of this server. */
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
  readonly issuer?: string | undefined;
  /** The private key, as PEM. Default: generated when the first token is issued. */
  readonly key?: string | undefined;
  /** Returns the uid of the current service account; undefined if there is none. */
  readonly currentUid: (namespace: string, name: string) => string | undefined;
}

interface Reference {
  readonly name: string;
  readonly uid: string;
}

/** The claims of a token signed by this server. */
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

/** The OpenID discovery document: where to find the keys that verify tokens. */
export interface OpenIdConfiguration {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly response_types_supported: readonly string[];
  readonly subject_types_supported: readonly string[];
  readonly id_token_signing_alg_values_supported: readonly string[];
}

/** How many tokens are remembered, so that their signature is verified once. */
const VERIFIED_TOKENS = 1000;

/**
 * Issues and verifies signed service account tokens, as `kubectl create token` requests them. A
 * key that is generated on first use never leaves the process, so its tokens do not outlive it.
 */
export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #options: ServiceAccountTokensOptions;
  readonly #issuer: string;
  #making: Promise<ServiceAccountKey> | undefined;
  /** Undefined until the first token is issued; until then no token can be valid. */
  #key: ServiceAccountKey | undefined;
  /** By the digests of tokens that this key has signed. */
  readonly #verified = new BoundedMap<string, Claims>(VERIFIED_TOKENS);

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    this.#issuer = options.issuer ?? DEFAULT_AUDIENCE;
    if (options.key !== undefined) {
      this.#key = ServiceAccountKey.read(options.key);
      this.#making = Promise.resolve(this.#key);
    }
  }

  /** Generates the key if needed. Resolves to a synchronous function that issues tokens. */
  async issuer(): Promise<(spec: TokenSpec) => IssuedToken> {
    const key = await this.#keyOnce();
    return (spec) => this.#issue(key, spec);
  }

  /** Returns the public keys, for others to verify tokens. */
  async publicKeys(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    const key = await this.#keyOnce();
    return { keys: [key.toJwk()] };
  }

  /** Returns the OpenID configuration of this issuer, with its keys at `keysUrl`. */
  openIdConfiguration(keysUrl: string): OpenIdConfiguration {
    return {
      issuer: this.#issuer,
      jwks_uri: keysUrl,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [ServiceAccountKey.algorithm],
    };
  }

  #issue(key: ServiceAccountKey, spec: TokenSpec): IssuedToken {
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
    return { token: key.sign(claims), expiresAt: claims.exp * 1000 };
  }

  authenticate(token: string, audiences: readonly string[]): TokenVerdict {
    const claims = this.#claimsOf(token);
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

  /**
   * Returns the claims of a token with a valid signature. Verifying takes as long as the rest of a small request, so it is done once
   * for each token; whether the claims still hold is decided at every request. Only digests of tokens are kept.
   */
  #claimsOf(token: string): Claims | undefined {
    if (this.#key === undefined) return undefined;
    const digest = hash('sha256', token, 'base64');
    let claims = this.#verified.get(digest);
    if (claims === undefined) {
      claims = this.#key.verify(token) as Claims | undefined;
      if (claims !== undefined) this.#verified.set(digest, claims);
    }
    return claims;
  }

  async #keyOnce(): Promise<ServiceAccountKey> {
    this.#making ??= ServiceAccountKey.generate();
    this.#key = await this.#making;
    return this.#key;
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

function quoteAll(values: readonly string[]): string {
  return `[${values.map(quoteGo).join(' ')}]`;
}

const generate = promisify(generateKeyPair);

const ALGORITHM = 'RS256';
const BITS = 2048;

/** A public key in a JSON Web Key Set. */
export interface PublicJwk {
  readonly use: 'sig';
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly n: string;
  readonly e: string;
}

/** Generates a private key for service account tokens, as PEM. */
export async function generateServiceAccountKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key pair that signs service account tokens. */
class ServiceAccountKey {
  /** The signature algorithm, as named in tokens and OpenID. */
  static readonly algorithm: string = ALGORITHM;
  /** The key id: a digest of the public key. */
  readonly id: string;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;

  private constructor(privateKey: KeyObject) {
    const publicKey = createPublicKey(privateKey);
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
    const der = publicKey.export({ type: 'spki', format: 'der' });
    this.id = createHash('sha256').update(der).digest('base64url');
  }

  /** Generates a key pair on another thread, because it is slow. */
  static async generate(): Promise<ServiceAccountKey> {
    const { privateKey } = await generate('rsa', { modulusLength: BITS });
    return new ServiceAccountKey(privateKey);
  }

  /** Reads a private key in PEM. */
  static read(text: string): ServiceAccountKey {
    return new ServiceAccountKey(createPrivateKey(text));
  }

  /** Returns a signed token with these claims. */
  sign(claims: object): string {
    const content = `${encode({ alg: ALGORITHM, kid: this.id })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), this.#privateKey);
    return `${content}.${signature.toString('base64url')}`;
  }

  /** Returns the claims of a token that this key has signed; undefined for other tokens. */
  verify(token: string): unknown {
    const [head = '', body = '', signature = '', rest] = token.split('.');
    if (signature === '' || rest !== undefined) return undefined;
    const content = Buffer.from(`${head}.${body}`);
    const isOurs = verify('sha256', content, this.#publicKey, Buffer.from(signature, 'base64url'));
    return isOurs ? JSON.parse(Buffer.from(body, 'base64url').toString()) : undefined;
  }

  /** Returns the public key, for others to verify tokens. */
  toJwk(): PublicJwk {
    const { kty = '', n = '', e = '' } = this.#publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.id, alg: ALGORITHM, n, e };
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
