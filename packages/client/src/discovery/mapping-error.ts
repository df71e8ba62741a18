import { defineErrors, errorChain } from '../lib/errors.ts';
import { apiVersionOf, type ResourceDescriptor } from '../meta/resource.ts';
import { DiscoveryError, GroupDiscoveryFailedError } from './discovery-error.ts';
import { nameOfResource } from './resource-table.ts';

/** The server serves nothing of this name or kind, as far as it could be found out. */
export class NoMatchError extends DiscoveryError {
  /**
   * Group-versions whose resources could not be found out: what was looked for may be there. Their
   * reasons are also the `cause`.
   */
  readonly failures: ReadonlyMap<string, Error>;

  constructor(wanted: string, failures: ReadonlyMap<string, Error>) {
    const missing = [...failures.keys()].sort().join(', ');
    super(
      'DISCOVERY_NO_MATCH',
      `no matches for ${wanted}`,
      failures.size === 0
        ? {}
        : {
            cause: new GroupDiscoveryFailedError(failures),
            hint: `It may be in one of those that could not be read: ${missing}.`,
          },
    );
    this.failures = failures;
  }

  static {
    defineErrors(this, 'NoMatchError');
  }
}

/** Several resources answer to this name or kind, and none of them has precedence. */
export class AmbiguousMatchError extends DiscoveryError {
  /** All of them, in the order in which kubectl would take them. */
  readonly candidates: readonly ResourceDescriptor[];

  constructor(wanted: string, candidates: readonly ResourceDescriptor[]) {
    const listed = candidates.map(
      (each) => `${nameOfResource(each)} (${apiVersionOf(each)} ${each.kind})`,
    );
    super('DISCOVERY_AMBIGUOUS_MATCH', `${wanted} matches several resources: ${listed.join(', ')}`);
    this.candidates = candidates;
  }

  static {
    defineErrors(this, 'AmbiguousMatchError');
  }
}

/** True if nothing was found under a name or kind; looks through wrapped errors. */
export function isNoMatchError(error: unknown): boolean {
  return [...errorChain(error)].some((link) => hasCode(link, 'DISCOVERY_NO_MATCH'));
}

/** True if a name or kind was not unique; looks through wrapped errors. */
export function isAmbiguousError(error: unknown): boolean {
  return [...errorChain(error)].some((link) => hasCode(link, 'DISCOVERY_AMBIGUOUS_MATCH'));
}

function hasCode(error: unknown, code: DiscoveryError['code']): boolean {
  return error instanceof DiscoveryError && error.code === code;
}

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
