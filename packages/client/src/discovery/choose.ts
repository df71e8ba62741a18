import type { ResourceDescriptor } from '../meta/resource.ts';
import { AmbiguousMatchError } from './mapping-error.ts';

/**
 * The one that is meant, of candidates in order of priority; undefined if there are none.
 *
 * As in kubectl, the core group precedes every other, and one version of a resource never rivals
 * another. Groups of Kubernetes itself precede those of others, so that nobody who installs a
 * definition changes the meaning of `deployments`. Between groups of others there is no precedence:
 * kubectl takes the first in the alphabet, here it is an {@link AmbiguousMatchError}.
 */
export function chooseOne(
  wanted: string,
  candidates: readonly ResourceDescriptor[],
): ResourceDescriptor | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  const rivals = candidates.filter((each) => isRival(each, first));
  if (rivals.length > 0) throw new AmbiguousMatchError(wanted, candidates);
  return first;
}

function isRival(other: ResourceDescriptor, first: ResourceDescriptor): boolean {
  if (other.group !== first.group) return !isOfKubernetes(first.group);
  return other.version === first.version && other.resource !== first.resource;
}

/** Others have a domain of their own in the name of their group; `k8s.io` is not theirs to use. */
function isOfKubernetes(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}
