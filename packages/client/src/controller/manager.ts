import { type Clock, systemClock } from '../lib/clock.ts';
import { errorLogger, type Logger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { Clientset } from '../kubernetes/clientset.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { type LeaderElectionConfig, LeaderElector } from '../leaderelection/leader-elector.ts';
import { LeaseLock, type LeaseLockOptions } from '../leaderelection/lease-lock.ts';
import { EventBroadcaster } from '../record/event-broadcaster.ts';
import { coreV1Sink } from '../record/event-sink.ts';
import type { Config } from '../transport/config.ts';
import { ControllerError } from './controller-error.ts';
import type { ControllerDefinition } from './controller-definition.ts';
import { type AnyDefinition, ManagedController } from './managed-controller.ts';
import { KindRegistry } from './kind-registry.ts';
import { ManagerCache } from './manager-cache.ts';
import { WriteFence } from './write-fence.ts';

/** How the replicas of a program elect the one that reconciles. */
export interface ManagerLeaderElection
  extends
    Pick<LeaderElectionConfig, 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'>,
    Pick<LeaseLockOptions, 'identity' | 'labels'> {
  /** The name of the Lease. */
  readonly name: string;
  readonly namespace: string;
}

/** Options of a {@link Manager}. */
export interface ManagerOptions extends LoggerOption {
  /** Reconcile only while this process holds a Lease. Default: always. */
  readonly leaderElection?: ManagerLeaderElection | undefined;
  /** The time the caches have to sync. Default 2 minutes. */
  readonly syncTimeoutMs?: number | undefined;
  /** The time that everything has to end after the stop. Default 30 s. */
  readonly gracePeriodMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Options of {@link Manager.run}. */
export interface ManagerRunOptions {
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs controllers over shared caches: starts the caches, takes part in the election, reconciles
 * while this process leads, and ends everything when the signal aborts.
 *
 * ```ts
 * await using manager = new Manager(await loadConfig());
 * manager.controller('site', { for: sites, reconcile: async (site, { log }) => log.info('seen') });
 * await manager.run({ signal: shutdownSignal() });
 * ```
 */
export class Manager implements AsyncDisposable {
  /** The client of the controllers: with leader election, it writes only while this process leads. */
  readonly client: Clientset;
  /** The shared caches. */
  readonly cache: ManagerCache;
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** For the election and events, which are not fenced. */
  readonly #unfenced: Clientset;
  readonly #events: EventBroadcaster;
  readonly #kinds: KindRegistry;
  readonly #controllers = new Map<string, ManagedController>();
  readonly #closing = new AbortController();
  #elector: LeaderElector | undefined;
  #running: Promise<void> | undefined;

  constructor(config: Config, options: ManagerOptions = {}) {
    const { leaderElection, clock = systemClock } = options;
    const logger = loggerOf(options.logger ?? config.logger);
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    const connection = { clock, logger };
    if (leaderElection === undefined) {
      this.client = new Clientset(config, connection);
      this.#unfenced = this.client;
    } else {
      const { namespace, name } = leaderElection;
      const fence = new WriteFence(`${namespace}/${name}`, () => this.isLeader);
      const { attemptMiddleware = [] } = config;
      const fenced = { ...config, attemptMiddleware: [...attemptMiddleware, fence.middleware] };
      this.client = new Clientset(fenced, connection);
      this.#unfenced = new Clientset(config, connection);
    }
    this.cache = new ManagerCache({ client: this.client, clock, logger });
    this.#kinds = new KindRegistry(this.#unfenced.rest);
    this.#events = new EventBroadcaster({ clock, onError: errorLogger(logger) });
  }

  /** True while this process may reconcile: it leads, or there is no election. */
  get isLeader(): boolean {
    return this.#options.leaderElection === undefined || this.#elector?.isLeader === true;
  }

  /** Adds a controller, before `run`. The types of `for`, `owns` and `watches` are inferred. */
  controller<
    T extends KubernetesObject,
    const Owned extends readonly KubernetesObject[] = readonly [],
    const Watched extends readonly KubernetesObject[] = readonly [],
  >(name: string, options: ControllerDefinition<T, Owned, Watched>): ManagedController {
    if (this.#running !== undefined) throw runTwice(`controller ${name} was added during the run`);
    if (this.#controllers.has(name)) {
      const message = `the manager already has a controller ${name}`;
      throw new ControllerError('CONTROLLER_DUPLICATE', message);
    }
    const controller = new ManagedController(name, options as unknown as AnyDefinition, {
      cache: this.cache,
      kinds: this.#kinds,
      clock: this.#clock,
      logger: this.#logger,
      recorder: (component) => this.#events.newRecorder({ component }),
    });
    this.#controllers.set(name, controller);
    return controller;
  }

  /** Reconciles all objects of all controllers soon. Returns their number. */
  reconcileAll(): number {
    return [...this.#controllers.values()].reduce((sum, each) => sum + each.reconcileAll(), 0);
  }

  /**
   * Runs until the signal aborts; a stop is not an error. Rejects, after the same stop, if caches
   * cannot sync or leadership was lost.
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
    await this.#kinds[Symbol.asyncDispose]();
    await this.client.close();
    await this.#unfenced.close();
  }

  /** Same as {@link Manager.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(stop: AbortSignal): Promise<void> {
    const { syncTimeoutMs: timeoutMs = 120_000 } = this.#options;
    const caches = new AbortController();
    this.#events.startRecordingToSink(coreV1Sink(this.#unfenced));
    const registrations = [...this.#controllers.values()].flatMap((each) => each.watch());
    try {
      if (stop.aborted) return;
      this.cache.start({ signal: caches.signal });
      await this.cache.waitForCacheSync({ signal: stop, timeoutMs }).catch((error: unknown) => {
        if (!stop.aborted) throw error;
      });
      if (!stop.aborted) await this.#lead(stop);
    } finally {
      for (const each of this.#controllers.values()) each.shutDown();
      caches.abort();
      await Promise.all(registrations.map((registration) => registration.remove()));
      await this.cache.close();
      await this.#events[Symbol.asyncDispose]();
    }
  }

  /** Works, if there is an election while this process leads. */
  async #lead(stop: AbortSignal): Promise<void> {
    const { leaderElection } = this.#options;
    if (leaderElection === undefined) return await this.#work(stop);
    const { name, namespace, identity, labels, ...timing } = leaderElection;
    const lock = new LeaseLock({
      client: this.#unfenced,
      name,
      namespace,
      identity,
      labels,
      eventRecorder: this.#events.newRecorder({ component: name }),
    });
    await using elector = new LeaderElector({
      ...timing,
      lock,
      releaseOnCancel: true,
      clock: this.#clock,
      logger: this.#logger,
    });
    this.#elector = elector;
    const result = await elector.lead((term) => this.#work(term), { signal: stop });
    if (result.outcome === 'lost') {
      const message = `the lease ${lock.describe()} was lost`;
      throw new ControllerError('CONTROLLER_LEADERSHIP_LOST', message, { cause: result.reason });
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { gracePeriodMs = 30_000 } = this.#options;
    const failure = new AbortController();
    using stop = anySignal([signal, failure.signal]);
    const working = [...this.#controllers.values()].map(async (each) => {
      try {
        await each.work({ signal: stop.signal, gracePeriodMs });
      } catch (error) {
        failure.abort(error);
      }
    });
    if (working.length === 0) await new Promise<void>((resolve) => void onAbort(signal, resolve));
    await Promise.all(working);
    failure.signal.throwIfAborted();
  }
}

function runTwice(message: string): ControllerError {
  return new ControllerError('CONTROLLER_RUN_TWICE', message);
}
