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

export interface FieldSelectorAttributes {
  rawSelector?: string;
  requirements?: FieldSelectorRequirement[];
}

export interface LabelSelectorAttributes {
  rawSelector?: string;
  requirements?: LabelSelectorRequirement[];
}

export interface LocalSubjectAccessReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LocalSubjectAccessReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}

export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}

export interface NonResourceRule {
  nonResourceURLs?: string[];
  verbs: string[];
}

export interface ResourceAttributes {
  fieldSelector?: FieldSelectorAttributes;
  group?: string;
  labelSelector?: LabelSelectorAttributes;
  name?: string;
  namespace?: string;
  resource?: string;
  subresource?: string;
  verb?: string;
  version?: string;
}

export interface ResourceRule {
  apiGroups?: string[];
  resourceNames?: string[];
  resources?: string[];
  verbs: string[];
}

export interface SelfSubjectAccessReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SelfSubjectAccessReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}

export interface SelfSubjectAccessReviewSpec {
  nonResourceAttributes?: NonResourceAttributes;
  resourceAttributes?: ResourceAttributes;
}

export interface SelfSubjectRulesReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SelfSubjectRulesReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}

export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}

export interface SubjectAccessReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authorization.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SubjectAccessReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}

export interface SubjectAccessReviewSpec {
  extra?: Record<string, string[]>;
  groups?: string[];
  nonResourceAttributes?: NonResourceAttributes;
  resourceAttributes?: ResourceAttributes;
  uid?: string;
  user?: string;
}

export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean;
  evaluationError?: string;
  reason?: string;
}

export interface SubjectRulesReviewStatus {
  evaluationError?: string;
  incomplete: boolean;
  nonResourceRules: NonResourceRule[];
  resourceRules: ResourceRule[];
}
