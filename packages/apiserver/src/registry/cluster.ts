import type { Clock, Random } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';

import type { ValuePath } from '../schema/written-floats.ts';
import type { Store } from '../store/store.ts';
import type { WebhookClient } from '../webhook/webhook-client.ts';
import type { ServiceAllocators } from './allocators.ts';
import type { Catalog } from './catalog.ts';
import type { AdmissionPlugin } from './admission-plugins.ts';
import type { AskedAction, RequestUser, StrategyContext } from './strategy.ts';

/** The state of the cluster, and the dependencies of writes to it. */
export interface Cluster {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly random: Random;
  readonly allocators: ServiceAllocators;
  /** False if every request is authorized, so that roles have no effect. */
  readonly enforcesRoles: boolean;
  /** Admission plugins that run on request only. */
  readonly plugins: ReadonlySet<AdmissionPlugin>;
  /** Calls admission and conversion webhooks. */
  readonly webhooks: WebhookClient;
}

/** The request behind a write. */
export interface WriteOrigin {
  /** Default false. */
  readonly dryRun?: boolean | undefined;
  /** Namespace of the written object. Default none. */
  readonly namespace?: string | undefined;
  /** API group of the request. Default the core group. */
  readonly requestGroup?: string | undefined;
  /** The requesting user. Absent for writes of the server itself. */
  readonly user?: RequestUser | undefined;
  /** Returns whether the user may do something. Default: everything is allowed. */
  readonly isAllowed?: ((action: AskedAction) => boolean) | undefined;
  /** Receives the warnings. Default: they are dropped. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Where the request has whole numbers that are written as floats. Default: nowhere. */
  readonly floats?: readonly ValuePath[] | undefined;
}

/** A write in progress, with the addresses and ports that it has allocated. */
export interface ClusterWrite {
  readonly context: StrategyContext;
  /** Keeps the allocations; releases them after a dry run. */
  readonly commit: () => void;
  /** Releases the allocations of a write that failed. */
  readonly revert: () => void;
}

/** Starts a write. The caller ends it with `commit` or `revert`. */
export function beginClusterWrite(
  cluster: Cluster,
  {
    dryRun = false,
    namespace = '',
    requestGroup = '',
    user,
    isAllowed = allowAll,
    warn = ignore,
    floats = [],
  }: WriteOrigin,
): ClusterWrite {
  const { clock, random, plugins, enforcesRoles } = cluster;
  const allocators = cluster.allocators.begin();
  const context: StrategyContext = {
    dryRun,
    namespace,
    requestGroup,
    ...(user && { user }),
    isAllowed,
    plugins,
    enforcesRoles,
    warn,
    floats,
    allocators,
    clock,
    random,
    ...readAccess(cluster),
  };
  return {
    context,
    commit: () => (dryRun ? allocators.revert() : allocators.commit()),
    revert: () => allocators.revert(),
  };
}

/**
 * Runs a write with a strategy context. Allocated cluster IPs and node ports are released if the
 * write fails or is a dry run.
 */
export function withClusterContext<T>(
  cluster: Cluster,
  origin: WriteOrigin,
  write: (context: StrategyContext) => T,
): T {
  const { context, commit, revert } = beginClusterWrite(cluster, origin);
  try {
    const result = write(context);
    commit();
    return result;
  } catch (error) {
    revert();
    throw error;
  }
}

function ignore(): void {}

function allowAll(): boolean {
  return true;
}

/** Returns how rules read other objects. */
export function readAccess({
  catalog,
  store,
}: Pick<Cluster, 'catalog' | 'store'>): Pick<StrategyContext, 'list' | 'lookup'> {
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
