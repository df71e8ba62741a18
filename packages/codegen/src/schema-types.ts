import type { JsonValue } from 'client-ts/internal';

import { docComment } from './comment.ts';
import { type Doc, hardline, indent, join } from './doc.ts';
import type { ModuleWriter } from './module-writer.ts';
import { propertyKey, stringLiteral } from './names.ts';
import type { Schema } from './schema.ts';
import { assignedTypeDoc, named, type TypeNode, unionOf } from './type-node.ts';

/** How schemas become types in one module. */
export interface TypeRules {
  readonly module: ModuleWriter;
  /** Where the types of `meta/v1` and the helpers around them are imported from. */
  readonly metaSpecifier: string;
  /** Open enums accept values that the schema does not know; closed ones do not. */
  readonly enums: 'closed' | 'open';
  /** Returns the comment on a field; empty for none. */
  comment(schema: Schema): string;
  /** Returns the type that a `$ref` refers to. */
  reference(id: string): TypeNode;
  /** Declares an interface for an object inside another one; returns its name. */
  nested(schema: Schema, path: readonly string[]): TypeNode;
}

/** Returns the type of a schema at `path` below its kind. */
export function typeOf(schema: Schema, path: readonly string[], rules: TypeRules): TypeNode {
  const type = plainTypeOf(schema, path, rules);
  return schema.nullable === true ? unionOf([type, named('null')]) : type;
}

function plainTypeOf(schema: Schema, path: readonly string[], rules: TypeRules): TypeNode {
  const reference = referenceOf(schema);
  if (reference !== undefined) return rules.reference(reference);
  if (schema.type === undefined && schema['x-kubernetes-int-or-string'] === true) {
    return named(importMeta(isQuantity(schema) ? 'Quantity' : 'IntOrString', rules));
  }
  if (schema.enum !== undefined && schema.enum.length > 0) return enumType(schema.enum, rules);
  switch (schema.type) {
    case 'string':
      return schema.format === 'byte' ? named(importMeta('Base64', rules)) : named('string');
    case 'integer':
    case 'number':
      return named('number');
    case 'boolean':
      return named('boolean');
    case 'array':
      return { kind: 'array', item: typeOf(schema.items ?? {}, path, rules) };
    case 'object':
      return objectType(schema, path, rules);
    default:
      return named('unknown');
  }
}

/** Returns the schema id of `$ref`, or of the only `allOf`: OpenAPI v3 wraps a reference with siblings. */
export function referenceOf({ $ref, allOf }: Schema): string | undefined {
  const id = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return id?.replace('#/components/schemas/', '');
}

function objectType(schema: Schema, path: readonly string[], rules: TypeRules): TypeNode {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined || schema['x-kubernetes-embedded-resource'] === true) {
    return rules.nested(schema, path);
  }
  if (typeof additionalProperties === 'object') {
    return recordOf(typeOf(additionalProperties, path, rules), rules);
  }
  const open = additionalProperties ?? schema['x-kubernetes-preserve-unknown-fields'] ?? false;
  // An object that declares no fields has none: the server drops all that are written.
  return recordOf(named(open ? 'unknown' : 'never'), rules);
}

function recordOf(value: TypeNode, { module }: TypeRules): TypeNode {
  // A kind of the module may be called Record, which hides the global one.
  return module.types.has('Record')
    ? { kind: 'map', value }
    : { kind: 'generic', name: 'Record', args: [named('string'), value] };
}

function enumType(values: readonly JsonValue[], rules: TypeRules): TypeNode {
  const known = unionOf(values.map((value) => named(literal(value))));
  if (rules.enums === 'closed') return known;
  return { kind: 'generic', name: importMeta('Open', rules), args: [known] };
}

function literal(value: JsonValue): string {
  if (typeof value === 'string') return stringLiteral(value);
  return typeof value === 'object' && value !== null ? 'unknown' : String(value);
}

function importMeta(name: string, { module, metaSpecifier }: TypeRules): string {
  return module.importType(metaSpecifier, name);
}

/** One line of an interface. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly type: TypeNode;
  readonly comment: string;
}

/** Returns the fields of an object schema, in the schema's order. */
export function fieldsOf(schema: Schema, path: readonly string[], rules: TypeRules): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    required: schema.required?.includes(name) ?? false,
    type: typeOf(property, [...path, name], rules),
    comment: rules.comment(property),
  }));
}

interface InterfaceOptions {
  readonly comment?: string;
  /** Accepts fields that it does not name. */
  readonly open?: boolean;
  readonly exported?: boolean;
}

/** Returns an interface declaration, exported by default. */
export function interfaceDoc(
  name: string,
  fields: readonly Field[],
  { comment = '', open = false, exported = true }: InterfaceOptions = {},
): Doc {
  const lines = fields.map((field): Doc => [
    docComment(field.comment),
    `${propertyKey(field.name)}${field.required ? '' : '?'}:`,
    assignedTypeDoc(field.type),
    ';',
  ]);
  if (open) lines.push('[key: string]: unknown;');
  const head = [docComment(comment), `${exported ? 'export ' : ''}interface ${name} {`];
  if (lines.length === 0) return [head, '}'];
  return [head, indent(hardline, join(hardline, lines)), hardline, '}'];
}

/** The beginning of the pattern that controller-gen writes for a Quantity. */
const quantityPattern = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|`;

/** True for the schema of a `resource.Quantity` in a CustomResourceDefinition. */
function isQuantity({ pattern }: Schema): boolean {
  return pattern?.startsWith(quantityPattern) ?? false;
}

/** Keywords that become tags of the same name. */
const tagged = [
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

/**
 * Returns the comment on a field: its description, then as JSDoc tags the constraints that the
 * server checks and types cannot express.
 */
export function schemaComment(schema: Schema): string {
  const tags = schemaTags(schema);
  const description = schema.description?.trim() ?? '';
  if (description === '' || tags.length === 0) return description || tags.join('\n');
  return `${description}\n\n${tags.join('\n')}`;
}

function schemaTags(schema: Schema): string[] {
  const tags: string[] = [];
  if (schema.default !== undefined) tags.push(`@default ${JSON.stringify(schema.default)}`);
  // Base64 and the sizes of numbers add nothing to the type.
  if (schema.format !== undefined && schema.type === 'string' && schema.format !== 'byte') {
    tags.push(`@format ${schema.format}`);
  }
  for (const keyword of tagged) {
    const value = schema[keyword];
    if (value === undefined) continue;
    const isExclusive =
      (keyword === 'minimum' && schema.exclusiveMinimum === true) ||
      (keyword === 'maximum' && schema.exclusiveMaximum === true);
    tags.push(`@${keyword} ${value}${isExclusive ? ' (exclusive)' : ''}`);
  }
  if (schema.pattern !== undefined && !isQuantity(schema)) tags.push(`@pattern ${schema.pattern}`);
  if (schema['x-kubernetes-list-type'] === 'set') tags.push('@uniqueItems');
  if (schema['x-kubernetes-list-type'] === 'map') {
    tags.push(`@uniqueItems by ${(schema['x-kubernetes-list-map-keys'] ?? []).join(', ')}`);
  }
  for (const { rule, message } of schema['x-kubernetes-validations'] ?? []) {
    tags.push(`@rule ${oneLine(message ?? rule)}`);
  }
  return tags;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
