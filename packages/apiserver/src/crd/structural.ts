import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { JsonValue } from 'client-ts/internal';

import type { Property, Schema, SchemaValidation } from '../schema/schema.ts';

/** A schema under construction. */
type Draft<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Converts the schema of a CRD to a {@link Schema}, for pruning, defaulting and validation.
 * Properties are in alphabetical order, the order in which custom resources are written.
 */
export function structuralSchema(props: JSONSchemaProps): Schema {
  return convert(props, {});
}

/** Converts a schema for the validation of defaults, where the server ignores int-or-string. */
export function schemaForDefaults(props: JSONSchemaProps): Schema {
  return convert(props, { ignoreIntOrString: true });
}

/**
 * Converts a schema to the type that clients see: the resource and every embedded resource have
 * `apiVersion`, `kind` and ObjectMeta. For patches and managed fields.
 */
export function resourceSchema(props: JSONSchemaProps, objectMeta: Schema): Schema {
  return convert({ ...props, 'x-kubernetes-embedded-resource': true }, { objectMeta });
}

interface ConvertOptions {
  /** The schema of `metadata` to add to resources. */
  readonly objectMeta?: Schema;
  readonly ignoreIntOrString?: boolean;
}

/** The schema of `additionalProperties: true`. */
export const anything: Schema = { nullable: true };

const plainTypes: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'number',
  'object',
  'string',
]);

function convert(props: JSONSchemaProps, options: ConvertOptions): Schema {
  const schema: Draft<Schema> = {};
  const { type, format, items, nullable, additionalProperties } = props;
  if (type !== undefined && plainTypes.has(type)) schema.type = type as NonNullable<Schema['type']>;
  if (props['x-kubernetes-int-or-string'] === true && options.ignoreIntOrString !== true) {
    schema.special = 'int-or-string';
  }
  if (format !== undefined) schema.format = format;
  if (props.required !== undefined) schema.required = props.required;
  if (props.enum !== undefined) schema.enum = props.enum;
  if (nullable === true) schema.nullable = true;
  if (props.default !== undefined) schema.default = props.default;
  if (items !== undefined && !Array.isArray(items)) schema.items = convert(items, options);
  const properties = convertProperties(props, options);
  if (properties !== undefined) schema.properties = properties;
  if (additionalProperties !== undefined) {
    schema.additionalProperties =
      typeof additionalProperties === 'boolean' ? anything : convert(additionalProperties, options);
  }
  addExtensions(schema, props);
  const validation = convertValidation(props, options);
  if (Object.keys(validation).length > 0) schema.validation = validation;
  return schema;
}

function convertProperties(
  { properties, 'x-kubernetes-embedded-resource': embedded }: JSONSchemaProps,
  options: ConvertOptions,
): Map<string, Property> | undefined {
  const { objectMeta } = options;
  const withMetadata = embedded === true && objectMeta !== undefined;
  if (properties === undefined && !withMetadata) return undefined;
  const converted = new Map<string, Property>();
  for (const [name, property] of Object.entries(properties ?? {})) {
    converted.set(name, { schema: convert(property, options) });
  }
  if (withMetadata) {
    converted.set('apiVersion', { schema: { type: 'string' } });
    converted.set('kind', { schema: { type: 'string' } });
    converted.set('metadata', { schema: objectMeta });
  }
  return new Map([...converted].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function addExtensions(schema: Draft<Schema>, props: JSONSchemaProps): void {
  const listType = props['x-kubernetes-list-type'];
  const mapType = props['x-kubernetes-map-type'];
  const keys = props['x-kubernetes-list-map-keys'];
  if (listType !== undefined) schema.listType = listType as NonNullable<Schema['listType']>;
  if (mapType !== undefined) schema.mapType = mapType as NonNullable<Schema['mapType']>;
  if (keys !== undefined) schema.listMapKeys = keys;
  if (props['x-kubernetes-preserve-unknown-fields'] === true) schema.preserveUnknownFields = true;
  if (props['x-kubernetes-embedded-resource'] === true) schema.embeddedResource = true;
}

/** Keywords with the same name and meaning in both forms. */
const plainKeywords = [
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'uniqueItems',
] as const;

function convertValidation(props: JSONSchemaProps, options: ConvertOptions): SchemaValidation {
  const validation: Draft<SchemaValidation> = {};
  for (const keyword of plainKeywords) {
    if (props[keyword] !== undefined) Object.assign(validation, { [keyword]: props[keyword] });
  }
  for (const combination of ['allOf', 'anyOf', 'oneOf'] as const) {
    const clauses = props[combination];
    if (clauses !== undefined) {
      validation[combination] = clauses.map((clause) => convert(clause, options));
    }
  }
  if (props.not !== undefined) validation.not = convert(props.not, options);
  if (props.additionalProperties === false) validation.closed = true;
  const rules = props['x-kubernetes-validations'];
  if (rules !== undefined) validation.celRules = rules as unknown as JsonValue[];
  return validation;
}
