import { OptionError } from '../lib/option-error.ts';

/** The type of a metric, as Prometheus names it. */
export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary';

/** A number that only grows. */
export interface Counter {
  /** Adds 1, or a finite number that is not negative. */
  inc(by?: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number): void;
  inc(by?: number): void;
  dec(by?: number): void;
}

/** A distribution of values. Values that are not finite are ignored. */
export interface Histogram {
  observe(value: number): void;
}

/** The sum and the number of values, without quantiles. Values that are not finite are ignored. */
export interface Summary {
  observe(value: number): void;
}

/** A sample of a series: the end of the metric's name, the bound of a bucket, and the value. */
export interface Sample {
  readonly suffix: '' | '_bucket' | '_count' | '_sum';
  /** The value of the label `le`. */
  readonly le?: string;
  readonly value: number;
}

/** One combination of label values. */
export interface Series {
  samples(): Iterable<Sample>;
}

class NumberSeries implements Series {
  value = 0;

  *samples(): Iterable<Sample> {
    yield { suffix: '', value: this.value };
  }
}

/** The series of a counter. */
export class CounterSeries extends NumberSeries implements Counter {
  inc(by = 1): void {
    if (!(by >= 0 && by < Infinity)) throw new OptionError('by', `a counter cannot grow by ${by}`);
    this.value += by;
  }
}

/** The series of a gauge. */
export class GaugeSeries extends NumberSeries implements Gauge {
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

/** The series of a summary. */
export class SummarySeries implements Series, Summary {
  #sum = 0;
  #count = 0;

  observe(value: number): void {
    if (!Number.isFinite(value)) return;
    this.#sum += value;
    this.#count += 1;
  }

  *samples(): Iterable<Sample> {
    yield { suffix: '_sum', value: this.#sum };
    yield { suffix: '_count', value: this.#count };
  }
}

/** The series of a histogram. */
export class HistogramSeries implements Series, Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    // One such value would make the sum useless forever.
    if (!Number.isFinite(value)) return;
    this.#sum += value;
    this.#count += 1;
    const bounds = this.#bounds;
    // Not findIndex, whose callback costs more than all comparisons.
    for (let index = 0; index < bounds.length; index += 1) {
      if (value > (bounds[index] as number)) continue;
      this.#counts[index] = (this.#counts[index] as number) + 1;
      return;
    }
  }

  *samples(): Iterable<Sample> {
    let cumulative = 0;
    for (const [index, bound] of this.#bounds.entries()) {
      cumulative += this.#counts[index] ?? 0;
      yield { suffix: '_bucket', le: formatNumber(bound), value: cumulative };
    }
    yield { suffix: '_bucket', le: '+Inf', value: this.#count };
    yield { suffix: '_sum', value: this.#sum };
    yield { suffix: '_count', value: this.#count };
  }
}

/** Returns a number as Prometheus reads it. */
export function formatNumber(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
