import { quoteGo } from 'client-ts/internal';
import { newUnknownError } from 'client-ts/meta';
import type { Property, Schema } from '../schema/schema.ts';

/** How a field is patched. */
export interface PatchRules {
  /** The type of the value, or of the items of a list. */
  readonly schema: Schema;
  readonly strategy: 'merge' | 'replace' | undefined;
  readonly mergeKey: string | undefined;
}

/** The rules for a field whose value is a map. Throws if the type has no such field. */
export function rulesForMap(type: Schema, field: string): PatchRules {
  const property = propertyOf(type, field);
  return rulesOf(property, property.schema);
}

/** The rules for a field whose value is a list. Throws if it is not. */
export function rulesForList(type: Schema, field: string): PatchRules {
  const property = propertyOf(type, field);
  const { schema, pointer } = property;
  if (schema.type !== 'array' && pointer !== true) {
    throw newUnknownError('expected slice or array type, but got: struct');
  }
  return rulesOf(property, schema.items ?? schema);
}

function rulesOf({ patchStrategy = '', patchMergeKey }: Property, schema: Schema): PatchRules {
  const strategies = patchStrategy.split(',');
  return {
    schema,
    strategy: (['merge', 'replace'] as const).find((known) => strategies.includes(known)),
    mergeKey: patchMergeKey,
  };
}

function propertyOf(type: Schema, field: string): Property {
  const property = type.properties?.get(field);
  if (property !== undefined) return property;
  const kind = kindOf(type);
  throw newUnknownError(
    kind === 'struct'
      ? `unable to find api field in struct ${typeName(type)} for the json field ${quoteGo(field)}`
      : `merging an object in json but data type is not struct, instead is: ${kind}`,
  );
}

/** The kind of Go type that stands behind a schema. */
export function kindOf({ type, special, additionalProperties }: Schema): string {
  if (special === undefined && additionalProperties !== undefined) return 'map';
  switch (type) {
    case 'array':
      return 'slice';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int32';
    case 'number':
      return 'float64';
    case 'string':
      return special === undefined ? 'string' : 'struct';
    default:
      return 'struct';
  }
}

function typeName({ id = '' }: Schema): string {
  return id.slice(id.lastIndexOf('.') + 1);
}
