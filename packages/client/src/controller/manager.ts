import type { EventHandlerRegistration } from '../cache/event-handler.ts';
import { waitForCacheSync } from '../cache/wait-for-cache-sync.ts';
import { Clientset } from '../kubernetes/clientset.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { errorLogger, type Logger, loggerOf } from '../lib/logger.ts';
import { checkNumbers, OptionError } from '../lib/option-error.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { credentialMetrics } from '../observe/credential-metrics.ts';
import { MetricsRegistry } from '../observe/metrics-registry.ts';
import { processMetrics } from '../observe/process-metrics.ts';
import { reflectorMetrics } from '../observe/reflector-metrics.ts';
import { withRequestMetrics } from '../observe/request-metrics.ts';
import { webhookMetrics } from '../observe/webhook-metrics.ts';
import { EventBroadcaster } from '../record/event-broadcaster.ts';
import { coreV1Sink } from '../record/event-sink.ts';
import type { Config } from '../transport/config.ts';
import { Webhooks } from '../webhook/webhooks.ts';
import { untilCaughtUp } from './catch-up.ts';
import { checkManagerOptions } from './check-manager-options.ts';
import { ControllerCache } from './controller-cache.ts';
import type { AnyDefinition, ControllerDefinition } from './controller-definition.ts';
import { ControllerError } from './controller-error.ts';
import { type HealthCheck, informerCheck } from './health-checks.ts';
import { KindRegistry } from './kind-registry.ts';
import { Leadership } from './leadership.ts';
import { ManagedController, type Watch } from './managed-controller.ts';
import type { ManagerOptions, ManagerRunOptions } from './manager-options.ts';
import { ManagerServers } from './manager-servers.ts';
import { OptionalResources } from './optional-resources.ts';
import { type ManagerShards, Sharding } from './sharding.ts';
import { informerProblem, StartUpError } from './start-up-error.ts';
import { StopBudget } from './stop-budget.ts';

/** The part of the budget of a stop in which reconciles may finish. */
const FINISHING = 0.7;

/** The time to release the lease after that. */
const RELEASE_MS = 1000;

/**
 * Runs controllers over shared caches: starts the caches, takes part in the election, reconciles
 * while this process leads, and ends everything when the signal aborts.
 *
 * ```ts
 * await using manager = new Manager(await loadConfig());
 * manager.controller('site', {
 *   for: sites,
 *   owns: [deployments],
 *   reconcile: async (site, { apply }) => void (await apply(deployments, deploymentFor(site))),
 * });
 * await manager.run({ signal: shutdownSignal() });
 * ```
 *
 * Guarantees:
 *
 * - Nothing is reconciled before all caches have synced, and no reconcile starts on a cache that is
 *   behind an own write of this process.
 * - With leader election, only the leader sends writes: each attempt to send one is checked against
 *   the lease. Standbys keep their caches up to date.
 * - An error in a predicate, a mapping, a source or a reconcile costs one change or one attempt. One
 *   that reads a cache which is behind is called again when it is not, and costs nothing.
 * - `run` ends within the grace period after the stop, and names what has not ended.
 */
export class Manager implements AsyncDisposable {
  /** Asks the server, and writes: the cache sees its writes. With leader election, only the leader can write. */
  readonly client: Clientset;
  /** The shared caches. */
  readonly cache: ControllerCache;
  /** What `/metrics` serves. */
  readonly metrics: MetricsRegistry;
  /** Admission and conversion webhooks; the option `webhooks` serves them. */
  readonly webhooks: Webhooks;
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Its writes are fenced, and the cache does not see them. */
  readonly #base: Clientset;
  /** For the election and events, which are not fenced. */
  readonly #unfenced: Clientset;
  readonly #leadership: Leadership | undefined;
  readonly #sharding: Sharding | undefined;
  readonly #events: EventBroadcaster;
  readonly #kinds: KindRegistry;
  readonly #servers: ManagerServers;
  readonly #controllers = new Map<string, ManagedController>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #isStopping = false;

  /** Opens connections of its own for the config; with leader election, two sets of them. */
  constructor(config: Config, options: ManagerOptions = {}) {
    checkManagerOptions(config, options);
    checkNumbers(options, { gracePeriodMs: 'duration', syncTimeoutMs: 'duration' });
    const { clock = systemClock, random, leaderElection, sharding } = options;
    if (leaderElection !== undefined && sharding !== undefined) {
      throw new OptionError(
        'sharding',
        'excludes leaderElection: all replicas work, each on its shards',
      );
    }
    const logger = loggerOf(options.logger ?? config.logger);
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.metrics = options.metrics?.registry ?? new MetricsRegistry();
    processMetrics(this.metrics);
    this.webhooks = new Webhooks({ clock, logger, metrics: webhookMetrics(this.metrics) });
    this.#servers = new ManagerServers({
      ...options,
      registry: this.metrics,
      handlers: this.webhooks,
      clock,
      logger,
      webhookGraceMs: (this.#gracePeriodMs * (1 - FINISHING)) / 2,
    });
    const connect = (to: Config): Clientset =>
      new Clientset(withRequestMetrics(to, this.metrics, { clock }), { clock, random, logger });
    const onError = errorLogger(logger, 'event.failed');
    this.#events = new EventBroadcaster({ clock, random, onError });
    this.#unfenced = connect(config);
    const environment = { client: this.#unfenced, metrics: this.metrics, clock, random, logger };
    if (leaderElection !== undefined) {
      this.#leadership = new Leadership(leaderElection, { ...environment, events: this.#events });
    } else if (sharding !== undefined) {
      const finishingMs = this.#gracePeriodMs * FINISHING;
      this.#sharding = new Sharding(sharding, { ...environment, finishingMs });
    }
    const protection = this.#leadership ?? this.#sharding;
    this.#base = protection === undefined ? this.#unfenced : connect(protection.fenced(config));
    const own = { client: this.#base, clock, random, logger };
    const metrics = reflectorMetrics(this.metrics);
    this.cache = new ControllerCache({ metrics, ...options.cache, ...own });
    this.client = this.cache.client;
    this.#kinds = new KindRegistry(this.#unfenced.rest);
    this.#addChecks();
  }

  /** True while this process may reconcile: it leads, holds a shard, or is the only one. */
  get isLeader(): boolean {
    if (this.#sharding !== undefined) return this.#sharding.status.active.length > 0;
    return this.#leadership === undefined || this.#leadership.isLeader;
  }

  /** The shards that this process and others hold; undefined without the option `sharding`. */
  get shards(): ManagerShards | undefined {
    return this.#sharding?.status;
  }

  /** The ports that are served during a run, for ports that were given as 0. */
  get ports(): {
    readonly health?: number;
    readonly metrics?: number;
    readonly webhooks?: number;
  } {
    return this.#servers.ports;
  }

  /** The ids of all clients of this manager, also those of the election and of events; see `RESTClient.id`. */
  get clientIds(): readonly number[] {
    return [...new Set([this.client, this.#unfenced].map(({ rest }) => rest.id))];
  }

  /** The controllers in the order in which they were added. */
  get controllers(): readonly ManagedController[] {
    return this.#all;
  }

  /** Adds a controller, before `run`. The types of `for`, `owns` and `watches` are inferred. */
  controller<
    T extends KubernetesObject,
    const Owned extends readonly KubernetesObject[] = readonly [],
    const Watched extends readonly KubernetesObject[] = readonly [],
  >(name: string, definition: ControllerDefinition<T, Owned, Watched>): ManagedController {
    if (this.#running !== undefined) throw runTwice(`controller ${name} was added during the run`);
    if (this.#controllers.has(name)) {
      const message = `the manager already has a controller ${name}`;
      throw new ControllerError('CONTROLLER_DUPLICATE', message);
    }
    const controller = new ManagedController(name, definition as unknown as AnyDefinition, {
      cache: this.cache,
      kinds: this.#kinds,
      clock: this.#clock,
      random: this.#options.random,
      logger: this.#logger,
      metrics: this.metrics,
      recorder: (component) => this.#events.newRecorder({ component }),
      loopGuard: this.#options.loopGuard ?? {},
      sharding: this.#sharding,
    });
    this.#controllers.set(name, controller);
    return controller;
  }

  /** Adds a check to `/healthz`: a process that fails it is restarted. */
  addHealthCheck(name: string, check: HealthCheck): void {
    this.#servers.health.add(name, check);
  }

  /** Adds a check to `/readyz`: a process that fails it gets no requests. */
  addReadyCheck(name: string, check: HealthCheck): void {
    this.#servers.ready.add(name, check);
  }

  /** Reconciles all objects of all controllers, after those that have changed. Returns their number. */
  reconcileAll(): number {
    return this.#all.reduce((sum, controller) => sum + controller.reconcileAll(), 0);
  }

  /**
   * Runs until the signal aborts; a stop is not an error. Everything has ended when it settles. It
   * rejects
   *
   * - with a {@link StartUpError} if resources cannot be listed: they are forbidden, or do not exist,
   * - with `CONTROLLER_LEADERSHIP_LOST`: the process should exit and start again,
   * - with `CONTROLLER_STOP_INCOMPLETE` if something has not ended within the grace period.
   */
  async run({ signal }: ManagerRunOptions = {}): Promise<void> {
    if (this.#running !== undefined) throw runTwice('the manager has already been run');
    using stop = anySignal([signal, this.#closing.signal]);
    this.#running = this.#run(stop.signal);
    await this.#running;
  }

  /** Ends a run as its signal does, waits for its end and closes the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running?.catch(() => undefined);
    await this.cache.close();
    await this.#kinds[Symbol.asyncDispose]();
    await Promise.all([this.#base.close(), this.#unfenced.close()]);
  }

  /** Same as {@link Manager.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #gracePeriodMs(): number {
    return this.#options.gracePeriodMs ?? 25_000;
  }

  get #all(): readonly ManagedController[] {
    return [...this.#controllers.values()];
  }

  async #run(stop: AbortSignal): Promise<void> {
    const gracePeriodMs = this.#gracePeriodMs;
    using budget = new StopBudget(stop, gracePeriodMs, this.#clock);
    using _ready = onAbort(stop, () => (this.#isStopping = true));
    using _credentials = credentialMetrics(this.metrics, { clock: this.#clock });
    const caches = new AbortController();
    let registrations: readonly EventHandlerRegistration[] = [];
    const watches = this.#all.flatMap((controller) => controller.watches);
    await using optional = new OptionalResources({
      client: this.#base,
      clock: this.#clock,
      watches: watches.filter(({ isOptional }) => isOptional),
      start: () => this.cache.start(),
    });
    try {
      await this.#servers.start();
      this.#events.startRecordingToSink(coreV1Sink(this.#unfenced));
      registrations = this.#all.flatMap((controller) => controller.watch());
      if (stop.aborted) return;
      this.cache.start({ signal: caches.signal });
      optional.start();
      await this.#sync(watches, stop);
      if (stop.aborted) return;
      for (const controller of this.#all) controller.synced();
      await this.#lead(stop, budget);
    } finally {
      this.#isStopping = true;
      budget.begin();
      const ended = this.#end(registrations, caches, budget.leftMs);
      await budget.wait(AbortSignal.abort(), ended, () => ['handlers or events']);
      await this.#servers[Symbol.asyncDispose]();
      if (budget.late.length > 0) {
        const message = `not ended: ${budget.late.join(', ')}`;
        this.#logger.warn(message, { event: 'manager.unfinished' });
      }
    }
    if (budget.late.length > 0) {
      const message = `after ${gracePeriodMs} ms these had not ended: ${budget.late.join(', ')}`;
      throw new ControllerError('CONTROLLER_STOP_INCOMPLETE', message);
    }
  }

  /** Ends what the workers needed. */
  async #end(
    registrations: readonly EventHandlerRegistration[],
    caches: AbortController,
    timeoutMs: number,
  ): Promise<void> {
    for (const controller of this.#all) controller.shutDown();
    caches.abort();
    await Promise.all(registrations.map((registration) => registration.remove()));
    await this.#servers.closeWebhooks();
    await this.cache.close();
    await this.#events.shutdown({ timeoutMs });
  }

  async #sync(watches: readonly Watch[], stop: AbortSignal): Promise<void> {
    const { syncTimeoutMs: timeoutMs = 120_000, cache: { resources = [] } = {} } = this.#options;
    const needed: readonly Pick<Watch, 'informers' | 'resource'>[] = [
      ...watches.filter(({ isOptional }) => !isOptional),
      ...resources.map((resource) => ({ resource, informers: this.cache.informers(resource) })),
    ];
    // Several controllers may share an informer.
    const informers = new Map(
      needed.flatMap(({ resource, informers: own }) => {
        const places = this.cache.namespaces(resource);
        return own.map((informer, index) => [informer, { resource, place: places[index] ?? '' }]);
      }),
    );
    try {
      const options = { signal: stop, timeoutMs, clock: this.#clock };
      await waitForCacheSync(informers.keys(), options);
    } catch (error) {
      if (stop.aborted) return;
      const problems = Array.from(informers, ([{ hasSynced, state }, { resource, place }]) =>
        hasSynced ? [] : [informerProblem(resource, place, state)],
      ).flat();
      throw new StartUpError(problems, error);
    }
  }

  /** Works; if there is an election, while this process leads. */
  async #lead(stop: AbortSignal, budget: StopBudget): Promise<void> {
    const active = (): readonly string[] =>
      this.#all.flatMap(({ name, active: keys }) =>
        keys.map((key) => `controller ${name}: reconcile of ${key}`),
      );
    const work = (signal: AbortSignal, lost?: AbortSignal): Promise<void> =>
      budget.wait(signal, this.#work(signal, lost), active);
    const released = (): readonly string[] => ['release of the lease'];
    if (this.#sharding !== undefined) {
      const sharing = this.#sharding.run(stop, {
        work,
        controllers: this.#all.map(({ name }) => name),
        catchUp: (signal) => this.cache.catchUp({ signal }),
        onStarted: (shards) => {
          for (const controller of this.#all) controller.shardsStarted(shards);
        },
      });
      return await budget.wait(stop, sharing, released, RELEASE_MS);
    }
    if (this.#leadership === undefined) return await work(stop);
    // The lease is released when the work has ended, or is no longer waited for.
    await budget.wait(stop, this.#leadership.lead(stop, work), released, RELEASE_MS);
  }

  async #work(signal: AbortSignal, lost: AbortSignal | undefined): Promise<void> {
    const gracePeriodMs = this.#gracePeriodMs * FINISHING;
    const failure = new AbortController();
    using stop = anySignal([signal, failure.signal]);
    const options = { gracePeriodMs, cancel: lost };
    if (lost !== undefined) await this.#catchUp(signal);
    const working = this.#all.map(async (controller) => {
      try {
        await controller.work({ ...options, signal: stop.signal });
      } catch (error) {
        failure.abort(error);
      }
    });
    if (working.length === 0) await new Promise<void>((resolve) => void onAbort(signal, resolve));
    await Promise.all(working);
    failure.signal.throwIfAborted();
  }

  /** Waits until the caches have every write of the former leader, which may have been paused. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    const { random } = this.#options;
    const options = { clock: this.#clock, random, logger: this.#logger, signal };
    await untilCaughtUp((until) => this.cache.catchUp({ signal: until }), options);
  }

  #addChecks(): void {
    const { health, ready } = this.#servers;
    health.add('ping', () => undefined);
    health.addGroup(() => (this.#leadership ?? this.#sharding)?.healthChecks() ?? []);
    ready.add('running', () => {
      if (this.#isStopping) throw new Error('the manager is stopping');
      if (this.#running === undefined) throw new Error('the manager was not started');
    });
    ready.addGroup(() => {
      const checks = this.#all
        .flatMap(({ watches }) => watches)
        .flatMap(({ informers, isOptional }) =>
          informers.map((informer) => informerCheck(informer, isOptional)),
        );
      // Several controllers may share an informer.
      return new Map(checks);
    });
  }
}

function runTwice(message: string): ControllerError {
  return new ControllerError('CONTROLLER_RUN_TWICE', message);
}
