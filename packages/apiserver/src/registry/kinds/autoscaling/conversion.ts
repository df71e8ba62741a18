// Upstream: pkg/apis/autoscaling/v1/conversion.go
import type * as v1 from 'client-ts/api/autoscaling/v1';
import type * as v2 from 'client-ts/api/autoscaling/v2';
import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import type { Loose } from '../../../validation/loose.ts';

/*
 * autoscaling/v1 has one metric, CPU utilization. Everything else of v2 is kept in annotations, so
 * that reading and writing v1 loses nothing.
 */

type Old = Loose<v1.HorizontalPodAutoscaler>;
type New = Loose<v2.HorizontalPodAutoscaler>;
type MetricSpec = Loose<v2.MetricSpec>;
type MetricStatus = Loose<v2.MetricStatus>;

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;
const DEFAULT_UTILIZATION = 80;

/** The v1 names of metric fields, by metric type. */
const SPEC_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  object: {
    target: 'describedObject',
    metricName: 'metric.name',
    targetValue: 'target.value',
    selector: 'metric.selector',
    averageValue: 'target.averageValue',
  },
  pods: {
    metricName: 'metric.name',
    targetAverageValue: 'target.averageValue',
    selector: 'metric.selector',
  },
  resource: {
    name: 'name',
    targetAverageUtilization: 'target.averageUtilization',
    targetAverageValue: 'target.averageValue',
  },
  containerResource: {
    name: 'name',
    targetAverageUtilization: 'target.averageUtilization',
    targetAverageValue: 'target.averageValue',
    container: 'container',
  },
  external: {
    metricName: 'metric.name',
    metricSelector: 'metric.selector',
    targetValue: 'target.value',
    targetAverageValue: 'target.averageValue',
  },
};

const STATUS_NAMES: typeof SPEC_NAMES = {
  object: {
    target: 'describedObject',
    metricName: 'metric.name',
    currentValue: 'current.value',
    selector: 'metric.selector',
    averageValue: 'current.averageValue',
  },
  pods: {
    metricName: 'metric.name',
    currentAverageValue: 'current.averageValue',
    selector: 'metric.selector',
  },
  resource: {
    name: 'name',
    currentAverageUtilization: 'current.averageUtilization',
    currentAverageValue: 'current.averageValue',
  },
  containerResource: {
    name: 'name',
    currentAverageUtilization: 'current.averageUtilization',
    currentAverageValue: 'current.averageValue',
    container: 'container',
  },
  external: {
    metricName: 'metric.name',
    metricSelector: 'metric.selector',
    currentValue: 'current.value',
    currentAverageValue: 'current.averageValue',
  },
};

/** Converts a v1 autoscaler to v2. */
export function hpaToV2(hpa: Old): New {
  const { spec = {}, status = {} } = hpa;
  const { targetCPUUtilizationPercentage: target, ...otherSpec } = spec;
  const { currentCPUUtilizationPercentage: current, ...otherStatus } = status;
  const annotations = hpa.metadata?.annotations ?? {};
  const metrics: MetricSpec[] = [
    ...readMetrics<MetricSpec>(annotations[METRICS], SPEC_NAMES, withTargetType),
    ...(target === undefined ? [] : [cpuMetric(target)]),
  ];
  const currentMetrics: MetricStatus[] =
    annotations[CURRENT_METRICS] === undefined
      ? current === undefined
        ? []
        : [
            {
              type: 'Resource',
              resource: { name: 'cpu', current: { averageUtilization: current } },
            },
          ]
      : readMetrics<MetricStatus>(annotations[CURRENT_METRICS], STATUS_NAMES);
  const behavior = readJson(annotations[BEHAVIOR]);
  const conditions = readJson(annotations[CONDITIONS]);
  return {
    ...hpa,
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: withoutOwnAnnotations(hpa.metadata ?? {}),
    spec: {
      ...otherSpec,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(DEFAULT_UTILIZATION)],
      ...(isJsonObject(behavior) && { behavior }),
    },
    status: {
      ...otherStatus,
      ...(currentMetrics.length > 0 && { currentMetrics }),
      ...(Array.isArray(conditions) && {
        conditions: conditions as Loose<v2.HorizontalPodAutoscalerCondition>[],
      }),
    },
  };
}

/** Converts a v2 autoscaler to v1. */
export function hpaFromV2(hpa: New): Old {
  const { spec = {}, status = {} } = hpa;
  const { metrics = [], behavior, ...otherSpec } = spec;
  const { currentMetrics, conditions = [], ...otherStatus } = status;
  const isCpu = ({ type, resource }: MetricSpec): boolean =>
    type === 'Resource' &&
    resource?.name === 'cpu' &&
    resource.target?.averageUtilization !== undefined;
  const target = metrics.find(isCpu)?.resource?.target?.averageUtilization;
  const others = metrics.filter((metric) => !isCpu(metric));
  const current = (currentMetrics ?? []).findLast(
    ({ type, resource }) => type === 'Resource' && resource?.name === 'cpu',
  )?.resource?.current?.averageUtilization;
  const annotations = {
    ...(others.length > 0 && { [METRICS]: writeMetrics(others, SPEC_NAMES) }),
    ...((currentMetrics ?? []).length > 0 && {
      [CURRENT_METRICS]: writeMetrics(currentMetrics ?? [], STATUS_NAMES),
    }),
    ...(behavior !== undefined && { [BEHAVIOR]: JSON.stringify(behavior) }),
    ...(conditions.length > 0 && { [CONDITIONS]: JSON.stringify(conditions) }),
  };
  const metadata = { ...hpa.metadata };
  if (Object.keys(annotations).length > 0) {
    metadata.annotations = { ...metadata.annotations, ...annotations };
  }
  return {
    ...hpa,
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: { ...otherSpec, ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
    status: {
      ...otherStatus,
      currentReplicas: status.currentReplicas ?? 0,
      ...(current !== undefined && { currentCPUUtilizationPercentage: current }),
    },
  };
}

function cpuMetric(utilization: number): MetricSpec {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: utilization } },
  };
}

function withoutOwnAnnotations(metadata: NonNullable<Old['metadata']>): typeof metadata {
  if (metadata.annotations === undefined) return metadata;
  const own = new Set([METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR]);
  const kept = Object.entries(metadata.annotations).filter(([key]) => !own.has(key));
  const { annotations: _, ...rest } = metadata;
  return kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) };
}

function readJson(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Ignores an annotation that does not hold the expected JSON.
    return undefined;
  }
}

function readMetrics<T>(
  text: string | undefined,
  names: typeof SPEC_NAMES,
  finish: (metric: JsonObject) => void = () => undefined,
): T[] {
  const metrics = readJson(text);
  if (!Array.isArray(metrics)) return [];
  return metrics.filter(isJsonObject).map((metric) => {
    const result: JsonObject = {};
    for (const [key, part] of Object.entries(metric)) {
      const places = getKey(names, key);
      const moved = places !== undefined && isJsonObject(part) ? moveParts(part, places) : part;
      setKey(result, key, moved);
    }
    finish(result);
    return result as T;
  });
}

function moveParts(part: JsonObject, places: Readonly<Record<string, string>>): JsonObject {
  const moved: JsonObject = {};
  for (const [name, place] of Object.entries(places)) {
    const value = getKey(part, name);
    if (value === undefined) continue;
    const [outer = '', inner] = place.split('.');
    const before = getKey(moved, outer) as JsonObject | undefined;
    setKey(moved, outer, inner === undefined ? value : { ...before, [inner]: value });
  }
  return moved;
}

/** Sets the target type, which v2 has and v1 does not. */
function withTargetType(metric: JsonObject): void {
  for (const part of Object.values(metric)) {
    const target = isJsonObject(part) ? part['target'] : undefined;
    if (!isJsonObject(target)) continue;
    if (target['averageUtilization'] !== undefined) target['type'] = 'Utilization';
    else target['type'] = target['averageValue'] === undefined ? 'Value' : 'AverageValue';
  }
}

function writeMetrics(metrics: readonly object[], names: typeof SPEC_NAMES): string {
  return JSON.stringify(
    metrics.map((metric) =>
      Object.fromEntries(
        Object.entries(metric).map(([key, part]) => {
          const places = getKey(names, key);
          return [key, places === undefined ? part : collectParts(part as JsonObject, places)];
        }),
      ),
    ),
  );
}

function collectParts(part: JsonObject, places: Readonly<Record<string, string>>): JsonObject {
  const collected: JsonObject = {};
  for (const [name, place] of Object.entries(places)) {
    const [outer = '', inner] = place.split('.');
    const found = getKey(part, outer);
    const value = inner === undefined || !isJsonObject(found) ? found : getKey(found, inner);
    if (value !== undefined) setKey(collected, name, value);
  }
  return collected;
}
