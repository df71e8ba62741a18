import type * as core from 'client-ts/api/core/v1';
import { type Clock, cloneJson, getKey } from 'client-ts/internal';
import { newBadRequest, newConflict, newUnknownError } from 'client-ts/meta';
import { type FieldError, notSupported, required } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { setPodCondition } from './status.ts';

type Binding = Loose<core.Binding>;
type Pod = Loose<core.Pod>;

const BINDINGS = { group: '', resource: 'pods/binding' };

/** The labels that a pod takes over from the node it is put on. */
const TOPOLOGY_LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * Checks a binding before the pod is looked up. Throws the server's answer: 400 for a binding of
 * another pod, and 500 for one without a usable target, which is how the server answers it.
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

/** What it takes to bind a pod. */
export interface BindOptions {
  readonly clock: Clock;
  /** The node that the pod is put on, if there is one of that name. */
  readonly node?: Loose<core.Node> | undefined;
}

/** The pod as it is once it has a node; throws a 409 if it cannot get one. Changes nothing else. */
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

/** What a pod says about where its node stands. */
export function topologyLabels(node: Loose<core.Node> | undefined): Record<string, string> {
  const labels = node?.metadata?.labels ?? {};
  return Object.fromEntries(
    TOPOLOGY_LABELS.flatMap((key) => {
      const value = getKey(labels, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
