import { getKey, isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { SchemaProblem } from './crd-errors.ts';
import { fieldSchema } from './defaults.ts';
import { matchesFormat } from './formats.ts';
import { jsPattern } from './pattern.ts';
import type { StructuralSchema } from './schema.ts';

/** What to check beyond the constraints of a schema. */
export interface CheckOptions {
  /** Whether fields that the schema does not name are problems. */
  readonly rejectUnknownFields: boolean;
}

/** Fields that Kubernetes defines for every object. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Returns what is wrong with a value whose defaults are in place, in the order of its fields. */
export function checkValue(
  value: JsonValue,
  schema: StructuralSchema,
  field: string,
  options: CheckOptions,
): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  new Checker(problems, options).check(value, schema, field);
  return problems;
}

function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

class Checker {
  readonly #problems: SchemaProblem[];
  readonly #options: CheckOptions;

  constructor(problems: SchemaProblem[], options: CheckOptions) {
    this.#problems = problems;
    this.#options = options;
  }

  check(value: JsonValue, schema: StructuralSchema, field: string): void {
    if (!this.#checkType(value, schema, field)) return;
    this.#checkEnum(value, schema, field);
    if (value === null) return;
    this.#checkCombinations(value, schema, field);
    if (typeof value === 'string') this.#checkText(value, schema, field);
    else if (typeof value === 'number') this.#checkNumber(value, schema, field);
    else if (Array.isArray(value)) this.#checkList(value, schema, field);
    else if (isJsonObject(value)) this.#checkObject(value, schema, field);
  }

  #add(field: string, message: string): void {
    this.#problems.push({ field, message });
  }

  /** Returns false for a value of another type, of which nothing else can be said. */
  #checkType(value: JsonValue, schema: StructuralSchema, field: string): boolean {
    const wanted =
      schema['x-kubernetes-int-or-string'] === true
        ? ['integer', 'string']
        : schema.type === undefined
          ? []
          : [schema.type];
    if (wanted.length === 0) return true;
    if (value === null ? schema.nullable === true : wanted.some((type) => hasType(value, type))) {
      return true;
    }
    this.#add(field, `must be of type ${wanted.join(' or ')}, is ${quote(value)}`);
    return false;
  }

  #checkEnum(value: JsonValue, { enum: choices = [] }: StructuralSchema, field: string): void {
    if (choices.length === 0 || choices.some((choice) => jsonEqual(choice, value))) return;
    this.#add(field, `must be one of ${choices.map(quote).join(', ')}, is ${quote(value)}`);
  }

  #checkCombinations(value: JsonValue, schema: StructuralSchema, field: string): void {
    const { allOf = [], anyOf = [], oneOf = [], not } = schema;
    // The clauses constrain; which fields there are is up to the schema around them.
    const fits = (clause: StructuralSchema): boolean =>
      checkValue(value, clause, field, { rejectUnknownFields: false }).length === 0;
    for (const clause of allOf) {
      this.#problems.push(...checkValue(value, clause, field, { rejectUnknownFields: false }));
    }
    if (anyOf.length > 0 && !anyOf.some(fits)) {
      this.#add(field, `must fit at least one of ${anyOf.length} schemas (anyOf)`);
    }
    const fitting = oneOf.filter(fits).length;
    if (oneOf.length > 0 && fitting !== 1) {
      this.#add(field, `must fit exactly one of ${oneOf.length} schemas (oneOf), fits ${fitting}`);
    }
    if (not !== undefined && fits(not)) this.#add(field, 'must not fit the schema of not');
  }

  #checkText(text: string, schema: StructuralSchema, field: string): void {
    const { minLength = 0, maxLength = Infinity, pattern = '', format = '' } = schema;
    const length = Array.from(text).length;
    if (length < minLength) {
      this.#add(field, `must have at least ${minLength} characters, has ${length}`);
    }
    if (length > maxLength) {
      this.#add(field, `must have at most ${maxLength} characters, has ${length}`);
    }
    if (pattern !== '' && jsPattern(pattern)?.test(text) === false) {
      this.#add(field, `must match the pattern ${quote(pattern)}, is ${quote(text)}`);
    }
    if (!matchesFormat(text, format)) {
      this.#add(field, `must have the format ${quote(format)}, is ${quote(text)}`);
    }
  }

  #checkNumber(value: number, schema: StructuralSchema, field: string): void {
    const { minimum = -Infinity, maximum = Infinity, multipleOf, type, format } = schema;
    if (type === 'integer' && format === 'int32' && value !== (value | 0)) {
      this.#add(field, `must fit into 32 bits, is ${value}`);
    }
    if (schema.exclusiveMinimum === true ? value <= minimum : value < minimum) {
      const bound = schema.exclusiveMinimum === true ? 'greater than' : 'at least';
      this.#add(field, `must be ${bound} ${minimum}, is ${value}`);
    }
    if (schema.exclusiveMaximum === true ? value >= maximum : value > maximum) {
      const bound = schema.exclusiveMaximum === true ? 'less than' : 'at most';
      this.#add(field, `must be ${bound} ${maximum}, is ${value}`);
    }
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.#add(field, `must be a multiple of ${multipleOf}, is ${value}`);
    }
  }

  #checkList(list: readonly JsonValue[], schema: StructuralSchema, field: string): void {
    const { items, minItems = 0, maxItems = Infinity } = schema;
    if (list.length < minItems) {
      this.#add(field, `must have at least ${minItems} items, has ${list.length}`);
    }
    if (list.length > maxItems) {
      this.#add(field, `must have at most ${maxItems} items, has ${list.length}`);
    }
    this.#checkDuplicates(list, schema, field);
    if (items === undefined) return;
    for (const [index, item] of list.entries()) this.check(item, items, `${field}[${index}]`);
  }

  /** Lists of type set have no equal items, those of type map no items with equal keys. */
  #checkDuplicates(list: readonly JsonValue[], schema: StructuralSchema, field: string): void {
    const listType = schema['x-kubernetes-list-type'];
    if (listType !== 'set' && listType !== 'map') return;
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const identities = list.map((item) =>
      listType === 'set' ? canonical(item) : isJsonObject(item) ? keyText(item, keys) : undefined,
    );
    const seen = new Set<string>();
    for (const [index, identity] of identities.entries()) {
      if (identity === undefined) continue;
      if (seen.has(identity)) {
        const what = listType === 'set' ? 'item' : `item with the same ${keys.join(', ')}`;
        this.#add(`${field}[${index}]`, `duplicates another ${what}`);
      }
      seen.add(identity);
    }
  }

  #checkObject(object: JsonObject, schema: StructuralSchema, path: string): void {
    const { properties = {}, required = [], minProperties = 0, maxProperties = Infinity } = schema;
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    if (names.length < minProperties) {
      this.#add(path, `must have at least ${minProperties} fields, has ${names.length}`);
    }
    if (names.length > maxProperties) {
      this.#add(path, `must have at most ${maxProperties} fields, has ${names.length}`);
    }
    for (const name of required) {
      if (getKey(object, name) === undefined) this.#add(joinPath(path, name), 'is required');
    }
    for (const name of [
      ...Object.keys(properties),
      ...names.filter((key) => !Object.hasOwn(properties, key)),
    ]) {
      const value = getKey(object, name);
      if (value === undefined) continue;
      const property = fieldSchema(schema, name);
      if (property !== undefined) this.check(value, property, joinPath(path, name));
      else if (this.#isUnknown(name, schema))
        this.#add(joinPath(path, name), 'is an unknown field');
    }
  }

  #isUnknown(name: string, schema: StructuralSchema): boolean {
    const isMeta = schema['x-kubernetes-embedded-resource'] === true && META_FIELDS.has(name);
    return (
      this.#options.rejectUnknownFields &&
      schema['x-kubernetes-preserve-unknown-fields'] !== true &&
      !isMeta
    );
  }
}

function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

function isMultiple(value: number, factor: number): boolean {
  return Number.isSafeInteger(factor < 1 ? (1 / factor) * value : value / factor);
}

/** Returns a text that is the same for equal values. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : part,
  );
}

function keyText(item: JsonObject, keys: readonly string[]): string {
  return canonical(keys.map((key) => getKey(item, key) ?? null));
}
