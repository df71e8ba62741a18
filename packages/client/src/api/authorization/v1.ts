// Kubernetes 1.36.4, authorization.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor } from '../../meta/resource.ts';
import type {
  FieldSelectorRequirement,
  LabelSelectorRequirement,
  ObjectMeta,
} from '../../meta/types.ts';

/** `/apis/authorization.k8s.io/v1/namespaces/{namespace}/localsubjectaccessreviews` */
export const localSubjectAccessReviews: ResourceDescriptor<
  LocalSubjectAccessReview,
  'Namespaced',
  'create',
  never
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'localsubjectaccessreviews',
  kind: 'LocalSubjectAccessReview',
  singular: 'localsubjectaccessreview',
  scope: 'Namespaced',
  verbs: ['create'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/authorization.k8s.io/v1/selfsubjectaccessreviews` */
export const selfSubjectAccessReviews: ResourceDescriptor<
  SelfSubjectAccessReview,
  'Cluster',
  'create',
  never
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  singular: 'selfsubjectaccessreview',
  scope: 'Cluster',
  verbs: ['create'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/authorization.k8s.io/v1/selfsubjectrulesreviews` */
export const selfSubjectRulesReviews: ResourceDescriptor<
  SelfSubjectRulesReview,
  'Cluster',
  'create',
  never
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectrulesreviews',
  kind: 'SelfSubjectRulesReview',
  singular: 'selfsubjectrulesreview',
  scope: 'Cluster',
  verbs: ['create'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/authorization.k8s.io/v1/subjectaccessreviews` */
export const subjectAccessReviews: ResourceDescriptor<
  SubjectAccessReview,
  'Cluster',
  'create',
  never
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  singular: 'subjectaccessreview',
  scope: 'Cluster',
  verbs: ['create'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** The field selector of a list or watch request. One of the two forms is set. */
export interface FieldSelectorAttributes {
  /** The selector as a string. Only in requests to webhooks. */
  rawSelector?: string;
  /** The conditions of the selector. They only narrow the request. */
  requirements?: FieldSelectorRequirement[];
}

/** The label selector of a list or watch request. One of the two forms is set. */
export interface LabelSelectorAttributes {
  /** The selector as a string. Only in requests to webhooks. */
  rawSelector?: string;
  /** The conditions of the selector. They only narrow the request. */
  requirements?: LabelSelectorRequirement[];
}

/** Asks whether a user may do something in one namespace. It is created, never stored. */
export interface LocalSubjectAccessReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LocalSubjectAccessReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The question. Its namespace must be that of the review. */
  spec: SubjectAccessReviewSpec;
  /** The answer, filled in by the server. */
  status?: SubjectAccessReviewStatus;
}

/** Path and verb of a request that is not for a resource. */
export interface NonResourceAttributes {
  /** Path of the URL. */
  path?: string;
  /** HTTP method in lower case. */
  verb?: string;
}

/** URLs that a user may request. */
export interface NonResourceRule {
  /** Paths; `*` may be the last part. */
  nonResourceURLs?: string[];
  /** HTTP methods in lower case. `*` means all. */
  verbs: string[];
}

/** Verb, resource and object of a request. */
export interface ResourceAttributes {
  /** Field selector of the request. */
  fieldSelector?: FieldSelectorAttributes;
  /** API group of the resource. `*` means all. */
  group?: string;
  /** Label selector of the request. */
  labelSelector?: LabelSelectorAttributes;
  /** Name of the object. Empty means all. */
  name?: string;
  /** Namespace of the request. Empty means all namespaces, or none for cluster-wide resources. */
  namespace?: string;
  /** Plural name of the resource. `*` means all. */
  resource?: string;
  /** Name of the subresource. */
  subresource?: string;
  /** Verb of the request, such as `get` or `create`. `*` means all. */
  verb?: string;
  /** Version of the resource. `*` means all. */
  version?: string;
}

/** Requests for resources that a user may send. */
export interface ResourceRule {
  /** API groups of the resources. `*` means all. */
  apiGroups?: string[];
  /** Names of objects that the rule is limited to. Empty means all. */
  resourceNames?: string[];
  /** Resources by plural name. `*` means all. */
  resources?: string[];
  /** Verbs. `*` means all. */
  verbs: string[];
}

/**
 * Asks whether the client itself may do something. It is created, never stored; every user
 * may create it.
 */
export interface SelfSubjectAccessReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SelfSubjectAccessReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The question. */
  spec: SelfSubjectAccessReviewSpec;
  /** The answer, filled in by the server. */
  status?: SubjectAccessReviewStatus;
}

/** A request of the client. Exactly one field is set. */
export interface SelfSubjectAccessReviewSpec {
  /** A request to a URL that is not a resource. */
  nonResourceAttributes?: NonResourceAttributes;
  /** A request for a resource. */
  resourceAttributes?: ResourceAttributes;
}

/**
 * Asks what the client itself may do in a namespace. Meant for user interfaces, not for
 * decisions.
 */
export interface SelfSubjectRulesReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SelfSubjectRulesReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The namespace. */
  spec: SelfSubjectRulesReviewSpec;
  /** The answer, filled in by the server. */
  status?: SubjectRulesReviewStatus;
}

/** A namespace to ask about. */
export interface SelfSubjectRulesReviewSpec {
  /** Namespace. Required. */
  namespace?: string;
}

/** Asks whether a user may do something. It is created, never stored. */
export interface SubjectAccessReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SubjectAccessReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The user and the request. */
  spec: SubjectAccessReviewSpec;
  /** The answer, filled in by the server. */
  status?: SubjectAccessReviewStatus;
}

/** A user and a request. Exactly one kind of request, and the user or groups, are set. */
export interface SubjectAccessReviewSpec {
  /** Further attributes of the user. */
  extra?: Record<string, string[]>;
  /** Groups of the user. */
  groups?: string[];
  /** A request to a URL that is not a resource. */
  nonResourceAttributes?: NonResourceAttributes;
  /** A request for a resource. */
  resourceAttributes?: ResourceAttributes;
  /** ID of the user. */
  uid?: string;
  /** Name of the user. */
  user?: string;
}

/** Whether a request is allowed. */
export interface SubjectAccessReviewStatus {
  /** Whether the request is allowed. */
  allowed: boolean;
  /** Whether the request is denied for good. If both are false, no authorizer had an opinion. */
  denied?: boolean;
  /** Problem during the check. The answer may be valid all the same. */
  evaluationError?: string;
  /** Why the request is allowed or denied, for people. */
  reason?: string;
}

/** What a user may do. */
export interface SubjectRulesReviewStatus {
  /** Problem during the check, such as an authorizer that cannot list rules. */
  evaluationError?: string;
  /** Whether rules are missing from the answer. */
  incomplete: boolean;
  /** URLs that the user may request. */
  nonResourceRules: NonResourceRule[] | null;
  /** Requests for resources that the user may send. */
  resourceRules: ResourceRule[] | null;
}
