import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';

/** A schema directly inside another one, with its relative path. */
export interface SchemaPart {
  readonly schema: JSONSchemaProps;
  /** `.properties[a]`, `.allOf[0]`, `.items`. */
  readonly path: string;
  readonly keyword: string;
}

/** Returns the parts of a list keyword: `allOf`, `anyOf`, `oneOf`. */
export function clauses(
  schema: JSONSchemaProps,
  keyword: 'allOf' | 'anyOf' | 'oneOf',
): SchemaPart[] {
  return (schema[keyword] ?? []).map((part, index) => ({
    schema: part,
    path: `.${keyword}[${index}]`,
    keyword,
  }));
}

/** Returns the parts of a map keyword, in alphabetical order. */
export function named(
  schema: JSONSchemaProps,
  keyword: 'definitions' | 'patternProperties' | 'properties',
): (SchemaPart & { readonly name: string })[] {
  return Object.entries(schema[keyword] ?? {})
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, part]) => ({ name, schema: part, path: `.${keyword}[${name}]`, keyword }));
}

/** Returns the schema of a keyword that may also be a boolean. */
export function schemaOrBool(
  schema: JSONSchemaProps,
  keyword: 'additionalItems' | 'additionalProperties',
): SchemaPart[] {
  const part = schema[keyword];
  return part === undefined || typeof part === 'boolean'
    ? []
    : [{ schema: part, path: `.${keyword}`, keyword }];
}

/** Returns the schema or schemas of `items`. The API parses a list of schemas but rejects it. */
export function itemSchemas({ items }: JSONSchemaProps): SchemaPart[] {
  if (items === undefined || items === null) return [];
  return Array.isArray(items)
    ? items.map((schema, index) => ({ schema, path: `.items[${index}]`, keyword: 'items' }))
    : [{ schema: items, path: '.items', keyword: 'items' }];
}

/** Returns every schema directly inside another one. */
export function partsOf(schema: JSONSchemaProps): SchemaPart[] {
  const not =
    schema.not === undefined ? [] : [{ schema: schema.not, path: '.not', keyword: 'not' }];
  const dependencies = Object.entries(schema.dependencies ?? {}).flatMap(([name, part]) =>
    Array.isArray(part)
      ? []
      : [{ schema: part, path: `.dependencies[${name}]`, keyword: 'dependencies' }],
  );
  return [
    ...schemaOrBool(schema, 'additionalProperties'),
    ...named(schema, 'properties'),
    ...not,
    ...clauses(schema, 'allOf'),
    ...clauses(schema, 'oneOf'),
    ...clauses(schema, 'anyOf'),
    ...named(schema, 'definitions'),
    ...named(schema, 'patternProperties'),
    ...schemaOrBool(schema, 'additionalItems'),
    ...itemSchemas(schema),
    ...dependencies,
  ];
}

/** True if the schema or any schema inside it matches. */
export function someSchema(
  schema: JSONSchemaProps,
  isWanted: (schema: JSONSchemaProps) => boolean,
): boolean {
  return isWanted(schema) || partsOf(schema).some((part) => someSchema(part.schema, isWanted));
}

/** True if there are CEL rules anywhere in the schema. */
export function hasRules(schema: JSONSchemaProps): boolean {
  return someSchema(schema, (part) => (part['x-kubernetes-validations'] ?? []).length > 0);
}
