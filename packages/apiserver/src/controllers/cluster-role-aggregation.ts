import type { ClusterRole, PolicyRule } from 'client-ts/api/rbac/v1';
import { jsonEqual } from 'client-ts/internal';
import type { DeepReadonly } from 'client-ts/meta';

import type { Cluster } from '../registry/cluster.ts';
import type { Registry } from '../registry/registry.ts';
import type { Loose } from '../validation/loose.ts';
import { matcherOf } from '../validation/labels.ts';
import { DirtySet } from './dirty-set.ts';
import { OwnWrites } from './own-writes.ts';

const GROUP = 'rbac.authorization.k8s.io';
const NAME = 'clusterrole-aggregation-controller';

/** How many levels of aggregation are followed at the start; deeper ones later. */
const DEEPEST = 4;

type StoredRole = DeepReadonly<ClusterRole>;

/**
 * Fills the rules of ClusterRoles with an `aggregationRule` from the roles that they select. The
 * roles that exist at the start are complete when the constructor returns.
 */
export class ClusterRoleAggregation implements Disposable {
  readonly #cluster: Cluster;
  readonly #roles: Registry;
  readonly #writes: OwnWrites;
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#roles = cluster.catalog.registry(GROUP, 'clusterroles') as Registry;
    this.#writes = new OwnWrites(cluster, NAME);
    const process = (): void => void this.#aggregateAll();
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    // Selected roles may be aggregated themselves: `admin` includes `edit`, which includes `view`.
    for (let depth = 0; depth < DEEPEST; depth++) if (!this.#aggregateAll()) break;
    // There are few ClusterRoles, so that every change checks all of them.
    this.#subscription = cluster.store.subscribe(this.#roles.prefix(), () =>
      this.#dirty.add('all'),
    );
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  /** Returns whether a role has changed. */
  #aggregateAll(): boolean {
    const roles = this.#cluster.store
      .range({ prefix: this.#roles.prefix() })
      .map(({ value }) => value as StoredRole);
    let changed = false;
    for (const role of roles) {
      const rules = aggregatedRules(role, roles);
      if (rules === undefined || jsonEqual(rules, role.rules ?? [])) continue;
      changed = true;
      this.#writes.apply({
        apiVersion: `${GROUP}/v1`,
        kind: 'ClusterRole',
        metadata: { name: role.metadata?.name ?? '' },
        rules,
      });
    }
    return changed;
  }
}

/** Returns the rules of all roles that are selected, each once; undefined without aggregation. */
export function aggregatedRules(
  role: StoredRole,
  roles: readonly StoredRole[],
): DeepReadonly<PolicyRule>[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  const rules: DeepReadonly<PolicyRule>[] = [];
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const matcher = matcherOf(selector as Loose<typeof selector>);
    for (const other of roles) {
      if (other.metadata?.name === role.metadata?.name) continue;
      if (matcher?.matches(other.metadata?.labels ?? {}) !== true) continue;
      for (const rule of other.rules ?? []) {
        if (!rules.some((known) => jsonEqual(known, rule))) rules.push(rule);
      }
    }
  }
  return rules;
}
