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

export interface ApplyConfiguration {
  expression?: string;
}

export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}

export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
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
  matchPolicy?: Open<'Equivalent' | 'Exact'>;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
}

export interface MutatingAdmissionPolicy {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicy';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec?: MutatingAdmissionPolicySpec;
}

export interface MutatingAdmissionPolicyBinding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
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
  apiVersion?: 'admissionregistration.k8s.io/v1';
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
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** The objects of this page. */
  items: MutatingAdmissionPolicy[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingAdmissionPolicyList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface MutatingAdmissionPolicySpec {
  failurePolicy?: Open<'Fail' | 'Ignore'>;
  matchConditions?: MatchCondition[];
  matchConstraints?: MatchResources;
  mutations?: Mutation[];
  paramKind?: ParamKind;
  reinvocationPolicy?: Open<'IfNeeded' | 'Never'>;
  variables?: Variable[];
}

export interface MutatingWebhook {
  admissionReviewVersions: string[];
  clientConfig: WebhookClientConfig;
  failurePolicy?: Open<'Fail' | 'Ignore'>;
  matchConditions?: MatchCondition[];
  matchPolicy?: Open<'Equivalent' | 'Exact'>;
  name: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  reinvocationPolicy?: Open<'IfNeeded' | 'Never'>;
  rules?: RuleWithOperations[];
  sideEffects: Open<'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'>;
  timeoutSeconds?: number;
}

export interface MutatingWebhookConfiguration {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'MutatingWebhookConfiguration';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
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

export interface RuleWithOperations {
  apiGroups?: string[];
  apiVersions?: string[];
  operations?: Open<'*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE'>[];
  resources?: string[];
  scope?: Open<'*' | 'Cluster' | 'Namespaced'>;
}

export interface ServiceReference {
  name: string;
  namespace: string;
  path?: string;
  port?: number;
}

export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[];
}

export interface ValidatingAdmissionPolicy {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingAdmissionPolicy';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec?: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
}

export interface ValidatingAdmissionPolicyBinding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingAdmissionPolicyBinding';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
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

export interface ValidatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources;
  paramRef?: ParamRef;
  policyName: string;
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

export interface ValidatingAdmissionPolicySpec {
  auditAnnotations?: AuditAnnotation[];
  failurePolicy?: Open<'Fail' | 'Ignore'>;
  matchConditions?: MatchCondition[];
  matchConstraints?: MatchResources;
  paramKind?: ParamKind;
  validations?: Validation[];
  variables?: Variable[];
}

export interface ValidatingAdmissionPolicyStatus {
  conditions?: Condition[];
  observedGeneration?: number;
  typeChecking?: TypeChecking;
}

export interface ValidatingWebhook {
  admissionReviewVersions: string[];
  clientConfig: WebhookClientConfig;
  failurePolicy?: Open<'Fail' | 'Ignore'>;
  matchConditions?: MatchCondition[];
  matchPolicy?: Open<'Equivalent' | 'Exact'>;
  name: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  rules?: RuleWithOperations[];
  sideEffects: Open<'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'>;
  timeoutSeconds?: number;
}

export interface ValidatingWebhookConfiguration {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'admissionregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ValidatingWebhookConfiguration';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
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

export interface Validation {
  expression: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
}

export interface Variable {
  expression: string;
  name: string;
}

export interface WebhookClientConfig {
  caBundle?: Base64;
  service?: ServiceReference;
  url?: string;
}
