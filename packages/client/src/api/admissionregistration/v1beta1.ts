// Kubernetes 1.36.4, admissionregistration.k8s.io/v1beta1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { LabelSelector, ListMeta, ObjectMeta, Open } from '../../meta/types.ts';

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

/** `/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies` */
export const mutatingAdmissionPolicies: ResourceDescriptor<
  MutatingAdmissionPolicy,
  'Cluster',
  Verb,
  never
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  resource: 'mutatingadmissionpolicies',
  kind: 'MutatingAdmissionPolicy',
  singular: 'mutatingadmissionpolicy',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: ['api-extensions'],
};

/** `/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicybindings` */
export const mutatingAdmissionPolicyBindings: ResourceDescriptor<
  MutatingAdmissionPolicyBinding,
  'Cluster',
  Verb,
  never
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  resource: 'mutatingadmissionpolicybindings',
  kind: 'MutatingAdmissionPolicyBinding',
  singular: 'mutatingadmissionpolicybinding',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: ['api-extensions'],
};

export interface ApplyConfiguration {
  expression?: string;
}

export interface JSONPatch {
  expression?: string;
}

export interface MatchCondition {
  expression: string;
  name: string;
}

export interface MatchResources {
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
}

export interface MutatingAdmissionPolicy {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicy';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec?: MutatingAdmissionPolicySpec;
}

export interface MutatingAdmissionPolicyBinding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicyBinding';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec?: MutatingAdmissionPolicyBindingSpec;
}

/**
 * A list of MutatingAdmissionPolicyBinding objects, as a list request returns it. Large
 * lists come in pages.
 */
export interface MutatingAdmissionPolicyBindingList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  /** The objects of this page. */
  items: MutatingAdmissionPolicyBinding[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicyBindingList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface MutatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources;
  paramRef?: ParamRef;
  policyName?: string;
}

/**
 * A list of MutatingAdmissionPolicy objects, as a list request returns it. Large lists come
 * in pages.
 */
export interface MutatingAdmissionPolicyList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  /** The objects of this page. */
  items: MutatingAdmissionPolicy[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicyList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface MutatingAdmissionPolicySpec {
  failurePolicy?: string;
  matchConditions?: MatchCondition[];
  matchConstraints?: MatchResources;
  mutations?: Mutation[];
  paramKind?: ParamKind;
  reinvocationPolicy?: Open<'IfNeeded' | 'Never'>;
  variables?: Variable[];
}

export interface Mutation {
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
  patchType: Open<'ApplyConfiguration' | 'JSONPatch'>;
}

export interface NamedRuleWithOperations {
  apiGroups?: string[];
  apiVersions?: string[];
  operations?: Open<'*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE'>[];
  resourceNames?: string[];
  resources?: string[];
  scope?: Open<'*' | 'Cluster' | 'Namespaced'>;
}

export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}

export interface ParamRef {
  name?: string;
  namespace?: string;
  parameterNotFoundAction?: string;
  selector?: LabelSelector;
}

export interface Variable {
  expression: string;
  name: string;
}
