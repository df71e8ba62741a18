import type { ServiceCIDR } from 'client-ts/api/networking/v1';
import type { DeepReadonly } from 'client-ts/meta';

import type { Store } from '../store/store.ts';
import type { ServiceAllocatorsOptions } from './allocators.ts';

const RANGES = '/networking.k8s.io/servicecidrs/';
const ADDRESSES = '/networking.k8s.io/ipaddresses/';

/**
 * Tells where cluster IPs may come from beside the range of the server: from the ServiceCIDRs that
 * are ready, or that no controller has judged. An address with an IPAddress is reserved.
 */
export function serviceRanges(
  store: Store,
): Pick<ServiceAllocatorsOptions, 'isReserved' | 'moreCIDRs'> {
  return {
    moreCIDRs: () =>
      store
        .range({ prefix: RANGES })
        .map(({ value }) => value as DeepReadonly<ServiceCIDR>)
        .filter(isUsable)
        .flatMap(({ spec }) => spec?.cidrs ?? []),
    isReserved: (address) => store.get(ADDRESSES + address) !== undefined,
  };
}

function isUsable({ metadata, status }: DeepReadonly<ServiceCIDR>): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return metadata?.deletionTimestamp === undefined && (ready?.status ?? 'True') === 'True';
}
