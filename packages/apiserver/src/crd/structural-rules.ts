import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import { getKey, jsonEqual } from 'client-ts/internal';

import {
  appendErrors,
  type FieldError,
  forbidden,
  invalid,
  required,
} from '../validation/field-error.ts';
import { goPattern, PatternError } from '../validation/go-pattern.ts';
import { clauses, itemSchemas, named, partsOf, schemaOrBool } from './schema-walk.ts';

type Level = 'field' | 'item' | 'root';

/**
 * Validates that a schema is structural: types are declared outside of `allOf`, `anyOf`, `oneOf`
 * and `not`, and fields inside these are declared outside, too. Pruning and defaulting rely on it.
 * Errors are sorted as the server sorts them.
 */
export function validateStructural(schema: JSONSchemaProps, field: string): FieldError[] {
  const errors = [
    ...invariants(schema, 'root', field),
    ...completeness(schema, schema, field, field),
  ];
  const text = ({ field, message }: FieldError): string => `${field}: ${message}`;
  return errors.toSorted((left, right) => (text(left) < text(right) ? -1 : 1));
}

/**
 * Returns why a schema cannot be converted to a structural one. Other rules report the same with
 * better messages, so this is only used if there are no other errors.
 */
export function structuralObstacle(schema: JSONSchemaProps): string | undefined {
  const unsupported = (keyword: string): string => `OpenAPIV3Schema '${keyword}' is not supported`;
  if ((schema.id ?? '') !== '') return unsupported('id');
  if ((schema.$schema ?? '') !== '') return unsupported('schema');
  if ((schema.$ref ?? '') !== '') return unsupported('$ref');
  for (const keyword of ['patternProperties', 'dependencies', 'definitions'] as const) {
    if (Object.keys(schema[keyword] ?? {}).length > 0) return unsupported(keyword);
  }
  if (schema.additionalItems !== undefined) return unsupported('additionalItems');
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  for (const part of partsOf(schema)) {
    const obstacle = structuralObstacle(part.schema);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

function invariants(schema: JSONSchemaProps, level: Level, field: string): FieldError[] {
  const { type = '', additionalProperties } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const errors: FieldError[] = [];
  if (type === 'array' && itemSchemas(schema).length === 0) {
    errors.push(required(`${field}.items`, 'must be specified'));
  }
  for (const part of itemSchemas(schema)) {
    appendErrors(errors, invariants(part.schema, 'item', field + part.path));
  }
  for (const part of [
    ...named(schema, 'properties'),
    ...schemaOrBool(schema, 'additionalProperties'),
  ]) {
    appendErrors(errors, invariants(part.schema, 'field', field + part.path));
  }
  if (additionalProperties !== undefined && level === 'root') {
    errors.push(forbidden(`${field}.additionalProperties`, 'must not be used at the root'));
  }
  appendErrors(errors, extensions(schema, field));
  appendErrors(errors, valueRules(schema, field, intOrString(schema)));
  appendErrors(errors, typeRules(schema, level, field));
  if (embedded && additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(`${field}.additionalProperties`, detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(`${field}.type`, type, 'must be object at the root'));
  }
  appendErrors(errors, metadataRules(schema, level, field));
  if (
    embedded &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true &&
    Object.keys(schema.properties ?? {}).length === 0
  ) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${field}.properties`, detail));
  }
  return errors;
}

function extensions(schema: JSONSchemaProps, field: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((extension) => schema[extension] === true)
    .map((extension) =>
      invalid(`${field}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    );
}

function typeRules(schema: JSONSchemaProps, level: Level, field: string): FieldError[] {
  const { type = '' } = schema;
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    return [
      type === '' ? required(`${field}.type`, detail) : invalid(`${field}.type`, type, detail),
    ];
  }
  const free =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type !== '' || free) return [];
  const where = {
    root: 'at the root',
    item: 'for specified array items',
    field: 'for specified object fields',
  }[level];
  return [required(`${field}.type`, `must not be empty ${where}`)];
}

function metadataRules(schema: JSONSchemaProps, level: Level, field: string): FieldError[] {
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const errors: FieldError[] = [];
  for (const [name, property] of Object.entries({ kind, apiVersion })) {
    if (isResource && property !== undefined && property.type !== 'string') {
      errors.push(
        invalid(`${field}.properties[${name}].type`, property.type ?? '', 'must be string'),
      );
    }
  }
  if (metadata === undefined) return errors;
  const at = `${field}.properties[metadata]`;
  if (isResource && metadata.type !== 'object') {
    errors.push(invalid(`${at}.type`, metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbidden(at, detail));
  }
  return errors;
}

/** The schema of metadata may restrict names and nothing else. */
function restrictsNamesOnly(metadata: JSONSchemaProps): boolean {
  const names = Object.keys(metadata.properties ?? {});
  return (
    Object.keys(metadata).every((key) => ['default', 'properties', 'type'].includes(key)) &&
    names.every((name) => name === 'name' || name === 'generateName')
  );
}

/** Recognises the int-or-string pattern, which may name types. */
function intOrString({ anyOf, allOf }: JSONSchemaProps): 'allOf' | 'anyOf' | undefined {
  const types = [{ type: 'integer' }, { type: 'string' }];
  if (jsonEqual(anyOf, types)) return 'anyOf';
  return jsonEqual(allOf?.[0]?.anyOf, types) ? 'allOf' : undefined;
}

function valueRules(
  schema: JSONSchemaProps,
  field: string,
  skip?: 'allOf' | 'anyOf',
): FieldError[] {
  const errors: FieldError[] = [];
  if (skip !== 'anyOf') {
    for (const part of clauses(schema, 'anyOf')) {
      appendErrors(errors, nestedRules(part.schema, field + part.path));
    }
  }
  for (const [index, part] of clauses(schema, 'allOf').entries()) {
    const inner = skip === 'allOf' && index === 0 ? 'anyOf' : undefined;
    appendErrors(errors, nestedRules(part.schema, field + part.path, inner));
  }
  for (const part of clauses(schema, 'oneOf')) {
    appendErrors(errors, nestedRules(part.schema, field + part.path));
  }
  if (schema.not !== undefined) appendErrors(errors, nestedRules(schema.not, `${field}.not`));
  const { pattern = '' } = schema;
  const problem = patternProblem(pattern);
  if (problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    errors.push(invalid(`${field}.pattern`, pattern, detail));
  }
  return errors;
}

function patternProblem(pattern: string): string | undefined {
  try {
    goPattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/**
 * Keywords that are forbidden inside `allOf`, `anyOf`, `oneOf` and `not`, in the order of the
 * checks.
 */
const forbiddenInside: readonly (readonly [
  keyword: keyof JSONSchemaProps,
  detail: string,
  isSet: (value: unknown) => boolean,
])[] = [
  ['type', 'must be empty to be structural', isNotEmpty],
  ['additionalProperties', 'must be undefined to be structural', (value) => value !== false],
  ['default', 'must be undefined to be structural', () => true],
  ['title', 'must be empty to be structural', isNotEmpty],
  ['description', 'must be empty to be structural', isNotEmpty],
  ['nullable', 'must be false to be structural', isTrue],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural', isTrue],
  ['x-kubernetes-embedded-resource', 'must be false to be structural', isTrue],
  ['x-kubernetes-int-or-string', 'must be false to be structural', isTrue],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural', isNotEmpty],
  ['x-kubernetes-list-type', 'must be undefined to be structural', () => true],
  ['x-kubernetes-map-type', 'must be undefined to be structural', () => true],
  ['x-kubernetes-validations', 'must be empty to be structural', isNotEmpty],
];

function isNotEmpty(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function nestedRules(schema: JSONSchemaProps, field: string, skip?: 'anyOf'): FieldError[] {
  const errors = valueRules(schema, field, skip);
  for (const part of [...itemSchemas(schema), ...named(schema, 'properties')]) {
    appendErrors(errors, nestedRules(part.schema, field + part.path));
  }
  for (const [keyword, detail, isSet] of forbiddenInside) {
    const value = schema[keyword];
    if (value !== undefined && isSet(value)) errors.push(forbidden(`${field}.${keyword}`, detail));
  }
  if (schema.properties?.['metadata'] !== undefined) {
    const detail = 'must not be specified in a nested context';
    errors.push(forbidden(`${field}.properties[metadata]`, detail));
  }
  return errors;
}

/** Finds fields inside combinations that are not declared outside. */
function completeness(
  inner: JSONSchemaProps,
  outer: JSONSchemaProps,
  outerField: string,
  innerField: string,
): FieldError[] {
  const not = inner.not === undefined ? [] : [{ schema: inner.not, path: '.not', keyword: 'not' }];
  return [
    ...not,
    ...clauses(inner, 'allOf'),
    ...clauses(inner, 'anyOf'),
    ...clauses(inner, 'oneOf'),
  ].flatMap(({ schema, path }) => nestedCompleteness(schema, outer, outerField, innerField + path));
}

function nestedCompleteness(
  inner: JSONSchemaProps,
  outer: JSONSchemaProps,
  outerField: string,
  innerField: string,
): FieldError[] {
  const errors = completeness(inner, outer, outerField, innerField);
  for (const { schema, path } of itemSchemas(inner)) {
    const [declared] = itemSchemas(outer);
    appendErrors(
      errors,
      declared === undefined
        ? [undeclared(`${outerField}.items`, innerField + path)]
        : nestedCompleteness(schema, declared.schema, `${outerField}.items`, innerField + path),
    );
  }
  for (const { name, schema, path } of named(inner, 'properties')) {
    const declared = getKey(outer.properties ?? {}, name);
    appendErrors(
      errors,
      declared === undefined
        ? [undeclared(outerField + path, innerField + path)]
        : nestedCompleteness(schema, declared, outerField + path, innerField + path),
    );
  }
  return errors;
}

function undeclared(field: string, definedIn: string): FieldError {
  return required(field, `because it is defined in ${definedIn}`);
}
