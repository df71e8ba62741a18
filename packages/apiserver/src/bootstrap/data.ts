import { readFileSync } from 'node:fs';

import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from 'client-ts/api/flowcontrol/v1';

/**
 * Rules, one per line: `get,list core,apps pods,deployments` with optional names at the end, or
 * `get /healthz,/livez`. `core` stands for the core group.
 */
export type RuleLines = readonly string[];

/** A role that takes part in aggregation. */
export interface AggregatedRole {
  readonly rules?: RuleLines;
  /** The role that takes over its rules: `edit`. */
  readonly aggregateTo?: string;
  /** The `aggregateTo` of the roles whose rules it takes over. */
  readonly aggregates?: string;
}

/** Default objects of Kubernetes: facts of its release, by the names of the objects. */
export interface BootstrapData {
  readonly clusterRoles: Readonly<Record<string, RuleLines | AggregatedRole>>;
  /** The subjects of the binding that is named like its ClusterRole: `User system:kube-scheduler`. */
  readonly clusterRoleBindings: Readonly<Record<string, readonly string[]>>;
  /** By namespace and name: `kube-system/system:controller:token-cleaner`. */
  readonly roles: Readonly<Record<string, RuleLines>>;
  readonly roleBindings: Readonly<
    Record<string, { readonly role: string; readonly subjects: readonly string[] }>
  >;
  readonly priorityLevels: Readonly<Record<string, PriorityLevelConfigurationSpec>>;
  readonly flowSchemas: Readonly<Record<string, FlowSchemaSpec>>;
}

let loaded: BootstrapData | undefined;

/** Returns the default objects from this package's data file, loaded once. */
export function bootstrapData(): BootstrapData {
  loaded ??= JSON.parse(
    readFileSync(new URL('../../data/bootstrap.json', import.meta.url), 'utf8'),
  ) as BootstrapData;
  return loaded;
}
