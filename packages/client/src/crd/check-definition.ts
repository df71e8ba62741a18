import { cloneJson, getKey, type JsonValue } from '../lib/json.ts';
import { validateDns1035Label, validateDns1123Subdomain } from '../meta/names.ts';
import type { SchemaProblem } from './crd-errors.ts';
import { complete } from './defaults.ts';
import { needsBacktracking } from './pattern.ts';
import type { StructuralSchema } from './schema.ts';
import { checkValue, META_FIELDS } from './validate.ts';

interface Declaration {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[] | undefined;
  readonly schema: StructuralSchema;
}

/** Returns what servers would refuse in the names and the schema of a declaration. */
export function definitionProblems(declaration: Declaration): SchemaProblem[] {
  const { group, version, kind, plural, singular, shortNames = [], schema } = declaration;
  const names: SchemaProblem[] = [
    ...problemsAt('group', validateDns1123Subdomain(group)),
    ...problemsAt('group', group.includes('.') ? [] : [`"${group}" must be a domain with a dot`]),
    ...problemsAt('version', validateDns1035Label(version)),
    ...problemsAt('kind', validateDns1035Label(kind.toLowerCase())),
    ...problemsAt('plural', validateDns1035Label(plural)),
    ...problemsAt('singular', validateDns1035Label(singular)),
    ...shortNames.flatMap((name, index) =>
      problemsAt(`shortNames[${index}]`, validateDns1035Label(name)),
    ),
  ];
  const root = schema.type === 'object' ? [] : ['must have type "object"'];
  return [
    ...names,
    ...problemsAt('schema', root),
    ...(root.length > 0 ? [] : schemaProblems(schema, 'schema', true)),
  ];
}

function problemsAt(field: string, messages: readonly string[]): SchemaProblem[] {
  return messages.map((message) => ({ field, message }));
}

function schemaProblems(schema: StructuralSchema, field: string, isRoot = false): SchemaProblem[] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...problemsAt(field, shapeProblems(schema)),
    ...problemsAt(field, fieldProblems(schema, isRoot)),
    ...problemsAt(`${field}.pattern`, patternProblems(schema)),
    ...listProblems(schema, field),
    ...Object.entries(properties).flatMap(([name, property]) =>
      schemaProblems(property, `${field}.properties.${name}`),
    ),
    ...(items === undefined ? [] : schemaProblems(items, `${field}.items`)),
    ...(typeof additionalProperties === 'object'
      ? schemaProblems(additionalProperties, `${field}.additionalProperties`)
      : []),
    ...defaultProblems(schema, field),
  ];
}

/** The rules that make a schema structural. */
function shapeProblems(schema: StructuralSchema): string[] {
  const { type, items, properties, additionalProperties } = schema;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const problems: string[] = [];
  if (type === undefined && !isIntOrString && !preserves) {
    problems.push(
      'must have a type, x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields',
    );
  }
  if (type !== undefined && isIntOrString) {
    problems.push('must not have both a type and x-kubernetes-int-or-string');
  }
  if (type === 'array' && items === undefined) problems.push('must have items');
  if (properties !== undefined && additionalProperties !== undefined) {
    problems.push('must not have both properties and additionalProperties');
  }
  if (schema.enum?.length === 0) problems.push('must have at least one value in enum');
  return problems;
}

/** A required field that the schema does not name would be dropped, and then be missing. */
function fieldProblems(schema: StructuralSchema, isRoot: boolean): string[] {
  const { required = [], properties = {}, additionalProperties } = schema;
  const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  if (additionalProperties !== undefined) return [];
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return [];
  return required
    .filter((name) => !Object.hasOwn(properties, name) && !(isResource && META_FIELDS.has(name)))
    .map((name) => `requires "${name}", which is not one of its properties`);
}

function patternProblems({ pattern = '' }: StructuralSchema): string[] {
  return needsBacktracking(pattern)
    ? [
        `${JSON.stringify(pattern)} has look-around or back references, which servers do not support`,
      ]
    : [];
}

function listProblems(schema: StructuralSchema, field: string): SchemaProblem[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map') {
    const message = 'must have x-kubernetes-list-type "map" for x-kubernetes-list-map-keys';
    return keys.length === 0 ? [] : [{ field, message }];
  }
  if (keys.length === 0) {
    return [{ field, message: 'must have x-kubernetes-list-map-keys for a list of type map' }];
  }
  const { properties = {}, required = [] } = schema.items ?? {};
  return keys.flatMap((key) => {
    const property = getKey(properties, key);
    if (property === undefined) {
      return [{ field, message: `has the key "${key}", which its items do not have` }];
    }
    return required.includes(key) || property.default !== undefined
      ? []
      : [{ field, message: `has the key "${key}", which must be required or have a default` }];
  });
}

function defaultProblems(schema: StructuralSchema, field: string): SchemaProblem[] {
  if (schema.default === undefined) return [];
  const value = cloneJson(schema.default) as JsonValue;
  complete(value, schema);
  return checkValue(value, schema, `${field}.default`, { rejectUnknownFields: true });
}
