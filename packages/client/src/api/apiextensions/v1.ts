// Kubernetes 1.36.4, apiextensions.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { JsonValue } from '../../lib/json.ts';
import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { Base64, ListMeta, ObjectMeta, Open, Time } from '../../meta/types.ts';

/** `/apis/apiextensions.k8s.io/v1/customresourcedefinitions` */
export const customResourceDefinitions: ResourceDescriptor<
  CustomResourceDefinition,
  'Cluster',
  Verb,
  'status'
> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  singular: 'customresourcedefinition',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'status',
      kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
};

/** A column that `kubectl get` shows for a custom resource. */
export interface CustomResourceColumnDefinition {
  /** What the column means, for people. */
  description?: string;
  /** Format of the value, such as `date`. */
  format?: string;
  /** Path of the value in the object, such as `.spec.replicas`. Without filters. */
  jsonPath: string;
  /** Heading of the column. */
  name: string;
  /** With 0 (the default) the column is always shown, with a higher number only in wide output. */
  priority?: number;
  /** Type of the value, such as `string`, `integer` or `date`. */
  type: string;
}

/** How objects are converted between versions. */
export interface CustomResourceConversion {
  /** `None` only changes `apiVersion`; `Webhook` asks a webhook. */
  strategy: string;
  /** How to reach the webhook. Required with strategy `Webhook` and only allowed there. */
  webhook?: WebhookConversion;
}

/**
 * Defines a new kind of object that the API server stores and serves. Its name must be
 * `<plural>.<group>`.
 */
export interface CustomResourceDefinition {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apiextensions.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CustomResourceDefinition';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Names, versions and schemas of the kind. */
  spec: CustomResourceDefinitionSpec;
  /** The observed state. Read-only. */
  status?: CustomResourceDefinitionStatus;
}

/** One aspect of a definition's state, such as `Established` (served) and `NamesAccepted`. */
export interface CustomResourceDefinitionCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /**
   * The `metadata.generation` that the condition was computed from. If it is lower than the
   * current generation, the condition is out of date.
   */
  observedGeneration?: number;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/**
 * A list of CustomResourceDefinition objects, as a list request returns it. Large lists come
 * in pages.
 */
export interface CustomResourceDefinitionList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apiextensions.k8s.io/v1';
  /** The objects of this page. */
  items: CustomResourceDefinition[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CustomResourceDefinitionList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Names of a kind. They must not collide with others of the group. */
export interface CustomResourceDefinitionNames {
  /** Groups of resources to be part of, such as `all` for `kubectl get all`. */
  categories?: string[];
  /** Name of the kind in CamelCase and singular, such as `CronTab`. */
  kind: string;
  /** Name of the kind of lists. The default is the kind followed by `List`. */
  listKind?: string;
  /** Name in URLs, in lower case, such as `crontabs`. Cannot change. */
  plural: string;
  /** Abbreviations that command-line tools accept, in lower case. */
  shortNames?: string[];
  /** Singular name in lower case. The default is the kind in lower case. */
  singular?: string;
}

/** Names, versions and schemas of a custom kind. */
export interface CustomResourceDefinitionSpec {
  /**
   * How objects are converted between versions. The default is not at all, which fits if the
   * schemas agree.
   */
  conversion?: CustomResourceConversion;
  /** API group of the kind, a domain name. Cannot change. */
  group: string;
  /** Names of the kind. */
  names: CustomResourceDefinitionNames;
  /**
   * Keeps fields that the schema does not have. Must be false; set
   * `x-kubernetes-preserve-unknown-fields` in the schema instead.
   */
  preserveUnknownFields?: boolean;
  /** `Namespaced` or `Cluster`. Cannot change. */
  scope: string;
  /** Versions of the kind, at least one. Exactly one of them is stored. */
  versions: CustomResourceDefinitionVersion[];
}

/** The observed state of a definition. */
export interface CustomResourceDefinitionStatus {
  /** Names that are in use, which can differ from the spec after a collision. */
  acceptedNames?: CustomResourceDefinitionNames;
  /** Aspects of the state, at most one of each type. */
  conditions?: CustomResourceDefinitionCondition[] | null;
  /** The generation that this status was computed from. */
  observedGeneration?: number;
  /**
   * Versions in which objects may still be stored. A version can be removed from the spec only
   * after it is removed here.
   */
  storedVersions?: string[] | null;
}

/** One version of a custom kind. */
export interface CustomResourceDefinitionVersion {
  /** Columns that `kubectl get` shows besides the name. The default is the age. */
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  /** With true, the server warns clients that use this version. Default false. */
  deprecated?: boolean;
  /** Text of the warning. Only with `deprecated`. */
  deprecationWarning?: string;
  /** Name of the version, such as `v1` or `v1beta1`, as it appears in URLs. */
  name: string;
  /** Schema of the objects. Fields that it does not have are dropped. */
  schema?: CustomResourceValidation;
  /** Fields that field selectors may use. At most 8. */
  selectableFields?: SelectableField[];
  /** Whether the API serves this version. */
  served: boolean;
  /** Whether objects are stored in this version. True for exactly one. */
  storage: boolean;
  /** Subresources of the kind. */
  subresources?: CustomResourceSubresources;
}

/** Adds a `scale` subresource, which `kubectl scale` and autoscalers use. */
export interface CustomResourceSubresourceScale {
  /**
   * Path of a string field with the label selector of the pods, below `.status` or `.spec`.
   * Autoscalers need it.
   */
  labelSelectorPath?: string;
  /** Path of the number of replicas that is asked for, below `.spec`. */
  specReplicasPath: string;
  /** Path of the observed number of replicas, below `.status`. */
  statusReplicasPath: string;
}

/**
 * Adds a `status` subresource. Writes to the object then leave the status alone, and writes
 * to the subresource change only the status.
 */
export type CustomResourceSubresourceStatus = Record<string, never>;

/** Subresources of a custom kind. */
export interface CustomResourceSubresources {
  /** Adds a `scale` subresource. */
  scale?: CustomResourceSubresourceScale;
  /** Adds a `status` subresource. */
  status?: CustomResourceSubresourceStatus;
}

/** Schema of a custom kind. */
export interface CustomResourceValidation {
  /** The schema. It must be structural, with a type at every level. */
  openAPIV3Schema?: JSONSchemaProps;
}

/** Documentation that lives elsewhere. */
export interface ExternalDocumentation {
  /** What is found there. */
  description?: string;
  /** The address. */
  url?: string;
}

/** Any JSON value. */
export type JSON = JsonValue;

/** A JSON Schema, in the subset that Kubernetes supports. */
export interface JSONSchemaProps {
  /** Not allowed in a definition; schemas are written out. */
  $ref?: string;
  /** Version of JSON Schema that the schema is written in. */
  $schema?: string;
  /** Schema of items beyond those that `items` lists. Not allowed in a definition. */
  additionalItems?: JSONSchemaPropsOrBool;
  /** Schema of properties that `properties` does not name. Not together with `properties`. */
  additionalProperties?: JSONSchemaPropsOrBool;
  /** Schemas that must all match. They may only restrict values, not define fields. */
  allOf?: JSONSchemaProps[];
  /**
   * Schemas of which at least one must match. They may only restrict values, not define
   * fields.
   */
  anyOf?: JSONSchemaProps[];
  /** Value that the server fills in if the field is missing. */
  default?: JSON;
  /** Schemas for references. Not allowed in a definition. */
  definitions?: Record<string, JSONSchemaProps>;
  /** What a property requires of others. Not allowed in a definition. */
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>;
  /** What the value means. `kubectl explain` shows it. */
  description?: string;
  /** The values that are allowed. */
  enum?: JSON[];
  /** An example of a value. */
  example?: JSON;
  /** With true, the value must be below `maximum`. */
  exclusiveMaximum?: boolean;
  /** With true, the value must be above `minimum`. */
  exclusiveMinimum?: boolean;
  /** A link to further documentation. */
  externalDocs?: ExternalDocumentation;
  /**
   * Format of the value, such as `date-time`, `int32`, `byte` or `ipv4`. Unknown formats are
   * ignored.
   */
  format?: string;
  /** URI of the schema. Not allowed in a definition. */
  id?: string;
  /** Schema of the items of an array. */
  items?: JSONSchemaPropsOrArray;
  /** Maximum number of items of an array. */
  maxItems?: number;
  /** Maximum length of a string, in characters. */
  maxLength?: number;
  /** Maximum number of properties of an object. */
  maxProperties?: number;
  /** Largest value of a number. */
  maximum?: number;
  /** Minimum number of items of an array. */
  minItems?: number;
  /** Minimum length of a string, in characters. */
  minLength?: number;
  /** Minimum number of properties of an object. */
  minProperties?: number;
  /** Smallest value of a number. */
  minimum?: number;
  /** Number that the value must be a multiple of. */
  multipleOf?: number;
  /** Schema that must not match. It may only restrict values, not define fields. */
  not?: JSONSchemaProps;
  /** Whether null is allowed. Otherwise a null is dropped before defaulting. Default false. */
  nullable?: boolean;
  /** Schemas of which exactly one must match. They may only restrict values, not define fields. */
  oneOf?: JSONSchemaProps[];
  /** Regular expression that must match somewhere in a string; anchor it with `^` and `$`. */
  pattern?: string;
  /** Schemas of properties by patterns of their names. Not allowed in a definition. */
  patternProperties?: Record<string, JSONSchemaProps>;
  /** Schemas of the properties of an object, by name. */
  properties?: Record<string, JSONSchemaProps>;
  /** Properties that must be present. */
  required?: string[];
  /** Short name of the value. */
  title?: string;
  /** Type of the value, such as `object`, `array`, `string`, `integer`, `number` or `boolean`. */
  type?: string;
  /** Whether items must differ. Must be false; use `x-kubernetes-list-type` `set`. */
  uniqueItems?: boolean;
  /**
   * Marks an object that is a Kubernetes object itself, with `apiVersion`, `kind` and
   * `metadata`, which are validated.
   */
  'x-kubernetes-embedded-resource'?: boolean;
  /** Allows integers and strings. `type` must then be empty. */
  'x-kubernetes-int-or-string'?: boolean;
  /**
   * Fields that identify an item of a list of type `map`. They must be required or have
   * defaults.
   */
  'x-kubernetes-list-map-keys'?: string[];
  /**
   * How apply merges a list. `atomic` (the default) replaces it, `set` merges unique values,
   * `map` merges items by their keys.
   */
  'x-kubernetes-list-type'?: string;
  /**
   * How apply merges an object. `granular` (the default) merges its fields, `atomic` replaces
   * it.
   */
  'x-kubernetes-map-type'?: string;
  /** Keeps fields that the schema does not have, at this level. */
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  /** Rules in CEL that the value must meet. */
  'x-kubernetes-validations'?: ValidationRule[];
}

/**
 * A schema for all items, or a list of schemas by position. Only the first is allowed in a
 * definition.
 */
export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[];

/** A schema, or a boolean that allows everything or nothing. */
export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;

/** A schema, or a list of property names. */
export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[];

/** A field that field selectors may use. */
export interface SelectableField {
  /**
   * Path of the field, such as `.spec.color`. It must be a string, number or boolean, and not
   * in a list.
   */
  jsonPath: string;
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

/** A rule in the Common Expression Language that a value must meet. */
export interface ValidationRule {
  /**
   * Field that a failure is reported for, relative to the value, such as `.spec.replicas`. The
   * default is the value itself.
   */
  fieldPath?: string;
  /**
   * Message if the rule fails. Without it the message contains the rule. Required if the rule
   * has line breaks.
   */
  message?: string;
  /** CEL expression that computes the message. It wins over `message` unless it fails. */
  messageExpression?: string;
  /**
   * With true, a rule with `oldSelf` is evaluated on creation too, where `oldSelf` is an
   * optional without a value.
   */
  optionalOldSelf?: boolean;
  /** Reason of the failure for programs. Default `FieldValueInvalid`. */
  reason?: Open<
    'FieldValueDuplicate' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueRequired'
  >;
  /**
   * CEL expression that must be true. `self` is the value, `oldSelf` the value before an
   * update; a rule with `oldSelf` is skipped on creation.
   */
  rule: string;
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

/** A webhook that converts objects between versions. */
export interface WebhookConversion {
  /** How to reach the webhook. */
  clientConfig?: WebhookClientConfig;
  /** Versions of ConversionReview that the webhook understands, in order of preference. */
  conversionReviewVersions: string[];
}
