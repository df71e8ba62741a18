import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { JsonValue } from 'client-ts/internal';

import type { Property, Schema, SchemaValidation } from '../schema/schema.ts';

/** A schema while it is being filled; nobody outside sees it before it is complete. */
type Draft<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Turns the schema of a CRD into a {@link Schema}, as it stands: for pruning, defaulting and
 * validation. Properties are in alphabetical order, which is how custom resources are written.
 */
export function structuralSchema(props: JSONSchemaProps): Schema {
  return convert(props, {});
}

/**
 * The same as the server checks defaults by: there, a value that is a number or a text may be
 * anything.
 */
export function schemaForDefaults(props: JSONSchemaProps): Schema {
  return convert(props, { ignoreIntOrString: true });
}

/**
 * The same as clients see the type: the resource itself, and every resource embedded in it, has
 * `apiVersion`, `kind` and the `metadata` of all objects. For patches and managed fields.
 */
export function resourceSchema(props: JSONSchemaProps, objectMeta: Schema): Schema {
  return convert({ ...props, 'x-kubernetes-embedded-resource': true }, { objectMeta });
}

interface ConvertOptions {
  /** The metadata that resources get, if they are to have it. */
  readonly objectMeta?: Schema;
  readonly ignoreIntOrString?: boolean;
}

/** What `additionalProperties: true` says of a value. */
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

/** Keywords that are called the same and mean the same in both forms. */
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
