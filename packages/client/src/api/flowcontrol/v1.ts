// Kubernetes 1.36.4, flowcontrol.apiserver.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta, Time } from '../../meta/types.ts';

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

/** `/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas` */
export const flowSchemas: ResourceDescriptor<FlowSchema, 'Cluster', Verb, 'status'> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  resource: 'flowschemas',
  kind: 'FlowSchema',
  singular: 'flowschema',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'FlowSchema' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** `/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations` */
export const priorityLevelConfigurations: ResourceDescriptor<
  PriorityLevelConfiguration,
  'Cluster',
  Verb,
  'status'
> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  singular: 'prioritylevelconfiguration',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: {
        group: 'flowcontrol.apiserver.k8s.io',
        version: 'v1',
        kind: 'PriorityLevelConfiguration',
      },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** A priority level whose requests are never queued or rejected. */
export interface ExemptPriorityLevelConfiguration {
  /** Share of the level's seats that others may borrow, in percent. Default 0. */
  lendablePercent?: number;
  /**
   * Share of the server's concurrency that is set aside for the level. It does not limit it.
   * Default 0.
   */
  nominalConcurrencyShares?: number;
}

/** How requests of a schema are divided into flows. */
export interface FlowDistinguisherMethod {
  /** `ByUser` or `ByNamespace`. */
  type: string;
}

/** Assigns requests to a priority level of API priority and fairness. */
export interface FlowSchema {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'FlowSchema';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The requests and their level. */
  spec?: FlowSchemaSpec;
  /** The observed state. Read-only. */
  status?: FlowSchemaStatus;
}

/**
 * One aspect of a FlowSchema's state. `Dangling` tells that its priority level does not
 * exist.
 */
export interface FlowSchemaCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status?: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type?: string;
}

/** A list of FlowSchema objects, as a list request returns it. Large lists come in pages. */
export interface FlowSchemaList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  /** The objects of this page. */
  items: FlowSchema[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'FlowSchemaList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Requests and their priority level. */
export interface FlowSchemaSpec {
  /** How the requests are divided into flows. Without it they are one flow. */
  distinguisherMethod?: FlowDistinguisherMethod;
  /**
   * Schemas are tried from low to high, and the first match counts. From 1 to 10000, default
   * 1000.
   */
  matchingPrecedence?: number;
  /** The priority level. */
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /** Requests that match; one rule is enough. */
  rules?: PolicyRulesWithSubjects[];
}

/** The observed state of a FlowSchema. */
export interface FlowSchemaStatus {
  /** Aspects of the state, at most one of each type. */
  conditions?: FlowSchemaCondition[];
}

/** A group by name. */
export interface GroupSubject {
  /** Name of the group. `*` means all. */
  name: string;
}

/** What happens to requests that cannot run now. */
export interface LimitResponse {
  /** Settings of the queues. Only with type `Queue`. */
  queuing?: QueuingConfiguration;
  /** `Queue` lets them wait, `Reject` answers 429. */
  type: string;
}

/** A priority level with limited concurrency. */
export interface LimitedPriorityLevelConfiguration {
  /** How many seats the level may borrow, in percent of its own. Default no limit. */
  borrowingLimitPercent?: number;
  /** Share of the level's seats that others may borrow, in percent. Default 0. */
  lendablePercent?: number;
  /** What happens to requests beyond the limit. */
  limitResponse?: LimitResponse;
  /**
   * Share of the server's concurrency that the level gets, relative to the other levels.
   * Default 30.
   */
  nominalConcurrencyShares?: number;
}

/** Requests to URLs that are not resources. */
export interface NonResourcePolicyRule {
  /** Paths; `*` may be the last part. */
  nonResourceURLs: string[];
  /** HTTP methods in lower case. `*` means all. */
  verbs: string[];
}

/** Requests of certain clients. */
export interface PolicyRulesWithSubjects {
  /** Requests to URLs that are not resources; one rule must match. */
  nonResourceRules?: NonResourcePolicyRule[];
  /** Requests for resources; one rule must match. */
  resourceRules?: ResourcePolicyRule[];
  /** Clients; one must match. */
  subjects: Subject[];
}

/** A priority level of API priority and fairness, with its share of the server's concurrency. */
export interface PriorityLevelConfiguration {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PriorityLevelConfiguration';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The limits. */
  spec?: PriorityLevelConfigurationSpec;
  /** The observed state. Read-only. */
  status?: PriorityLevelConfigurationStatus;
}

/** One aspect of a priority level's state. */
export interface PriorityLevelConfigurationCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status?: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type?: string;
}

/**
 * A list of PriorityLevelConfiguration objects, as a list request returns it. Large lists
 * come in pages.
 */
export interface PriorityLevelConfigurationList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'flowcontrol.apiserver.k8s.io/v1';
  /** The objects of this page. */
  items: PriorityLevelConfiguration[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PriorityLevelConfigurationList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Refers to a priority level. */
export interface PriorityLevelConfigurationReference {
  /** Name of the level. */
  name: string;
}

/** The limits of a priority level. Exactly the field for its type is set. */
export interface PriorityLevelConfigurationSpec {
  /** Settings of a level with type `Exempt`. */
  exempt?: ExemptPriorityLevelConfiguration;
  /** Settings of a level with type `Limited`. */
  limited?: LimitedPriorityLevelConfiguration;
  /** `Limited`, or `Exempt` for requests that are never queued or rejected. */
  type: string;
}

/** The observed state of a priority level. */
export interface PriorityLevelConfigurationStatus {
  /** Aspects of the state, at most one of each type. */
  conditions?: PriorityLevelConfigurationCondition[];
}

/** Queues of a priority level. Flows are spread over them by shuffle sharding. */
export interface QueuingConfiguration {
  /** How many queues are considered for each flow. Default 8, not above `queues`. */
  handSize?: number;
  /** How many requests may wait in one queue. More are rejected. Default 50. */
  queueLengthLimit?: number;
  /** Number of queues. More of them isolate flows better. Default 64. */
  queues?: number;
}

/** Requests for resources. All lists must match. */
export interface ResourcePolicyRule {
  /** API groups of the resources. `*` means all. */
  apiGroups: string[];
  /** Whether requests without a namespace match. Default false. */
  clusterScope?: boolean;
  /** Namespaces of the requests. `*` means all; empty matches only requests without one. */
  namespaces?: string[] | null;
  /** Resources by plural name, with subresources as `pods/log`. `*` means all. */
  resources: string[];
  /** Verbs. `*` means all. */
  verbs: string[];
}

/** A service account by name and namespace. */
export interface ServiceAccountSubject {
  /** Name of the account. `*` means all of the namespace. */
  name: string;
  /** Namespace of the account. */
  namespace: string;
}

/** Clients. Exactly the field for the kind is set. */
export interface Subject {
  /** The users of a group. */
  group?: GroupSubject;
  /** `User`, `Group` or `ServiceAccount`. */
  kind: string;
  /** A service account. */
  serviceAccount?: ServiceAccountSubject;
  /** A single user. */
  user?: UserSubject;
}

/** A user by name. */
export interface UserSubject {
  /** Name of the user. `*` means all. */
  name: string;
}
