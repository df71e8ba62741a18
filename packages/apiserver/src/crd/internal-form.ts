import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  JSONSchemaProps,
  SelectableField,
} from 'client-ts/api/apiextensions/v1';
import { jsonEqual, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

import { withSortedKeys } from '../schema/canonical.ts';

/**
 * A few errors print a part of a CRD as the Go struct that the server holds in memory: capitalized
 * fields in a fixed order, with zero values for fields that are not set.
 */

/** Prints the versions of a CRD for an error. */
export function printVersions(versions: readonly CustomResourceDefinitionVersion[]): JsonValue {
  return versions.map((version) => ({
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: orNull(version.schema, ({ openAPIV3Schema }) => ({
      OpenAPIV3Schema: orNull(openAPIV3Schema, printSchema),
    })),
    Subresources: orNull(version.subresources, ({ status, scale }) => ({
      Status: orNull(status, () => ({})),
      Scale: orNull(scale, ({ specReplicasPath, statusReplicasPath, labelSelectorPath }) => ({
        SpecReplicasPath: specReplicasPath,
        StatusReplicasPath: statusReplicasPath,
        LabelSelectorPath: labelSelectorPath ?? null,
      })),
    })),
    AdditionalPrinterColumns: orNull(version.additionalPrinterColumns, (columns) =>
      columns.map((column) => ({
        Name: column.name,
        Type: column.type,
        Format: column.format ?? '',
        Description: column.description ?? '',
        Priority: column.priority ?? 0,
        JSONPath: column.jsonPath,
      })),
    ),
    SelectableFields: orNull(version.selectableFields, (fields) =>
      fields.map(({ jsonPath }) => ({ JSONPath: jsonPath })),
    ),
  }));
}

function orNull<T>(value: T | undefined | null, print: (value: T) => JsonValue): JsonValue {
  return value === undefined || value === null ? null : print(value);
}

type Print = (value: JsonValue) => JsonValue;

const identity: Print = (value) => value;
const schema: Print = (value) => printSchema(value as JSONSchemaProps);
const schemaList: Print = (value) => (value as JsonValue[]).map(schema);
const schemaMap: Print = (value) => mapValues(value as JsonObject, schema);
const schemaOrBool: Print = (value) =>
  typeof value === 'boolean'
    ? { Allows: value, Schema: null }
    : { Allows: true, Schema: schema(value) };
const schemaOrList: Print = (value) =>
  Array.isArray(value)
    ? { Schema: null, JSONSchemas: schemaList(value) }
    : { Schema: schema(value), JSONSchemas: null };
const schemaOrNames: Print = (value) =>
  Array.isArray(value)
    ? { Schema: null, Property: value }
    : { Schema: schema(value), Property: null };
const docs: Print = (value) => {
  const { description = '', url = '' } = value as { description?: string; url?: string };
  return { Description: description, URL: url };
};
const rules: Print = (value) =>
  (value as JsonObject[]).map((rule) => ({
    Rule: rule['rule'] ?? '',
    Message: rule['message'] ?? '',
    MessageExpression: rule['messageExpression'] ?? '',
    Reason: rule['reason'] ?? null,
    FieldPath: rule['fieldPath'] ?? '',
    OptionalOldSelf: rule['optionalOldSelf'] ?? null,
  }));

/** The fields of a schema in order: Go name, JSON name, zero value, how to print it. */
export const schemaFields: readonly (readonly [string, keyof JSONSchemaProps, JsonValue, Print])[] =
  [
    ['ID', 'id', '', identity],
    ['Schema', '$schema', '', identity],
    ['Ref', '$ref', null, identity],
    ['Description', 'description', '', identity],
    ['Type', 'type', '', identity],
    ['Nullable', 'nullable', false, identity],
    ['Format', 'format', '', identity],
    ['Title', 'title', '', identity],
    ['Default', 'default', null, withSortedKeys],
    ['Maximum', 'maximum', null, identity],
    ['ExclusiveMaximum', 'exclusiveMaximum', false, identity],
    ['Minimum', 'minimum', null, identity],
    ['ExclusiveMinimum', 'exclusiveMinimum', false, identity],
    ['MaxLength', 'maxLength', null, identity],
    ['MinLength', 'minLength', null, identity],
    ['Pattern', 'pattern', '', identity],
    ['MaxItems', 'maxItems', null, identity],
    ['MinItems', 'minItems', null, identity],
    ['UniqueItems', 'uniqueItems', false, identity],
    ['MultipleOf', 'multipleOf', null, identity],
    ['Enum', 'enum', null, withSortedKeys],
    ['MaxProperties', 'maxProperties', null, identity],
    ['MinProperties', 'minProperties', null, identity],
    ['Required', 'required', null, identity],
    ['Items', 'items', null, schemaOrList],
    ['AllOf', 'allOf', null, schemaList],
    ['OneOf', 'oneOf', null, schemaList],
    ['AnyOf', 'anyOf', null, schemaList],
    ['Not', 'not', null, schema],
    ['Properties', 'properties', null, schemaMap],
    ['AdditionalProperties', 'additionalProperties', null, schemaOrBool],
    ['PatternProperties', 'patternProperties', null, schemaMap],
    [
      'Dependencies',
      'dependencies',
      null,
      (value) => mapValues(value as JsonObject, schemaOrNames),
    ],
    ['AdditionalItems', 'additionalItems', null, schemaOrBool],
    ['Definitions', 'definitions', null, schemaMap],
    ['ExternalDocs', 'externalDocs', null, docs],
    ['Example', 'example', null, withSortedKeys],
    ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null, identity],
    ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false, identity],
    ['XIntOrString', 'x-kubernetes-int-or-string', false, identity],
    ['XListMapKeys', 'x-kubernetes-list-map-keys', null, identity],
    ['XListType', 'x-kubernetes-list-type', null, identity],
    ['XMapType', 'x-kubernetes-map-type', null, identity],
    ['XValidations', 'x-kubernetes-validations', null, rules],
  ];

/** Prints a schema for an error. */
export function printSchema(props: JSONSchemaProps): JsonValue {
  const printed: JsonObject = {};
  for (const [name, key, zero, print] of schemaFields) {
    const value = props[key] as JsonValue | undefined;
    setKey(printed, name, value === undefined || value === null ? zero : print(value));
  }
  return printed;
}

function mapValues(map: JsonObject, print: Print): JsonValue {
  const printed: JsonObject = {};
  for (const key of Object.keys(map).toSorted()) {
    setKey(printed, key, print(map[key] ?? null));
  }
  return printed;
}

/** The fields that each version of a CRD can have. */
interface PerVersion {
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
}

/**
 * A CRD in the form in which the server validates it: fields that are the same in all versions
 * appear once, at the top. Errors show this: they name `spec.validation.openAPIV3Schema` for a
 * schema that all versions share, and `spec.versions[1].schema.openAPIV3Schema` otherwise.
 */
export interface HoistedSpec extends PerVersion {
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

const hoistable = [
  'additionalPrinterColumns',
  'schema',
  'selectableFields',
  'subresources',
] as const;

/** Moves fields that all versions share to the top. */
export function hoist(spec: CustomResourceDefinitionSpec): HoistedSpec {
  const versions = spec.versions ?? [];
  const [first] = versions;
  const top: Record<string, unknown> = {};
  const rest: CustomResourceDefinitionVersion[] = versions.map((version) => ({ ...version }));
  for (const key of hoistable) {
    if (!versions.every((version) => jsonEqual(version[key], first?.[key]))) continue;
    if (first?.[key] !== undefined) top[key] = first[key];
    for (const version of rest) delete version[key];
  }
  return { ...top, versions: rest };
}
