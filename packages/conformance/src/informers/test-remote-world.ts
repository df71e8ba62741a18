import { Readable } from 'node:stream';

import { ApiServer } from '@client-ts/apiserver';
import type { ConfigMap, configMaps } from 'client-ts/api/core/v1';
import {
  type CacheError,
  type Indexers,
  ListWatch,
  metaNamespaceIndexFunc,
  SharedIndexInformer,
  type SharedIndexInformerOptions,
} from 'client-ts/cache';
import { loadConfig } from 'client-ts/clientcmd';
import { Clientset } from 'client-ts/kubernetes';
import { nextTurn, seededRandom } from 'client-ts/internal';
import { type DeepReadonly, newResourceExpired } from 'client-ts/meta';
import type { ResourceClient } from 'client-ts/rest';
import {
  type Config,
  createTransport,
  type Middleware,
  type ProtocolChoice,
  type Transport,
  type TransportResponse,
} from 'client-ts/transport';

import { fastClock } from '../recordings/fast-clock.ts';
import { TcpProxy } from '../soak/tcp-proxy.ts';
import { CallRecorder, type CallRecorderOptions } from './call-recorder.ts';
import { informerProblems } from './informer-problems.ts';
import { ServerLog } from './server-log.ts';
import { silentLogger } from './test-silent-logger.ts';
import type { WireHistory } from './wire-history.ts';
import { WireRecorder } from './wire-recorder.ts';

type CachedMap = DeepReadonly<ConfigMap>;

/** A server that is reached over sockets. */
export interface RemoteTarget {
  readonly name: string;
  readonly protocol: ProtocolChoice;
  readonly start: () => Promise<
    { readonly config: Config; readonly server?: ApiServer } & AsyncDisposable
  >;
}

/** The embedded server, and the one of `CONFORMANCE_KUBECONFIG`, with both protocols. */
export const remoteTargets: readonly RemoteTarget[] = (['auto', 'http1'] as const).flatMap(
  (protocol): RemoteTarget[] => {
    const over = protocol === 'auto' ? 'HTTP/2' : 'HTTP/1.1';
    const kubeconfig = process.env['CONFORMANCE_KUBECONFIG'];
    const embedded = { name: `the embedded server over ${over}`, protocol, start: startEmbedded };
    if (kubeconfig === undefined) return [embedded];
    const start: RemoteTarget['start'] = async () => ({
      config: await loadConfig({ kubeconfig }),
      [Symbol.asyncDispose]: async () => undefined,
    });
    return [embedded, { name: `${kubeconfig} over ${over}`, protocol, start }];
  },
);

async function startEmbedded(): ReturnType<RemoteTarget['start']> {
  const server = await ApiServer.start();
  const { config } = server;
  return { config, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const indexers: Indexers<CachedMap> = {
  namespace: metaNamespaceIndexFunc,
  color: ({ data }) => (data?.['color'] === undefined ? [] : [data['color']]),
};

/** Options of the informer. */
export interface RemoteWorldOptions extends Pick<
  SharedIndexInformerOptions<CachedMap>,
  'pageSize' | 'queue' | 'useWatchList'
> {
  /** How much faster the informer's clock runs. */
  readonly speed: number;
  /** The credentials of the informer. Default: the administrator's. */
  readonly reader?: Config['auth'];
}

const timeoutMs = 120_000;

/**
 * An informer on any server, through a proxy that can be cut, with everything that is needed to
 * check it. The informer's clock is fast, so that tests do not wait minutes for its timeouts.
 */
export class RemoteWorld implements AsyncDisposable {
  readonly namespace: string;
  readonly proxy: TcpProxy;
  readonly maps: ResourceClient<typeof configMaps>;
  readonly informer: SharedIndexInformer<CachedMap, Indexers<CachedMap>>;
  readonly handlers: CallRecorder<CachedMap>[] = [];
  /** The requests of the informer: path and query. */
  readonly requests: string[] = [];
  /** Failures to list, watch or store. */
  readonly failures: unknown[] = [];
  readonly errors: CacheError[] = [];
  /** Rewrites the informer's requests. */
  rewrite: (path: string) => string = (path) => path;
  readonly #options: RemoteWorldOptions;
  readonly #writer: Clientset;
  readonly #transport: Transport;
  readonly #wire: WireRecorder<CachedMap>;
  readonly #log: ServerLog;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #forgets = false;

  private constructor(
    options: RemoteWorldOptions,
    parts: {
      config: Config;
      protocol: ProtocolChoice;
      writer: Clientset;
      proxy: TcpProxy;
      log: ServerLog;
      namespace: string;
    },
  ) {
    this.#options = options;
    this.#writer = parts.writer;
    this.#log = parts.log;
    this.namespace = parts.namespace;
    this.proxy = parts.proxy;
    this.maps = parts.writer.coreV1.configMaps(parts.namespace);
    const clock = fastClock(options.speed);
    const random = seededRandom(1);
    const { reader: identity = parts.config.auth } = options;
    const config: Config = {
      ...proxied(parts.config, parts.proxy),
      protocol: parts.protocol,
      ...(identity !== undefined && { auth: identity }),
    };
    // Real durations, multiplied by the speed of the clock.
    const scaledTimeoutMs = timeoutMs * options.speed;
    const timing = { connectMs: scaledTimeoutMs, handshakeMs: scaledTimeoutMs };
    this.#transport = createTransport(
      { ...config, middleware: [this.#intercept] },
      { clock, random, timing, env: {} },
    );
    const reader = new Clientset(config, { transport: this.#transport, clock });
    this.#wire = new WireRecorder(new ListWatch(reader.coreV1.configMaps(parts.namespace)));
    const { queue = 'in-order', useWatchList = true, pageSize } = options;
    this.informer = new SharedIndexInformer<CachedMap, Indexers<CachedMap>>({
      name: 'maps',
      listerWatcher: this.#wire,
      indexers,
      clock,
      random,
      queue,
      useWatchList,
      ...(pageSize !== undefined && { pageSize }),
      onWatchError: ({ error }) => this.failures.push(error),
      onError: (error) => this.errors.push(error),
      logger: silentLogger,
      onHandlerError: (error) => this.errors.push(error),
    });
  }

  static async create(
    { config, protocol }: { readonly config: Config; readonly protocol: ProtocolChoice },
    options: RemoteWorldOptions,
  ): Promise<RemoteWorld> {
    const writer = new Clientset(config);
    const { metadata } = await writer.coreV1
      .namespaces()
      .create({ metadata: { generateName: 'informer-' } });
    const namespace = metadata.name;
    const { hostname, port } = new URL(config.server);
    const proxy = await TcpProxy.start(Number(port === '' ? '443' : port), hostname);
    const log = await ServerLog.start(writer.coreV1.configMaps(namespace));
    return new RemoteWorld(options, { config, protocol, writer, proxy, log, namespace });
  }

  /** Answers the next resumed watch as if the version had expired. */
  forgetOnce(): void {
    this.#forgets = true;
  }

  start(): void {
    this.#running = this.informer.run({ signal: this.#stop.signal });
  }

  handle(options: CallRecorderOptions = {}): CallRecorder<CachedMap> {
    const recorder = new CallRecorder<CachedMap>(this.informer, options);
    this.handlers.push(recorder);
    return recorder;
  }

  async create(name: string, color: string): Promise<void> {
    await this.maps.create({ metadata: { name }, data: { color } });
  }

  async paint(name: string, color: string): Promise<void> {
    await this.maps.patch(name, { data: { color } }, { type: 'merge' });
  }

  /** Resolves when the informer has caught up and all handlers have been called. */
  async settle(): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    const { metadata } = await this.maps.create({ metadata: { generateName: 'last-' } });
    await this.#log.reached(metadata.resourceVersion, { signal });
    await this.informer.reached(metadata.resourceVersion, { signal });
    await this.until(() => this.handlers.every(({ registration }) => registration.pending === 0));
  }

  async until(isSo: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    while (!isSo()) {
      signal.throwIfAborted();
      await nextTurn();
    }
  }

  /** Returns the requests and the problems since the last call. */
  async judge({ mayMiss = false }: { readonly mayMiss?: boolean } = {}): Promise<{
    wire: WireHistory;
    problems: string[];
  }> {
    const wire = this.#wire.take();
    const { items: objects } = await this.maps.list();
    const { queue = 'in-order' } = this.#options;
    const { indexer } = this.informer;
    const { handlers } = this;
    const log = this.#log.entries;
    const evidence = { indexer, queue, handlers, wire, log, objects, mayMiss };
    const problems = informerProblems<CachedMap>(evidence);
    return { wire, problems: [...problems, ...this.errors.map(({ message }) => message)] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#log[Symbol.asyncDispose]();
    await this.#writer.coreV1.namespaces().delete(this.namespace);
    await this.#writer[Symbol.asyncDispose]();
    await this.#transport[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }

  readonly #intercept: Middleware = (request, next) => {
    const path = this.rewrite(request.path);
    this.requests.push(path);
    if (this.#forgets && path.includes('watch=') && !path.includes('sendInitialEvents=')) {
      this.#forgets = false;
      return Promise.resolve(expired());
    }
    return next({ ...request, path });
  };
}

/** The response of a server: the watch starts and ends with an error. */
function expired(): TransportResponse {
  const { status: object } = newResourceExpired('too old resource version: 1 (2)');
  const event = Buffer.from(`${JSON.stringify({ type: 'ERROR', object })}\n`);
  const headers = { 'content-type': 'application/json;stream=watch' };
  return { status: 200, headers, body: Readable.from([event]) };
}

/** Returns the configuration of the same server through the proxy. */
function proxied(config: Config, proxy: TcpProxy): Config {
  const { hostname, pathname } = new URL(config.server);
  const server = `https://127.0.0.1:${proxy.port}${pathname === '/' ? '' : pathname}`;
  return { ...config, server, tls: { serverName: hostname, ...config.tls } };
}
