// Upstream: pkg/registry/core/pod/storage/storage.go: BindingREST
// Upstream: pkg/apis/core/validation/validation.go: ValidatePodBinding
// Upstream: plugin/pkg/admission/podtopologylabels/admission.go
import type * as core from 'client-ts/api/core/v1';
import { type Clock, cloneJson, getKey } from 'client-ts/internal';
import { newBadRequest, newConflict, newUnknownError } from 'client-ts/meta';
import { type FieldError, notSupported, required } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { setPodCondition } from './status.ts';

type Binding = Loose<core.Binding>;
type Pod = Loose<core.Pod>;

const BINDINGS = { group: '', resource: 'pods/binding' };

/** Labels that a pod gets from its node. */
const TOPOLOGY_LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * Checks a binding before the pod is looked up. Throws a 400 for a binding of another pod, and a
 * 500 for an invalid target, as kube-apiserver does.
 */
export function checkBinding(binding: Binding, podName: string): void {
  if ((binding.metadata?.name ?? '') !== podName) {
    throw newBadRequest('name in URL does not match name in Binding object');
  }
  const findings = validateBinding(binding).map(({ field, message }) => `${field}: ${message}`);
  if (findings.length === 0) return;
  throw newUnknownError(findings.length === 1 ? (findings[0] ?? '') : `[${findings.join(', ')}]`);
}

function validateBinding({ target = {} }: Binding): FieldError[] {
  const { kind = '', name = '' } = target;
  return [
    ...(kind === '' || kind === 'Node'
      ? []
      : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
  ];
}

/** The inputs of a binding. */
export interface BindOptions {
  readonly clock: Clock;
  /** The target node, if it exists. */
  readonly node?: Loose<core.Node> | undefined;
}

/** Returns a copy of the pod with its node set. Throws a 409 if the pod cannot be bound. */
export function bindPod(pod: Pod, binding: Binding, { clock, node }: BindOptions): Pod {
  const name = pod.metadata?.name ?? '';
  const problem = bindingProblem(pod, name);
  if (problem !== undefined) throw newConflict(BINDINGS, name, problem);
  const bound = cloneJson(pod);
  const metadata = (bound.metadata ??= {});
  (bound.spec ??= {}).nodeName = binding.target?.name ?? '';
  const { annotations, labels } = binding.metadata ?? {};
  if (annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...annotations };
  const added = { ...labels, ...topologyLabels(node) };
  if (Object.keys(added).length > 0) metadata.labels = { ...metadata.labels, ...added };
  const status = (bound.status ??= {});
  delete status.nominatedNodeName;
  setPodCondition(status, { type: 'PodScheduled', status: 'True' }, clock);
  return bound;
}

function bindingProblem({ metadata = {}, spec = {} }: Pod, name: string): string | undefined {
  if (metadata.deletionTimestamp !== undefined) {
    return `pod ${name} is being deleted, cannot be assigned to a host`;
  }
  const { nodeName = '' } = spec;
  if (nodeName !== '') {
    return `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`;
  }
  return (spec.schedulingGates ?? []).length > 0
    ? `pod ${name} has non-empty .spec.schedulingGates`
    : undefined;
}

/** Returns the topology labels that a pod gets from its node. */
export function topologyLabels(node: Loose<core.Node> | undefined): Record<string, string> {
  const labels = node?.metadata?.labels ?? {};
  return Object.fromEntries(
    TOPOLOGY_LABELS.flatMap((key) => {
      const value = getKey(labels, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
