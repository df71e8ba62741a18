import { type Clock, systemClock } from '../lib/clock.ts';
import type { GroupVersion } from '../meta/resource.ts';
import type { Config } from '../transport/config.ts';
import type { Transport } from '../transport/transport.ts';
import type { CodecName, Engine } from './engine.ts';
import { patchContentType, type PatchType } from './patch-type.ts';
import { Request } from './request.ts';
import type { RequestSpec } from './request-spec.ts';
import { warnOnce } from './warnings.ts';

/** How a {@link RESTClient} speaks. */
export interface RESTClientOptions {
  /** What is sent and asked for where the server can do either. Default `json`. */
  readonly codec?: CodecName;
  /** What `resource('pods')` is a resource of. Default: the core group, `v1`. */
  readonly groupVersion?: GroupVersion;
  /**
   * A finished transport, for clients that share one. It stays its owner's: disposing the client
   * leaves it open. Default: one that the client makes from its config and closes.
   */
  readonly transport?: Transport;
  readonly clock?: Clock;
}

function createTransport(config: Config, _options: { readonly clock: Clock }): Transport {
  if (config.transport === undefined) throw new Error('config.transport is missing');
  return config.transport;
}

const coreV1: GroupVersion = { group: '', version: 'v1' };

/**
 * Requests to one API server. The typed and dynamic clients stand on it; by itself it is for what
 * they do not cover.
 *
 * ```ts
 * await using client = new RESTClient(await loadConfig());
 * const pods = await client.get().namespace('default').resource('pods').into<PodList>();
 * ```
 */
export class RESTClient implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #groupVersion: GroupVersion;
  readonly #owned: Transport | undefined;

  constructor(config: Config, options: RESTClientOptions = {}) {
    const { codec = 'json', groupVersion = coreV1, clock = systemClock } = options;
    const { transport = createTransport(config, { clock }) } = options;
    this.#owned = options.transport === undefined ? transport : undefined;
    this.#groupVersion = groupVersion;
    this.#engine = {
      transport,
      codec,
      clock,
      timeout: config.timeout,
      onWarning: config.onWarning ?? warnOnce(),
    };
  }

  /** A client over a transport that belongs to somebody else: disposing it closes nothing. */
  static over(
    transport: Transport,
    {
      timeout,
      onWarning,
      ...options
    }: Omit<RESTClientOptions, 'transport'> & Pick<Config, 'onWarning' | 'timeout'> = {},
  ): RESTClient {
    const config: Config = {
      server: 'over a transport',
      ...(timeout !== undefined && { timeout }),
      ...(onWarning !== undefined && { onWarning }),
    };
    return new RESTClient(config, { ...options, transport });
  }

  /** The encoding that is preferred. */
  get codec(): CodecName {
    return this.#engine.codec;
  }

  get(): Request {
    return this.verb('GET');
  }

  post(): Request {
    return this.verb('POST');
  }

  put(): Request {
    return this.verb('PUT');
  }

  /** The content type follows from the type of the patch. */
  patch(type: PatchType): Request {
    return this.#request({ method: 'PATCH', contentType: patchContentType(type) });
  }

  delete(): Request {
    return this.verb('DELETE');
  }

  /** Any HTTP method, in capitals. */
  verb(method: string): Request {
    return this.#request({ method });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  #request(spec: Pick<RequestSpec, 'contentType' | 'method'>): Request {
    return new Request(this.#engine, {
      groupVersion: this.#groupVersion,
      target: {},
      parameters: [],
      headers: {},
      ...spec,
    });
  }
}
