import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Logger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import type { GroupVersion } from '../meta/resource.ts';
import { type Config, hostOf, requireConfig, type WarningHandler } from '../transport/config.ts';
import { createTransport } from '../transport/create-transport.ts';
import type { Transport } from '../transport/transport.ts';
import { checkOptions, checkText } from './arguments.ts';
import { DEFAULT_MAX_RESPONSE_BYTES, type Engine } from './engine.ts';
import { patchContentType, type PatchType } from './patch-type.ts';
import { Request } from './request.ts';
import type { CodecName, RequestSpec } from './request-spec.ts';
import { warnOnce } from './warnings.ts';

/** How requests are put. */
export interface RequestDefaults {
  /** What is sent and asked for where the server can do either. Default `json`. */
  readonly codec?: CodecName | undefined;
  /** What `resource('pods')` is a resource of. Default: the core group, `v1`. */
  readonly groupVersion?: GroupVersion | undefined;
  /** Sent with every request that does not set them itself; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How a {@link RESTClient} speaks. */
export interface RESTClientOptions
  extends LoggerOption, RequestDefaults, Pick<Config, 'maxRetries' | 'retryBackoff'> {
  /**
   * A finished transport, for clients that share one. It stays its owner's: disposing the client
   * leaves it open. Default: one that the client makes from its config and closes.
   */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
}

/** What a client that is given its transport has to be told besides. */
export interface BorrowedTransportOptions extends Omit<RESTClientOptions, 'transport'> {
  /** Default: a warning in the log, each text once. */
  readonly onWarning?: WarningHandler | undefined;
  /** How errors and log lines name the server. */
  readonly server?: string | undefined;
  /** As in the config. */
  readonly maxResponseBytes?: number | undefined;
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
  readonly #defaults: Pick<RequestSpec, 'groupVersion' | 'headers'>;
  readonly #owned: Transport | undefined;

  constructor(config: Config, options: RESTClientOptions = {}) {
    requireConfig(config);
    checkOptions(options);
    const { codec = 'json', groupVersion = coreV1, clock = systemClock } = options;
    const logger = loggerOf(options.logger ?? config.logger);
    const { maxRetries = config.maxRetries, retryBackoff = config.retryBackoff } = options;
    const {
      transport = createTransport({ ...config, maxRetries, retryBackoff, logger }, { clock }),
    } = options;
    this.#owned = options.transport === undefined ? transport : undefined;
    this.#defaults = { groupVersion, headers: options.headers ?? {} };
    this.#engine = {
      transport,
      codec,
      clock,
      logger,
      server: hostOf(config.server),
      onWarning: guardCallback('onWarning', config.onWarning ?? warnOnce(logger), logger),
      maxResponseBytes: config.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    };
  }

  /** A client over a transport that belongs to somebody else: disposing it closes nothing. */
  static over(
    transport: Transport,
    { onWarning, server = '', maxResponseBytes, ...options }: BorrowedTransportOptions = {},
  ): RESTClient {
    const config = {
      server,
      ...(onWarning !== undefined && { onWarning }),
      ...(maxResponseBytes !== undefined && { maxResponseBytes }),
    };
    return new RESTClient(config, { ...options, transport });
  }

  /** The encoding that is preferred. */
  get codec(): CodecName {
    return this.#engine.codec;
  }

  /** What the timeouts of requests and watches are measured with. */
  get clock(): Clock {
    return this.#engine.clock;
  }

  /** Where this client, and everything that is made with it, logs. */
  get logger(): Logger {
    return this.#engine.logger;
  }

  /** Host and port of the server, for messages; empty if it is not known. */
  get server(): string {
    return this.#engine.server;
  }

  /** Shares this client's connections, with different defaults. Disposing the result closes nothing. */
  with(defaults: RequestDefaults): RESTClient {
    const { transport, ...engine } = this.#engine;
    const options = { ...engine, ...this.#defaults, ...defaults };
    return RESTClient.over(transport, options);
  }

  /** Reads: one object, a list, a watch. */
  get(): Request {
    return this.verb('GET');
  }

  /** Creates. */
  post(): Request {
    return this.verb('POST');
  }

  /** Replaces. */
  put(): Request {
    return this.verb('PUT');
  }

  /** The content type follows from the type of the patch. */
  patch(type: PatchType): Request {
    return this.#request({ method: 'PATCH', contentType: patchContentType(type) });
  }

  /** Deletes: one object, or all that a list would have. */
  delete(): Request {
    return this.verb('DELETE');
  }

  /** Any HTTP method, in capitals. */
  verb(method: string): Request {
    checkText(method, 'HTTP method');
    return this.#request({ method });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  #request(spec: Pick<RequestSpec, 'contentType' | 'method'>): Request {
    return new Request(this.#engine, {
      ...this.#defaults,
      target: {},
      parameters: [],
      ...spec,
    });
  }
}
