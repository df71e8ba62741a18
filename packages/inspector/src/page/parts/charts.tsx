import type { ObservedHistogram } from 'client-ts/observe';
import type { JSX } from 'preact';

import { formatCount, formatDuration } from '../session/format.ts';

/** A small line of values over time, scaled to its largest. */
export function Sparkline(props: {
  readonly label: string;
  readonly values: readonly number[];
}): JSX.Element {
  const { values } = props;
  const top = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const y = 30 - (value / top) * 28;
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline"
      viewBox="0 0 100 31"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${props.label}: ${formatCount(values.at(-1) ?? 0)} now, ${formatCount(Math.max(0, ...values))} at most`}
    >
      <polygon class="area" points={`0,31 ${points.join(' ')} 100,31`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

/** A histogram with one bar per bucket that has something in it, or lies between two that have. */
export function Histogram(props: {
  readonly label: string;
  readonly histogram: ObservedHistogram | undefined;
}): JSX.Element {
  const bars = barsOf(props.histogram);
  const top = Math.max(1, ...bars.map(({ count }) => count));
  // More labels than these would not fit.
  const every = Math.ceil(bars.length / 6);
  const { count = 0, sum = 0 } = props.histogram ?? {};
  const mean = count === 0 ? 'no values' : `mean ${formatDuration((sum / count) * 1000)}`;
  return (
    <figure class="histogram">
      <figcaption>
        <span>{props.label}</span>
        <span class="muted">{`${formatCount(count)} · ${mean}`}</span>
      </figcaption>
      <div class="bars" role="img" aria-label={describe(props.label, bars)}>
        {bars.map(({ upTo, count }, index) => (
          <span class="bar" key={upTo} title={`up to ${upTo}: ${count}`}>
            <i style={{ height: `${count === 0 ? 0 : Math.max(3, (count / top) * 100)}%` }} />
            <b>{index % every === 0 ? upTo : ''}</b>
          </span>
        ))}
      </div>
    </figure>
  );
}

interface Bar {
  readonly upTo: string;
  readonly count: number;
}

function barsOf(histogram: ObservedHistogram | undefined): readonly Bar[] {
  if (histogram === undefined) return [];
  let below = 0;
  const bars = histogram.buckets.map(({ upTo, count }) => {
    const own = count - below;
    below = count;
    return { upTo: formatDuration(upTo * 1000), count: own };
  });
  bars.push({ upTo: 'more', count: histogram.count - below });
  const first = bars.findIndex(({ count }) => count > 0);
  const last = bars.findLastIndex(({ count }) => count > 0);
  return first === -1 ? [] : bars.slice(Math.max(0, first - 1), last + 2);
}

function describe(label: string, bars: readonly Bar[]): string {
  const texts = bars
    .filter(({ count }) => count > 0)
    .map(({ upTo, count }) => `up to ${upTo}: ${count}`);
  return `${label}: ${texts.length === 0 ? 'no values' : texts.join(', ')}`;
}
