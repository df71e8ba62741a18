import type { NamespaceCondition } from 'client-ts/api/core/v1';
import type { Time } from 'client-ts/meta';

/** What is left in a terminating namespace. */
export interface RemainingContent {
  /** Number of objects by resource, as `deployments.apps`. */
  readonly resources: ReadonlyMap<string, number>;
  /** Number of objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

type Finding = Pick<NamespaceCondition, 'message' | 'reason' | 'status' | 'type'>;

/** The conditions of a namespace whose deletion runs well, in order. */
const FINE: readonly Finding[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'False',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'False',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    type: 'NamespaceContentRemaining',
    status: 'False',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    type: 'NamespaceFinalizersRemaining',
    status: 'False',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
];

/**
 * Returns the conditions of a terminating namespace, given the current ones. Other conditions stay;
 * the time of a condition is that of its last change of status.
 */
export function namespaceConditions(
  current: readonly NamespaceCondition[],
  remaining: RemainingContent,
  now: Time,
): NamespaceCondition[] {
  const findings = FINE.map((fine) => findingOf(fine, remaining));
  const old = new Map(current.map((condition) => [condition.type, condition]));
  const updated = findings.map((finding) => {
    const before = old.get(finding.type);
    const since = before?.status === finding.status ? before.lastTransitionTime : now;
    const { type, status, ...words } = finding;
    return { type, status, lastTransitionTime: since ?? now, ...words };
  });
  const known = new Map(updated.map((condition) => [condition.type, condition]));
  return [
    ...current.map((condition) => known.get(condition.type) ?? condition),
    ...updated.filter(({ type }) => !old.has(type)),
  ];
}

function findingOf(fine: Finding, { resources, finalizers }: RemainingContent): Finding {
  if (fine.type === 'NamespaceContentRemaining' && resources.size > 0) {
    const list = sorted(resources, (name, count) => `${name} has ${count} resource instances`);
    return {
      type: fine.type,
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${list}`,
    };
  }
  if (fine.type === 'NamespaceFinalizersRemaining' && finalizers.size > 0) {
    const list = sorted(finalizers, (name, count) => `${name} in ${count} resource instances`);
    return {
      type: fine.type,
      status: 'True',
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${list}`,
    };
  }
  return fine;
}

function sorted(
  counts: ReadonlyMap<string, number>,
  describe: (name: string, count: number) => string,
): string {
  return [...counts]
    .map(([name, count]) => describe(name, count))
    .toSorted()
    .join(', ');
}
