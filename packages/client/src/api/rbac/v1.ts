// Kubernetes 1.36.4, rbac.authorization.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { LabelSelector, ListMeta, ObjectMeta } from '../../meta/types.ts';

const everyVerb: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings` */
export const clusterRoleBindings: ResourceDescriptor<ClusterRoleBinding, 'Cluster', Verb, never> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterrolebindings',
  kind: 'ClusterRoleBinding',
  singular: 'clusterrolebinding',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/rbac.authorization.k8s.io/v1/clusterroles` */
export const clusterRoles: ResourceDescriptor<ClusterRole, 'Cluster', Verb, never> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterroles',
  kind: 'ClusterRole',
  singular: 'clusterrole',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings` */
export const roleBindings: ResourceDescriptor<RoleBinding, 'Namespaced', Verb, never> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'rolebindings',
  kind: 'RoleBinding',
  singular: 'rolebinding',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles` */
export const roles: ResourceDescriptor<Role, 'Namespaced', Verb, never> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'roles',
  kind: 'Role',
  singular: 'role',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** Makes a ClusterRole the union of others. A controller keeps its rules up to date. */
export interface AggregationRule {
  /** Select the ClusterRoles by label; one match is enough. */
  clusterRoleSelectors?: LabelSelector[];
}

/**
 * A set of permissions for the whole cluster, for cluster-wide resources and for URLs. A
 * RoleBinding can also grant it in one namespace.
 */
export interface ClusterRole {
  /** Collects the rules from other ClusterRoles. `rules` is then overwritten by the controller. */
  aggregationRule?: AggregationRule;
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ClusterRole';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The permissions. */
  rules?: PolicyRule[] | null;
}

/** Grants a ClusterRole to users, groups and service accounts in the whole cluster. */
export interface ClusterRoleBinding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ClusterRoleBinding';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The ClusterRole to grant. Cannot change. */
  roleRef: RoleRef;
  /** Users, groups and service accounts that receive the permissions. */
  subjects?: Subject[];
}

/**
 * A list of ClusterRoleBinding objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface ClusterRoleBindingList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** The objects of this page. */
  items: ClusterRoleBinding[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ClusterRoleBindingList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A list of ClusterRole objects, as a list request returns it. Large lists come in pages. */
export interface ClusterRoleList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** The objects of this page. */
  items: ClusterRole[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ClusterRoleList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A permission. Rules only allow; nothing can be denied. */
export interface PolicyRule {
  /** API groups of the resources. The empty string is the core group, `*` means all. */
  apiGroups?: string[];
  /**
   * URLs that are not resources, such as `/healthz`; `*` may be the last part. Only in
   * ClusterRoles that a ClusterRoleBinding grants.
   */
  nonResourceURLs?: string[];
  /**
   * Names of objects that the rule is limited to. Empty means all. It cannot limit `create`
   * and, in practice, not `list` and `watch`.
   */
  resourceNames?: string[];
  /** Resources by plural name, with subresources as `pods/log`. `*` means all. */
  resources?: string[];
  /** What may be done, such as `get`, `list`, `watch` and `create`. `*` means everything. */
  verbs: string[];
}

/** A set of permissions in one namespace. */
export interface Role {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Role';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The permissions. */
  rules?: PolicyRule[] | null;
}

/** Grants a Role or ClusterRole to users, groups and service accounts in one namespace. */
export interface RoleBinding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'RoleBinding';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The Role in the same namespace, or the ClusterRole, to grant. Cannot change. */
  roleRef: RoleRef;
  /** Users, groups and service accounts that receive the permissions. */
  subjects?: Subject[];
}

/** A list of RoleBinding objects, as a list request returns it. Large lists come in pages. */
export interface RoleBindingList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** The objects of this page. */
  items: RoleBinding[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'RoleBindingList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A list of Role objects, as a list request returns it. Large lists come in pages. */
export interface RoleList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  /** The objects of this page. */
  items: Role[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'RoleList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The role that a binding grants. */
export interface RoleRef {
  /** API group of the role. Always `rbac.authorization.k8s.io`. */
  apiGroup?: string;
  /** `ClusterRole` or `Role`. */
  kind: string;
  /** Name of the role. */
  name: string;
}

/** A user, group or service account. */
export interface Subject {
  /**
   * API group of the subject. Empty for service accounts, `rbac.authorization.k8s.io` for
   * users and groups, which is the default.
   */
  apiGroup?: string;
  /** `User`, `Group` or `ServiceAccount`. */
  kind: string;
  /** Name of the subject. */
  name: string;
  /** Namespace of a service account. Must be empty for users and groups. */
  namespace?: string;
}
