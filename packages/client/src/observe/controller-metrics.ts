import { type Clock, systemClock } from '../lib/clock.ts';
import { onAbort } from '../lib/signal.ts';
import { LeaderElectionError } from '../leaderelection/leader-election-error.ts';
import { isTerminal, type Reconcile, type ReconcileResult } from '../workqueue/reconcile.ts';
import { isFaultOfCode } from './fault-of-code.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

const SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Options of {@link measureReconcile}. */
export interface ReconcileMetricsOptions {
  /** The name of the controller. */
  readonly controller: string;
  /** The number of workers. Default 1, as in `runWorkers`. */
  readonly workers?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Returns a function that reconciles as the given one and measures it as `controller_runtime_…`, the
 * names of controller-runtime: `reconcile_total` by result (`success`, `requeue_after`, `error`; nothing
 * has the result `requeue`), `reconcile_errors_total`, `terminal_reconcile_errors_total`,
 * `reconcile_timeouts_total`, `reconcile_panics_total`, `reconcile_time_seconds`, `active_workers` and
 * `max_concurrent_reconciles`. An attempt that is cancelled by a stop is an error. A panic is an error
 * that the JavaScript engine throws, such as a `TypeError`.
 */
export function measureReconcile<T>(
  registry: MetricsRegistry,
  { controller, workers = 1, clock = systemClock }: ReconcileMetricsOptions,
  reconcile: Reconcile<T>,
): Reconcile<T> {
  const meter = new ReconcileMeter(registry, { controller, workers, clock });
  return async (key, context) => {
    const startedAt = meter.started();
    try {
      const result = await reconcile(key, context);
      meter.succeeded(result);
      return result;
    } catch (error) {
      meter.failed(error, context.signal);
      throw error;
    } finally {
      meter.ended(startedAt);
    }
  };
}

/** Measures the reconciles of a controller, for a caller that is between them and the workers anyway. */
export class ReconcileMeter {
  readonly #metrics: ReturnType<typeof reconcileMetrics>;
  readonly #clock: Clock;

  constructor(
    registry: MetricsRegistry,
    { controller, workers = 1, clock = systemClock }: ReconcileMetricsOptions,
  ) {
    this.#metrics = reconcileMetrics(registry, controller);
    this.#clock = clock;
    this.#metrics.maxConcurrent.set(workers);
  }

  /** Returns the time that {@link ReconcileMeter.ended} needs. */
  started(): number {
    this.#metrics.active.inc();
    return this.#clock.monotonic();
  }

  succeeded(result: ReconcileResult): void {
    const { success, requeueAfter } = this.#metrics;
    (result?.type === 'requeue-after' ? requeueAfter : success).inc();
  }

  failed(error: unknown, signal: AbortSignal): void {
    const metrics = this.#metrics;
    metrics.failure.inc();
    metrics.errors.inc();
    if (isTerminal(error)) metrics.terminalErrors.inc();
    if (isTimeout(signal)) metrics.timeouts.inc();
    if (isFaultOfCode(error)) metrics.panics.inc();
  }

  /** Called for every reconcile, after the other two. */
  ended(startedAt: number): void {
    this.#metrics.active.dec();
    this.#metrics.time.observe((this.#clock.monotonic() - startedAt) / 1000);
  }
}

function isTimeout({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}

function reconcileMetrics(registry: MetricsRegistry, controller: string) {
  const labelNames = ['controller'] as const;
  const counter = (name: string, help: string) =>
    registry
      .counter({ name: `controller_runtime_${name}`, help, labelNames })
      .labels({ controller });
  const gauge = (name: string, help: string) =>
    registry.gauge({ name: `controller_runtime_${name}`, help, labelNames }).labels({ controller });
  const totals = registry.counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Number of reconciles, by controller and result.',
    labelNames: ['controller', 'result'],
  });
  const total = (result: string) => totals.labels({ controller, result });
  return {
    // At zero from the start, so that a rate is known before the first error.
    failure: total('error'),
    requeueAfter: total('requeue_after'),
    requeue: total('requeue'),
    success: total('success'),
    errors: counter('reconcile_errors_total', 'Number of failed reconciles, by controller.'),
    terminalErrors: counter(
      'terminal_reconcile_errors_total',
      'Number of reconciles that failed and are not retried, by controller.',
    ),
    timeouts: counter(
      'reconcile_timeouts_total',
      'Number of reconciles that timed out, by controller.',
    ),
    panics: counter(
      'reconcile_panics_total',
      'Number of reconciles that failed because their code is wrong, by controller.',
    ),
    active: gauge('active_workers', 'Number of reconciles in progress, by controller.'),
    maxConcurrent: gauge(
      'max_concurrent_reconciles',
      'Maximum number of concurrent reconciles, by controller.',
    ),
    time: registry
      .histogram({
        name: 'controller_runtime_reconcile_time_seconds',
        help: 'Duration of reconciles in seconds, by controller.',
        labelNames,
        buckets: SECONDS,
      })
      .labels({ controller }),
  };
}

/**
 * Returns a function that does the work of a leader as the given one, for `onStartedLeading` or `lead`
 * of a `LeaderElector`, and sets `leader_election_master_status{name}` to 1 while this process leads:
 * 0 before, after, and from the loss of the lease on even if the work has not ended.
 */
export function measureLeadership<T>(
  registry: MetricsRegistry,
  name: string,
  work: (signal: AbortSignal) => Promise<T> | T,
): (signal: AbortSignal) => Promise<T> {
  const status = leadershipStatus(registry, name);
  status.set(0);
  return async (signal) => {
    status.set(1);
    using _lost = onAbort(signal, () => {
      if (signal.reason instanceof LeaderElectionError) status.set(0);
    });
    try {
      return await work(signal);
    } finally {
      status.set(0);
    }
  };
}

/** Returns the gauge `leader_election_master_status{name}`. */
export function leadershipStatus(
  registry: MetricsRegistry,
  name: string,
): { set(value: number): void } {
  return registry
    .gauge({
      name: 'leader_election_master_status',
      help: 'Whether this process leads: 1 if it does, 0 if it stands by. The name is that of the lease.',
      labelNames: ['name'],
    })
    .labels({ name });
}

/**
 * Returns the `onSlowPath` of a `LeaderElector`, which counts
 * `leader_election_slowpath_total{name}`: renewals that had to read the lease first.
 */
export function measureSlowPath(registry: MetricsRegistry, name: string): () => void {
  const slowPath = registry
    .counter({
      name: 'leader_election_slowpath_total',
      help: 'Number of renewals that had to read the lease first. The name is that of the lease.',
      labelNames: ['name'],
    })
    .labels({ name });
  return () => slowPath.inc();
}
