import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import { getKey } from 'client-ts/internal';

import {
  addFindings,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../validation/field-error.ts';

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';

/** Checks that sets and maps among the lists can be told apart by their items. */
export function listTypeRules(schema: JSONSchemaProps, field: string): FieldError[] {
  const { type = '', [LIST_TYPE]: listType, [MAP_KEYS]: keys = [] } = schema;
  const errors: FieldError[] = [];
  if (listType !== undefined && type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    errors.push(
      type === '' ? required(`${field}.type`, detail) : invalid(`${field}.type`, type, detail),
    );
  } else if (listType === 'set') {
    addFindings(errors, setRules(schema, field));
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
  if (listType === 'map') addFindings(errors, mapRules(schema, keys, field));
  if (listType === 'map' || listType === 'set') {
    addFindings(errors, itemRules(schema, keys, listType, field));
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

/** Items must be there to be compared, and keys must have a value. */
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
