import type { Cluster } from '../registry/cluster.ts';
import { claimAll, releaseAll } from '../registry/kinds/core/service/allocation.ts';
import type { Entry } from '../store/store.ts';

const SERVICES = '//services/';

/**
 * Takes the cluster IPs and node ports of all stored services. Until disposed, follows writes to
 * services that are undone, because the writes themselves took and released.
 */
export function restoreAllocations({ allocators, store }: Cluster): Disposable {
  for (const entry of store.range({ prefix: SERVICES })) claimAll(serviceOf(entry), allocators);
  return store.onUndone(({ entry, previous }) => {
    if (!(entry ?? previous).key.startsWith(SERVICES)) return;
    if (entry !== undefined) releaseAll(serviceOf(entry), allocators);
    if (previous !== undefined) claimAll(serviceOf(previous), allocators);
  });
}

/** The allocation reads the object only. */
function serviceOf({ value }: Entry): Parameters<typeof claimAll>[0] {
  return value as Parameters<typeof claimAll>[0];
}
