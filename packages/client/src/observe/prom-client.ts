import type { MetricType, Sample } from './metric-series.ts';

/**
 * The part of a `Registry` of prom-client that receives metrics. The types of prom-client name its own
 * classes, so that `never` is the only argument that every version accepts.
 */
export interface PromClientRegistry {
  registerMetric(metric: never): void;
  getSingleMetric(name: string): unknown;
}

/** A metric as prom-client reads it. */
interface PromClientMetric {
  /** prom-client removes `_total` from it before it prints OpenMetrics. */
  name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly aggregator: 'sum';
  get(): Promise<object>;
  /** Called by `resetMetrics`. A counter that others hold on to is never set back. */
  reset(): void;
}

/** The content of a metric, read at each scrape. */
export interface ReadableMetric {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  samples(): Iterable<{
    readonly labels: Readonly<Record<string, string>>;
    readonly sample: Sample;
  }>;
}

/** Registers a metric in a registry of prom-client, unless that has one of the same name. */
export function registerInPromClient(target: PromClientRegistry, readable: ReadableMetric): void {
  const { name, help, type } = readable;
  if (target.getSingleMetric(name) !== undefined) return;
  const metric: PromClientMetric = {
    name,
    help,
    type,
    aggregator: 'sum',
    get: async () => ({
      name: metric.name,
      help,
      type,
      aggregator: 'sum',
      values: Array.from(readable.samples(), ({ labels, sample }) =>
        promClientValue(name, labels, sample),
      ),
    }),
    reset: () => undefined,
  };
  target.registerMetric(metric as never);
}

function promClientValue(
  name: string,
  labels: Readonly<Record<string, string>>,
  { suffix, le, value }: Sample,
): object {
  return {
    value,
    labels: le === undefined ? labels : { le, ...labels },
    ...(suffix !== '' && { metricName: `${name}${suffix}` }),
  };
}
