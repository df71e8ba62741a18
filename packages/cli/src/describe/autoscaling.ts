import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from 'client-ts/api/autoscaling/v2';
import type { PodDisruptionBudget } from 'client-ts/api/policy/v1';
import { quoteGo } from 'client-ts/internal';

import type { Describer } from './describer.ts';
import { block, field, indent, type Lines, table } from './lines.ts';
import {
  formatSelector,
  identity,
  labelsAndAnnotations,
  localTime,
  type Loose,
  orUnset,
  quantity,
} from './values.ts';

/** An autoscaler, with its metrics. */
export const autoscalerDescriber: Describer<HorizontalPodAutoscaler> = {
  hasEvents: true,
  version: 'v2',
  lines: (autoscaler) => {
    const { metadata, spec = {}, status = {} } = autoscaler;
    const { scaleTargetRef: target, behavior, metrics = [] } = spec;
    const { conditions = [], currentMetrics = [] } = status;
    const { currentReplicas = 0, desiredReplicas = 0 } = status;
    return [
      identity(autoscaler),
      labelsAndAnnotations(autoscaler),
      field('CreationTimestamp', localTime(metadata?.creationTimestamp)),
      field('Reference', `${target?.kind ?? ''}/${target?.name ?? ''}`),
      field('Metrics', '( current / target )'),
      indent(metrics.map((metric, index) => metricLine(metric, currentMetrics[index]))),
      field('Min replicas', orUnset(spec.minReplicas)),
      field('Max replicas', spec.maxReplicas ?? 0),
      behavior !== undefined &&
        block(
          'Behavior',
          scalingRules('Scale Up', behavior.scaleUp),
          scalingRules('Scale Down', behavior.scaleDown),
        ),
      field(
        `${target?.kind ?? ''} pods`,
        `${currentReplicas} current / ${desiredReplicas} desired`,
      ),
      conditions.length > 0 &&
        block(
          'Conditions',
          table(
            ['Type', 'Status', 'Reason', 'Message'],
            conditions.map(({ type, status: is, reason, message }) => [type, is, reason, message]),
          ),
        ),
    ];
  },
};

const unknown = '<unknown>';

function metricLine(metric: Loose<MetricSpec>, now: Loose<MetricStatus> | undefined): string {
  const { type = '', external, pods, object, resource, containerResource } = metric;
  switch (type) {
    case 'External': {
      const name = quoteGo(external?.metric?.name ?? '');
      return `${name} ${valueOf(external?.target, now?.external?.current)}`;
    }
    case 'Pods': {
      const current = now?.pods && quantity(now.pods.current?.averageValue);
      const target = quantity(pods?.target?.averageValue);
      return field(`${quoteGo(pods?.metric?.name ?? '')} on pods`, pair(current, target));
    }
    case 'Object': {
      const { kind = '', name = '' } = object?.describedObject ?? {};
      const value = valueOf(object?.target, now?.object?.current);
      return `"${object?.metric?.name ?? ''}" on ${kind}/${name} ${value}`;
    }
    case 'Resource':
      return resourceMetric(`resource ${resource?.name ?? ''} on pods`, resource, now?.resource);
    case 'ContainerResource': {
      const { name = '', container = '' } = containerResource ?? {};
      const label = `resource ${name} of container "${container}" on pods`;
      return resourceMetric(label, containerResource, now?.containerResource);
    }
    default:
      return `<unknown metric type ${quoteGo(type)}>`;
  }
}

/** A value for all pods together, or the average of each. */
function valueOf(
  target: Loose<MetricTarget> | undefined,
  now: Loose<MetricValueStatus> | undefined,
): string {
  if (target?.averageValue !== undefined) {
    const current = now?.averageValue === undefined ? undefined : quantity(now.averageValue);
    return field('(target average value)', pair(current, quantity(target.averageValue)));
  }
  return field('(target value)', pair(now && quantity(now.value), quantity(target?.value)));
}

function resourceMetric(
  label: string,
  metric: Loose<{ target: MetricTarget }> | undefined,
  now: Loose<{ current: MetricValueStatus }> | undefined,
): string {
  const { averageValue, averageUtilization } = metric?.target ?? {};
  const current = now?.current;
  if (averageValue !== undefined) {
    return field(label, pair(now && quantity(current?.averageValue), quantity(averageValue)));
  }
  const used = current?.averageUtilization;
  return field(
    `${label}  (as a percentage of request)`,
    pair(
      used === undefined ? undefined : `${used}% (${quantity(current?.averageValue)})`,
      averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`,
    ),
  );
}

function pair(current: string | undefined, target: string): string {
  return `${current ?? unknown} / ${target}`;
}

function scalingRules(label: string, rules: Loose<HPAScalingRules> | undefined): Lines {
  if (rules === undefined) return undefined;
  const { stabilizationWindowSeconds: window, policies = [], selectPolicy = 'Max' } = rules;
  return block(
    label,
    window !== undefined && `Stabilization Window: ${window} seconds`,
    policies.length > 0 && [
      `Select Policy: ${selectPolicy}`,
      block(
        'Policies',
        policies.map(
          ({ type, value, periodSeconds }) =>
            `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`,
        ),
      ),
    ],
  );
}

/** A disruption budget. */
export const disruptionBudgetDescriber: Describer<PodDisruptionBudget> = {
  hasEvents: true,
  lines: (budget) => {
    const { spec = {}, status = {} } = budget;
    const { minAvailable, maxUnavailable, selector } = spec;
    return [
      identity(budget),
      minAvailable !== undefined
        ? field('Min available', minAvailable)
        : maxUnavailable !== undefined && field('Max unavailable', maxUnavailable),
      field('Selector', selector === undefined ? '<unset>' : formatSelector(selector)),
      'Status:',
      indent(
        [
          field('Allowed disruptions', status.disruptionsAllowed ?? 0),
          field('Current', status.currentHealthy ?? 0),
          field('Desired', status.desiredHealthy ?? 0),
          field('Total', status.expectedPods ?? 0),
        ],
        2,
      ),
    ];
  },
};
