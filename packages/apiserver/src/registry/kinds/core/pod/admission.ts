// Upstream: plugin/pkg/admission/priority/admission.go
// Upstream: plugin/pkg/admission/defaulttolerationseconds/admission.go
// Upstream: plugin/pkg/admission/podtopologylabels/admission.go
// Upstream: plugin/pkg/admission/runtimeclass/admission.go
import type * as core from 'client-ts/api/core/v1';
import type { RuntimeClass } from 'client-ts/api/node/v1';
import type { PriorityClass } from 'client-ts/api/scheduling/v1';
import { getKey, jsonEqual, setKey } from 'client-ts/internal';
import { newForbidden } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';
import type { StrategyContext } from '../../../strategy.ts';
import { addDefaultResources } from '../limit-range.ts';
import { topologyLabels } from './binding.ts';
import { admitServiceAccount } from './service-account.ts';

type Pod = Loose<core.Pod>;

const PODS = { group: '', resource: 'pods' };
const TOLERATION_SECONDS = 300;

/** Built-in priority classes, which resolve even if they are not stored. */
export const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/**
 * Runs the admission plugins on a new pod: LimitRanger, ServiceAccount, Priority, DefaultTolerationSeconds,
 * RuntimeClass and PodTopologyLabels. Throws a 403 if one rejects it.
 */
export function admitNewPod(pod: Pod, context: StrategyContext): void {
  const spec = (pod.spec ??= {});
  const { name = pod.metadata?.generateName ?? '' } = pod.metadata ?? {};
  addDefaultResources(pod, context);
  const { plugins } = context;
  if (plugins.has('ServiceAccount')) admitServiceAccount(pod, context);
  if (plugins.has('Priority')) admitPriority(spec, name, context);
  if (plugins.has('DefaultTolerationSeconds')) addDefaultTolerations(spec);
  if (plugins.has('RuntimeClass')) admitRuntimeClass(spec, name, context);
  addTopologyLabels(pod, context);
}

/** Adds the topology labels of the node to a pod that is created with a node name. */
function addTopologyLabels(pod: Pod, context: StrategyContext): void {
  const nodeName = pod.spec?.nodeName ?? '';
  const node = nodeName === '' ? undefined : context.lookup('', 'nodes', '', nodeName);
  const labels = topologyLabels(node);
  if (Object.keys(labels).length === 0) return;
  const metadata = (pod.metadata ??= {});
  metadata.labels = { ...metadata.labels, ...labels };
}

/** Keeps what admission has set when a pod is updated. */
export function admitPodUpdate(pod: Pod, old: Pod, { plugins }: StrategyContext): void {
  const spec = (pod.spec ??= {});
  const { priority, preemptionPolicy } = old.spec ?? {};
  if (priority !== undefined) spec.priority ??= priority;
  if (preemptionPolicy !== undefined) spec.preemptionPolicy ??= preemptionPolicy;
  if (plugins.has('DefaultTolerationSeconds')) addDefaultTolerations(spec);
}

function admitPriority(spec: Loose<core.PodSpec>, podName: string, context: StrategyContext): void {
  const found = findPriorityClass(spec.priorityClassName ?? '', context);
  if (found === undefined) {
    const detail = `no PriorityClass with name ${spec.priorityClassName ?? ''} was found`;
    throw newForbidden(PODS, podName, detail);
  }
  if (spec.priority !== undefined && spec.priority !== found.value) {
    throw newForbidden(
      PODS,
      podName,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${found.value} from the given PriorityClass name`,
    );
  }
  const { preemptionPolicy } = spec;
  if (preemptionPolicy !== undefined && preemptionPolicy !== found.preemptionPolicy) {
    throw newForbidden(
      PODS,
      podName,
      `the string value of PreemptionPolicy (${preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${found.preemptionPolicy} from the given PriorityClass name`,
    );
  }
  if (found.name !== '') spec.priorityClassName = found.name;
  spec.priority = found.value;
  spec.preemptionPolicy = found.preemptionPolicy;
}

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

function findPriorityClass(name: string, context: StrategyContext): Priority | undefined {
  if (name === '') {
    const byDefault = defaultPriorityClass(context);
    if (byDefault !== undefined) return priorityOf(byDefault);
    return { name, value: 0, preemptionPolicy: 'PreemptLowerPriority' };
  }
  const stored = context.lookup('scheduling.k8s.io', 'priorityclasses', '', name);
  if (stored !== undefined) return priorityOf(stored as PriorityClass);
  const value = getKey(SYSTEM_CLASSES, name);
  return value === undefined
    ? undefined
    : { name, value, preemptionPolicy: 'PreemptLowerPriority' };
}

function priorityOf({ metadata, value, preemptionPolicy }: PriorityClass): Priority {
  return {
    name: metadata?.name ?? '',
    value: value ?? 0,
    preemptionPolicy: preemptionPolicy ?? 'PreemptLowerPriority',
  };
}

/** Returns the default priority class; of several, the one with the lowest value. */
export function defaultPriorityClass(context: StrategyContext): PriorityClass | undefined {
  let lowest: PriorityClass | undefined;
  for (const object of context.list('scheduling.k8s.io', 'priorityclasses', '')) {
    const candidate = object as PriorityClass;
    if (candidate.globalDefault !== true) continue;
    if (lowest === undefined || (candidate.value ?? 0) < (lowest.value ?? 0)) lowest = candidate;
  }
  return lowest;
}

/**
 * Tolerates a node that is not ready or unreachable for five minutes, unless the pod has its own
 * tolerations.
 */
function addDefaultTolerations(spec: Loose<core.PodSpec>): void {
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const isTolerated = (spec.tolerations ?? []).some(
      (toleration) =>
        ['', key].includes(toleration.key ?? '') &&
        ['', 'NoExecute'].includes(toleration.effect ?? ''),
    );
    if (isTolerated) continue;
    (spec.tolerations ??= []).push({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: TOLERATION_SECONDS,
    });
  }
}

function admitRuntimeClass(
  spec: Loose<core.PodSpec>,
  podName: string,
  context: StrategyContext,
): void {
  const refuse = (detail: string): Error => newForbidden(PODS, podName, detail);
  const runtimeClass = findRuntimeClass(spec.runtimeClassName, context, refuse);
  const overhead = runtimeClass?.overhead?.podFixed;
  const given = Object.keys(spec.overhead ?? {}).length > 0 ? spec.overhead : undefined;
  if (overhead === undefined && given !== undefined) {
    throw refuse(
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
  }
  if (overhead !== undefined) {
    if (given !== undefined && !jsonEqual(given, overhead)) {
      throw refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    spec.overhead = { ...overhead };
  }
  if (runtimeClass?.scheduling !== undefined) {
    mergeScheduling(spec, runtimeClass.scheduling, refuse);
  }
}

function findRuntimeClass(
  name: string | undefined,
  context: StrategyContext,
  refuse: (detail: string) => Error,
): RuntimeClass | undefined {
  if (name === undefined) return undefined;
  const found = context.lookup('node.k8s.io', 'runtimeclasses', '', name);
  if (found === undefined) {
    throw refuse(`pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  }
  return found as RuntimeClass;
}

function mergeScheduling(
  spec: Loose<core.PodSpec>,
  { nodeSelector = {}, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>,
  refuse: (detail: string) => Error,
): void {
  const merged = { ...spec.nodeSelector };
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = getKey(merged, key);
    if (own !== undefined && own !== value) {
      throw refuse(
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    }
    setKey(merged, key, value);
  }
  if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
  for (const toleration of tolerations) {
    const isKnown = (spec.tolerations ?? []).some((own) => jsonEqual(own, toleration));
    if (!isKnown) (spec.tolerations ??= []).push({ ...toleration });
  }
}
