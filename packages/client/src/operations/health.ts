import { ApiError } from '../meta/api-error.ts';
import { type ConnectionOptions, RESTClient } from '../rest/rest-client.ts';
import type { Config } from '../transport/config.ts';

/** One check of a server, such as `etcd`. */
export interface ServerCheck {
  readonly name: string;
  readonly isHealthy: boolean;
}

/** What a server says about its health. */
export interface Health {
  readonly isHealthy: boolean;
  readonly checks: readonly ServerCheck[];
  /** The answer of the server. */
  readonly text: string;
}

/** Options of the methods of a {@link HealthClient}. */
export interface HealthOptions {
  /** Checks to leave out, by name. */
  readonly exclude?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks an API server for its health. A server that answers that it is not healthy is a result; one
 * that does not answer, or refuses the question, is an error.
 *
 * ```ts
 * await using health = new HealthClient(await loadConfig());
 * const { isHealthy, checks } = await health.readyz();
 * ```
 */
export class HealthClient implements AsyncDisposable {
  /** Sends the requests of this client. */
  readonly rest: RESTClient;
  readonly #owned: RESTClient | undefined;

  /** Opens connections for a config, or shares those of a `RESTClient`. */
  constructor(config: Config | RESTClient, options: ConnectionOptions = {}) {
    // A server that is not ready answers 500, which would be retried.
    const { rest, owned } = RESTClient.from(config, { maxRetries: 0, ...options });
    this.rest = rest;
    this.#owned = owned;
  }

  /** Whether the server runs; if not, it should be restarted. */
  livez(options: HealthOptions = {}): Promise<Health> {
    return this.#ask('/livez', options);
  }

  /** Whether the server is ready for requests. */
  readyz(options: HealthOptions = {}): Promise<Health> {
    return this.#ask('/readyz', options);
  }

  /** Closes the connections, unless they belong to a `RESTClient` that was passed in. */
  async close(): Promise<void> {
    await this.#owned?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #ask(path: string, { exclude = [], timeoutMs, signal }: HealthOptions): Promise<Health> {
    const request = this.rest.get().absPath(path).params({ verbose: true, exclude });
    const limited = timeoutMs === undefined ? request : request.timeout(timeoutMs);
    try {
      const result = await limited.do({ signal });
      return healthOf(true, result.text());
    } catch (error) {
      if (!(error instanceof ApiError) || error.status.code !== 500) throw error;
      return healthOf(false, error.status.message ?? '');
    }
  }
}

/** Reads lines such as `[+]etcd ok` and `[-]etcd failed: reason withheld`. */
function healthOf(isHealthy: boolean, text: string): Health {
  const checks = Array.from(text.matchAll(/\[([+-])\](\S+)/g), ([, sign, name = '']) => ({
    name,
    isHealthy: sign === '+',
  }));
  return { isHealthy, checks, text };
}
