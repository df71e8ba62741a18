// Upstream: pkg/quota/v1/evaluator/core/pods.go
import type * as core from 'client-ts/api/core/v1';
import { parseQuantity, parseTime, type QuantityValue } from 'client-ts/meta';
import { computeQOS } from '../../registry/kinds/core/pod/qos.ts';
import type { Loose } from '../../validation/loose.ts';
import { isExtendedResource, isHugePages, isNativeResource } from '../../validation/resources.ts';
import { type Amounts, ONE } from './amounts.ts';
import {
  type Evaluator,
  matchesNames,
  type QuotaRequest,
  type ScopeRequirement,
} from './evaluator.ts';
import { hasPodLevelResources, podLimits, podRequests } from '../../validation/pod/requests.ts';

type Pod = Loose<core.Pod>;
type Container = Loose<core.Container>;

const COUNT = 'count/pods';
const DEVICE_CLASS = 'deviceclass.resource.kubernetes.io/';

const MEASURED = new Set([
  COUNT,
  'cpu',
  'ephemeral-storage',
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'memory',
  'pods',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]);

/** Amounts that every container must state if a quota limits them. */
const REQUIRED = new Set([
  'cpu',
  'limits.cpu',
  'limits.memory',
  'memory',
  'requests.cpu',
  'requests.memory',
]);

/** Measures pods: their number, and what those that have not ended request. */
export const podEvaluator: Evaluator = {
  handles,
  measures: (name) =>
    MEASURED.has(name) ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-') ||
    isExtendedRequest(name),
  isInScope: (requirement, pod) => isInScope(requirement, pod),
  missing: (names, pod) => missing(names, pod),
  usage: (pod, { nowMs }) => podUsage(pod, nowMs),
};

function handles({ operation, subresource, object, old }: QuotaRequest): boolean {
  if (subresource === 'resize') return operation === 'UPDATE';
  if (subresource !== '') return false;
  if (operation !== 'UPDATE') return operation === 'CREATE';
  return hasDeadline(object) !== hasDeadline(old ?? {});
}

/** Returns true for requests of extended resources, and of devices by their class. */
export function isExtendedRequest(name: string): boolean {
  if (!name.startsWith('requests.')) return false;
  return !isNativeResource(name) || name.startsWith(`requests.${DEVICE_CLASS}`);
}

function isInScope(requirement: ScopeRequirement, pod: Pod): boolean {
  switch (requirement.scopeName) {
    case 'Terminating':
      return hasDeadline(pod);
    case 'NotTerminating':
      return !hasDeadline(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass': {
      const { priorityClassName = '' } = pod.spec ?? {};
      return matchesNames(requirement, priorityClassName === '' ? [] : [priorityClassName]);
    }
    case 'CrossNamespacePodAffinity':
      return hasCrossNamespaceAffinity(pod);
    default:
      return false;
  }
}

function hasDeadline({ spec }: Pod): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0;
}

function isBestEffort(pod: Pod): boolean {
  return (pod.status?.qosClass ?? computeQOS(pod)) === 'BestEffort';
}

function hasCrossNamespaceAffinity({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm = {} }) => podAffinityTerm,
    ),
  ]);
  return terms.some(
    ({ namespaces = [], namespaceSelector }) =>
      namespaces.length > 0 || namespaceSelector !== undefined,
  );
}

function missing(names: readonly string[], pod: Pod): string | undefined {
  if (hasPodLevelResources(pod)) return undefined;
  const required = names.filter((name) => REQUIRED.has(name)).toSorted();
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const problems = required.flatMap((name) => {
    const without = [...containers, ...initContainers].filter((one) => !states(one, name));
    if (without.length === 0) return [];
    const list = [...new Set(without.map((one) => one.name ?? ''))].toSorted();
    return [`${name} for: ${list.join(',')}`];
  });
  return problems.length === 0 ? undefined : `must specify ${problems.join('; ')}`;
}

function states({ resources }: Container, name: string): boolean {
  const [, part, resource = name] = /^(limits|requests)\.(.+)$/.exec(name) ?? [];
  const list = part === 'limits' ? resources?.limits : resources?.requests;
  return Object.hasOwn(list ?? {}, resource);
}

/** Returns what a pod uses. One that has ended only counts as an object. */
export function podUsage(pod: Pod, nowMs: number): Amounts {
  const usage = new Map<string, QuantityValue>([[COUNT, ONE]]);
  if (nowMs >= endOfUsage(pod)) return usage;
  usage.set('pods', ONE);
  for (const [name, amount] of Object.entries(podRequests(pod))) {
    const value = parseQuantity(amount);
    const isKnown = MEASURED.has(name) || isHugePages(name);
    if (isKnown) usage.set(name, value);
    if (isKnown || isExtendedResource(name) || name.startsWith(DEVICE_CLASS)) {
      usage.set(`requests.${name}`, value);
    }
  }
  for (const [name, amount] of Object.entries(podLimits(pod))) {
    if (MEASURED.has(`limits.${name}`)) usage.set(`limits.${name}`, parseQuantity(amount));
  }
  return usage;
}

/**
 * Returns when a pod stops to use resources, in milliseconds since the epoch: immediately in a terminal
 * phase, and if its deletion is overdue by its grace period.
 */
export function endOfUsage({ metadata, status }: Pod): number {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return Infinity;
  return parseTime(deletionTimestamp) + deletionGracePeriodSeconds * 1000 + 1;
}
