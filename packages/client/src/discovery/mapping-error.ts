import { defineErrors, errorChain } from '../lib/errors.ts';
import { apiVersionOf, type ResourceDescriptor } from '../meta/resource.ts';
import { DiscoveryError, GroupDiscoveryFailedError } from './discovery-error.ts';
import { nameOfResource } from './resource-table.ts';

/** No resource has this name or kind, as far as discovery could be read. */
export class NoMatchError extends DiscoveryError {
  /** Group-versions that could not be read and may have the resource. Also the `cause`. */
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
            hint: `It may be in one of the group-versions that could not be read: ${missing}.`,
          },
    );
    this.failures = failures;
  }

  static {
    defineErrors(this, 'NoMatchError');
  }
}

/** Several resources match, and none of them has precedence. */
export class AmbiguousMatchError extends DiscoveryError {
  /** The matching resources, in kubectl's order of precedence. */
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

/** True if an error, or one that it wraps, is a {@link NoMatchError}. */
export function isNoMatchError(error: unknown): boolean {
  return [...errorChain(error)].some((link) => hasCode(link, 'DISCOVERY_NO_MATCH'));
}

/** True if an error, or one that it wraps, is an {@link AmbiguousMatchError}. */
export function isAmbiguousError(error: unknown): boolean {
  return [...errorChain(error)].some((link) => hasCode(link, 'DISCOVERY_AMBIGUOUS_MATCH'));
}

function hasCode(error: unknown, code: DiscoveryError['code']): boolean {
  return error instanceof DiscoveryError && error.code === code;
}

/**
 * Returns the resource with precedence, from candidates in order of priority; undefined if there
 * are none.
 *
 * As in kubectl, the core group precedes all others, and versions of one resource do not compete.
 * Groups of Kubernetes precede custom ones, so that installing a definition cannot change the
 * meaning of `deployments`. Among custom groups there is no precedence: kubectl takes the first
 * alphabetically, this function throws an {@link AmbiguousMatchError}.
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

/** Custom groups contain a domain; `k8s.io` is reserved. */
function isOfKubernetes(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}
