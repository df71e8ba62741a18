import type * as core from 'client-ts/api/core/v1';
import type { KubernetesObject, QuantityValue } from 'client-ts/meta';
import type { Cluster } from '../../registry/cluster.ts';
import type { Loose } from '../../validation/loose.ts';
import { type Amounts, ZERO } from './amounts.ts';
import {
  type Evaluator,
  isInScopes,
  requirementsOf,
  type ScopeRequirement,
  type UsageContext,
} from './evaluator.ts';
import { evaluatorFor } from './evaluators.ts';

/**
 * The usage of one quota, kept up to date object by object. What an object used when it was counted
 * is remembered, because the usage of the same object can change with time.
 */
export class UsageTracker {
  readonly #requirements: readonly ScopeRequirement[];
  readonly #names: readonly string[];
  readonly #totals = new Map<string, QuantityValue>();
  readonly #objects = new Map<string, Amounts>();

  constructor(spec: Loose<core.ResourceQuotaSpec>) {
    this.#requirements = requirementsOf(spec);
    this.#names = Object.keys(spec.hard ?? {});
  }

  /** The sums; without resources that no kind of object uses. */
  get totals(): Amounts {
    return this.#totals;
  }

  /** Counts all objects of a namespace. */
  countAll({ catalog, store }: Cluster, namespace: string, context: UsageContext): void {
    for (const registry of catalog.registries()) {
      const evaluator = registry.namespaced ? evaluatorFor(registry) : undefined;
      if (evaluator === undefined) continue;
      const names = this.#names.filter((name) => evaluator.measures(name, context));
      if (names.length === 0) continue;
      for (const name of names) this.#totals.set(name, this.#totals.get(name) ?? ZERO);
      for (const { key, value } of store.range({ prefix: registry.prefix(namespace) })) {
        this.count(key, evaluator, value as KubernetesObject, context);
      }
    }
  }

  /**
   * Counts an object instead of its last version; undefined if it is deleted. Returns true if that
   * changes a sum.
   */
  count(
    key: string,
    evaluator: Evaluator,
    object: KubernetesObject | undefined,
    context: UsageContext,
  ): boolean {
    const before = this.#objects.get(key);
    const isCounted = object !== undefined && isInScopes(evaluator, this.#requirements, object);
    const after = isCounted ? evaluator.usage(object, context) : undefined;
    if (after === undefined) this.#objects.delete(key);
    else this.#objects.set(key, after);
    let isChanged = false;
    for (const [name, total] of this.#totals) {
      const added = after?.get(name);
      const removed = before?.get(name);
      const sum = added === undefined ? total : total.add(added);
      const next = removed === undefined ? sum : sum.sub(removed);
      if (next.equals(total)) continue;
      this.#totals.set(name, next);
      isChanged = true;
    }
    return isChanged;
  }
}
