// Upstream: pkg/apis/autoscaling/v1/defaults.go
// Upstream: pkg/apis/autoscaling/v2/defaults.go
// Upstream: pkg/apis/autoscaling/validation/validation.go
// Upstream: pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printHorizontalPodAutoscaler
import type * as v1 from 'client-ts/api/autoscaling/v1';
import type * as v2 from 'client-ts/api/autoscaling/v2';
import {
  parseApiVersion,
  type Quantity,
  validateDns1123Label,
  validatePathSegmentName,
} from 'client-ts/meta';
import { validateOptionalChoice } from '../../../validation/choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import {
  metaValidator,
  MUST_NOT_BE_NEGATIVE,
  nonNegative,
} from '../../../validation/object-meta.ts';
import { positive } from '../../../validation/pod/scheduling.ts';
import {
  isNegativeQuantity,
  isPositiveQuantity,
  quantityText,
  validateContainerResourceName,
} from '../../../validation/resources.ts';
import { UNKNOWN } from '../../printers/ages.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { firstFew, NONE, UNSET } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec } from '../support.ts';
import { hpaFromV2, hpaToV2 } from './conversion.ts';

type Autoscaler = Loose<v2.HorizontalPodAutoscaler>;
type Rules = Loose<v2.HPAScalingRules>;

const ONE_HOUR = 3600;
const HALF_AN_HOUR = 1800;
const METRIC_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const meta = metaValidator({ namespaced: true });

/**
 * Rules of HorizontalPodAutoscalers. They are stored as autoscaling/v2; only defaults depend on the
 * request version.
 */
export const horizontalPodAutoscalerStrategy: Strategy<Autoscaler> = {
  setDefaults: (autoscaler) => {
    const spec = (autoscaler.spec ??= {});
    spec.minReplicas ??= 1;
    if (autoscaler.apiVersion === 'autoscaling/v1') {
      setOldDefaults(autoscaler);
      return;
    }
    if ((spec.metrics ?? []).length === 0) {
      const target = { type: 'Utilization', averageUtilization: 80 };
      spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    }
    if (spec.behavior !== undefined) setBehaviorDefaults(spec.behavior);
  },
  validate: (autoscaler) => [...meta.create(autoscaler), ...validateSpec(autoscaler)],
  validateUpdate: (autoscaler, old) => [
    ...meta.update(autoscaler, old),
    ...validateSpec(autoscaler),
  ],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (autoscaler, old) => [
    ...meta.update(autoscaler, old),
    ...nonNegative(autoscaler.status?.currentReplicas, 'status.currentReplicas'),
    ...nonNegative(autoscaler.status?.desiredReplicas, 'status.desiredReplicas'),
  ],
  generation: 'none',
};

/** Sets the v1 defaults: the CPU utilization that v2 would default to. */
function setOldDefaults(autoscaler: Loose<v1.HorizontalPodAutoscaler>): void {
  const { targetCPUUtilizationPercentage: target } = hpaFromV2(hpaToV2(autoscaler)).spec ?? {};
  if (target !== undefined) (autoscaler.spec ??= {}).targetCPUUtilizationPercentage = target;
}

function setBehaviorDefaults(behavior: Loose<v2.HorizontalPodAutoscalerBehavior>): void {
  const periodSeconds = 15;
  behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds },
      { type: 'Percent', value: 100, periodSeconds },
    ],
    ...behavior.scaleUp,
  };
  behavior.scaleDown = {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds }],
    ...behavior.scaleDown,
  };
}

function validateSpec({ spec = {} }: Autoscaler): FieldError[] {
  const { minReplicas, maxReplicas = 0, metrics = [], behavior } = spec;
  return [
    ...(minReplicas !== undefined && minReplicas < 1
      ? [invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1')]
      : []),
    ...(maxReplicas === 0
      ? [required('spec.maxReplicas', 'must be set and greater than 0')]
      : maxReplicas < 0
        ? [invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1')]
        : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...validateReference(spec.scaleTargetRef ?? {}, 'spec.scaleTargetRef'),
    ...metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`)),
    ...validateRules(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

function validateReference(
  { kind = '', name = '', apiVersion = '' }: Loose<v2.CrossVersionObjectReference>,
  field: string,
): FieldError[] {
  const problem = apiVersionProblem(apiVersion);
  const named = (part: string, value: string): FieldError[] =>
    value === ''
      ? [required(`${field}.${part}`)]
      : invalidEach(`${field}.${part}`, value, validatePathSegmentName(value));
  return [
    ...named('kind', kind),
    ...named('name', name),
    ...(problem === undefined ? [] : [invalid(`${field}.apiVersion`, apiVersion, problem)]),
  ];
}

function apiVersionProblem(apiVersion: string): string | undefined {
  if (apiVersion.split('/').length > 2) {
    return `unexpected GroupVersion string: ${apiVersion}`;
  }
  // An empty group is valid for the ReplicationController of core/v1.
  const { group, version } = parseApiVersion(apiVersion);
  return group === '' && version !== 'v1' ? 'apiVersion must specify API group' : undefined;
}

const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

function validateMetric(metric: Loose<v2.MetricSpec>, field: string): FieldError[] {
  const { type = '' } = metric;
  const present = SOURCES.filter((name) => metric[name] !== undefined);
  const expected = SOURCES.find((name) => name.toLowerCase() === type.toLowerCase());
  const first = present[0];
  const unknown = METRIC_TYPES.includes(type)
    ? []
    : [notSupported(`${field}.type`, type, METRIC_TYPES)];
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric source type')] : []),
    ...unknown,
    ...(first === undefined ? [] : validateSource(first, metric, `${field}.${first}`)),
    ...(expected === undefined
      ? unknown
      : metric[expected] === undefined
        ? [
            required(
              `${field}.${expected}`,
              'must populate information for the given metric source',
            ),
          ]
        : []),
    ...(present.length === 1 ? [] : present.filter((name) => name !== expected)).map((name) =>
      forbidden(`${field}.${name}`, 'must populate the given metric source only'),
    ),
  ];
}

function validateSource(
  name: (typeof SOURCES)[number],
  metric: Loose<v2.MetricSpec>,
  field: string,
): FieldError[] {
  const target = metric[name]?.target ?? {};
  const { value, averageValue, averageUtilization } = target;
  const path = `${field}.target`;
  const common = validateTarget(target, path);
  switch (name) {
    case 'object':
      return [
        ...validateReference(metric.object?.describedObject ?? {}, `${field}.describedObject`),
        ...validateIdentifier(metric.object?.metric ?? {}, `${field}.metric`),
        ...common,
        ...(value === undefined && averageValue === undefined
          ? [required(`${path}.averageValue`, 'must set either a target value or averageValue')]
          : []),
      ];
    case 'external':
      return [
        ...validateIdentifier(metric.external?.metric ?? {}, `${field}.metric`),
        ...common,
        ...(value === undefined && averageValue === undefined
          ? [
              required(
                `${path}.averageValue`,
                'must set either a target value for metric or a per-pod target',
              ),
            ]
          : []),
        ...(value !== undefined && averageValue !== undefined
          ? [
              forbidden(
                `${path}.value`,
                'may not set both a target value for metric and a per-pod target',
              ),
            ]
          : []),
      ];
    case 'pods':
      return [
        ...validateIdentifier(metric.pods?.metric ?? {}, `${field}.metric`),
        ...common,
        ...(averageValue === undefined
          ? [required(`${path}.averageValue`, 'must specify a positive target averageValue')]
          : []),
      ];
    default:
      return [
        ...validateResource(metric[name] ?? {}, field, name === 'containerResource'),
        ...common,
        ...(averageUtilization === undefined && averageValue === undefined
          ? [
              required(
                `${path}.averageUtilization`,
                'must set either a target raw value or a target utilization',
              ),
            ]
          : []),
        ...(averageUtilization !== undefined && averageValue !== undefined
          ? [
              forbidden(
                `${path}.averageValue`,
                'may not set both a target raw value and a target utilization',
              ),
            ]
          : []),
      ];
  }
}

function validateResource(
  source: Loose<v2.ContainerResourceMetricSource | v2.ResourceMetricSource>,
  field: string,
  isContainer: boolean,
): FieldError[] {
  const { name = '' } = source;
  if (name === '') return [required(`${field}.name`, 'must specify a resource name')];
  if (!isContainer) return [];
  const { container = '' } = source as Loose<v2.ContainerResourceMetricSource>;
  return [
    ...validateContainerResourceName(name, `${field}.name`),
    ...(container === ''
      ? [required(`${field}.container`, 'must specify a container')]
      : invalidEach(`${field}.container`, container, validateDns1123Label(container))),
  ];
}

function validateIdentifier(
  { name = '' }: Loose<v2.MetricIdentifier>,
  field: string,
): FieldError[] {
  return name === ''
    ? [required(`${field}.name`, 'must specify a metric name')]
    : invalidEach(`${field}.name`, name, validatePathSegmentName(name));
}

function validateTarget(target: Loose<v2.MetricTarget>, field: string): FieldError[] {
  const { type = '', value, averageValue, averageUtilization } = target;
  const positiveQuantity = (quantity: Quantity | undefined, name: string): FieldError[] =>
    quantity === undefined || isPositiveQuantity(quantity)
      ? []
      : [invalid(`${field}.${name}`, quantityText(quantity), 'must be positive')];
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric target type')] : []),
    ...(['AverageValue', 'Utilization', 'Value'].includes(type)
      ? []
      : [invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positiveQuantity(value, 'value'),
    ...positiveQuantity(averageValue, 'averageValue'),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalid(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ];
}

function validateRules(rules: Rules | undefined, field: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window, policies = [], tolerance } = rules;
  const windowField = `${field}.stabilizationWindowSeconds`;
  return [
    ...(window !== undefined && window < 0
      ? [invalid(windowField, window, 'must be greater than or equal to zero')]
      : []),
    ...(window !== undefined && window > ONE_HOUR
      ? [invalid(windowField, window, `must be less than or equal to ${ONE_HOUR}`)]
      : []),
    ...validateOptionalChoice(
      rules.selectPolicy,
      ['Disabled', 'Max', 'Min'],
      `${field}.selectPolicy`,
    ),
    ...(policies.length === 0
      ? [required(`${field}.policies`, 'must specify at least one Policy')]
      : []),
    ...policies.flatMap((policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)),
    ...(isNegativeQuantity(tolerance)
      ? [invalid(`${field}.tolerance`, quantityText(tolerance ?? 0), MUST_NOT_BE_NEGATIVE)]
      : []),
  ];
}

function validatePolicy(
  { type = '', value = 0, periodSeconds = 0 }: Loose<v2.HPAScalingPolicy>,
  field: string,
): FieldError[] {
  return [
    ...validateOptionalChoice(type, ['Percent', 'Pods'], `${field}.type`),
    ...positive(value, `${field}.value`),
    ...positive(periodSeconds, `${field}.periodSeconds`),
    ...(periodSeconds > HALF_AN_HOUR
      ? [
          invalid(
            `${field}.periodSeconds`,
            periodSeconds,
            `must be less than or equal to ${HALF_AN_HOUR}`,
          ),
        ]
      : []),
  ];
}

type Target = Printable<v2.MetricTarget>;
type Value = Printable<v2.MetricValueStatus>;

/** The table of HorizontalPodAutoscalers, printed from v2, which has all metrics. */
export const horizontalPodAutoscalerPrinter: Printer<Printable<v2.HorizontalPodAutoscaler>> =
  printer([
    nameColumn(),
    column(
      'Reference',
      'Kind and name of the scale target',
      ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
    ),
    column('Targets', 'Current value / target of each metric', formatTargets),
    column('MinPods', 'Lower limit of the replicas', ({ spec }) =>
      String(spec?.minReplicas ?? UNSET),
    ),
    column('MaxPods', 'Upper limit of the replicas', ({ spec }) => spec?.maxReplicas ?? 0),
    column('Replicas', 'Number of current replicas', ({ status }) => status?.currentReplicas ?? 0),
    ageColumn(),
  ]);

const MOST_METRICS = 2;

function formatTargets({ spec, status }: Printable<v2.HorizontalPodAutoscaler>): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return NONE;
  const texts = metrics.map((metric, index) =>
    formatMetric(metric, status?.currentMetrics?.[index] ?? {}),
  );
  return firstFew(texts, MOST_METRICS, ', ');
}

/** Formats one metric as `current/target`. Metrics are matched by position. */
function formatMetric(
  metric: Printable<v2.MetricSpec>,
  measured: Printable<v2.MetricStatus>,
): string {
  switch (metric.type) {
    case 'External':
      return formatAmount(metric.external?.target ?? {}, measured.external?.current);
    case 'Object':
      return formatAmount(metric.object?.target ?? {}, measured.object?.current);
    case 'Pods': {
      const current = measured.pods && amount(measured.pods.current?.averageValue);
      return `${current ?? UNKNOWN}/${amount(metric.pods?.target?.averageValue)}`;
    }
    case 'Resource': {
      const { name = '', target = {} } = metric.resource ?? {};
      return `${name}: ${formatUse(target, measured.resource && (measured.resource.current ?? {}))}`;
    }
    case 'ContainerResource': {
      const { name = '', target = {} } = metric.containerResource ?? {};
      const current = measured.containerResource && (measured.containerResource.current ?? {});
      return `${name}: ${formatUse(target, current)}`;
    }
    default:
      return '<unknown type>';
  }
}

/** Formats an amount, total or per pod. */
function formatAmount({ value, averageValue }: Target, current: Value | undefined): string {
  return averageValue === undefined
    ? `${current === undefined ? UNKNOWN : amount(current.value)}/${amount(value)}`
    : `${current?.averageValue ?? UNKNOWN}/${averageValue} (avg)`;
}

/** Formats resource use: an amount per pod, or a percentage of the request. */
function formatUse(
  { averageValue, averageUtilization }: Target,
  current: Value | undefined,
): string {
  if (averageValue !== undefined) {
    return `${current === undefined ? UNKNOWN : amount(current.averageValue)}/${averageValue}`;
  }
  const share = current?.averageUtilization;
  const target = averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`;
  return `${share === undefined ? UNKNOWN : `${share}%`}/${target}`;
}

/** Formats the number of a metric, which can be reported without it. */
function amount(quantity: Quantity | undefined): string {
  return String(quantity ?? '<nil>');
}
