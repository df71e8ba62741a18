import type { Schema } from './schema.ts';

/** How the pattern begins that controller-gen writes for a Quantity. */
const quantityPattern = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|`;

/** True for the schema that stands for `resource.Quantity` in CustomResourceDefinitions. */
export function isQuantity({ pattern }: Schema): boolean {
  return pattern?.startsWith(quantityPattern) ?? false;
}

/** Keywords whose value is worth a tag of the same name. */
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
 * What the comment on a field says: its description, then what the server will check as JSDoc
 * tags. Type checkers cannot see these; people can.
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
  // Base64 and the numeric sizes say nothing that the type does not.
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
