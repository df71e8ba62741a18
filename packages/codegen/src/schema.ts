import type { JsonValue } from 'client-ts/internal';

/**
 * The part of JSON Schema that Kubernetes uses, in the API model, in OpenAPI v3 documents and in
 * CustomResourceDefinitions.
 */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly SchemaKind[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** The kind that a schema describes, as OpenAPI documents of Kubernetes mark it. */
export interface SchemaKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A CEL rule. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
}
