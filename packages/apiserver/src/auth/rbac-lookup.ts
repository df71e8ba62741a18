import type { BindingObject, RbacLookup, RoleObject } from './rbac.ts';
import type { Cluster } from '../registry/cluster.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Reads roles and bindings where they are stored. */
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
