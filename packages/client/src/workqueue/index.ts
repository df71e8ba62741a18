export { BucketRateLimiter, type BucketRateLimiterOptions } from './bucket-rate-limiter.ts';
export { MaxOfRateLimiter, WithMaxWaitRateLimiter } from './combined-rate-limiters.ts';
export {
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  type DefaultRateLimiterOptions,
} from './default-rate-limiters.ts';
export { DelayingQueue } from './delaying-queue.ts';
export {
  type HistogramSnapshot,
  InMemoryMetricsProvider,
  type QueueMetricsSnapshot,
} from './in-memory-metrics.ts';
export {
  type ItemExponentialFailureOptions,
  ItemExponentialFailureRateLimiter,
  type ItemFastSlowOptions,
  ItemFastSlowRateLimiter,
  type ItemRateLimiterOptions,
} from './item-rate-limiters.ts';
export type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricsProvider,
  QueueMetrics,
} from './metrics.ts';
export { type ParallelizeOptions, parallelizeUntil } from './parallelize.ts';
export { PerItemBackoff, type PerItemBackoffOptions } from './per-item-backoff.ts';
export type { RateLimiter } from './rate-limiter.ts';
export { RateLimitingQueue, type RateLimitingQueueOptions } from './rate-limiting-queue.ts';
export {
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  type RequeueAfter,
  requeueAfter,
} from './reconcile.ts';
export { runWorkers, type RunWorkersOptions, type WorkerQueue } from './run-workers.ts';
export {
  type FailedAttempt,
  isTerminal,
  ReconcileError,
  type ReconcileErrorCode,
  terminal,
  TerminalError,
} from './worker-error.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
