/**
 * Metrics in the text format of Prometheus, under the names of client-go and controller-runtime; and
 * the feed: what happens in a program as records, for the inspector and for files of sessions.
 *
 * @module
 */

export {
  measureLeadership,
  measureReconcile,
  measureSlowPath,
  type ReconcileMetricsOptions,
} from './controller-metrics.ts';
export { Feed, type FeedOptions } from './feed.ts';
export type { FeedController } from './feed-reconciles.ts';
export { type GuardWarning, guardWarnings } from './guard-warnings.ts';
export { LOG_EVENTS, type LogEvent } from '../lib/log-events.ts';
export { type LogEntry, type LogFields, type LogLevel, structuredLogger } from '../lib/logger.ts';
export { maskSecrets } from './mask-secrets.ts';
export { credentialMetrics, type CredentialMetricsOptions } from './credential-metrics.ts';
export type { Counter, Gauge, Histogram, MetricType, Summary } from './metric-series.ts';
export {
  type HistogramOptions,
  type LabelValues,
  type Metric,
  type MetricOptions,
  MetricsRegistry,
} from './metrics-registry.ts';
export type {
  ElectionRecord,
  EventRecordedRecord,
  GuardWarningRecord,
  HandlerSlowRecord,
  InformerEventsRecord,
  InformerRelistRecord,
  InformerStateRecord,
  NoteRecord,
  ObservedBase,
  ObservedHandler,
  ObservedHistogram,
  ObservedInformerPhase,
  ObservedRecord,
  ObservedTrigger,
  QueueAddRecord,
  QueueStateRecord,
  ReconcileEndRecord,
  ReconcileStartRecord,
  RequestEndRecord,
  RequestHeadRecord,
  RequestStartRecord,
  WatchEventRecord,
} from './observed-record.ts';
export type {
  ObservedConnection,
  ObservedController,
  ObservedInformer,
  ObservedQueue,
  ObservedSnapshot,
  SessionHeader,
} from './observed-snapshot.ts';
export { processMetrics } from './process-metrics.ts';
export type { PromClientRegistry } from './prom-client.ts';
export { reflectorMetrics } from './reflector-metrics.ts';
export { type RequestMetricsOptions, withRequestMetrics } from './request-metrics.ts';
export {
  OBSERVE_ERRORS,
  ObserveError,
  type ObserveErrorCode,
  parseSession,
  type Session,
  sessionLine,
} from './session.ts';
export type {
  OpenTelemetryApi,
  TraceAttributes,
  TraceContext,
  TraceSpan,
  TraceSpanContext,
} from './open-telemetry.ts';
export { enableTracing, type Tracing, type TracingOptions } from './tracing.ts';
export { type WebhookMetrics, webhookMetrics } from './webhook-metrics.ts';
export { workqueueMetrics } from './workqueue-metrics.ts';
