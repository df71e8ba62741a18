import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import { cloneJson, jsonEqual, type JsonValue } from 'client-ts/lib';

import { withSortedKeys } from '../schema/canonical.ts';
import { DecodeError } from '../schema/decode.ts';
import { type FieldError, invalid } from '../validation/field-error.ts';
import { coerceEmbedded, validateEmbedded } from './embedded-metadata.ts';
import { prune } from './pruning.ts';
import { itemSchemas, named } from './schema-walk.ts';
import { structuralSchema } from './structural.ts';
import { validateValue } from './value-validator.ts';

/** Checks that every default in a schema is a value that the schema itself would accept whole. */
export function validateDefaults(schema: JSONSchemaProps, field: string): FieldError[] {
  return [
    ...(schema.default === undefined || schema.default === null
      ? []
      : validateDefault(schema, schema.default, `${field}.default`)),
    ...[...itemSchemas(schema), ...named(schema, 'properties')].flatMap((part) =>
      validateDefaults(part.schema, field + part.path),
    ),
  ];
}

function validateDefault(props: JSONSchemaProps, value: JsonValue, field: string): FieldError[] {
  const schema = structuralSchema(props);
  const errors: FieldError[] = [];
  const copy = cloneJson(value);
  prune(copy, schema);
  if (!jsonEqual(copy, value)) {
    errors.push(invalid(field, withSortedKeys(value), 'must not have unknown fields'));
  }
  try {
    coerceEmbedded(copy, schema);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [...errors, invalid(field, withSortedKeys(value), error.message)];
  }
  const embedded = validateEmbedded(value, schema, field);
  return [...errors, ...(embedded.length > 0 ? embedded : validateValue(value, schema, { field }))];
}
