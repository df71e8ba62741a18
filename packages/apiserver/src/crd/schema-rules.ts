import type { JSONSchemaProps, ValidationRule } from 'client-ts/api/apiextensions/v1';
import { cloneJson, getKey, jsonEqual, type JsonValue } from 'client-ts/internal';

import { withSortedKeys } from '../schema/canonical.ts';
import {
  appendErrors,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../validation/field-error.ts';
import { coerceEmbedded, EmbeddedResourceError, validateEmbedded } from './embedded-metadata.ts';
import { validFieldPath } from './field-path.ts';
import { META_FIELDS, prune } from './pruning.ts';
import { itemSchemas, named, partsOf, type SchemaPart } from './schema-walk.ts';
import { checkDefaultRules } from './rules.ts';
import { structuralObstacle } from './structural-rules.ts';
import { schemaForDefaults, structuralSchema } from './structural.ts';
import { validateValue } from './value-validator.ts';

/** The position in a schema, as rules need it. */
interface Place {
  readonly isRoot?: boolean;
  /** Inside the metadata of the resource or of an embedded resource. */
  readonly inMetadata?: boolean;
  /** Why defaults are not allowed here, if so. */
  readonly noDefaults?: string;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/**
 * Validates the OpenAPI schema of a CRD, keyword by keyword and at every depth. The expressions of
 * its rules are left to `validateRules`, which needs a valid schema.
 */
export function validateSchema(schema: JSONSchemaProps, field: string): FieldError[] {
  return validateAt(schema, field, { isRoot: true });
}

function validateAt(schema: JSONSchemaProps, field: string, place: Place): FieldError[] {
  const errors = supportedKeywords(schema, field, place);
  if (schema.uniqueItems === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${field}.uniqueItems`, detail));
  }
  const { additionalProperties, properties } = schema;
  const hasProperties = Object.keys(properties ?? {}).length > 0;
  if (additionalProperties !== undefined && additionalProperties !== true && hasProperties) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbidden(`${field}.additionalProperties`, detail));
  }
  for (const part of partsOf(schema)) {
    // These two are rejected as a whole.
    if (part.keyword === 'patternProperties' || part.keyword === 'additionalItems') continue;
    appendErrors(errors, validateAt(part.schema, field + part.path, placeOf(part, schema, place)));
  }
  return [
    ...errors,
    ...extensionRules(schema, field),
    ...listTypeRules(schema, field),
    ...(schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
      celRule(rule, schema, `${field}.x-kubernetes-validations[${index}]`),
    ),
  ];
}

function placeOf(part: SchemaPart, parent: JSONSchemaProps, place: Place): Place {
  const { isRoot, ...inherited } = place;
  if (part.keyword === 'additionalProperties' && place.inMetadata === true) {
    return { ...inherited, noDefaults: 'inside additionalProperties applying to object metadata' };
  }
  const name = part.keyword === 'properties' ? part.path.slice('.properties['.length, -1) : '';
  const isResource = isRoot === true || parent['x-kubernetes-embedded-resource'] === true;
  if (!isResource || !META_FIELDS.has(name)) return inherited;
  return {
    ...inherited,
    inMetadata: true,
    ...(isRoot === true && { noDefaults: `in top-level ${name}` }),
  };
}

function supportedKeywords(schema: JSONSchemaProps, field: string, place: Place): FieldError[] {
  const errors: FieldError[] = [];
  const { type = '', items } = schema;
  const refuse = (keyword: string, detail = `${keyword} is not supported`): void => {
    errors.push(forbidden(`${field}.${keyword}`, detail));
  };
  if (type !== '' && !types.includes(type)) {
    errors.push(notSupported(`${field}.type`, type, types));
  }
  if (schema.default !== undefined && place.noDefaults !== undefined) {
    refuse('default', `must not be set ${place.noDefaults}`);
  }
  if ((schema.id ?? '') !== '') refuse('id');
  if (schema.additionalItems !== undefined) refuse('additionalItems');
  if (Object.keys(schema.patternProperties ?? {}).length > 0) refuse('patternProperties');
  if (Object.keys(schema.definitions ?? {}).length > 0) refuse('definitions');
  if (schema.dependencies !== undefined) refuse('dependencies');
  if (schema.$ref !== undefined) refuse('$ref');
  if (type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(items) && items.length > 0) {
    refuse('items', 'items must be a schema object and not an array');
  }
  if (place.inMetadata === true && schema['x-kubernetes-embedded-resource'] === true) {
    refuse('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
  return errors;
}

function extensionRules(schema: JSONSchemaProps, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { type = '' } = schema;
  const preserve = schema['x-kubernetes-preserve-unknown-fields'];
  if (preserve === false) {
    const at = `${field}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalid(at, preserve, 'must be true or undefined'));
  }
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return errors;
  if (type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified';
    errors.push(
      type === '' ? required(`${field}.type`, detail) : invalid(`${field}.type`, type, detail),
    );
  }
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  return errors;
}

/** Validates a rule without its expressions. */
function celRule(rule: ValidationRule, schema: JSONSchemaProps, field: string): FieldError[] {
  const { message = '', messageExpression = '', fieldPath = '', reason } = rule;
  const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);
  const errors: FieldError[] = [];
  if (rule.rule.trim() === '') errors.push(required(`${field}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '') {
    errors.push(invalid(`${field}.message`, message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message.trim())) {
    errors.push(invalid(`${field}.message`, message, 'must not contain line breaks'));
  } else if (hasLineBreak(rule.rule.trim()) && message.trim() === '') {
    const detail = 'message must be specified if rule contains line breaks';
    errors.push(required(`${field}.message`, detail));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(required(`${field}.messageExpression`, detail));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(`${field}.reason`, reason, reasons));
  }
  if (fieldPath === '') return errors;
  if (fieldPath.trim() === '') {
    errors.push(invalid(`${field}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  }
  if (hasLineBreak(fieldPath)) {
    errors.push(invalid(`${field}.fieldPath`, fieldPath, 'must not contain line breaks'));
  }
  const isReadable = structuralObstacle(schema) === undefined;
  if (isReadable && validFieldPath(fieldPath, schema).problem !== undefined) {
    errors.push(invalid(`${field}.fieldPath`, fieldPath, 'must be a valid path'));
  }
  return errors;
}

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';

/** Validates that the items of sets and maps are comparable. */
function listTypeRules(schema: JSONSchemaProps, field: string): FieldError[] {
  const { type = '', [LIST_TYPE]: listType, [MAP_KEYS]: keys = [] } = schema;
  const errors: FieldError[] = [];
  if (listType !== undefined && type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    errors.push(
      type === '' ? required(`${field}.type`, detail) : invalid(`${field}.type`, type, detail),
    );
  } else if (listType === 'set') {
    appendErrors(errors, setRules(schema, field));
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(notSupported(`${field}.${LIST_TYPE}`, listType, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(
      listType === undefined
        ? required(`${field}.${LIST_TYPE}`, detail)
        : invalid(`${field}.${LIST_TYPE}`, listType, detail),
    );
  }
  if (listType === 'map') appendErrors(errors, mapRules(schema, keys, field));
  if (listType === 'map' || listType === 'set') {
    appendErrors(errors, itemRules(schema, keys, listType, field));
  }
  return errors;
}

function singleItem({ items }: JSONSchemaProps): JSONSchemaProps | undefined {
  return items === undefined || items === null || Array.isArray(items) ? undefined : items;
}

function setRules(schema: JSONSchemaProps, field: string): FieldError[] {
  const item = singleItem(schema);
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = item?.[LIST_TYPE];
  if (item?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(`${field}.items.${LIST_TYPE}`, listType, detail)];
  }
  return item?.type === 'object' && item['x-kubernetes-map-type'] !== 'atomic'
    ? [invalid(`${field}.items.x-kubernetes-map-type`, listType, detail)]
    : [];
}

function mapRules(schema: JSONSchemaProps, keys: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { items } = schema;
  const item = singleItem(schema);
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(required(`${field}.${MAP_KEYS}`, detail));
  }
  if (items === undefined) {
    const detail = 'must have a schema if x-kubernetes-list-type is map';
    errors.push(required(`${field}.items`, detail));
  } else if (item === undefined) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    errors.push(invalid(`${field}.items`, items, detail));
  }
  if (item === undefined) return errors;
  if (item.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalid(`${field}.items.type`, item.type ?? '', detail)];
  }
  for (const [index, key] of keys.entries()) {
    const property = getKey(item.properties ?? {}, key);
    if (property === undefined) {
      const detail = 'entries must all be names of item properties';
      errors.push(invalid(`${field}.${MAP_KEYS}`, keys, detail));
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(`${field}.items.properties[${key}].type`, item.type, detail));
    }
    if (keys.indexOf(key) < index) {
      errors.push(invalid(`${field}.${MAP_KEYS}`, keys, 'must not contain duplicate entries'));
    }
  }
  return errors;
}

/** Requires items to be comparable and keys to have a value. */
function itemRules(
  schema: JSONSchemaProps,
  keys: readonly string[],
  listType: 'map' | 'set',
  field: string,
): FieldError[] {
  const item = singleItem(schema);
  if (item === undefined) return [];
  const errors: FieldError[] = [];
  if (item.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbidden(`${field}.items.nullable`, detail));
  }
  for (const key of listType === 'map' ? keys : []) {
    const property = getKey(item.properties ?? {}, key);
    if (property === undefined) continue;
    const at = `${field}.items.properties[${key}]`;
    const why = 'this property is in x-kubernetes-list-map-keys';
    if (property.default === undefined && item.required?.includes(key) !== true) {
      const detail = `${why}, so it must have a default or be a required property`;
      errors.push(required(`${at}.default`, detail));
    }
    if (property.nullable === true) {
      errors.push(forbidden(`${at}.nullable`, `${why}, so it cannot be nullable`));
    }
  }
  return errors;
}

/** Requires every default in a schema to be valid by that schema. */
export function validateDefaults(schema: JSONSchemaProps, field: string): FieldError[] {
  // A default at the root must be a whole resource.
  return validateDefaultsAt({ ...schema, 'x-kubernetes-embedded-resource': true }, field);
}

function validateDefaultsAt(schema: JSONSchemaProps, field: string): FieldError[] {
  return [
    ...(schema.default === undefined || schema.default === null
      ? []
      : validateDefault(schema, schema.default, `${field}.default`)),
    ...[...itemSchemas(schema), ...named(schema, 'properties')].flatMap((part) =>
      validateDefaultsAt(part.schema, field + part.path),
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
  const findings = embedded.length > 0 ? embedded : validateValue(value, schema, { field });
  const all =
    findings.length > 0 ? findings : checkDefaultRules(value, structuralSchema(props), field);
  return [...errors, ...all];
}
