// Upstream: pkg/apis/core/helper/qos/qos.go: ComputePodQOS
import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import { compareQuantities, type Quantity } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';
import { addQuantities, isPositiveQuantity } from '../../../../validation/resources.ts';

/** The quality of service class of a pod. */
export type QOSClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

const COMPUTE = ['cpu', 'memory'];

/**
 * Derives the class from the CPU and memory requests and limits: BestEffort without any, Guaranteed
 * if both are equal for all containers, Burstable otherwise.
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

/** Adds amounts to the sums, and collects the names of those above zero. */
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
