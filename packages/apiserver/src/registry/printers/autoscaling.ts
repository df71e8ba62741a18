import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from 'client-ts/api/autoscaling/v2';
import type { Quantity } from 'client-ts/meta';
import { UNKNOWN } from './ages.ts';
import { ageColumn, column, nameColumn, type Printable, printer, type Printer } from './printer.ts';
import { firstFew, NONE, UNSET } from './texts.ts';

type Target = Printable<MetricTarget>;
type Value = Printable<MetricValueStatus>;

/** The table of HorizontalPodAutoscalers of all versions, in the form of the newest, which knows all metrics. */
export const horizontalPodAutoscalerPrinter: Printer<Printable<HorizontalPodAutoscaler>> = printer([
  nameColumn(),
  column(
    'Reference',
    'What is scaled',
    ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
  ),
  column('Targets', 'What was measured, and what it is to be', formatTargets),
  column('MinPods', 'Fewest replicas', ({ spec }) => String(spec?.minReplicas ?? UNSET)),
  column('MaxPods', 'Most replicas', ({ spec }) => spec?.maxReplicas ?? 0),
  column('Replicas', 'Replicas that there are', ({ status }) => status?.currentReplicas ?? 0),
  ageColumn(),
]);

const MOST_METRICS = 2;

function formatTargets({ spec, status }: Printable<HorizontalPodAutoscaler>): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return NONE;
  const texts = metrics.map((metric, index) =>
    formatMetric(metric, status?.currentMetrics?.[index] ?? {}),
  );
  return firstFew(texts, MOST_METRICS, ', ');
}

/** One metric as `present/wanted`. What was measured stands in the place of what was asked for. */
function formatMetric(metric: Printable<MetricSpec>, measured: Printable<MetricStatus>): string {
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

/** An amount, as a whole or for each pod. */
function formatAmount({ value, averageValue }: Target, current: Value | undefined): string {
  return averageValue === undefined
    ? `${current === undefined ? UNKNOWN : amount(current.value)}/${amount(value)}`
    : `${current?.averageValue ?? UNKNOWN}/${averageValue} (avg)`;
}

/** The use of a resource: an amount for each pod, or a share of what pods ask for. */
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

/** A metric can be reported without the number that was asked for. */
function amount(quantity: Quantity | undefined): string {
  return String(quantity ?? '<nil>');
}
