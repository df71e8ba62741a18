import type { PolicyRule, RoleRef, Subject } from 'client-ts/api/rbac/v1';
import { aggregateMessage, quoteGo } from 'client-ts/internal';
import type { DeepReadonly, KubernetesObject } from 'client-ts/meta';

import type { Cluster } from '../registry/cluster.ts';
import type { AccessAttributes, AccessPolicy, Decision } from './authorize.ts';
import type { UserInfo } from './user.ts';

/** A Role or ClusterRole, with the fields that RBAC reads. */
export type RoleObject = DeepReadonly<KubernetesObject & { rules?: PolicyRule[] | null }>;

/** A RoleBinding or ClusterRoleBinding, with the fields that RBAC reads. */
export type BindingObject = DeepReadonly<
  KubernetesObject & { subjects?: Subject[]; roleRef: RoleRef }
>;

/** Reads RBAC objects. Every call must return the current state. */
export interface RbacLookup {
  clusterRoleBindings(): Iterable<BindingObject>;
  roleBindings(namespace: string): Iterable<BindingObject>;
  clusterRole(name: string): RoleObject | undefined;
  role(namespace: string, name: string): RoleObject | undefined;
}

type Rule = DeepReadonly<PolicyRule>;

/** One rule that applies to a user, or the reason why a binding grants nothing. */
type Grant =
  | { readonly rule: Rule; readonly source: () => string }
  | { readonly rule?: undefined; readonly problem: string };

/**
 * Returns the RBAC policy: denies what no rule allows. ClusterRoleBindings apply everywhere,
 * RoleBindings in their namespace. Aggregated ClusterRoles are read as stored.
 */
export function createRbacPolicy(lookup: RbacLookup): AccessPolicy {
  return {
    decide: (attributes) => decide(lookup, attributes),
    rulesFor: (user, namespace) => {
      const grants = [...grantsFor(lookup, user, namespace)];
      const rules = grants.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
      const problems = problemsOf(grants);
      return {
        resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
        nonResourceRules: rules
          .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
          .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs: nonResourceURLs ?? [] })),
        incomplete: false,
        ...(problems.length > 0 && { evaluationError: aggregateMessage(problems) }),
      };
    },
  };
}

function decide(lookup: RbacLookup, attributes: AccessAttributes): Decision {
  const unresolved: Grant[] = [];
  for (const grant of grantsFor(lookup, attributes.user, attributes.namespace)) {
    if (grant.rule === undefined) unresolved.push(grant);
    else if (ruleAllows(grant.rule, attributes)) {
      return { allowed: true, reason: `RBAC: allowed by ${grant.source()}` };
    }
  }
  const problems = problemsOf(unresolved);
  const reason = problems.length > 0 ? `RBAC: ${aggregateMessage(problems)}` : '';
  return { allowed: false, reason };
}

function problemsOf(grants: readonly Grant[]): string[] {
  return grants.flatMap((grant) => (grant.rule === undefined ? [grant.problem] : []));
}

function* grantsFor(lookup: RbacLookup, user: UserInfo, namespace: string): Generator<Grant> {
  for (const binding of lookup.clusterRoleBindings()) yield* grantsOf(lookup, binding, user, '');
  if (namespace === '') return;
  for (const binding of lookup.roleBindings(namespace)) {
    yield* grantsOf(lookup, binding, user, namespace);
  }
}

/** An empty namespace stands for a ClusterRoleBinding. */
function* grantsOf(
  lookup: RbacLookup,
  binding: BindingObject,
  user: UserInfo,
  namespace: string,
): Generator<Grant> {
  const subject = binding.subjects?.find((candidate) => appliesTo(candidate, user, namespace));
  if (subject === undefined) return;
  const { kind, name } = binding.roleRef;
  if (kind !== 'Role' && kind !== 'ClusterRole') {
    yield { problem: `unsupported role reference kind: ${quoteGo(kind)}` };
    return;
  }
  const role = kind === 'Role' ? lookup.role(namespace, name) : lookup.clusterRole(name);
  if (role === undefined) {
    const resource = kind === 'Role' ? 'role' : 'clusterrole';
    yield { problem: `${resource}.rbac.authorization.k8s.io ${quoteGo(name)} not found` };
    return;
  }
  const source = (): string => describe(binding, subject, namespace);
  for (const rule of role.rules ?? []) yield { rule, source };
}

function appliesTo(subject: DeepReadonly<Subject>, user: UserInfo, namespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return user.name === subject.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const home = subject.namespace ?? namespace;
      return home !== '' && user.name === `system:serviceaccount:${home}:${subject.name}`;
    }
    default:
      return false;
  }
}

function describe(
  { metadata, roleRef }: BindingObject,
  subject: DeepReadonly<Subject>,
  namespace: string,
): string {
  const name = metadata?.name ?? '';
  const binding =
    namespace === ''
      ? `ClusterRoleBinding ${quoteGo(name)}`
      : `RoleBinding ${quoteGo(`${name}/${namespace}`)}`;
  const subjectName =
    subject.kind === 'ServiceAccount'
      ? `${subject.name}/${subject.namespace ?? namespace}`
      : subject.name;
  return `${binding} of ${roleRef.kind} ${quoteGo(roleRef.name)} to ${subject.kind} ${quoteGo(subjectName)}`;
}

/** Returns whether one rule allows the request. */
function ruleAllows(rule: Rule, attributes: AccessAttributes): boolean {
  if (!includesOrAll(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResourceRequest) return matchesPath(rule, attributes.path);
  return (
    includesOrAll(rule.apiGroups, attributes.group) &&
    matchesResource(rule, attributes) &&
    matchesName(rule, attributes.name)
  );
}

function matchesResource({ resources = [] }: Rule, wanted: AccessAttributes): boolean {
  const { resource, subresource } = wanted;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (allowed) =>
      allowed === '*' || allowed === full || (subresource !== '' && allowed === `*/${subresource}`),
  );
}

function matchesName({ resourceNames = [] }: Rule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

function matchesPath({ nonResourceURLs = [] }: Rule, path: string): boolean {
  return nonResourceURLs.some((allowed) => coversPath(allowed, path));
}

/** True if a rule's path equals the path, or is a prefix of it that ends with `*`. */
export function coversPath(allowed: string, path: string): boolean {
  if (allowed === path) return true;
  let end = allowed.length;
  while (allowed[end - 1] === '*') end -= 1;
  return end < allowed.length && path.startsWith(allowed.slice(0, end));
}

function includesOrAll(values: readonly string[] | undefined, wanted: string): boolean {
  return values?.some((value) => value === '*' || value === wanted) ?? false;
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: Rule): {
  verbs: readonly string[];
  apiGroups?: readonly string[];
  resources?: readonly string[];
  resourceNames?: readonly string[];
} {
  return {
    verbs,
    ...(apiGroups !== undefined && { apiGroups }),
    ...(resources !== undefined && { resources }),
    ...(resourceNames !== undefined && { resourceNames }),
  };
}

const GROUP = 'rbac.authorization.k8s.io';

/** Reads roles and bindings from the store. */
export function rbacLookup({ catalog, store }: Pick<Cluster, 'catalog' | 'store'>): RbacLookup {
  const list = (resource: string, namespace: string): Iterable<BindingObject> => {
    const registry = catalog.registry(GROUP, resource);
    if (registry === undefined) return [];
    return store
      .range({ prefix: registry.prefix(namespace) })
      .map(({ value }) => value as BindingObject);
  };
  const get = (resource: string, namespace: string, name: string): RoleObject | undefined =>
    catalog.registry(GROUP, resource)?.find(namespace, name)?.value;
  return {
    clusterRoleBindings: () => list('clusterrolebindings', ''),
    roleBindings: (namespace) => list('rolebindings', namespace),
    clusterRole: (name) => get('clusterroles', '', name),
    role: (namespace, name) => get('roles', namespace, name),
  };
}
