import { defineErrors, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import {
  type ObjectMeta,
  parseApiVersion,
  validateDns1035Label,
  validatePathSegmentName,
} from 'client-ts/meta';

import { withSortedKeys } from '../schema/canonical.ts';
import { DecodeError, decodeTyped } from '../schema/decode.ts';
import { loadModel } from '../schema/model.ts';
import type { Schema } from '../schema/schema.ts';
import { type FieldError, invalid, required } from '../validation/field-error.ts';
import { validateObjectMeta } from '../validation/object-meta.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Returns the schema of ObjectMeta, which is the same in every release. */
export function objectMetaSchema(): Schema {
  const schema = loadModel().schemaById(OBJECT_META);
  if (schema === undefined) throw new Error(`the model has no ${OBJECT_META}`);
  return schema;
}

/** Metadata in canonical form, and the paths of unknown fields. */
export interface CoercedMetadata {
  readonly metadata: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Coerces the metadata of a custom resource to ObjectMeta: drops unknown and empty fields and
 * normalises times. Throws a `DecodeError` for a value of the wrong type.
 */
export function coerceMetadata(metadata: JsonValue, field = 'metadata'): CoercedMetadata {
  const { object, unknown } = decodeTyped(objectMetaSchema(), withSortedKeys(metadata));
  return {
    metadata: withSortedKeys(object) as JsonObject,
    unknown: unknown.map((path) => `${field}.${path}`),
  };
}

/** An embedded resource has fields of the wrong type. */
export class EmbeddedResourceError extends DecodeError {
  readonly finding: FieldError;

  constructor(finding: FieldError) {
    super(`${finding.field}: ${finding.message}`);
    this.finding = finding;
  }

  static {
    defineErrors(this, 'EmbeddedResourceError');
  }
}

/**
 * Coerces the metadata of embedded resources, in place. Returns the paths of unknown fields. Throws
 * an {@link EmbeddedResourceError}.
 */
export function coerceEmbedded(value: JsonValue | undefined, schema: Schema, root = ''): string[] {
  const unknown: string[] = [];
  visitEmbedded(value, schema, root, (resource, field) => {
    for (const key of ['apiVersion', 'kind'] as const) {
      const text = resource[key];
      if (text !== undefined && typeof text !== 'string') {
        throw new EmbeddedResourceError(invalid(`${field}.${key}`, text, 'must be a string'));
      }
    }
    if (resource['metadata'] === undefined) return;
    try {
      const coerced = coerceMetadata(resource['metadata'], `${field}.metadata`);
      resource['metadata'] = coerced.metadata;
      for (const path of coerced.unknown) unknown.push(path);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const { metadata } = resource;
      throw new EmbeddedResourceError(invalid(`${field}.metadata`, metadata, error.message));
    }
  });
  return unknown.toSorted();
}

/** Requires every embedded resource to have an apiVersion, a kind and valid metadata. */
export function validateEmbedded(
  value: JsonValue | undefined,
  schema: Schema,
  root = '',
): FieldError[] {
  const errors: FieldError[] = [];
  visitEmbedded(value, schema, root, (resource, field) => {
    errors.push(
      ...validateApiVersion(resource['apiVersion'], `${field}.apiVersion`),
      ...validateKind(resource['kind'], `${field}.kind`),
      ...validateMetadata(resource['metadata'], `${field}.metadata`),
    );
  });
  return errors;
}

function validateApiVersion(apiVersion: JsonValue | undefined, field: string): FieldError[] {
  if (apiVersion === undefined) return [required(field)];
  if (typeof apiVersion !== 'string') return [invalid(field, apiVersion, 'must be a string')];
  if (apiVersion === '') return [invalid(field, apiVersion, 'must not be empty')];
  return parseApiVersion(apiVersion).version.includes('/')
    ? [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
    : [];
}

function validateKind(kind: JsonValue | undefined, field: string): FieldError[] {
  if (kind === undefined) return [required(field)];
  if (typeof kind !== 'string') return [invalid(field, kind, 'must be a string')];
  if (kind === '') return [invalid(field, kind, 'must not be empty')];
  const messages = validateDns1035Label(kind.toLowerCase());
  return messages.length === 0
    ? []
    : [
        invalid(
          field,
          kind,
          `may have mixed case, but should otherwise match: ${messages.join(',')}`,
        ),
      ];
}

function validateMetadata(metadata: JsonValue | undefined, field: string): FieldError[] {
  if (metadata === undefined) return [];
  let meta: ObjectMeta;
  try {
    meta = coerceMetadata(metadata).metadata;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [invalid(field, metadata, error.message)];
  }
  // A template needs no name; all other errors count.
  return validateObjectMeta(
    { name: 'fakename', ...meta },
    {
      namespaced: (meta.namespace ?? '') !== '',
      validateName: validatePathSegmentName,
      field,
      kubeFinalizers: false,
    },
  );
}

function visitEmbedded(
  value: JsonValue | undefined,
  schema: Schema | undefined,
  field: string,
  visit: (resource: JsonObject, field: string) => void,
): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      visitEmbedded(item, schema.items, `${field}[${index}]`, visit);
    }
  } else if (isJsonObject(value)) {
    if (schema.embeddedResource === true) visit(value, field);
    for (const [key, item] of Object.entries(value)) {
      const property = schema.properties?.get(key)?.schema;
      if (property !== undefined) {
        visitEmbedded(item, property, field === '' ? key : `${field}.${key}`, visit);
      } else {
        visitEmbedded(item, schema.additionalProperties, `${field}[${key}]`, visit);
      }
    }
  }
}
