import type { PriorityLevelConfiguration } from 'client-ts/api/flowcontrol/v1';
import type { DeepReadonly } from 'client-ts/meta';
import type { MetricsRegistry } from 'client-ts/observe';

import type { FlowClassifier } from './flow-classifier.ts';

/** The requests that a kube-apiserver answers concurrently by default, readers and writers. */
const SERVER_SEATS = 400 + 200;

const LIMITS = [
  ['nominal', 'The share of a priority level in the requests that are answered concurrently.'],
  ['lower', 'The share of a priority level after it has lent what others may borrow.'],
  ['upper', 'The share of a priority level with all that it may borrow.'],
] as const;

/**
 * Adds the metrics of priority levels: what is configured, and the requests of each. The limits are
 * those of a kube-apiserver with default flags; this server does not enforce them.
 */
export function addFlowMetrics(registry: MetricsRegistry, flows: FlowClassifier): void {
  const dispatched = registry.counter({
    name: 'apiserver_flowcontrol_dispatched_requests_total',
    help: 'Requests, by FlowSchema and priority level.',
    labelNames: ['flow_schema', 'priority_level'],
  });
  const gauges = LIMITS.map(([limit, help]) => ({
    limit,
    gauge: registry.gauge({
      name: `apiserver_flowcontrol_${limit}_limit_seats`,
      help,
      labelNames: ['priority_level'],
    }),
  }));
  let known: readonly string[] = [];
  registry.onCollect(() => {
    for (const { schema, level, count } of flows.takeCounts()) {
      dispatched.labels({ flow_schema: schema, priority_level: level }).inc(count);
    }
    const limits = limitsOf(flows.levels());
    for (const name of known.filter((one) => !limits.has(one))) {
      for (const { gauge } of gauges) gauge.remove({ priority_level: name });
    }
    known = [...limits.keys()];
    for (const [name, values] of limits) {
      for (const { limit, gauge } of gauges) {
        gauge.labels({ priority_level: name }).set(values[limit]);
      }
    }
  });
}

interface LevelLimits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

function limitsOf(
  levels: readonly DeepReadonly<PriorityLevelConfiguration>[],
): Map<string, LevelLimits> {
  const shares = levels.map(sharesOf);
  const sum = Math.max(
    1,
    shares.reduce((total, share) => total + share, 0),
  );
  return new Map(
    levels.map(({ metadata, spec }, index) => {
      const nominal = Math.ceil((SERVER_SEATS * (shares[index] ?? 0)) / sum);
      const lendable = (spec?.limited ?? spec?.exempt)?.lendablePercent ?? 0;
      const borrowable = spec?.limited?.borrowingLimitPercent;
      const lower = nominal - Math.round((nominal * lendable) / 100);
      const upper =
        nominal +
        (borrowable === undefined ? SERVER_SEATS : Math.round((nominal * borrowable) / 100));
      return [metadata?.name ?? '', { nominal, lower, upper }];
    }),
  );
}

function sharesOf({ spec }: DeepReadonly<PriorityLevelConfiguration>): number {
  return (
    spec?.limited?.nominalConcurrencyShares ??
    spec?.exempt?.nominalConcurrencyShares ??
    (spec?.type === 'Limited' ? DEFAULT_SHARES : 0)
  );
}

const DEFAULT_SHARES = 30;
