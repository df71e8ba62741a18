import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import { cloneJson, jsonEqual, type JsonValue } from 'client-ts/internal';

import { withSortedKeys } from '../schema/canonical.ts';
import { type FieldError, invalid } from '../validation/field-error.ts';
import { coerceEmbedded, EmbeddedResourceError, validateEmbedded } from './embedded-metadata.ts';
import { prune } from './pruning.ts';
import { itemSchemas, named } from './schema-walk.ts';
import { schemaForDefaults } from './structural.ts';
import { validateValue } from './value-validator.ts';

/** Checks that every default in a schema is a value that the schema itself would accept whole. */
export function validateDefaults(schema: JSONSchemaProps, field: string): FieldError[] {
  // A default at the root would have to be a whole resource.
  return validateAt({ ...schema, 'x-kubernetes-embedded-resource': true }, field);
}

function validateAt(schema: JSONSchemaProps, field: string): FieldError[] {
  return [
    ...(schema.default === undefined || schema.default === null
      ? []
      : validateDefault(schema, schema.default, `${field}.default`)),
    ...[...itemSchemas(schema), ...named(schema, 'properties')].flatMap((part) =>
      validateAt(part.schema, field + part.path),
    ),
  ];
}

function validateDefault(props: JSONSchemaProps, value: JsonValue, field: string): FieldError[] {
  const schema = schemaForDefaults(props);
  const errors: FieldError[] = [];
  const copy = cloneJson(value);
  prune(copy, schema);
  if (!jsonEqual(copy, value)) {
    errors.push(invalid(field, withSortedKeys(value), 'must not have unknown fields'));
  }
  try {
    coerceEmbedded(copy, schema, field);
  } catch (error) {
    if (!(error instanceof EmbeddedResourceError)) throw error;
    return [...errors, error.finding];
  }
  const embedded = validateEmbedded(value, schema, field);
  return [...errors, ...(embedded.length > 0 ? embedded : validateValue(value, schema, { field }))];
}
