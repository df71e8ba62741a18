import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
} from '../api/rbac/v1.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { Permission } from './permission.ts';
import { RbacError } from './rbac-error.ts';

/** A rule, and the namespace in which it holds; an empty one for everywhere. */
export interface Grant {
  readonly rule: DeepReadonly<PolicyRule>;
  readonly namespace: string;
}

type AnyObject = DeepReadonly<KubernetesObject>;

/**
 * Returns what the roles among the objects of a manifest grant: a ClusterRole everywhere, or in the
 * namespaces of its RoleBindings if it has no other binding; a Role in its namespace, or in `namespace`
 * if it has none. Other objects are ignored. Subjects are not compared: the manifest is that of one program.
 */
export function grantsOf(objects: Iterable<AnyObject>, namespace = ''): readonly Grant[] {
  const all = [...objects];
  const bindings = all.filter(
    (object): object is DeepReadonly<ClusterRoleBinding | RoleBinding> =>
      object.kind === 'ClusterRoleBinding' || object.kind === 'RoleBinding',
  );
  const roles = all.filter(
    (object): object is DeepReadonly<ClusterRole | Role> =>
      object.kind === 'ClusterRole' || object.kind === 'Role',
  );
  if (roles.length === 0) {
    throw new RbacError('RBAC_NO_ROLES', 'the manifest has no Role and no ClusterRole');
  }
  return roles.flatMap((role) => {
    const rules = role.rules ?? [];
    return placesOf(role, bindings, namespace).flatMap((place) =>
      rules.map((rule) => ({ rule, namespace: place })),
    );
  });
}

function placesOf(
  { kind, metadata }: DeepReadonly<ClusterRole | Role>,
  bindings: readonly DeepReadonly<ClusterRoleBinding | RoleBinding>[],
  namespace: string,
): readonly string[] {
  if (kind === 'Role') return [metadata?.namespace ?? namespace];
  const own = bindings.filter(
    ({ roleRef }) => roleRef.kind === 'ClusterRole' && roleRef.name === metadata?.name,
  );
  const isEverywhere = own.length === 0 || own.some((each) => each.kind === 'ClusterRoleBinding');
  return isEverywhere ? [''] : own.map((each) => each.metadata?.namespace ?? namespace);
}

/** True if one of the rules grants a permission, as servers decide it. */
export function isGranted(grants: Iterable<Grant>, permission: Permission): boolean {
  for (const grant of grants) if (allows(grant, permission)) return true;
  return false;
}

function allows({ rule, namespace }: Grant, permission: Permission): boolean {
  const { verb } = permission;
  if (!covers(rule.verbs, verb)) return false;
  if ('url' in permission) {
    const urls = namespace === '' ? (rule.nonResourceURLs ?? []) : [];
    return urls.some((pattern) => matchesUrl(pattern, permission.url));
  }
  const { group, resource, name } = permission;
  const [, ...subresource] = resource.split('/');
  const resources = rule.resources ?? [];
  return (
    (namespace === '' || namespace === permission.namespace) &&
    covers(rule.apiGroups ?? [], group) &&
    (covers(resources, resource) ||
      (subresource.length > 0 && resources.includes(`*/${subresource.join('/')}`))) &&
    ((rule.resourceNames ?? []).length === 0 || rule.resourceNames?.includes(name) === true)
  );
}

function covers(values: readonly string[], value: string): boolean {
  return values.includes('*') || values.includes(value);
}

/** A pattern may end with a star. */
function matchesUrl(pattern: string, url: string): boolean {
  return pattern.endsWith('*') ? url.startsWith(pattern.slice(0, -1)) : pattern === url;
}
