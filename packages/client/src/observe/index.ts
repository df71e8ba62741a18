/**
 * Metrics in the text format of Prometheus, under the names of client-go and controller-runtime.
 *
 * @module
 */

export {
  measureLeadership,
  measureReconcile,
  type ReconcileMetricsOptions,
} from './controller-metrics.ts';
export {
  type Counter,
  type Gauge,
  type Histogram,
  type HistogramOptions,
  type LabelValues,
  type Metric,
  type MetricOptions,
  MetricsRegistry,
} from './metrics-registry.ts';
export { type RequestMetricsOptions, withRequestMetrics } from './request-metrics.ts';
export { type WebhookMetrics, webhookMetrics } from './webhook-metrics.ts';
export { workqueueMetrics } from './workqueue-metrics.ts';
