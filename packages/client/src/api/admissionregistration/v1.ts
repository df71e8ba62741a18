// Kubernetes 1.36.4, admissionregistration.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type {
  Base64,
  Condition,
  LabelSelector,
  ListMeta,
  ObjectMeta,
  Open,
} from '../../meta/types.ts';

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

/** `/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies` */
export const mutatingAdmissionPolicies: ResourceDescriptor<
  MutatingAdmissionPolicy,
  'Cluster',
  Verb,
  never
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'mutatingadmissionpolicies',
  kind: 'MutatingAdmissionPolicy',
  singular: 'mutatingadmissionpolicy',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: ['api-extensions'],
};

/** `/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings` */
export const mutatingAdmissionPolicyBindings: ResourceDescriptor<
  MutatingAdmissionPolicyBinding,
  'Cluster',
  Verb,
  never
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'mutatingadmissionpolicybindings',
  kind: 'MutatingAdmissionPolicyBinding',
  singular: 'mutatingadmissionpolicybinding',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: ['api-extensions'],
};

/** `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations` */
export const mutatingWebhookConfigurations: ResourceDescriptor<
  MutatingWebhookConfiguration,
  'Cluster',
  Verb,
  never
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  singular: 'mutatingwebhookconfiguration',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: ['api-extensions'],
};

/** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies` */
export const validatingAdmissionPolicies: ResourceDescriptor<
  ValidatingAdmissionPolicy,
  'Cluster',
  Verb,
  'status'
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  singular: 'validatingadmissionpolicy',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        kind: 'ValidatingAdmissionPolicy',
      },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: ['api-extensions'],
};

/** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings` */
export const validatingAdmissionPolicyBindings: ResourceDescriptor<
  ValidatingAdmissionPolicyBinding,
  'Cluster',
  Verb,
  never
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  singular: 'validatingadmissionpolicybinding',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: ['api-extensions'],
};

/** `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations` */
export const validatingWebhookConfigurations: ResourceDescriptor<
  ValidatingWebhookConfiguration,
  'Cluster',
  Verb,
  never
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  singular: 'validatingwebhookconfiguration',
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

/** An annotation for the audit event of a request. */
export interface AuditAnnotation {
  /** Name of the annotation, unique in the policy. The policy's name is put in front of it. */
  key: string;
  /**
   * CEL expression that returns the value as a string. With null or an empty string the
   * annotation is left out.
   */
  valueExpression: string;
}

/** A problem that type checking found in an expression. */
export interface ExpressionWarning {
  /** Path of the field with the expression. */
  fieldRef: string;
  /** What is wrong, for people. */
  warning: string;
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
  matchPolicy?: Open<'Equivalent' | 'Exact'>;
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
  apiVersion?: 'admissionregistration.k8s.io/v1';
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
  apiVersion?: 'admissionregistration.k8s.io/v1';
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
  apiVersion?: 'admissionregistration.k8s.io/v1';
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
  apiVersion?: 'admissionregistration.k8s.io/v1';
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
  failurePolicy?: Open<'Fail' | 'Ignore'>;
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

/** A webhook that may change objects on admission. */
export interface MutatingWebhook {
  /** Versions of AdmissionReview that the webhook understands, in order of preference. */
  admissionReviewVersions: string[];
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfig;
  /**
   * What happens if the webhook cannot be reached or fails. `Fail` (the default) rejects the
   * request, `Ignore` admits it.
   */
  failurePolicy?: Open<'Fail' | 'Ignore'>;
  /** Further conditions in CEL, which must all be true for a call. At most 64. */
  matchConditions?: MatchCondition[];
  /**
   * `Equivalent` (the default) also matches requests through other versions and groups of the
   * same resource, after conversion; `Exact` does not.
   */
  matchPolicy?: Open<'Equivalent' | 'Exact'>;
  /** Name of the webhook, a domain name with at least three parts, unique in the configuration. */
  name: string;
  /**
   * Selects namespaces by label. Cluster-wide objects always match. Default is all; leave out
   * the webhook's own namespace.
   */
  namespaceSelector?: LabelSelector;
  /**
   * Selects objects by label; the old or the new object must match. Users can avoid it by
   * leaving out labels. Default is all.
   */
  objectSelector?: LabelSelector;
  /**
   * `Never` (the default) calls the webhook once per request, `IfNeeded` again if a later one
   * changed the object. It must be idempotent then.
   */
  reinvocationPolicy?: Open<'IfNeeded' | 'Never'>;
  /** Requests to send to the webhook; one rule must match. */
  rules?: RuleWithOperations[];
  /**
   * Whether calls have effects outside the object. `None`, or `NoneOnDryRun` if there are none
   * on dry runs; other values are no longer accepted.
   */
  sideEffects: Open<'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'>;
  /** Seconds to wait for the webhook, from 1 to 30. Default 10. */
  timeoutSeconds?: number;
}

/**
 * Webhooks that may change objects on admission. They run one after the other, before
 * validation.
 */
export interface MutatingWebhookConfiguration {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingWebhookConfiguration';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The webhooks. */
  webhooks?: MutatingWebhook[];
}

/**
 * A list of MutatingWebhookConfiguration objects, as a list request returns it. Large lists
 * come in pages.
 */
export interface MutatingWebhookConfigurationList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** The objects of this page. */
  items: MutatingWebhookConfiguration[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingWebhookConfigurationList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
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

/** A set of requests. Each list must match, and `*` in a list matches everything. */
export interface RuleWithOperations {
  /** API groups of the resources. The empty string is the core group. */
  apiGroups?: string[];
  /** Versions of the resources. */
  apiVersions?: string[];
  /** Operations on the resources. */
  operations?: Open<'*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE'>[];
  /**
   * Resources by plural name, with subresources as `pods/status`. `*\/*` includes all
   * subresources, `*` none.
   */
  resources?: string[];
  /** Scope of the resources. Default `*`, which is both. */
  scope?: Open<'*' | 'Cluster' | 'Namespaced'>;
}

/**
 * Refers to a Service by name and port. Requests go to its DNS name, which the certificate
 * must contain.
 */
export interface ServiceReference {
  /** Name of the Service. */
  name: string;
  /** Namespace of the Service. */
  namespace: string;
  /** Path to send requests to. */
  path?: string;
  /** Port of the Service. Default 443. */
  port?: number;
}

/** Result of type checking the expressions of a policy. */
export interface TypeChecking {
  /** Problems that were found. They do not disable the policy. */
  expressionWarnings?: ExpressionWarning[];
}

/**
 * Validates requests by CEL expressions in the API server, without a webhook. It takes
 * effect through a binding.
 */
export interface ValidatingAdmissionPolicy {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingAdmissionPolicy';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** What the policy matches and validates. */
  spec?: ValidatingAdmissionPolicySpec;
  /** The observed state, with warnings from type checking. Read-only. */
  status?: ValidatingAdmissionPolicyStatus;
}

/** Puts a ValidatingAdmissionPolicy into effect, for certain requests and with parameters. */
export interface ValidatingAdmissionPolicyBinding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingAdmissionPolicyBinding';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The policy, its parameters, the requests and the consequences. */
  spec: ValidatingAdmissionPolicyBindingSpec;
}

/**
 * A list of ValidatingAdmissionPolicyBinding objects, as a list request returns it. Large
 * lists come in pages.
 */
export interface ValidatingAdmissionPolicyBindingList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** The objects of this page. */
  items: ValidatingAdmissionPolicyBinding[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingAdmissionPolicyBindingList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A policy, its parameters, the requests and the consequences. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** Narrows the requests that the policy matches. */
  matchResources?: MatchResources;
  /** Objects that the policy uses as parameters. Required if the policy has a `paramKind`. */
  paramRef?: ParamRef;
  /** Name of the policy. If it does not exist, the binding has no effect. */
  policyName: string;
  /**
   * What happens if a validation fails. `Deny` rejects the request, `Warn` warns the client,
   * `Audit` annotates the audit event. `Deny` and `Warn` exclude each other.
   */
  validationActions: Open<'Audit' | 'Deny' | 'Warn'>[];
}

/**
 * A list of ValidatingAdmissionPolicy objects, as a list request returns it. Large lists
 * come in pages.
 */
export interface ValidatingAdmissionPolicyList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** The objects of this page. */
  items: ValidatingAdmissionPolicy[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingAdmissionPolicyList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What a validating policy matches and validates. */
export interface ValidatingAdmissionPolicySpec {
  /** Annotations for the audit event of a request. Required if there are no validations. */
  auditAnnotations?: AuditAnnotation[];
  /**
   * What happens if an expression fails or the policy is misconfigured. `Fail` (the default)
   * rejects the request, `Ignore` skips the policy.
   */
  failurePolicy?: Open<'Fail' | 'Ignore'>;
  /** Further conditions in CEL, which must all be true. At most 64. */
  matchConditions?: MatchCondition[];
  /** Requests that the policy handles. Required. */
  matchConstraints?: MatchResources;
  /** Kind of the objects that hold parameters. Without it there are none. */
  paramKind?: ParamKind;
  /** Validations, which must all pass. Required if there are no audit annotations. */
  validations?: Validation[];
  /** Expressions that others can use as `variables.name`. Evaluated at most once. */
  variables?: Variable[];
}

/** The observed state of a validating policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** Aspects of the state, at most one of each type. */
  conditions?: Condition[];
  /** The generation that this status was computed from. */
  observedGeneration?: number;
  /** Result of type checking the expressions. Absent until it is complete. */
  typeChecking?: TypeChecking;
}

/** A webhook that may reject requests. */
export interface ValidatingWebhook {
  /** Versions of AdmissionReview that the webhook understands, in order of preference. */
  admissionReviewVersions: string[];
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfig;
  /**
   * What happens if the webhook cannot be reached or fails. `Fail` (the default) rejects the
   * request, `Ignore` admits it.
   */
  failurePolicy?: Open<'Fail' | 'Ignore'>;
  /** Further conditions in CEL, which must all be true for a call. At most 64. */
  matchConditions?: MatchCondition[];
  /**
   * `Equivalent` (the default) also matches requests through other versions and groups of the
   * same resource, after conversion; `Exact` does not.
   */
  matchPolicy?: Open<'Equivalent' | 'Exact'>;
  /** Name of the webhook, a domain name with at least three parts, unique in the configuration. */
  name: string;
  /**
   * Selects namespaces by label. Cluster-wide objects always match. Default is all; leave out
   * the webhook's own namespace.
   */
  namespaceSelector?: LabelSelector;
  /**
   * Selects objects by label; the old or the new object must match. Users can avoid it by
   * leaving out labels. Default is all.
   */
  objectSelector?: LabelSelector;
  /** Requests to send to the webhook; one rule must match. */
  rules?: RuleWithOperations[];
  /**
   * Whether calls have effects outside the object. `None`, or `NoneOnDryRun` if there are none
   * on dry runs; other values are no longer accepted.
   */
  sideEffects: Open<'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'>;
  /** Seconds to wait for the webhook, from 1 to 30. Default 10. */
  timeoutSeconds?: number;
}

/** Webhooks that may reject requests. They run in parallel, after all changes. */
export interface ValidatingWebhookConfiguration {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingWebhookConfiguration';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The webhooks. */
  webhooks?: ValidatingWebhook[];
}

/**
 * A list of ValidatingWebhookConfiguration objects, as a list request returns it. Large
 * lists come in pages.
 */
export interface ValidatingWebhookConfigurationList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** The objects of this page. */
  items: ValidatingWebhookConfiguration[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingWebhookConfigurationList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A validation in CEL. */
export interface Validation {
  /**
   * CEL expression that must be true. It sees `object`, `oldObject`, `request`, `params`,
   * `namespaceObject`, `variables` and `authorizer`.
   */
  expression: string;
  /** Message if the validation fails. Without it the message contains the expression. */
  message?: string;
  /** CEL expression that computes the message. It wins over `message` unless it fails. */
  messageExpression?: string;
  /** Reason of the failure for programs, such as `Forbidden` or `Invalid`. Default `Invalid`. */
  reason?: string;
}

/** A named expression. */
export interface Variable {
  /** CEL expression. It may use variables that are defined before it. */
  expression: string;
  /** Name of the variable, a CEL identifier that is unique in the policy. */
  name: string;
}

/** How to reach a webhook. Exactly one of `service` and `url` is set. */
export interface WebhookClientConfig {
  /**
   * Certificates in PEM that the webhook's certificate is checked against. The default is
   * those of the server's system.
   */
  caBundle?: Base64;
  /** A Service in the cluster. */
  service?: ServiceReference;
  /** Address of the webhook, with `https`. No user information, query or fragment. */
  url?: string;
}
