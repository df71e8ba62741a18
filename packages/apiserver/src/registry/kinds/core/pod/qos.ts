import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import { compareQuantities, type Quantity } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';
import { addQuantities, isPositiveQuantity } from '../../../../validation/resources.ts';

/** How much a pod may rely on getting what it needs, and when it is evicted. */
export type QOSClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

const COMPUTE = ['cpu', 'memory'];

/**
 * The class that follows from requests and limits for cpu and memory: none at all, equal ones for
 * both, or anything between.
 */
export function computeQOS({ spec = {} }: Loose<core.Pod>): QOSClass {
  const holders = spec.resources
    ? [spec.resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(
        ({ resources }) => resources ?? {},
      );
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let isGuaranteed = true;
  for (const holder of holders) {
    collect(requests, holder.requests);
    const limited = collect(limits, holder.limits);
    const mayLackLimits = spec.resources !== undefined && limited.length === 0;
    if (limited.length < COMPUTE.length && !mayLackLimits) isGuaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const areEqual =
    requests.size === limits.size &&
    [...requests].every(([name, request]) => {
      const limit = limits.get(name);
      return limit !== undefined && compareQuantities(request, limit) === 0;
    });
  return isGuaranteed && areEqual ? 'Guaranteed' : 'Burstable';
}

/** Adds what is asked for to the sums, and names what was more than nothing. */
function collect(
  sums: Map<string, Quantity>,
  resources: Readonly<Record<string, Quantity>> | undefined,
): string[] {
  return COMPUTE.filter((name) => {
    const amount = getKey(resources ?? {}, name);
    if (amount === undefined || !isPositiveQuantity(amount)) return false;
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : addQuantities(before, amount));
    return true;
  });
}
