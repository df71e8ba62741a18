/**
 * Work queues with deduplication, delays and rate limits, and workers that process them.
 *
 * @module
 */

export { DelayingQueue } from './delaying-queue.ts';
export type {
  DiagnosedQueue,
  DiagnosedReconcile,
  ObservedItem,
  QueueAdd,
  QueueCause,
  QueueStatistics,
  QueueStep,
  RateLimiterState,
  ReconcileOutcome,
} from './diagnostics.ts';
export {
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type HistogramSnapshot,
  InMemoryMetricsProvider,
  type MetricsProvider,
  type QueueMetrics,
  type QueueMetricsSnapshot,
} from './metrics.ts';
export { type ParallelizeOptions, parallelizeUntil } from './parallelize.ts';
export { PerItemBackoff, type PerItemBackoffOptions } from './per-item-backoff.ts';
export {
  LOW_PRIORITY,
  type PriorityOptions,
  PriorityQueue,
  type PriorityQueueOptions,
} from './priority-queue.ts';
export {
  BucketRateLimiter,
  type BucketRateLimiterOptions,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  type DefaultRateLimiterOptions,
  type ItemExponentialFailureOptions,
  ItemExponentialFailureRateLimiter,
  type ItemFastSlowOptions,
  ItemFastSlowRateLimiter,
  type ItemRateLimiterOptions,
  MaxOfRateLimiter,
  type RateLimiter,
  WithMaxWaitRateLimiter,
} from './rate-limiters.ts';
export { RateLimitingQueue, type RateLimitingQueueOptions } from './rate-limiting-queue.ts';
export {
  type ReconcileFailure,
  isTerminal,
  type Reconcile,
  type ReconcileContext,
  ReconcileError,
  type ReconcileErrorCode,
  type ReconcileResult,
  type RequeueAfter,
  requeueAfter,
  terminal,
  TerminalError,
} from './reconcile.ts';
export { runWorkers, type RunWorkersOptions, type WorkerQueue } from './run-workers.ts';
export {
  type QueueWaitOptions,
  type UnderlyingQueue,
  WorkQueue,
  type WorkQueueOptions,
} from './work-queue.ts';
