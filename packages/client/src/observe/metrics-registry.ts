import { getKey } from '../lib/json.ts';
import { OptionError } from '../lib/option-error.ts';

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

/** A number that only grows. */
export interface Counter {
  /** Adds 1, or a number that is not negative. */
  inc(by?: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number): void;
  inc(by?: number): void;
  dec(by?: number): void;
}

/** A distribution of values. */
export interface Histogram {
  observe(value: number): void;
}

/** One metric with its labels: a {@link Counter}, {@link Gauge} or {@link Histogram} per combination. */
export interface Metric<Label extends string, Series> {
  /**
   * Returns the series with these label values, and creates it if needed. Keep it where it is used
   * often. Each combination stays in memory until it is removed: use labels with few values.
   */
  labels(values: LabelValues<Label>): Series;
  /** Removes the series with these label values. */
  remove(values: LabelValues<Label>): void;
}

type MetricType = 'counter' | 'gauge' | 'histogram';

/** A sample: the end of the metric's name, additional labels, and the value. */
type Sample = readonly [suffix: string, labels: string, value: number];

interface AnySeries {
  samples(): Iterable<Sample>;
}

class NumberSeries implements AnySeries {
  value = 0;

  *samples(): Iterable<Sample> {
    yield ['', '', this.value];
  }
}

class CounterSeries extends NumberSeries implements Counter {
  inc(by = 1): void {
    if (!(by >= 0)) throw new OptionError('by', `a counter cannot grow by ${by}`);
    this.value += by;
  }
}

class GaugeSeries extends NumberSeries implements Gauge {
  set(value: number): void {
    this.value = value;
  }

  inc(by = 1): void {
    this.value += by;
  }

  dec(by = 1): void {
    this.value -= by;
  }
}

class HistogramSeries implements AnySeries, Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    const index = this.#bounds.findIndex((bound) => value <= bound);
    if (index !== -1) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  *samples(): Iterable<Sample> {
    let cumulative = 0;
    for (const [index, bound] of this.#bounds.entries()) {
      cumulative += this.#counts[index] ?? 0;
      yield ['_bucket', `le="${formatNumber(bound)}"`, cumulative];
    }
    yield ['_bucket', 'le="+Inf"', this.#count];
    yield ['_sum', '', this.#sum];
    yield ['_count', '', this.#count];
  }
}

class RegisteredMetric<Label extends string, Series extends AnySeries> implements Metric<
  Label,
  Series
> {
  readonly type: MetricType;
  readonly labelNames: readonly Label[];
  readonly #options: MetricOptions<Label>;
  readonly #create: () => Series;
  readonly #series = new Map<string, Series>();

  constructor(type: MetricType, options: MetricOptions<Label>, create: () => Series) {
    const { labelNames = [] } = options;
    this.type = type;
    this.labelNames = labelNames;
    this.#options = options;
    this.#create = create;
    if (labelNames.length === 0) this.#series.set('', create());
  }

  labels(values: LabelValues<Label>): Series {
    const key = this.#keyOf(values);
    let series = this.#series.get(key);
    if (series === undefined) {
      series = this.#create();
      this.#series.set(key, series);
    }
    return series;
  }

  remove(values: LabelValues<Label>): void {
    this.#series.delete(this.#keyOf(values));
  }

  *lines(): Iterable<string> {
    const { name, help } = this.#options;
    yield `# HELP ${name} ${escapeHelp(help)}`;
    yield `# TYPE ${name} ${this.type}`;
    for (const [key, series] of this.#series) {
      for (const [suffix, labels, value] of series.samples()) {
        const all = [key, labels].filter((part) => part !== '').join(',');
        yield `${name}${suffix}${all === '' ? '' : `{${all}}`} ${formatNumber(value)}`;
      }
    }
  }

  /** The labels as they are printed, which are different for different values. */
  #keyOf(values: LabelValues<Label>): string {
    return this.labelNames
      .map((label) => `${label}="${escapeValue(getKey(values, label) ?? '')}"`)
      .join(',');
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
  readonly #metrics = new Map<string, RegisteredMetric<string, AnySeries>>();

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

  /** Returns all metrics in the text format of Prometheus, version 0.0.4. */
  text(): string {
    let text = '';
    for (const metric of this.#metrics.values()) {
      for (const line of metric.lines()) text += `${line}\n`;
    }
    return text;
  }

  #register<Label extends string, Series extends AnySeries>(
    type: MetricType,
    options: MetricOptions<Label>,
    create: () => Series,
  ): Metric<Label, Series> {
    const { name, labelNames = [] } = options;
    const known = this.#metrics.get(name);
    if (known !== undefined) {
      if (known.type !== type || known.labelNames.join(',') !== labelNames.join(',')) {
        const words = `"${name}" is a ${known.type} with the labels "${known.labelNames.join(',')}"`;
        throw new OptionError('name', words);
      }
      // The name, the type and the labels are the same, so the type of the series is too.
      return known as RegisteredMetric<Label, Series>;
    }
    if (!METRIC_NAME.test(name)) throw new OptionError('name', `"${name}" is not a metric name`);
    for (const label of labelNames) {
      if (!LABEL_NAME.test(label)) {
        throw new OptionError('labelNames', `"${label}" is not a label name`);
      }
    }
    const metric = new RegisteredMetric(type, options, create);
    this.#metrics.set(name, metric);
    return metric;
  }
}

function formatNumber(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', String.raw`\"`);
}
