import { createHash, generateKeyPair, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

const ALGORITHM = 'RS256';
const BITS = 2048;

/** A public key as JSON Web Key Sets have it. */
export interface PublicJwk {
  readonly use: 'sig';
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly n: string;
  readonly e: string;
}

/** The key pair that the tokens of service accounts are signed with. It never leaves the process. */
export class ServiceAccountKey {
  /** How it signs, as tokens and OpenID name it. */
  static readonly algorithm: string = ALGORITHM;
  /** Names the key: a digest of its public half. */
  readonly id: string;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;

  private constructor(publicKey: KeyObject, privateKey: KeyObject) {
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
    const der = publicKey.export({ type: 'spki', format: 'der' });
    this.id = createHash('sha256').update(der).digest('base64url');
  }

  /** Makes a new pair, on another thread: it takes a while. */
  static async generate(): Promise<ServiceAccountKey> {
    const { publicKey, privateKey } = await generate('rsa', { modulusLength: BITS });
    return new ServiceAccountKey(publicKey, privateKey);
  }

  /** A signed token with these claims. */
  sign(claims: object): string {
    const content = `${encode({ alg: ALGORITHM, kid: this.id })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), this.#privateKey);
    return `${content}.${signature.toString('base64url')}`;
  }

  /** The claims of a token, if this key has signed it. What it has signed is well formed. */
  verify(token: string): unknown {
    const [head = '', body = '', signature = '', rest] = token.split('.');
    if (signature === '' || rest !== undefined) return undefined;
    const content = Buffer.from(`${head}.${body}`);
    const isOurs = verify('sha256', content, this.#publicKey, Buffer.from(signature, 'base64url'));
    return isOurs ? JSON.parse(Buffer.from(body, 'base64url').toString()) : undefined;
  }

  /** The public half, for whoever wants to check tokens elsewhere. */
  toJwk(): PublicJwk {
    const { kty = '', n = '', e = '' } = this.#publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.id, alg: ALGORITHM, n, e };
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
