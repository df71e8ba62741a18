// Upstream: staging/src/k8s.io/apiserver/pkg/quota/v1/interfaces.go
// Upstream: staging/src/k8s.io/apiserver/pkg/quota/v1/generic/evaluator.go
import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import type { GroupResource, KubernetesObject } from 'client-ts/meta';
import type { StrategyContext } from '../../registry/strategy.ts';
import type { Loose } from '../../validation/loose.ts';
import type { Operation } from '../attributes.ts';
import { type Amounts, ONE } from './amounts.ts';

/** What a quota says about the objects that it counts. */
export type ScopeRequirement = Loose<core.ScopedResourceSelectorRequirement>;

/** A write that may change what is used. */
export interface QuotaRequest {
  readonly operation: Operation;
  readonly subresource: string;
  readonly object: KubernetesObject;
  /** Undefined for a create. */
  readonly old: KubernetesObject | undefined;
}

/** What the usage of an object may depend on besides the object. */
export interface UsageContext extends Pick<StrategyContext, 'list' | 'lookup'> {
  readonly nowMs: number;
}

/** Measures what objects of one resource use. */
export interface Evaluator {
  /** Returns true if a write may use more than before. */
  readonly handles: (request: QuotaRequest) => boolean;
  /** Returns true for names of amounts that these objects use. */
  readonly measures: (name: string, context: UsageContext) => boolean;
  /** Returns true if an object is in the scope. Absent: no object is in any scope. */
  readonly isInScope?: (requirement: ScopeRequirement, object: KubernetesObject) => boolean;
  /** Returns what an object that these amounts restrict must have; undefined if it has it. */
  readonly missing?: (names: readonly string[], object: KubernetesObject) => string | undefined;
  readonly usage: (object: KubernetesObject, context: UsageContext) => Amounts;
}

/** Returns the name by which a quota counts the objects of a resource. */
export function countName({ group, resource }: GroupResource): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Returns an evaluator that counts objects; `alias` is another name for the number. */
export function objectCounter(resource: GroupResource, alias?: string): Evaluator {
  const names = alias === undefined ? [countName(resource)] : [countName(resource), alias];
  const usage: Amounts = new Map(names.map((name) => [name, ONE]));
  return {
    handles: ({ operation, subresource }) => subresource === '' && operation === 'CREATE',
    measures: (name) => names.includes(name),
    usage: () => usage,
  };
}

/** Returns true for creates and updates of the object itself. */
export function isMainWrite({ operation, subresource }: QuotaRequest): boolean {
  return subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
}

/** Returns all requirements of a quota; a scope requires that it applies. */
export function requirementsOf(spec: Loose<core.ResourceQuotaSpec>): readonly ScopeRequirement[] {
  const scopes = (spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...scopes, ...(spec.scopeSelector?.matchExpressions ?? [])];
}

/** Returns true if an object meets every requirement. */
export function isInScopes(
  { isInScope = (): boolean => false }: Evaluator,
  requirements: readonly ScopeRequirement[],
  object: KubernetesObject,
): boolean {
  return requirements.every((requirement) => isInScope(requirement, object));
}

/** Returns true if one of the names, or their absence, meets a requirement. */
export function matchesNames(
  { operator, values = [] }: ScopeRequirement,
  names: readonly string[],
): boolean {
  switch (operator) {
    case 'Exists':
      return names.length > 0;
    case 'DoesNotExist':
      return names.length === 0;
    case 'In':
      return names.some((name) => values.includes(name));
    case 'NotIn':
      return names.length === 0 || names.some((name) => !values.includes(name));
    default:
      return false;
  }
}

/** Returns an annotation of an object; undefined if it does not have it. */
export function annotationOf(
  { metadata }: Pick<KubernetesObject, 'metadata'>,
  name: string,
): string | undefined {
  return getKey(metadata?.annotations ?? {}, name);
}
