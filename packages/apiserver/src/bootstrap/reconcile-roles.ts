import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from 'client-ts/api/rbac/v1';
import { jsonEqual } from 'client-ts/internal';
import type { DeepReadonly } from 'client-ts/meta';

import { covers, type Right, rightsOf } from '../auth/rule-coverage.ts';
import { OwnWrites } from '../controllers/own-writes.ts';
import type { Cluster } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';
import {
  AUTO_UPDATE,
  defaultClusterRoleBindings,
  defaultClusterRoles,
  defaultRoleBindings,
  defaultRoles,
} from './default-roles.ts';

type AnyRole = Role | ClusterRole;
type AnyBinding = RoleBinding | ClusterRoleBinding;

/**
 * Creates the default roles and bindings that are missing, and adds to existing ones what they
 * lack: rules, subjects, labels and annotations. What was added to them stays. An object whose
 * annotation `rbac.authorization.kubernetes.io/autoupdate` is `false` is left alone.
 */
export function reconcileRoles(cluster: Cluster): void {
  const writes = new OwnWrites(cluster, 'kube-apiserver');
  for (const role of [...defaultClusterRoles(), ...defaultRoles()]) {
    reconcile(writes, role, (existing) => completeRole(existing as AnyRole, role));
  }
  for (const binding of [...defaultClusterRoleBindings(), ...defaultRoleBindings()]) {
    const existing = writes.find(binding as unknown as ApiObject) as DeepReadonly<AnyBinding>;
    // The role of a binding cannot change, so one for another role is replaced.
    if (existing !== undefined && !isProtected(existing) && !sameRole(existing, binding)) {
      writes.delete(binding as unknown as ApiObject);
    }
    reconcile(writes, binding, (copy) => completeBinding(copy as AnyBinding, binding));
  }
}

function reconcile(
  writes: OwnWrites,
  wanted: AnyRole | AnyBinding,
  complete: (copy: unknown) => void,
): void {
  const object = wanted as unknown as ApiObject;
  const existing = writes.find(object);
  if (existing === undefined) return writes.create(object);
  if (isProtected(existing)) return;
  writes.update(
    object,
    (copy) => {
      const { labels, annotations } = object.metadata;
      copy.metadata.labels = { ...labels, ...copy.metadata.labels };
      copy.metadata.annotations = { ...annotations, ...copy.metadata.annotations };
      complete(copy);
    },
    'main',
  );
}

function isProtected({ metadata }: DeepReadonly<Pick<Role, 'metadata'>>): boolean {
  return metadata?.annotations?.[AUTO_UPDATE] === 'false';
}

function sameRole(left: DeepReadonly<AnyBinding>, right: AnyBinding): boolean {
  return jsonEqual(left.roleRef, right.roleRef);
}

/** Adds the rights that the role lacks, each as a rule of its own. */
function completeRole(copy: AnyRole, wanted: AnyRole): void {
  const held = copy.rules ?? [];
  const missing = (wanted.rules ?? []).flatMap((rule) =>
    [...rightsOf(rule)].filter((right) => !held.some((owner) => covers(owner, right))),
  );
  if (missing.length > 0) copy.rules = [...held, ...missing.map(ruleFor)];
  if (!('aggregationRule' in wanted) || wanted.aggregationRule === undefined) return;
  const { clusterRoleSelectors: selectors = [] } = (copy as ClusterRole).aggregationRule ?? {};
  const lacking = (wanted.aggregationRule.clusterRoleSelectors ?? []).filter(
    (selector) => !selectors.some((other) => jsonEqual(selector, other)),
  );
  if (lacking.length === 0) return;
  (copy as ClusterRole).aggregationRule = { clusterRoleSelectors: [...selectors, ...lacking] };
}

function ruleFor(right: Right): PolicyRule {
  if ('path' in right) return { verbs: [right.verb], nonResourceURLs: [right.path] };
  const { verb, group, resource, name } = right;
  return {
    verbs: [verb],
    apiGroups: [group],
    resources: [resource],
    ...(name !== undefined && { resourceNames: [name] }),
  };
}

function completeBinding(copy: AnyBinding, { subjects = [] }: AnyBinding): void {
  const held: readonly Subject[] = copy.subjects ?? [];
  const missing = subjects.filter((subject) => !held.some((other) => jsonEqual(subject, other)));
  if (missing.length > 0) copy.subjects = [...held, ...missing];
}
