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

export interface AggregationRule {
  clusterRoleSelectors?: LabelSelector[];
}

export interface ClusterRole {
  aggregationRule?: AggregationRule;
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRole';
  metadata?: ObjectMeta;
  rules?: PolicyRule[];
}

export interface ClusterRoleBinding {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'ClusterRoleBinding';
  metadata?: ObjectMeta;
  roleRef: RoleRef;
  subjects?: Subject[];
}

export interface ClusterRoleBindingList {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  items: ClusterRoleBinding[];
  kind?: 'ClusterRoleBindingList';
  metadata?: ListMeta;
}

export interface ClusterRoleList {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  items: ClusterRole[];
  kind?: 'ClusterRoleList';
  metadata?: ListMeta;
}

export interface PolicyRule {
  apiGroups?: string[];
  nonResourceURLs?: string[];
  resourceNames?: string[];
  resources?: string[];
  verbs: string[];
}

export interface Role {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'Role';
  metadata?: ObjectMeta;
  rules?: PolicyRule[];
}

export interface RoleBinding {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  kind?: 'RoleBinding';
  metadata?: ObjectMeta;
  roleRef: RoleRef;
  subjects?: Subject[];
}

export interface RoleBindingList {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  items: RoleBinding[];
  kind?: 'RoleBindingList';
  metadata?: ListMeta;
}

export interface RoleList {
  apiVersion?: 'rbac.authorization.k8s.io/v1';
  items: Role[];
  kind?: 'RoleList';
  metadata?: ListMeta;
}

export interface RoleRef {
  apiGroup?: string;
  kind: string;
  name: string;
}

export interface Subject {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
}
