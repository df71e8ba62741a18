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

  /** Returns whether a role has changed. Roles see what the ones before them have become. */
  #aggregateAll(): boolean {
    const roles = this.#cluster.store
      .range({ prefix: this.#roles.prefix() })
      .map(({ value }) => value as StoredRole);
    let changed = false;
    for (const [index, role] of roles.entries()) {
      const rules = aggregatedRules(role, roles);
      if (rules === undefined || !isNews(rules, role, roles)) continue;
      changed = true;
      roles[index] = { ...role, rules };
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

/**
 * True if the rules are not those that the role has. Of roles that aggregate each other the order
 * does not count: it could be passed around in a circle without end.
 */
function isNews(
  rules: readonly DeepReadonly<PolicyRule>[],
  role: StoredRole,
  roles: readonly StoredRole[],
): boolean {
  const before = role.rules ?? [];
  if (jsonEqual(rules, before)) return false;
  const isSame =
    rules.length === before.length &&
    rules.every((rule) => before.some((known) => jsonEqual(known, rule)));
  return !isSame || !aggregatesItself(role, roles);
}

/** True if a role selects itself through other roles. */
function aggregatesItself(role: StoredRole, roles: readonly StoredRole[]): boolean {
  const seen = new Set<StoredRole>();
  const pending = selectedRoles(role, roles);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.metadata?.name === role.metadata?.name) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    pending.push(...selectedRoles(next, roles));
  }
  return false;
}

/** Returns the other roles that a role selects, in the order of its selectors. */
function selectedRoles(role: StoredRole, roles: readonly StoredRole[]): StoredRole[] {
  return (role.aggregationRule?.clusterRoleSelectors ?? []).flatMap((selector) => {
    const matcher = matcherOf(selector as Loose<typeof selector>);
    return roles.filter(
      ({ metadata }) =>
        metadata?.name !== role.metadata?.name && matcher?.matches(metadata?.labels ?? {}) === true,
    );
  });
}

/** Returns the rules of all roles that are selected, each once; undefined without aggregation. */
export function aggregatedRules(
  role: StoredRole,
  roles: readonly StoredRole[],
): DeepReadonly<PolicyRule>[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  // Stored rules have their fields in the order of the type, so equal ones have equal texts.
  const rules = new Map<string, DeepReadonly<PolicyRule>>();
  for (const rule of selectedRoles(role, roles).flatMap((other) => other.rules ?? [])) {
    const text = JSON.stringify(rule);
    if (!rules.has(text)) rules.set(text, rule);
  }
  return [...rules.values()];
}
