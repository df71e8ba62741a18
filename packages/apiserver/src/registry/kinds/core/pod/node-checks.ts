// Upstream: plugin/pkg/admission/podresize/admission.go
// Upstream: plugin/pkg/admission/nodedeclaredfeatures/admission.go
// Upstream: staging/src/k8s.io/component-helpers/nodedeclaredfeatures/features
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual, quoteGo } from 'client-ts/internal';
import { ApiError, newForbidden, parseQuantity } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';
import { podRequests } from '../../../../validation/pod/requests.ts';
import type { StrategyContext } from '../../../strategy.ts';

type Pod = Loose<core.Pod>;
type Node = Loose<core.Node>;

const PODS = { group: '', resource: 'pods' };

/** Throws a 403 if the node of a pod lacks a feature that an update of the pod needs. */
export function checkNodeFeatures(pod: Pod, old: Pod, context: StrategyContext): void {
  const { nodeName = '' } = pod.spec ?? {};
  if (nodeName === '' || !isChanged(pod, old)) return;
  const needed = featuresFor(pod, old);
  if (needed.length === 0) return;
  const { declaredFeatures = [] } = nodeOf(pod, context).status ?? {};
  const missing = needed.filter((name) => !declaredFeatures.includes(name));
  if (missing.length === 0) return;
  const detail = `pod update requires features ${missing.join(', ')} which are not available on node ${quoteGo(nodeName)}`;
  throw newForbidden(PODS, pod.metadata?.name ?? '', detail);
}

/** Throws a 403 if the node of a pod cannot give it what a resize asks for. */
export function checkResizedNode(pod: Pod, old: Pod, context: StrategyContext): void {
  if ((pod.spec?.nodeName ?? '') === '' || !isChanged(pod, old)) return;
  const { metadata, status } = nodeOf(pod, context);
  const os = metadata?.labels?.['kubernetes.io/os'] ?? 'linux';
  if (os !== 'linux') {
    const name = quoteGo(metadata?.name ?? '');
    const detail = `pod resize is only supported on linux nodes, node ${name} is ${quoteGo(os)}`;
    throw withCause(pod, detail, 'UnsupportedPlatform');
  }
  const { cpu = '0', memory = '0' } = podRequests({ spec: pod.spec ?? {} });
  const allocatable = status?.allocatable ?? {};
  const ours = { cpu: parseQuantity(cpu), memory: parseQuantity(memory) };
  const theirs = {
    cpu: parseQuantity(allocatable['cpu'] ?? '0'),
    memory: parseQuantity(allocatable['memory'] ?? '0'),
  };
  const problems = [
    ...(ours.cpu.compare(theirs.cpu) > 0
      ? [`cpu, requested: ${ours.cpu.milliValue()}, allocatable: ${theirs.cpu.milliValue()}`]
      : []),
    ...(ours.memory.compare(theirs.memory) > 0
      ? [`memory, requested: ${ours.memory.value()}, allocatable: ${theirs.memory.value()}`]
      : []),
  ];
  if (problems.length === 0) return;
  const detail = `node didn't have enough allocatable resources: ${problems.join('; ')}`;
  throw withCause(pod, detail, 'NodeCapacity');
}

/** The generation follows the spec. */
function isChanged({ metadata }: Pod, old: Pod): boolean {
  return metadata?.generation !== old.metadata?.generation;
}

/** Returns the features that a kubelet needs for an update, by name. */
function featuresFor({ spec = {} }: Pod, { spec: old = {} }: Pod): string[] {
  const resizesInit = (old.initContainers ?? []).some(
    ({ restartPolicy, resources }, index) =>
      restartPolicy !== 'Always' &&
      !jsonEqual(resources ?? {}, spec.initContainers?.[index]?.resources ?? {}),
  );
  return [
    ...(jsonEqual(spec.resources, old.resources)
      ? []
      : ['InPlacePodLevelResourcesVerticalScaling']),
    ...(resizesInit ? ['InPlacePodVerticalScalingInitContainers'] : []),
  ];
}

function nodeOf({ metadata, spec }: Pod, { lookup }: StrategyContext): Node {
  const { nodeName = '' } = spec ?? {};
  const node = lookup('', 'nodes', '', nodeName);
  if (node !== undefined) return node;
  throw newForbidden(PODS, metadata?.name ?? '', `node ${quoteGo(nodeName)} not found`);
}

function withCause({ metadata }: Pod, detail: string, reason: string): ApiError {
  const { status } = newForbidden(PODS, metadata?.name ?? '', detail);
  return new ApiError({ ...status, details: { ...status.details, causes: [{ reason }] } });
}
