import {
  getKey,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
  quoteGo,
} from 'client-ts/internal';

import { withSortedKeys } from '../schema/canonical.ts';
import type { Schema } from '../schema/schema.ts';
import { shorten } from '../schema/shorten.ts';
import type { FieldError } from '../validation/field-error.ts';
import { patternOf } from '../validation/go-pattern.ts';
import { isInt64, validateNumber } from './number-rules.ts';
import { stepName } from './pruning.ts';
import { isTextFormat, matchesFormat, supportedFormat } from '../validation/string-formats.ts';
import { anything } from './structural.ts';
import {
  add,
  invalidValue,
  invalidAsWhole,
  invalidWith,
  merge,
  missing,
  notInEnum,
  toFieldErrors,
  tooLongText,
  tooManyOf,
  type Verdict,
  wrongType,
} from './violation.ts';

/**
 * Validates a value against the schema of a CRD, with the errors of a real server: the same
 * messages, reasons and field paths. Rules in CEL are checked by `checkRules`.
 *
 * With `old`, errors in unchanged parts are tolerated, so that an object that became invalid
 * through a new schema can still be updated.
 */
export function validateValue(
  value: JsonValue,
  schema: Schema,
  { field = '', old }: { readonly field?: string; readonly old?: JsonValue | undefined } = {},
): FieldError[] {
  const { violations } = check(value, schema, '', old);
  return toFieldErrors(violations, field);
}

function check(
  value: JsonValue,
  schema: Schema,
  path: string,
  old: JsonValue | undefined,
): Verdict {
  const verdict = checkValue(value, schema, path, old);
  return verdict.violations.length > 0 && old !== undefined && isUnchanged(value, old, schema)
    ? { ...verdict, violations: [] }
    : verdict;
}

function checkValue(
  value: JsonValue,
  schema: Schema,
  path: string,
  old: JsonValue | undefined,
): Verdict {
  const verdict: Verdict = { violations: [], matches: 0 };
  const step = (found: Verdict | undefined): void => {
    if (found !== undefined) merge(verdict, found);
    verdict.matches++;
  };
  if (value === null) {
    merge(verdict, checkNull(schema, path));
    merge(verdict, checkEnum(value, schema, path));
    return verdict;
  }
  if (typesOf(schema).length > 0 || supportedFormat(schema) !== undefined) {
    step(checkType(value, schema, path));
  }
  step(checkCombinations(value, schema, path, old));
  if (typeof value === 'string') {
    step(checkText(value, schema, path));
    if (isTextFormat(supportedFormat(schema))) step(checkFormat(value, schema, path));
  }
  if (typeof value === 'number') step(validateNumber(value, schema, path));
  if (Array.isArray(value)) step(checkList(value, schema, path, old));
  step(checkEnum(value, schema, path));
  if (isJsonObject(value)) step(checkObject(value, schema, path, old));
  verdict.matches++;
  return verdict;
}

function typesOf({ type, special }: Schema): readonly string[] {
  if (special === 'int-or-string') return ['integer', 'string'];
  return type === undefined ? [] : [type];
}

function only(...violations: Verdict['violations']): Verdict {
  return { violations, matches: 0 };
}

function checkNull(schema: Schema, path: string): Verdict {
  const types = typesOf(schema);
  return types.length > 0 && schema.nullable !== true
    ? only(wrongType(path, types.join(','), 'null'))
    : { violations: [], matches: 1 };
}

function checkType(value: JsonValue, schema: Schema, path: string): Verdict {
  const fine: Verdict = { violations: [], matches: 1 };
  const types = typesOf(schema);
  const format = supportedFormat(schema) ?? '';
  const found = typeOf(value);
  const fits =
    types.includes(found) ||
    (found === 'integer' && types.includes('number')) ||
    (found === 'number' && types.includes('integer') && Number.isSafeInteger(value));
  const isTextOrList = typeof value === 'string' || Array.isArray(value);
  if (format !== '') {
    // The validator compares formats instead of types here.
    const foundFormat = found === 'integer' ? 'int64' : found === 'number' ? 'float64' : '';
    if (!isTextOrList && !fits && foundFormat !== format) {
      return only(wrongType(path, format, foundFormat));
    }
    const numeric = types.includes('number') || types.includes('integer');
    // A string with a format is left to the format check, and so is a list.
    if (isTextOrList && !numeric) return fine;
  }
  return fits ? fine : only(wrongType(path, types.join(','), found));
}

function typeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  return typeof value;
}

function checkCombinations(
  value: JsonValue,
  schema: Schema,
  path: string,
  old: JsonValue | undefined,
): Verdict {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema.validation ?? {};
  const verdict: Verdict = { violations: [], matches: 0 };
  const quoted = quoteGo(path);
  const verdicts = (clauses: readonly Schema[]): Verdict[] =>
    clauses.map((clause) => checkValue(value, clause, path, old));
  if (anyOf.length > 0) {
    const results = verdicts(anyOf);
    const success = results.find(isValid);
    if (success === undefined) {
      add(verdict, invalidAsWhole(`${quoted} must validate at least one schema (anyOf)`));
    }
    merge(verdict, success ?? closest(results));
  }
  if (oneOf.length > 0) {
    const results = verdicts(oneOf);
    const successes = results.filter(isValid);
    if (successes.length === 1) merge(verdict, successes[0] ?? only());
    else {
      const found =
        successes.length === 0
          ? 'Found none valid'
          : `Found ${successes.length} valid alternatives`;
      add(
        verdict,
        invalidAsWhole(`${quoted} must validate one and only one schema (oneOf). ${found}`),
      );
      if (successes.length === 0) merge(verdict, closest(results));
    }
  }
  if (allOf.length > 0) {
    const results = verdicts(allOf);
    for (const result of results) merge(verdict, result);
    const valid = results.filter(isValid).length;
    if (valid < results.length) {
      const found = valid === 0 ? '. None validated' : '';
      add(verdict, invalidAsWhole(`${quoted} must validate all the schemas (allOf)${found}`));
    }
  }
  if (not !== undefined && isValid(checkValue(value, not, path, old))) {
    add(verdict, invalidAsWhole(`${quoted} must not validate the schema (not)`));
  }
  verdict.matches++;
  return verdict;
}

function isValid({ violations }: Verdict): boolean {
  return violations.length === 0;
}

/** Returns the failure with the most matches, the first of equals. */
function closest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((best, next) => (next.matches > best.matches ? next : best));
}

function checkText(value: string, { validation }: Schema, path: string): Verdict | undefined {
  const { maxLength, minLength, pattern = '' } = validation ?? {};
  const length = Array.from(value).length;
  if (maxLength !== undefined && length > maxLength) return only(tooLongText(path, maxLength));
  if (minLength !== undefined && length < minLength) {
    return only(invalidValue(path, value, `should be at least ${minLength} chars long`));
  }
  return validation === undefined || pattern === '' || patternOf(validation, pattern).test(value)
    ? undefined
    : only(invalidValue(path, value, `should match '${shorten(pattern)}'`));
}

function checkFormat(value: string, schema: Schema, path: string): Verdict | undefined {
  const format = supportedFormat(schema) ?? '';
  return matchesFormat(value, format) ? undefined : only(wrongType(path, format, value));
}

function checkEnum(value: JsonValue, { enum: choices }: Schema, path: string): Verdict {
  return choices === undefined || choices.length === 0 || isChoice(value, choices)
    ? only()
    : only(notInEnum(path, value, choices));
}

function checkList(
  list: readonly JsonValue[],
  schema: Schema,
  path: string,
  old: JsonValue | undefined,
): Verdict {
  const verdict: Verdict = { violations: [], matches: 1 };
  const { items, validation } = schema;
  if (items !== undefined) {
    for (const [index, item] of list.entries()) {
      const before = correlatedItem(item, schema, old);
      merge(verdict, check(item, items, `${path}[${index}]`, before));
    }
  }
  const { minItems, maxItems, uniqueItems } = validation ?? {};
  if (minItems !== undefined && list.length < minItems) {
    add(verdict, invalidValue(path, list.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    add(verdict, tooManyOf(path, 'items', list.length, maxItems));
  }
  const hasTwins = (item: JsonValue, index: number): boolean =>
    list.slice(0, index).some((other) => jsonEqual(item, other));
  if (uniqueItems === true && list.some(hasTwins)) {
    add(verdict, invalidValue(path, '', "shouldn't contain duplicates"));
  }
  return verdict;
}

function checkObject(
  object: JsonObject,
  schema: Schema,
  path: string,
  old: JsonValue | undefined,
): Verdict {
  const verdict: Verdict = { violations: [], matches: 0 };
  const { properties, additionalProperties, required = [], validation } = schema;
  const { minProperties, maxProperties, closed } = validation ?? {};
  const keys = Object.keys(object);
  if (minProperties !== undefined && keys.length < minProperties) {
    add(
      verdict,
      invalidValue(path, keys.length, `should have at least ${minProperties} properties`),
    );
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    add(verdict, tooManyOf(path, 'properties', keys.length, maxProperties));
  }
  const before = isJsonObject(old) ? old : {};
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || properties?.has(key) === true) continue;
    if (closed === true) {
      add(
        verdict,
        invalidWith(path, key, `${path}.${stepName(key)} in body is a forbidden property`),
      );
    } else if (additionalProperties !== undefined) {
      merge(
        verdict,
        check(value, additionalProperties, `${path}.${stepName(key)}`, getKey(before, key)),
      );
    }
  }
  for (const [name, property] of properties ?? []) {
    const value = getKey(object, name);
    if (value === undefined) continue;
    const at = path === '' ? name : `${path}.${name}`;
    merge(verdict, check(value, property.schema, at, getKey(before, name)));
  }
  for (const name of required) {
    if (getKey(object, name) === undefined) add(verdict, missing(`${path}.${name}`));
  }
  return verdict;
}

/** The values of an enum, for lookup without comparing each one. */
interface Choices {
  readonly scalars: ReadonlySet<JsonValue>;
  /** The canonical JSON of lists and objects. */
  readonly texts: ReadonlySet<string>;
}

const known = new WeakMap<readonly JsonValue[], Choices>();

/**
 * True if an enum has the value. A number is converted to the type of the choice, so 2.5 passes for
 * 2.
 */
function isChoice(value: JsonValue, values: readonly JsonValue[]): boolean {
  const { scalars, texts } = choicesOf(values);
  if (typeof value === 'object' && value !== null) return texts.has(textOf(value));
  if (scalars.has(value)) return true;
  if (typeof value !== 'number') return false;
  const whole = Math.trunc(value);
  return isInt64(whole) && scalars.has(whole);
}

function choicesOf(values: readonly JsonValue[]): Choices {
  let choices = known.get(values);
  if (choices === undefined) {
    const composite = values.filter((value) => typeof value === 'object' && value !== null);
    choices = { scalars: new Set(values), texts: new Set(composite.map(textOf)) };
    known.set(values, choices);
  }
  return choices;
}

function textOf(value: JsonValue): string {
  return JSON.stringify(withSortedKeys(value));
}

/** Returns the old version of an item, for lists of type map. */
export function correlatedItem(
  item: JsonValue,
  { listType, listMapKeys = [] }: Schema,
  old: JsonValue | undefined,
): JsonValue | undefined {
  if (listType !== 'map' || !Array.isArray(old) || !isJsonObject(item)) return undefined;
  if (listMapKeys.some((key) => getKey(item, key) === undefined)) return undefined;
  return old.find(
    (before) =>
      isJsonObject(before) &&
      listMapKeys.every((key) => jsonEqual(getKey(before, key), getKey(item, key))),
  );
}

/**
 * Returns whether a value is unchanged as far as its schema shows: items of map lists may be
 * reordered, but an object with fields that the schema does not name counts as changed.
 */
export function isUnchanged(
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  schema: Schema | undefined,
): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    if (schema?.listType !== 'map') return jsonEqual(value, old);
    return value.every((item) => {
      const before = correlatedItem(item, schema, old);
      return before !== undefined && isUnchanged(item, before, schema.items);
    });
  }
  if (!isJsonObject(value) || !isJsonObject(old)) return jsonEqual(value, old);
  const keys = Object.keys(value);
  return (
    keys.length === Object.keys(old).length &&
    keys.every((key) => {
      const property = schema?.properties?.get(key)?.schema ?? schema?.additionalProperties;
      const before = getKey(old, key);
      return (
        property !== undefined &&
        property !== anything &&
        before !== undefined &&
        isUnchanged(getKey(value, key), before, property)
      );
    })
  );
}
