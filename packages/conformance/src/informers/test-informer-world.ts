import assert from 'node:assert/strict';

import { ApiServer, type FaultHandle, type FaultOptions } from '@client-ts/apiserver';
import type { ConfigMap, configMaps } from 'client-ts/api/core/v1';
import {
  type CacheError,
  type Indexers,
  ListWatch,
  metaNamespaceIndexFunc,
  SharedIndexInformer,
  type SharedIndexInformerOptions,
} from 'client-ts/cache';
import { Clientset } from 'client-ts/kubernetes';
import { nextTurn, seededRandom } from 'client-ts/internal';
import { type DeepReadonly, isNotFound } from 'client-ts/meta';
import type { ResourceClient } from 'client-ts/rest';
import { quiescence, VirtualClock } from 'client-ts/testing';

import { CallRecorder, type CallRecorderOptions } from './call-recorder.ts';
import { informerProblems } from './informer-problems.ts';
import { ServerLog } from './server-log.ts';
import { BreakableTransport } from './test-breakable-transport.ts';
import { CountedClock } from './test-counted-clock.ts';
import { isOlder } from './history.ts';
import { silentLogger } from './test-silent-logger.ts';
import { WireRecorder } from './wire-recorder.ts';

export type CachedMap = DeepReadonly<ConfigMap>;

const indexers: Indexers<CachedMap> = {
  namespace: metaNamespaceIndexFunc,
  color: (map) => map.data?.['colors']?.split(',') ?? [],
};

type MapInformer = SharedIndexInformer<CachedMap, Indexers<CachedMap>>;

/** The user of informers, whose requests have faults. */
const reader = { name: 'reader', groups: ['system:masters'] };
const readerToken = 'reader-token';

/** An embedded server in memory on a virtual clock, shared by many worlds. */
export class TestCluster implements AsyncDisposable {
  readonly server: ApiServer;
  readonly clock: VirtualClock;

  private constructor(server: ApiServer, clock: VirtualClock) {
    this.server = server;
    this.clock = clock;
  }

  static async start(seed = 1): Promise<TestCluster> {
    const clock = new VirtualClock();
    const random = seededRandom(seed);
    const server = await ApiServer.start({ clock, random, tokens: { [readerToken]: reader } });
    return new TestCluster(server, clock);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }
}

/** Options of the informer. */
export type WorldOptions = Required<
  Pick<SharedIndexInformerOptions<CachedMap>, 'queue' | 'useWatchList'>
> &
  Partial<Pick<SharedIndexInformerOptions<CachedMap>, 'backoff' | 'pageSize'>>;

/**
 * One informer in its own namespace, with everything that is needed to check it: the server log,
 * the requests, the handler calls.
 */
export class InformerWorld implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly namespace: string;
  readonly informer: MapInformer;
  readonly handlers: CallRecorder<CachedMap>[] = [];
  readonly errors: CacheError[] = [];
  readonly transport: BreakableTransport;
  /** The clock of the informer and its client. */
  readonly clock: CountedClock;
  readonly #options: WorldOptions;
  readonly #writer: Clientset;
  readonly #reader: Clientset;
  readonly #log: ServerLog;
  readonly #wire: WireRecorder<CachedMap>;
  readonly #dropping: FaultHandle[] = [];
  #stop = new AbortController();
  #running: Promise<void> | undefined;
  #lastVersion = '';
  #writes = 0;

  private constructor(
    cluster: TestCluster,
    parts: { writer: Clientset; log: ServerLog; namespace: string },
    options: WorldOptions,
  ) {
    const { server } = cluster;
    const clock = new CountedClock(cluster.clock);
    this.cluster = cluster;
    this.clock = clock;
    this.namespace = parts.namespace;
    this.#writer = parts.writer;
    this.#log = parts.log;
    this.#options = options;
    this.transport = new BreakableTransport(server.transport({ token: readerToken }));
    const config = { server: server.url, transport: this.transport };
    this.#reader = new Clientset(config, { clock });
    const maps = this.#reader.coreV1.configMaps(this.namespace);
    this.#wire = new WireRecorder(new ListWatch(maps));
    this.informer = new SharedIndexInformer<CachedMap, Indexers<CachedMap>>({
      name: 'maps',
      listerWatcher: this.#wire,
      indexers,
      clock,
      random: seededRandom(1),
      logger: silentLogger,
      onHandlerError: (error) => this.errors.push(error),
      onError: (error) => this.errors.push(error),
      ...options,
    });
  }

  static async create(cluster: TestCluster, options: WorldOptions): Promise<InformerWorld> {
    const { clock, server } = cluster;
    const config = { server: server.url, transport: server.transport() };
    const writer = new Clientset(config, { clock });
    const { metadata } = await writer.coreV1
      .namespaces()
      .create({ metadata: { generateName: 'world-' } });
    const namespace = metadata.name;
    const log = await ServerLog.start(writer.coreV1.configMaps(namespace), clock);
    return new InformerWorld(cluster, { writer, log, namespace }, options);
  }

  /** Creates or updates the object. */
  async write(name: string, colors: string): Promise<void> {
    const maps = this.#maps();
    const data = { colors, write: String((this.#writes += 1)) };
    const known = await maps.get(name).catch(unlessMissing);
    const { metadata } =
      known === undefined
        ? await maps.create({ metadata: { name }, data })
        : await maps.update({ ...known, data });
    // Concurrent writes can complete in any order.
    const { resourceVersion } = metadata;
    if (isOlder(this.#lastVersion, resourceVersion)) this.#lastVersion = resourceVersion;
  }

  async remove(name: string): Promise<void> {
    await this.#maps().delete(name).catch(unlessMissing);
  }

  /** Adds a fault for the informer's requests. */
  fault(options: Pick<FaultOptions, 'count' | 'fault'> & { verb: string | string[] }): FaultHandle {
    const { verb, ...rest } = options;
    const isDropping = rest.fault.kind === 'drop-events';
    const match = { user: reader.name, verb, ...(isDropping && { where: isResumed }) };
    const handle = this.cluster.server.faults.add({ ...rest, match });
    if (isDropping) this.#dropping.push(handle);
    return handle;
  }

  /** Compacts the history, after the log has read it. */
  async compact(): Promise<void> {
    await this.#log.reached(this.#lastVersion);
    // The log has everything up to this write, and no watch can be past it.
    await this.write('compacted', 'none');
    await this.#log.reached(this.#lastVersion);
    this.cluster.server.compact();
  }

  handle(options: CallRecorderOptions = {}): CallRecorder<CachedMap> {
    const recorder = new CallRecorder<CachedMap>(this.informer, options);
    this.handlers.push(recorder);
    return recorder;
  }

  start(): void {
    this.#stop = new AbortController();
    this.#running = this.informer.run({ signal: this.#stop.signal });
  }

  async stop(): Promise<void> {
    if (this.#running === undefined) return;
    this.#stop.abort();
    await this.#running;
    this.#running = undefined;
    const isOrdered = this.#options.queue === 'in-order';
    this.#wire.stopped(isOrdered ? this.informer.indexer.resourceVersion : '');
  }

  /** Returns what still happens after a stop. */
  async activityAfterStop(): Promise<string[]> {
    const calls = this.#callCount();
    const { requests, open } = this.transport;
    const { pending } = this.clock;
    await this.write('after', 'none');
    await this.cluster.clock.advance(15 * 60_000);
    await quiescence();
    return [
      ...(this.#callCount() === calls ? [] : ['a handler was called']),
      ...(this.transport.requests === requests ? [] : ['a request was made']),
      ...(open === 0 ? [] : [`${open} requests were under way`]),
      ...(pending === 0 ? [] : [`${pending} timers were running`]),
    ];
  }

  /** Yields to what is in flight for some turns; it does not wait for anything. */
  async turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await nextTurn();
  }

  /** Advances the clock until a condition holds, for at most an hour. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    for (let step = 0; step < 240; step += 1) {
      await quiescence();
      if (isSo()) return;
      await this.cluster.clock.advance(15_000);
    }
    assert.fail(
      `${what} has not come about within an hour: ${JSON.stringify(this.informer.state)}`,
    );
  }

  /**
   * Removes all faults, and resolves when the informer has caught up and all handlers have been
   * called.
   */
  async settle(): Promise<void> {
    const hasMissed = this.#dropping.some(({ hits }) => hits > 0);
    this.cluster.server.faults.clear();
    const expired = { kind: 'error-event', afterEvents: 0, code: 410 } as const;
    const relist = hasMissed ? this.fault({ verb: 'watch', fault: expired, count: 1 }) : undefined;
    if (hasMissed) this.transport.break();
    if (this.#running === undefined) this.start();
    await this.write('last', 'none');
    await this.#log.reached(this.#lastVersion);
    let isReached = false;
    const reaching = this.informer.reached(this.#lastVersion);
    // A stop that ends the wait is reported.
    reaching.then(
      () => (isReached = true),
      () => undefined,
    );
    await this.until(
      'the end',
      () =>
        isReached &&
        relist?.hits !== 0 &&
        this.informer.state.state === 'live' &&
        this.handlers.every(({ registration }) => registration.pending === 0),
    );
  }

  /** Returns the problems after settling. */
  async problems(): Promise<string[]> {
    const { items } = await this.#maps().list();
    return informerProblems<CachedMap>({
      indexer: this.informer.indexer,
      queue: this.#options.queue ?? 'in-order',
      handlers: this.handlers,
      wire: this.#wire.take(),
      log: this.#log.entries,
      objects: items,
      mayMiss: this.#dropping.length > 0,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cluster.server.faults.clear();
    await this.stop();
    await this.#log[Symbol.asyncDispose]();
    await this.#reader[Symbol.asyncDispose]();
    await this.#writer[Symbol.asyncDispose]();
  }

  #callCount(): number {
    return this.handlers.reduce((sum, { history }) => sum + history.calls.length, 0);
  }

  #maps(): ResourceClient<typeof configMaps> {
    return this.#writer.coreV1.configMaps(this.namespace);
  }
}

/**
 * Dropping events from the initial state would make it a wrong list, which no client can detect.
 */
function isResumed({ query }: { readonly query: URLSearchParams }): boolean {
  return query.get('sendInitialEvents') !== 'true';
}

function unlessMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
