import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';

/** A schema directly inside of another one, and its path from there. */
export interface SchemaPart {
  readonly schema: JSONSchemaProps;
  /** `.properties[a]`, `.allOf[0]`, `.items`. */
  readonly path: string;
  readonly keyword: string;
}

/** The parts of a list keyword: `allOf`, `anyOf`, `oneOf`. */
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

/** The parts of a map keyword, in alphabetical order. */
export function named(
  schema: JSONSchemaProps,
  keyword: 'definitions' | 'patternProperties' | 'properties',
): (SchemaPart & { readonly name: string })[] {
  return Object.entries(schema[keyword] ?? {})
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, part]) => ({ name, schema: part, path: `.${keyword}[${name}]`, keyword }));
}

/** The schema of a keyword that may also be a boolean. */
export function schemaOrBool(
  schema: JSONSchemaProps,
  keyword: 'additionalItems' | 'additionalProperties',
): SchemaPart[] {
  const part = schema[keyword];
  return part === undefined || typeof part === 'boolean'
    ? []
    : [{ schema: part, path: `.${keyword}`, keyword }];
}

/** The schema of the items, or several of them, which the API reads but does not accept. */
export function itemSchemas({ items }: JSONSchemaProps): SchemaPart[] {
  if (items === undefined || items === null) return [];
  return Array.isArray(items)
    ? items.map((schema, index) => ({ schema, path: `.items[${index}]`, keyword: 'items' }))
    : [{ schema: items, path: '.items', keyword: 'items' }];
}

/** Every schema directly inside of another one. */
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

/** True if the schema or anything in it is what is looked for. */
export function someSchema(
  schema: JSONSchemaProps,
  isWanted: (schema: JSONSchemaProps) => boolean,
): boolean {
  return isWanted(schema) || partsOf(schema).some((part) => someSchema(part.schema, isWanted));
}

/** True if the schema has CEL rules, anywhere. */
export function hasRules(schema: JSONSchemaProps): boolean {
  return someSchema(schema, (part) => (part['x-kubernetes-validations'] ?? []).length > 0);
}
