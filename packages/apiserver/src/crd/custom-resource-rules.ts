import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { apiVersionOf, type ObjectMeta } from 'client-ts/meta';

import { withSortedKeys } from '../schema/canonical.ts';
import type { Schema } from '../schema/schema.ts';
import type { ValuePath } from '../schema/written-floats.ts';
import {
  duplicate,
  excerpt,
  type FieldError,
  collectErrors,
  invalid,
} from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import type { CustomResourceVersion } from './custom-resource.ts';
import { validateEmbedded } from './embedded-metadata.ts';
import { stepName } from './pruning.ts';
import { checkRules } from './rules.ts';
import { validateScaleSpec, validateScaleStatus } from './scale-path.ts';
import { validateValue } from './value-validator.ts';

/** Validates a new custom resource, after pruning and defaulting. */
export function validateCustomResource(
  object: JsonObject,
  version: CustomResourceVersion,
  floats: readonly ValuePath[] = [],
): FieldError[] {
  const { structural, scale, scope } = version;
  const wrongType = validateTypeMeta(object, version);
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...validateObjectMeta(metadataOf(object), {
            namespaced: scope === 'Namespaced',
            kubeFinalizers: false,
          }),
          ...validateValue(object, structural),
          ...validateScaleSpec(object, scale),
          ...validateScaleStatus(object, scale),
        ];
  const errors = [
    ...own,
    ...validateEmbedded(object, structural),
    ...validateListTypes(object, structural),
  ];
  return withRules(errors, object, undefined, version, { floats });
}

/** What else the validation of an update uses. */
interface ValidationContext {
  /** Gets each rule that an update breaks only in parts that it did not change. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Where the request has whole numbers that are written as floats. */
  readonly floats?: readonly ValuePath[] | undefined;
}

/** Validates an update. Errors in unchanged parts are tolerated. */
export function validateCustomResourceUpdate(
  object: JsonObject,
  old: JsonObject,
  version: CustomResourceVersion,
  context: ValidationContext = {},
): FieldError[] {
  const { structural, scale } = version;
  const wrongType = validateTypeMeta(object, version);
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...validateObjectMetaUpdate(metadataOf(object), metadataOf(old), {
            kubeFinalizers: false,
          }),
          ...validateValue(object, structural, { old }),
          ...validateScaleSpec(object, scale),
          ...validateScaleStatus(object, scale),
        ];
  const errors = [
    ...own,
    ...validateEmbedded(object, structural),
    ...newListErrors(object, old, version),
  ];
  return withRules(errors, object, old, version, context);
}

/** Validates an update of `/status`: only the status. */
export function validateCustomResourceStatus(
  object: JsonObject,
  old: JsonObject,
  version: CustomResourceVersion,
  context: ValidationContext = {},
): FieldError[] {
  const { structural, scale } = version;
  const wrongType = validateTypeMeta(object, version);
  const schema = structural.properties?.get('status')?.schema;
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...validateObjectMetaUpdate(metadataOf(object), metadataOf(old), {
            kubeFinalizers: false,
          }),
          ...(object['status'] === undefined || schema === undefined
            ? []
            : validateValue(object['status'], schema, { field: 'status', old: old['status'] })),
          ...validateScaleStatus(object, scale),
        ];
  return withRules([...own, ...newListErrors(object, old, version)], object, old, version, context);
}

function metadataOf(object: JsonObject): ObjectMeta {
  return (object['metadata'] ?? {}) as ObjectMeta;
}

function validateTypeMeta(object: JsonObject, version: CustomResourceVersion): FieldError[] {
  const expected = { kind: version.kind, apiVersion: apiVersionOf(version) };
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const actual: JsonValue = getKey(object, key) ?? '';
    return actual === wanted ? [] : [invalid(key, actual, `must be ${wanted}`)];
  });
}

/** Tolerates duplicates that the old object already has. */
function newListErrors(
  object: JsonObject,
  old: JsonObject,
  { structural }: CustomResourceVersion,
): FieldError[] {
  const errors = validateListTypes(object, structural);
  return errors.length > 0 && validateListTypes(old, structural).length === 0 ? errors : [];
}

const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Adds what the rules of the schema find; an error of a blocking kind keeps them from being checked. */
function withRules(
  errors: FieldError[],
  object: JsonObject,
  old: JsonObject | undefined,
  { hasRules, structural }: CustomResourceVersion,
  { warn, floats }: ValidationContext,
): FieldError[] {
  if (!hasRules) return errors;
  if (!errors.some(({ reason }) => blocking.has(reason))) {
    const found = checkRules(object, structural, old, floats);
    for (const { field, message } of found.tolerated) warn?.(`${field}: ${message}`);
    return [...errors, ...found.errors];
  }
  const note =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, invalid('<nil>', null, note)];
}

/** Finds duplicates in lists of type set or map. */
function validateListTypes(value: JsonValue | undefined, schema: Schema, field = ''): FieldError[] {
  if (Array.isArray(value)) {
    return [
      ...validateList(value, schema, field),
      ...collectErrors(value, (item, index) =>
        schema.items === undefined
          ? []
          : validateListTypes(item, schema.items, `${field}[${index}]`),
      ),
    ];
  }
  if (!isJsonObject(value)) return [];
  return collectErrors(Object.entries(value), ([key, item]) => {
    const property = schema.properties?.get(key)?.schema;
    if (property !== undefined) {
      return validateListTypes(item, property, field === '' ? key : `${field}.${key}`);
    }
    return schema.additionalProperties === undefined
      ? []
      : validateListTypes(item, schema.additionalProperties, `${field}[${stepName(key)}]`);
  });
}

function validateList(
  list: readonly JsonValue[],
  { listType, listMapKeys = [] }: Schema,
  field: string,
): FieldError[] {
  switch (listType) {
    case 'set':
      return collectErrors(repeated(list), (index) => [
        duplicate(`${field}[${index}]`, withSortedKeys(excerpt(list[index] ?? null))),
      ]);
    case 'map': {
      const stray = list.findIndex((item) => item !== null && !isJsonObject(item));
      if (stray !== -1) {
        const detail = 'must be an object for an array of list-type map';
        return [
          invalid(`${field}[${stray}]`, withSortedKeys(excerpt(list[stray] ?? null)), detail),
        ];
      }
      const keys = list.map((item) => keyOf(item, listMapKeys));
      return collectErrors(repeated(keys), (index) => [
        duplicate(`${field}[${index}]`, keys[index]),
      ]);
    }
    default:
      return [];
  }
}

/** Returns the keys of an item, without those that it does not have. */
function keyOf(item: JsonValue, names: readonly string[]): JsonObject {
  const key: JsonObject = {};
  for (const name of names.toSorted()) {
    const value = isJsonObject(item) ? getKey(item, name) : undefined;
    if (value !== undefined) setKey(key, name, value);
  }
  return key;
}

/** Returns the indices of second occurrences; a third occurrence is not reported. */
function repeated(values: readonly JsonValue[]): number[] {
  const seen = new Map<string, number>();
  const indices: number[] = [];
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(withSortedKeys(value));
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) indices.push(index);
  }
  return indices;
}
