import type { Clientset } from '../kubernetes/clientset.ts';
import type { Clock } from '../lib/clock.ts';
import { ClientError } from '../lib/errors.ts';
import { errorLogger, type Logger } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { LeaderElectionError } from '../leaderelection/leader-election-error.ts';
import { LeaderElector } from '../leaderelection/leader-elector.ts';
import { LeaseLock } from '../leaderelection/lease-lock.ts';
import { measureLeadership, measureSlowPath } from '../observe/controller-metrics.ts';
import type { MetricsRegistry } from '../observe/metrics-registry.ts';
import type { EventBroadcaster } from '../record/event-broadcaster.ts';
import type { Config } from '../transport/config.ts';
import { ControllerError } from './controller-error.ts';
import type { HealthCheck } from './health-checks.ts';
import type { ManagerLeaderElection } from './manager-options.ts';
import { leaseProblem, StartUpError } from './start-up-error.ts';
import { WriteFence } from './write-fence.ts';

/** What a {@link Leadership} gets from its manager. */
export interface LeadershipEnvironment {
  /** Not fenced. */
  readonly client: Clientset;
  readonly events: EventBroadcaster;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly random: Random | undefined;
  readonly logger: Logger;
}

/** The part of a manager that takes part in the election. */
export class Leadership {
  readonly #lock: LeaseLock;
  readonly #elector: LeaderElector;
  readonly #environment: LeadershipEnvironment;
  readonly #name: string;
  readonly #namespace: string;
  readonly #failure = new AbortController();

  constructor(
    { name, namespace, identity, labels, ...timing }: ManagerLeaderElection,
    environment: LeadershipEnvironment,
  ) {
    const { client, events, clock, random, logger, metrics } = environment;
    this.#environment = environment;
    this.#name = name;
    this.#namespace = namespace ?? client.namespace;
    this.#lock = new LeaseLock({
      client,
      name,
      namespace: this.#namespace,
      identity,
      labels,
      random,
      eventRecorder: events.newRecorder({ component: name }),
    });
    const log = errorLogger(logger, 'election.failing');
    this.#elector = new LeaderElector({
      ...timing,
      lock: this.#lock,
      releaseOnCancel: true,
      onSlowPath: measureSlowPath(metrics, name),
      clock,
      random,
      logger,
      onError: (error) => {
        if (!this.#failAtStart(error) && error instanceof ClientError) log(error);
      },
    });
  }

  /** True while this process leads, by the clock. */
  get isLeader(): boolean {
    return this.#elector.isLeader;
  }

  /** Returns a config whose clients write only while this process leads. */
  fenced(config: Config): Config {
    const lease = this.#lock.describe();
    const fence = new WriteFence(() => (this.isLeader ? undefined : lease));
    const { attemptMiddleware = [] } = config;
    return { ...config, attemptMiddleware: [...attemptMiddleware, fence.middleware] };
  }

  /** Returns the checks of liveness. */
  healthChecks(): readonly (readonly [string, HealthCheck])[] {
    const check = (): string => {
      const problem = this.#elector.check();
      if (problem !== undefined) throw problem;
      return this.isLeader
        ? 'leading'
        : `standing by, leader is ${this.#elector.getLeader() ?? 'unknown'}`;
    };
    return [['leader-election', check]];
  }

  /**
   * Waits for leadership and works. The first signal of `work` ends it; the second aborts if the lease
   * was lost, and then what is in progress has to be cancelled. Rejects if the lease was lost or
   * cannot be used.
   */
  async lead(
    stop: AbortSignal,
    work: (signal: AbortSignal, lost: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { metrics } = this.#environment;
    using until = anySignal([stop, this.#failure.signal]);
    const lead = measureLeadership(metrics, this.#name, async (term) => {
      const lost = new AbortController();
      using _lost = onAbort(term, () => {
        if (term.reason instanceof LeaderElectionError) lost.abort(term.reason);
      });
      await work(term, lost.signal);
    });
    const result = await this.#elector.lead(lead, { signal: until.signal });
    this.#failure.signal.throwIfAborted();
    if (result.outcome !== 'lost') return;
    const message = `the lease ${this.#lock.describe()} was lost`;
    throw new ControllerError('CONTROLLER_LEADERSHIP_LOST', message, { cause: result.reason });
  }

  /** Ends the campaign, and returns true, if no retry can help. */
  #failAtStart(error: unknown): boolean {
    if (this.#failure.signal.aborted) return true;
    const problem = leaseProblem(error, this.#namespace, ['create', 'get', 'update']);
    if (problem === undefined || this.isLeader) return false;
    this.#failure.abort(new StartUpError([problem], error));
    return true;
  }
}
