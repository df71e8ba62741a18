import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Options of {@link Access}. */
export interface AccessOptions {
  readonly port: number;
  /** Host names besides the loopback addresses, without a port or with one. */
  readonly allowedHosts: readonly string[];
  /** False lets everything in that comes to an allowed host. */
  readonly needsToken: boolean;
}

/** One-time tokens that were not used are forgotten beyond this number, the oldest first. */
const MAX_TOKENS = 16;

/** Browsers that are signed in beyond this number are signed out, the oldest first. */
const MAX_COOKIES = 64;

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 421;
  readonly message: string;
}

/**
 * Decides who may talk to the server. A browser presents a one-time token once and gets a cookie for it;
 * the token is void from then on. Names other than those of this machine are refused, so that no web site can
 * reach the server by pointing its own name at it, and so are requests that another site makes.
 */
export class Access {
  readonly cookieName: string;
  /** Mints tokens; in the discovery file, for the same user. */
  readonly secret: string = newSecret();
  readonly #options: AccessOptions;
  readonly #hosts: ReadonlySet<string>;
  #tokens: readonly string[] = [];
  #cookies: readonly string[] = [];

  constructor(options: AccessOptions) {
    const { port, allowedHosts } = options;
    this.#options = options;
    this.cookieName = `client-ts-inspector-${port}`;
    const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
    const others = allowedHosts.flatMap((name) =>
      /:\d+$/.test(name) ? [name] : [name, `${name}:${port}`],
    );
    this.#hosts = new Set([...names, ...others].map((name) => name.toLowerCase()));
  }

  get needsToken(): boolean {
    return this.#options.needsToken;
  }

  /** Returns a token that can be used once. */
  mint(): string {
    // Short enough to stand in one line of a terminal.
    const token = newSecret(16);
    this.#tokens = [...this.#tokens, hashOf(token)].slice(-MAX_TOKENS);
    return token;
  }

  /** Returns the value of a cookie for a token, which is void from now on; undefined if it is not valid. */
  redeem(token: string): string | undefined {
    const hash = hashOf(token);
    if (!isAmong(hash, this.#tokens)) return undefined;
    this.#tokens = this.#tokens.filter((each) => each !== hash);
    const cookie = newSecret();
    this.#cookies = [...this.#cookies, hashOf(cookie)].slice(-MAX_COOKIES);
    return cookie;
  }

  /** Returns true if a request carries the secret of the discovery file. */
  hasSecret({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    const [scheme, value = ''] = (headers.authorization ?? '').split(' ');
    return scheme === 'Bearer' && isAmong(hashOf(value), [hashOf(this.secret)]);
  }

  /** Returns why a request is refused before its path is looked at; undefined if it is not. */
  refuseOrigin({ headers }: Pick<IncomingMessage, 'headers'>): Refusal | undefined {
    const { host = '', origin } = headers;
    if (!this.#hosts.has(host.toLowerCase())) {
      const message = 'this server does not answer to that host name';
      return { status: 421, message };
    }
    const site = headers['sec-fetch-site'];
    const isForeign =
      (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none');
    if (!isForeign) return undefined;
    // A link in another page may open this one; everything else it must not do.
    const isLink = origin === undefined && headers['sec-fetch-mode'] === 'navigate';
    return isLink ? undefined : { status: 403, message: 'requests of other sites are refused' };
  }

  /** Returns why a request without a valid cookie is refused; undefined if it has one. */
  refuseStranger({ headers }: Pick<IncomingMessage, 'headers'>): Refusal | undefined {
    if (!this.needsToken) return undefined;
    const cookies = (headers.cookie ?? '').split(/;\s*/);
    const prefix = `${this.cookieName}=`;
    const values = cookies.filter((each) => each.startsWith(prefix));
    if (values.some((each) => isAmong(hashOf(each.slice(prefix.length)), this.#cookies))) {
      return undefined;
    }
    return {
      status: 401,
      message:
        'open the address that the program has printed: it has a token, which can be used once. `client-ts inspect --pid PID` prints a new one',
    };
  }
}

function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Hashes have one length, and comparing them tells nothing about the secrets. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function isAmong(hash: string, hashes: readonly string[]): boolean {
  let found = false;
  for (const each of hashes) {
    if (timingSafeEqual(Buffer.from(each), Buffer.from(hash))) found = true;
  }
  return found;
}
