import type { JSONSchemaProps, ValidationRule } from 'client-ts/api/apiextensions/v1';

import {
  addFindings,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../validation/field-error.ts';
import { listTypeRules } from './list-type-rules.ts';
import { META_FIELDS } from './pruning.ts';
import { partsOf, type SchemaPart } from './schema-walk.ts';
import { validFieldPath } from './field-path.ts';
import { structuralObstacle } from './structural-rules.ts';

/** Where in a schema a rule is looked at. */
interface Place {
  readonly isRoot?: boolean;
  /** Inside the metadata of the resource or of an embedded one. */
  readonly inMetadata?: boolean;
  /** Set where defaults may not be: why. */
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
 * Checks what OpenAPI schemas in CRDs may say, keyword by keyword, at every depth. CEL rules are not
 * compiled, only their other fields are checked.
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
    // These two are refused as a whole.
    if (part.keyword === 'patternProperties' || part.keyword === 'additionalItems') continue;
    addFindings(errors, validateAt(part.schema, field + part.path, placeOf(part, schema, place)));
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

/** Everything about a CEL rule but the expressions, which this server does not compile. */
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
