import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Logger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import type { GroupVersion } from '../meta/resource.ts';
import {
  type Config,
  hostOf,
  defaultNamespaceOf,
  requireConfig,
  type WarningHandler,
} from '../transport/config.ts';
import { createTransport } from '../transport/create-transport.ts';
import type { Transport } from '../transport/transport.ts';
import {
  type CodecName,
  DEFAULT_MAX_RESPONSE_BYTES,
  type Engine,
  type RequestSpec,
} from './engine.ts';
import { bothObservers } from './observed-write.ts';
import { patchContentType, type PatchType } from './options.ts';
import { Request } from './request.ts';
import { checkOptions, checkText } from './rest-error.ts';
import { warnOnce } from './warnings.ts';
import type { WriteObserver } from './write-observer.ts';

/** Defaults of the requests of a client. */
export interface RequestDefaults {
  /** The encoding to send and accept where the server supports both. Default `json`. */
  readonly codec?: CodecName | undefined;
  /** The group-version of `resource('pods')`. Default: the core group, `v1`. */
  readonly groupVersion?: GroupVersion | undefined;
  /** Headers of every request that does not set them itself; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called for every write of this client, in addition to the observer of the client it comes from. */
  readonly onWrite?: WriteObserver | undefined;
}

/** Options of a {@link RESTClient}. */
export interface RESTClientOptions
  extends LoggerOption, RequestDefaults, Pick<Config, 'maxRetries' | 'retryBackoff'> {
  /**
   * A transport that several clients share. Closing the client leaves it open. Default: a transport
   * made from the config, which the client closes.
   */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
  /** For the jitter of retries. */
  readonly random?: Random | undefined;
}

/** Options of {@link RESTClient.over}. */
export interface BorrowedTransportOptions extends Omit<RESTClientOptions, 'transport'> {
  /** Called for every warning of the server. Default: logs each text once. */
  readonly onWarning?: WarningHandler | undefined;
  /** The host and port that errors and log lines name. */
  readonly server?: string | undefined;
  /** As in `Config`. */
  readonly namespace?: string | undefined;
  /** As in `Config`. */
  readonly maxResponseBytes?: number | undefined;
}

/** Options of the typed, dynamic and metadata clients: how they connect. */
export type ConnectionOptions = Pick<
  RESTClientOptions,
  'clock' | 'codec' | 'logger' | 'maxRetries' | 'random' | 'retryBackoff' | 'transport'
>;

/**
 * What a client made by {@link RESTClient.with} takes over. Controllers make one for each write: nothing is
 * checked or computed again.
 */
class Derivation {
  readonly namespace: string;
  readonly engine: Engine;
  readonly defaults: Pick<RequestSpec, 'groupVersion' | 'headers'>;

  constructor(
    namespace: string,
    engine: Engine,
    defaults: Pick<RequestSpec, 'groupVersion' | 'headers'>,
  ) {
    this.namespace = namespace;
    this.engine = engine;
    this.defaults = defaults;
  }
}

let lastId = 0;

const coreV1: GroupVersion = { group: '', version: 'v1' };

/**
 * Sends requests to one API server. The typed and dynamic clients are built on it; use it directly
 * for requests that they do not cover.
 *
 * ```ts
 * await using client = new RESTClient(await loadConfig());
 * const pods = await client.get().namespace('default').resource('pods').into<PodList>();
 * ```
 */
export class RESTClient implements AsyncDisposable {
  /**
   * The namespace of the kubeconfig's context or of the pod, `default` if there is none. Requests
   * do not use it by themselves: pass it where a namespace is asked for.
   */
  readonly namespace: string;
  readonly #engine: Engine;
  readonly #defaults: Pick<RequestSpec, 'groupVersion' | 'headers'>;
  readonly #owned: Transport | undefined;

  constructor(config: Config, options?: RESTClientOptions);
  constructor(config: Config | Derivation, options: RESTClientOptions = {}) {
    if (config instanceof Derivation) {
      this.namespace = config.namespace;
      this.#owned = undefined;
      this.#defaults = config.defaults;
      this.#engine = config.engine;
      return;
    }
    requireConfig(config);
    checkOptions(options);
    const { codec = 'json', groupVersion = coreV1, clock = systemClock, random } = options;
    this.namespace = defaultNamespaceOf(config);
    const logger = loggerOf(options.logger ?? config.logger);
    const { maxRetries = config.maxRetries, retryBackoff = config.retryBackoff } = options;
    const {
      transport = createTransport(
        { ...config, maxRetries, retryBackoff, logger },
        { clock, random },
      ),
    } = options;
    this.#owned = options.transport === undefined ? transport : undefined;
    this.#defaults = { groupVersion, headers: options.headers ?? {} };
    lastId += 1;
    this.#engine = {
      client: lastId,
      transport,
      codec,
      clock,
      logger,
      server: hostOf(config.server),
      onWarning: guardCallback('onWarning', config.onWarning ?? warnOnce(logger), logger),
      maxResponseBytes: config.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
      onWrite: options.onWrite,
    };
  }

  /** Returns a client over an existing transport. Closing the client leaves the transport open. */
  static over(
    transport: Transport,
    {
      onWarning,
      server = '',
      namespace,
      maxResponseBytes,
      ...options
    }: BorrowedTransportOptions = {},
  ): RESTClient {
    const config: Config = {
      server,
      namespace,
      ...(onWarning !== undefined && { onWarning }),
      ...(maxResponseBytes !== undefined && { maxResponseBytes }),
    };
    return new RESTClient(config, { ...options, transport });
  }

  /**
   * Returns the client that the typed, dynamic and metadata clients use: one made from a config,
   * which they close, or the given one with their codec, which stays open. The other options only
   * apply to a config.
   */
  static from(
    config: Config | RESTClient,
    options: ConnectionOptions = {},
  ): { readonly rest: RESTClient; readonly owned: RESTClient | undefined } {
    if (config instanceof RESTClient) {
      const { codec = config.codec } = options;
      return { rest: codec === config.codec ? config : config.with({ codec }), owned: undefined };
    }
    const rest = new RESTClient(config, options);
    return { rest, owned: rest };
  }

  /**
   * The number of this client, unique in the process. Clients that {@link RESTClient.with} returns, and typed
   * clients made from this one, have the same. Diagnostics of requests name it.
   */
  get id(): number {
    return this.#engine.client;
  }

  /** The preferred encoding. */
  get codec(): CodecName {
    return this.#engine.codec;
  }

  /** Measures the timeouts of requests and watches. */
  get clock(): Clock {
    return this.#engine.clock;
  }

  /** The logger of this client and of everything made with it. */
  get logger(): Logger {
    return this.#engine.logger;
  }

  /** Host and port of the server; empty if they are not known. */
  get server(): string {
    return this.#engine.server;
  }

  /** Returns a client with other defaults that shares this client's connections. Closing it closes nothing. */
  with(defaults: RequestDefaults): RESTClient {
    checkOptions(defaults);
    const engine = this.#engine;
    const { codec = engine.codec } = defaults;
    const { groupVersion = this.#defaults.groupVersion, headers = this.#defaults.headers } =
      defaults;
    const onWrite =
      engine.onWrite === undefined || defaults.onWrite === undefined
        ? (defaults.onWrite ?? engine.onWrite)
        : bothObservers(engine.onWrite, defaults.onWrite);
    const derivation = new Derivation(
      this.namespace,
      { ...engine, codec, onWrite },
      {
        groupVersion,
        headers,
      },
    );
    return new RESTClient(derivation as unknown as Config);
  }

  /** Starts a GET: one object, a list, a watch. */
  get(): Request {
    return this.verb('GET');
  }

  /** Starts a POST: a creation. */
  post(): Request {
    return this.verb('POST');
  }

  /** Starts a PUT: an update. */
  put(): Request {
    return this.verb('PUT');
  }

  /** Starts a PATCH with the content type of the patch. */
  patch(type: PatchType): Request {
    return this.#request({ method: 'PATCH', contentType: patchContentType(type) });
  }

  /** Starts a DELETE: one object, or a collection. */
  delete(): Request {
    return this.verb('DELETE');
  }

  /** Starts a request with any HTTP method, in capitals. */
  verb(method: string): Request {
    checkText(method, 'HTTP method');
    return this.#request({ method });
  }

  /** Closes the connections that this client opened. Requests under way fail. */
  async close(): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
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
