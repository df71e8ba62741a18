import type { MetricsProvider } from '../workqueue/metrics.ts';
import type { Gauge } from './metric-series.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** From 10 ns to 1000 s: the buckets of Kubernetes components for times in queues. */
export const POWERS_OF_TEN_SECONDS: readonly number[] = [
  1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3,
];

/** More priorities than this share one series, so that their number is bounded. */
const MAX_PRIORITIES = 25;

/**
 * Returns a provider for the `metrics` option of a queue, which measures as `workqueue_…`: the names
 * of client-go, with the labels of controller-runtime (`controller` is the name of the queue; only
 * the depth of a `PriorityQueue` has a priority).
 */
export function workqueueMetrics(registry: MetricsRegistry): MetricsProvider {
  const labelNames = ['name', 'controller'] as const;
  const depth = registry.gauge({
    name: 'workqueue_depth',
    help: 'Current depth of the work queue, by queue and priority.',
    labelNames: ['name', 'controller', 'priority'],
  });
  const adds = registry.counter({
    name: 'workqueue_adds_total',
    help: 'Number of adds handled by the work queue.',
    labelNames,
  });
  const queueLatency = registry.histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'How long an item stays in the work queue before a worker gets it.',
    labelNames,
    buckets: POWERS_OF_TEN_SECONDS,
  });
  const workDuration = registry.histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'How long processing an item takes.',
    labelNames,
    buckets: POWERS_OF_TEN_SECONDS,
  });
  const unfinishedWork = registry.gauge({
    name: 'workqueue_unfinished_work_seconds',
    help: 'The sum of the ages of all items being processed. Grows steadily while workers hang.',
    labelNames,
  });
  const longestRunning = registry.gauge({
    name: 'workqueue_longest_running_processor_seconds',
    help: 'The age of the item that has been processed longest.',
    labelNames,
  });
  const retries = registry.counter({
    name: 'workqueue_retries_total',
    help: 'Number of items added with a delay or a rate limit.',
    labelNames,
  });
  return {
    forQueue: (name) => {
      const values = { name, controller: name };
      const gaugeOf = (priority: string): Gauge => depth.labels({ ...values, priority });
      return {
        get depth() {
          return gaugeOf('');
        },
        depthOf: depthByPriority(gaugeOf),
        adds: adds.labels(values),
        queueLatency: queueLatency.labels(values),
        workDuration: workDuration.labels(values),
        unfinishedWork: unfinishedWork.labels(values),
        longestRunning: longestRunning.labels(values),
        retries: retries.labels(values),
      };
    },
  };
}

/** Returns the gauges of priorities. The last one has the sum of all that have none of their own. */
function depthByPriority(gaugeOf: (priority: string) => Gauge): (priority: number) => {
  set(value: number): void;
} {
  const gauges = new Map<number, { set(value: number): void }>();
  const rest = new Map<number, number>();
  const setRest = (priority: number, value: number): void => {
    if (value === 0) rest.delete(priority);
    else rest.set(priority, value);
    let sum = 0;
    for (const depth of rest.values()) sum += depth;
    gaugeOf('exceeded_cardinality_limit').set(sum);
  };
  return (priority) => {
    const known = gauges.get(priority);
    if (known !== undefined) return known;
    if (gauges.size >= MAX_PRIORITIES) return { set: (value) => setRest(priority, value) };
    const gauge = gaugeOf(String(priority));
    gauges.set(priority, gauge);
    return gauge;
  };
}
