import type { IntOrString, KubernetesObject, ReadonlyJsonValue } from '../meta/types.ts';

declare const schemaType: unique symbol;

/** A CEL rule of a schema. Servers evaluate it; `validate` of this module does not. */
export interface SchemaRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/**
 * A structural schema of OpenAPI v3, as it stands in a CustomResourceDefinition: every value has a
 * `type`, or `x-kubernetes-int-or-string`, or `x-kubernetes-preserve-unknown-fields`. `T` is the
 * type of the value where the schema alone does not determine it; see {@link typedSchema}.
 */
export interface StructuralSchema<T = unknown> {
  readonly type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly default?: ReadonlyJsonValue;
  readonly example?: ReadonlyJsonValue;
  readonly enum?: readonly ReadonlyJsonValue[];
  readonly nullable?: boolean;
  readonly properties?: { readonly [name: string]: StructuralSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** In the syntax of Go's regexp package; matches anywhere in the text. */
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly SchemaRule[];
  /** Holds the type for the compiler; never present at run time. */
  readonly [schemaType]?: T;
}

/**
 * Returns the schema itself, with the type that its values have in TypeScript: for parts whose
 * schema says less than is known, such as a pod template that the schema preserves as it is. The
 * compiler believes the type; no server checks it.
 *
 * ```ts
 * template: typedSchema<PodTemplateSpec>({
 *   type: 'object',
 *   'x-kubernetes-preserve-unknown-fields': true,
 * }),
 * ```
 */
export function typedSchema<T>(schema: StructuralSchema): StructuralSchema<T> {
  return schema as StructuralSchema<T>;
}

/**
 * The type of the values that a schema accepts. A property is optional unless `required` names it,
 * also if it has a default: it may be omitted in what is written.
 */
export type FromSchema<S> =
  S extends StructuralSchema<infer T>
    ? unknown extends T
      ? S extends { readonly nullable: true }
        ? PlainType<S> | null
        : PlainType<S>
      : T
    : unknown;

type PlainType<S> = S extends { readonly 'x-kubernetes-int-or-string': true }
  ? IntOrString
  : S extends { readonly enum: readonly (infer Choice)[] }
    ? Choice
    : S extends { readonly type: infer Type }
      ? ByType<S>[Type & keyof ByType<S>]
      : unknown;

interface ByType<S> {
  readonly array: (S extends { readonly items: infer Item } ? FromSchema<Item> : unknown)[];
  readonly boolean: boolean;
  readonly integer: number;
  readonly number: number;
  readonly object: ObjectType<S>;
  readonly string: string;
}

type ObjectType<S> = S extends { readonly 'x-kubernetes-embedded-resource': true }
  ? EmbeddedResource & OpenFields<S>
  : S extends { readonly properties: object }
    ? OpenFields<S>
    : S extends { readonly additionalProperties: infer Value }
      ? Record<string, Value extends boolean ? unknown : FromSchema<Value>>
      : Record<string, Preserves<S> extends true ? unknown : never>;

/** A whole object inside another one. */
interface EmbeddedResource extends KubernetesObject {
  apiVersion: string;
  kind: string;
}

type Preserves<S> = S extends { readonly 'x-kubernetes-preserve-unknown-fields': true }
  ? true
  : false;

/** The named fields; where unknown fields are preserved, others may be there. */
type OpenFields<S> =
  Preserves<S> extends true ? Fields<S> & { [key: string]: unknown } : Flat<Fields<S>>;

type Fields<S> = S extends { readonly properties: infer P }
  ? S extends { readonly required: readonly (infer Name)[] }
    ? { -readonly [Key in keyof P as Key extends Name ? Key : never]: FromSchema<P[Key]> } & {
        -readonly [Key in keyof P as Key extends Name ? never : Key]?: FromSchema<P[Key]>;
      }
    : { -readonly [Key in keyof P]?: FromSchema<P[Key]> }
  : unknown;

/** One object type instead of an intersection, which editors show in full. */
type Flat<T> = { [Key in keyof T]: T[Key] };

/** What Kubernetes defines for every object of a kind. */
export interface CustomResourceMeta<
  Group extends string,
  Version extends string,
  Kind extends string,
> extends KubernetesObject {
  apiVersion?: `${Group}/${Version}`;
  kind?: Kind;
}

/** The objects of a resource: what Kubernetes defines for every object, and the fields of the schema. */
export type CustomResource<
  Group extends string,
  Version extends string,
  Kind extends string,
  S,
> = CustomResourceMeta<Group, Version, Kind> &
  WithoutMeta<Fields<S>> &
  (Preserves<S> extends true ? { [key: string]: unknown } : unknown);

/** A schema may name these fields as well, but says less about them. */
type WithoutMeta<T> = {
  [Key in keyof T as Key extends keyof KubernetesObject ? never : Key]: T[Key];
};
