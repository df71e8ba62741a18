import type { Clock, Random } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';

import type { Store } from '../store/store.ts';
import type { ServiceAllocators } from './allocators.ts';
import type { Catalog } from './catalog.ts';
import type { RequestUser, StrategyContext } from './strategy.ts';

/** What lies below the API: the state of the cluster, and what it takes to change it. */
export interface Cluster {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly random: Random;
  readonly allocators: ServiceAllocators;
}

/** What a strategy is told of the write that it takes part in. */
export interface WriteOrigin {
  /** Default false. */
  readonly dryRun?: boolean;
  /** The namespace of what is written; default none. */
  readonly namespace?: string;
  /** The API group of the request; default the core group. */
  readonly requestGroup?: string;
  /** Who asks for the write; by default the server itself. */
  readonly user?: RequestUser;
  /** Takes the warnings; by default nobody hears them. */
  readonly warn?: (text: string) => void;
}

/**
 * Runs a write with what a strategy gets to see of the cluster. Addresses and ports that the write
 * took are given back if it fails or is only a rehearsal.
 */
export function withClusterContext<T>(
  cluster: Cluster,
  { dryRun = false, namespace = '', requestGroup = '', user, warn = ignore }: WriteOrigin,
  write: (context: StrategyContext) => T,
): T {
  const { clock, random } = cluster;
  const allocators = cluster.allocators.begin();
  try {
    const result = write({
      dryRun,
      namespace,
      requestGroup,
      ...(user && { user }),
      warn,
      allocators,
      clock,
      random,
      ...readAccess(cluster),
    });
    if (dryRun) allocators.revert();
    else allocators.commit();
    return result;
  } catch (error) {
    allocators.revert();
    throw error;
  }
}

function ignore(): void {}

function readAccess({ catalog, store }: Cluster): Pick<StrategyContext, 'list' | 'lookup'> {
  return {
    lookup: (group, resource, namespace, name) =>
      catalog.registry(group, resource)?.find(namespace, name)?.value as
        | KubernetesObject
        | undefined,
    list: (group, resource, namespace) => {
      const registry = catalog.registry(group, resource);
      if (registry === undefined) return [];
      return store
        .range({ prefix: registry.prefix(namespace) })
        .map(({ value }) => value as KubernetesObject);
    },
  };
}
