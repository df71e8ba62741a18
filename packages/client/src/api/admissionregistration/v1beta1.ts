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

/** A mutation by server-side apply. */
export interface ApplyConfiguration {
  /**
   * CEL expression that returns the fields to apply, as an `Object{…}`. It cannot change lists
   * that are atomic.
   */
  expression?: string;
}

/** A mutation by JSON patch. */
export interface JSONPatch {
  /** CEL expression that returns a list of `JSONPatch{…}` operations. */
  expression?: string;
}

/** A condition in CEL that a request must meet to be handled. */
export interface MatchCondition {
  /**
   * CEL expression that returns a boolean. It sees `object`, `oldObject`, `request` and
   * `authorizer`.
   */
  expression: string;
  /** Name of the condition, unique in its list. It appears in errors and audit events. */
  name: string;
}

/** Selects the requests that a policy handles. All parts must match. */
export interface MatchResources {
  /** Requests that are left out, even if `resourceRules` match. */
  excludeResourceRules?: NamedRuleWithOperations[];
  /**
   * `Equivalent` (the default) also matches requests through other versions and groups of the
   * same resource, after conversion; `Exact` does not.
   */
  matchPolicy?: string;
  /** Selects namespaces by label. Cluster-wide objects always match. Default is all. */
  namespaceSelector?: LabelSelector;
  /**
   * Selects objects by label; the old or the new object must match. Users can avoid it by
   * leaving out labels. Default is all.
   */
  objectSelector?: LabelSelector;
  /** Requests to handle; one rule must match. */
  resourceRules?: NamedRuleWithOperations[];
}

/**
 * Changes objects on admission by CEL expressions in the API server, without a webhook. It
 * takes effect through a binding.
 */
export interface MutatingAdmissionPolicy {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicy';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** What the policy matches and changes. */
  spec?: MutatingAdmissionPolicySpec;
}

/** Puts a MutatingAdmissionPolicy into effect, for certain requests and with parameters. */
export interface MutatingAdmissionPolicyBinding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicyBinding';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The policy, its parameters and the requests. */
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

/** A policy, its parameters and the requests. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** Narrows the requests that the policy matches. */
  matchResources?: MatchResources;
  /** Objects that the policy uses as parameters. Required if the policy has a `paramKind`. */
  paramRef?: ParamRef;
  /** Name of the policy. If it does not exist, the binding has no effect. */
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

/** What a mutating policy matches and changes. */
export interface MutatingAdmissionPolicySpec {
  /**
   * What happens if an expression fails or the policy is misconfigured. `Fail` (the default)
   * rejects the request, `Ignore` skips the policy.
   */
  failurePolicy?: string;
  /** Further conditions in CEL, which must all be true. At most 64. */
  matchConditions?: MatchCondition[];
  /** Requests that the policy handles. Required; `CREATE` and `UPDATE` only. */
  matchConstraints?: MatchResources;
  /** Changes, made in order. At least one. */
  mutations?: Mutation[];
  /** Kind of the objects that hold parameters. Without it there are none. */
  paramKind?: ParamKind;
  /**
   * `Never` runs the policy once per request, `IfNeeded` again if a later one changed the
   * object.
   */
  reinvocationPolicy?: Open<'IfNeeded' | 'Never'>;
  /** Expressions that others can use as `variables.name`. Evaluated at most once. */
  variables?: Variable[];
}

/** One change of an object. Exactly the field that `patchType` names is set. */
export interface Mutation {
  /** Fields to merge into the object, as with server-side apply. */
  applyConfiguration?: ApplyConfiguration;
  /** JSON patch operations. */
  jsonPatch?: JSONPatch;
  /** Kind of the change, `ApplyConfiguration` or `JSONPatch`. */
  patchType: Open<'ApplyConfiguration' | 'JSONPatch'>;
}

/** A set of requests, possibly limited to certain objects. */
export interface NamedRuleWithOperations {
  /** API groups of the resources. The empty string is the core group. */
  apiGroups?: string[];
  /** Versions of the resources. */
  apiVersions?: string[];
  /** Operations on the resources. */
  operations?: Open<'*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE'>[];
  /** Names of objects that the rule is limited to. Empty means all. */
  resourceNames?: string[];
  /**
   * Resources by plural name, with subresources as `pods/status`. `*\/*` includes all
   * subresources, `*` none.
   */
  resources?: string[];
  /** Scope of the resources. Default `*`, which is both. */
  scope?: Open<'*' | 'Cluster' | 'Namespaced'>;
}

/** The kind of objects that hold parameters of a policy. */
export interface ParamKind {
  /** Group and version of the kind. */
  apiVersion?: string;
  /** Name of the kind. */
  kind?: string;
}

/**
 * Objects that hold parameters. Exactly one of `name` and `selector` is set; the policy runs
 * once for each object.
 */
export interface ParamRef {
  /** Name of a single object. */
  name?: string;
  /**
   * Namespace of the objects. The default is that of the request; must be empty for
   * cluster-wide kinds.
   */
  namespace?: string;
  /**
   * What happens if there is no such object. `Deny` applies the failure policy, `Allow` skips
   * the policy. Required.
   */
  parameterNotFoundAction?: string;
  /** Selects objects by label. An empty selector means all. */
  selector?: LabelSelector;
}

/** A named expression. */
export interface Variable {
  /** CEL expression. It may use variables that are defined before it. */
  expression: string;
  /** Name of the variable, a CEL identifier that is unique in the policy. */
  name: string;
}
