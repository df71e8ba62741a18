import type { JsonValue } from 'client-ts/internal';

/**
 * One type of the API: the linked form of the API model and of CRD schemas. References are resolved
 * to the schema itself, so the graph can have cycles (JSONSchemaProps has). Decoding, defaulting,
 * strategic merge, managed fields and validation all use it.
 */
export interface Schema {
  /** Name in the model (`io.k8s.api.core.v1.PodSpec`); absent for CRD and anonymous schemas. */
  readonly id?: string;
  /** Absent for values of any type. */
  readonly type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly special?: SpecialType;
  readonly format?: string;
  /** In the order in which the server writes them. */
  readonly properties?: ReadonlyMap<string, Property>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly enum?: readonly JsonValue[];
  readonly listType?: 'atomic' | 'map' | 'set';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  /** CRD only: unknown fields are preserved. */
  readonly preserveUnknownFields?: boolean;
  /** CRD only: the value is a whole object with apiVersion, kind and metadata. */
  readonly embeddedResource?: boolean;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  /** CRD only: the OpenAPI keywords that validate values, as written. */
  readonly validation?: SchemaValidation;
}

/**
 * Types with their own decoding. A quantity is a string or a number, raw JSON is kept as it is,
 * bytes are base64; the `schema-or-…` types of JSONSchemaProps are a schema, or a boolean, a list
 * of schemas, a list of names.
 */
export type SpecialType =
  | 'bytes'
  | 'fields-v1'
  | 'int-or-string'
  | 'micro-time'
  | 'quantity'
  | 'raw'
  | 'schema-or-bool'
  | 'schema-or-list'
  | 'schema-or-names'
  | 'time';

/** A field of an object, with what depends on its position. */
export interface Property {
  readonly schema: Schema;
  readonly default?: JsonValue;
  /** `merge`, `replace`, `retainKeys` or a comma-separated combination. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly listType?: 'atomic' | 'map' | 'set';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly enum?: readonly JsonValue[];
  /**
   * Built-in types only. `pointer`: an explicit zero value differs from an absent one and is kept.
   * Otherwise a zero value (`""`, `0`, `false`) is dropped on decoding, unless `always`.
   */
  readonly pointer?: boolean;
  /** Built-in types only: written even when it has its zero value (`status: {}`, `count: 0`). */
  readonly always?: boolean;
  /** Built-in types only: index in the order of the type. */
  readonly index?: number;
  /** Built-in types only: the type name in error messages, if the schema does not determine it. */
  readonly typeName?: string;
  /** Built-in types only: the inlined structure of the field (`VolumeSource`). */
  readonly inlined?: string;
}

/** OpenAPI keywords that restrict a value. */
export interface SchemaValidation {
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly maxProperties?: number;
  /** `additionalProperties: false`: only named properties are allowed. */
  readonly closed?: boolean;
  readonly minProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly celRules?: readonly JsonValue[];
}
