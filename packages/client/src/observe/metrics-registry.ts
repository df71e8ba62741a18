import { getKey } from '../lib/json.ts';
import { OptionError } from '../lib/option-error.ts';
import {
  type Counter,
  CounterSeries,
  formatNumber,
  type Gauge,
  GaugeSeries,
  type Histogram,
  HistogramSeries,
  type MetricType,
  type Sample,
  type Series,
  type Summary,
  SummarySeries,
} from './metric-series.ts';
import { type PromClientRegistry, registerInPromClient } from './prom-client.ts';

/** The name, help text and labels of a metric. */
export interface MetricOptions<Label extends string> {
  /** By convention with its unit at the end: `requests_total`, `wait_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[] | undefined;
}

/** Options of a histogram. */
export interface HistogramOptions<Label extends string> extends MetricOptions<Label> {
  /** The upper bounds in increasing order, without infinity. */
  readonly buckets: readonly number[];
}

/** A value for each label of a metric. */
export type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

/** One metric with its labels: a {@link Counter}, {@link Gauge}, … per combination. */
export interface Metric<Label extends string, One> {
  /**
   * Returns the series with these label values, and creates it if needed. Keep it where it is used
   * often. Each combination stays in memory until it is removed: use labels with few values.
   */
  labels(values: LabelValues<Label>): One;
  /** Removes the series with these label values. */
  remove(values: LabelValues<Label>): void;
}

class RegisteredMetric<Label extends string, One extends Series> implements Metric<Label, One> {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly Label[];
  readonly #create: () => One;
  /** By the labels as they are printed, which are different for different values. */
  readonly #series = new Map<string, { readonly values: LabelValues<Label>; readonly one: One }>();

  constructor(
    type: MetricType,
    { name, help, labelNames = [] }: MetricOptions<Label>,
    create: () => One,
  ) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.labelNames = labelNames;
    this.#create = create;
    if (labelNames.length === 0) this.labels({} as LabelValues<Label>);
  }

  labels(values: LabelValues<Label>): One {
    const own = this.#own(values);
    const key = printedLabels(own);
    const known = this.#series.get(key);
    if (known !== undefined) return known.one;
    const one = this.#create();
    this.#series.set(key, { values: own, one });
    return one;
  }

  remove(values: LabelValues<Label>): void {
    this.#series.delete(printedLabels(this.#own(values)));
  }

  *samples(): Iterable<{ readonly labels: LabelValues<Label>; readonly sample: Sample }> {
    for (const { values, one } of this.#series.values()) {
      for (const sample of one.samples()) yield { labels: values, sample };
    }
  }

  *lines(): Iterable<string> {
    const { name, help, type } = this;
    yield `# HELP ${name} ${escapeHelp(help)}`;
    yield `# TYPE ${name} ${type}`;
    for (const [key, { one }] of this.#series) {
      for (const { suffix, le, value } of one.samples()) {
        const all = [key, le === undefined ? '' : `le="${le}"`].filter((part) => part !== '');
        const labels = all.length === 0 ? '' : `{${all.join(',')}}`;
        yield `${name}${suffix}${labels} ${formatNumber(value)}`;
      }
    }
  }

  /** The values of the labels of this metric, as text that every reader accepts. */
  #own(values: LabelValues<Label>): LabelValues<Label> {
    const own = this.labelNames.map((label) => [label, readable(getKey(values, label) ?? '')]);
    return Object.fromEntries(own) as LabelValues<Label>;
  }
}

const METRIC_NAME = /^[A-Z_a-z:][\w:]*$/;
const LABEL_NAME = /^(?!__)[A-Z_a-z]\w*$/;

/**
 * Holds metrics and prints them in the text format of Prometheus. A metric that is asked for again
 * is the same one, so that several parts of a program can share it.
 *
 * ```ts
 * const registry = new MetricsRegistry();
 * const jobs = registry.counter({ name: 'jobs_total', help: 'Jobs done.', labelNames: ['kind'] });
 * jobs.labels({ kind: 'backup' }).inc();
 * console.log(registry.text());
 * ```
 */
export class MetricsRegistry {
  /** The content type of {@link MetricsRegistry.text}. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #metrics = new Map<string, RegisteredMetric<string, Series>>();
  readonly #collectors = new Set<{ readonly collect: () => void }>();
  #isCollected = false;
  readonly #targets = new Set<PromClientRegistry>();

  /** Returns the counter with this name, and registers it if needed. */
  counter<const Label extends string = never>(
    options: MetricOptions<Label>,
  ): Metric<Label, Counter> {
    return this.#register('counter', options, () => new CounterSeries());
  }

  /** Returns the gauge with this name, and registers it if needed. */
  gauge<const Label extends string = never>(options: MetricOptions<Label>): Metric<Label, Gauge> {
    return this.#register('gauge', options, () => new GaugeSeries());
  }

  /** Returns the histogram with this name, and registers it if needed. */
  histogram<const Label extends string = never>(
    options: HistogramOptions<Label>,
  ): Metric<Label, Histogram> {
    const { name, buckets, labelNames = [] } = options;
    if (labelNames.some((label) => label === 'le')) {
      throw new OptionError('labelNames', `histogram "${name}" cannot have the label "le"`);
    }
    const isIncreasing = buckets.every(
      (bound, index) => bound < Infinity && bound > (buckets[index - 1] ?? -Infinity),
    );
    if (!isIncreasing) {
      throw new OptionError('buckets', `those of "${name}" are not finite and increasing`);
    }
    return this.#register('histogram', options, () => new HistogramSeries(buckets));
  }

  /** Returns the summary with this name, and registers it if needed. */
  summary<const Label extends string = never>(
    options: MetricOptions<Label>,
  ): Metric<Label, Summary> {
    return this.#register('summary', options, () => new SummarySeries());
  }

  /**
   * Calls a function before the metrics are read, so that it can set gauges. One that throws changes
   * nothing for the others. Disposing the result ends it.
   */
  onCollect(collect: () => void): Disposable {
    const entry = { collect };
    this.#collectors.add(entry);
    return { [Symbol.dispose]: () => void this.#collectors.delete(entry) };
  }

  /**
   * Registers all metrics in a registry of prom-client, now and when they are created later, and
   * returns it. A metric whose name is taken there is left out. `resetMetrics` does not reset them.
   *
   * ```ts
   * import { register, Registry } from 'prom-client';
   *
   * const all = Registry.merge([register, manager.metrics.registerIn(new Registry())]);
   * ```
   */
  registerIn<Target extends PromClientRegistry>(target: Target): Target {
    this.#targets.add(target);
    for (const metric of this.#metrics.values()) this.#registerIn(target, metric);
    return target;
  }

  /** Returns all metrics in the text format of Prometheus, version 0.0.4. */
  text(): string {
    this.#collect();
    let text = '';
    for (const metric of this.#metrics.values()) {
      for (const line of metric.lines()) text += `${line}\n`;
    }
    return text;
  }

  /** Once for all metrics that are read in the same turn, as prom-client does. */
  #collect(): void {
    if (this.#isCollected) return;
    this.#isCollected = true;
    queueMicrotask(() => (this.#isCollected = false));
    for (const { collect } of this.#collectors) {
      try {
        collect();
      } catch {
        // The gauges keep their values.
      }
    }
  }

  #registerIn(target: PromClientRegistry, metric: RegisteredMetric<string, Series>): void {
    const { name, help, type } = metric;
    registerInPromClient(target, {
      name,
      help,
      type,
      samples: () => {
        this.#collect();
        return metric.samples();
      },
    });
  }

  #register<Label extends string, One extends Series>(
    type: MetricType,
    options: MetricOptions<Label>,
    create: () => One,
  ): Metric<Label, One> {
    const { name, labelNames = [] } = options;
    const known = this.#metrics.get(name);
    if (known !== undefined) {
      if (known.type !== type || known.labelNames.join(',') !== labelNames.join(',')) {
        const words = `"${name}" is a ${known.type} with the labels "${known.labelNames.join(',')}"`;
        throw new OptionError('name', words);
      }
      // The name, the type and the labels are the same, so the type of the series is too.
      return known as unknown as RegisteredMetric<Label, One>;
    }
    if (!METRIC_NAME.test(name)) throw new OptionError('name', `"${name}" is not a metric name`);
    for (const label of labelNames) {
      if (!LABEL_NAME.test(label)) {
        throw new OptionError('labelNames', `"${label}" is not a label name`);
      }
    }
    const metric = new RegisteredMetric(type, options, create);
    const any = metric as unknown as RegisteredMetric<string, Series>;
    this.#metrics.set(name, any);
    for (const target of this.#targets) this.#registerIn(target, any);
    return metric;
  }
}

function printedLabels(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([label, value]) => `${label}="${escapeValue(value)}"`)
    .join(',');
}

/**
 * Replaces what is not text in UTF-8: a NUL ends the input of Prometheus, and half of a surrogate pair
 * cannot be encoded, so that two series would become one.
 */
function readable(value: string): string {
  return Buffer.from(value).toString().replaceAll('\0', '\uFFFD');
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', String.raw`\"`);
}
