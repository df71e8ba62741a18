import type { Range } from '../cel/costs.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  type Field,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
} from '../cel/types.ts';
import type { Schema } from '../schema/schema.ts';

/** The type of a value in rules, and how often and how large it can be in one request. */
export interface RuleType {
  readonly type: Type;
  /** The most characters, elements or entries. */
  readonly maxElements: number;
  /** The fewest bytes that the value takes in JSON. */
  readonly minSize: number;
  /** The type of the elements of a list or of the values of a map. */
  readonly element?: RuleType | undefined;
  /** The fields of an object, by their names in expressions. */
  readonly fields?: ReadonlyMap<string, RuleType> | undefined;
}

const MAX_REQUEST = 3 * 1024 * 1024;
const QUOTES = 2;

const BOOL_TYPE: RuleType = { type: BOOL, maxElements: 0, minSize: 4 };
const INT_TYPE: RuleType = { type: INT, maxElements: 0, minSize: 1 };
const DOUBLE_TYPE: RuleType = { type: DOUBLE, maxElements: 0, minSize: 1 };

/**
 * Returns the type that rules see. Undefined for a value without a type, which rules cannot use.
 * The root of a resource always has `apiVersion`, `kind` and the names in its metadata.
 */
export function ruleType(
  schema: Schema,
  isRoot: boolean,
  name = 'selfType1',
): RuleType | undefined {
  const { maxLength } = schema.validation ?? {};
  if (schema.special === 'int-or-string') {
    const maxElements = maxLength === undefined ? MAX_REQUEST - QUOTES : Math.max(maxLength, 0) * 4;
    return { type: DYN, maxElements, minSize: 1 };
  }
  switch (schema.type) {
    case 'array':
      return listType(schema, name);
    case 'object':
      return objectType(isRoot ? withMetadata(schema) : schema, name);
    case 'string':
      return textType(schema);
    case 'boolean':
      return BOOL_TYPE;
    case 'number':
      return DOUBLE_TYPE;
    case 'integer':
      return INT_TYPE;
    default:
      return undefined;
  }
}

function listType({ items, validation }: Schema, name: string): RuleType | undefined {
  if (items === undefined) return undefined;
  const element = ruleType(items, items.embeddedResource === true, `${name}.@idx`);
  if (element === undefined) return undefined;
  const { maxItems } = validation ?? {};
  const maxElements =
    maxItems === undefined
      ? Math.floor((MAX_REQUEST - 2) / (element.minSize + 1))
      : Math.max(maxItems, 0);
  return { type: listOf(element.type), maxElements, minSize: 2, element };
}

function objectType(schema: Schema, name: string): RuleType | undefined {
  const { additionalProperties: values, validation } = schema;
  if (values !== undefined && schema.properties === undefined) {
    const element = ruleType(values, values.embeddedResource === true, `${name}.@elem`);
    if (element === undefined) return undefined;
    const { maxProperties } = validation ?? {};
    const maxElements =
      maxProperties === undefined
        ? Math.floor((MAX_REQUEST - 2) / (element.minSize + 6))
        : Math.max(maxProperties, 0);
    return { type: mapOf(STRING, element.type), maxElements, minSize: 2, element };
  }
  const fields = new Map<string, RuleType>();
  const named = new Map<string, Field>();
  let minSize = 2;
  for (const [property, { schema: own }] of schema.properties ?? []) {
    const escaped = escapeName(property);
    const field = ruleType(own, own.embeddedResource === true, `${name}.${escaped ?? property}`);
    if (field === undefined) continue;
    for (const known of namesOf(property)) {
      fields.set(known, field);
      named.set(known, { type: field.type, property });
    }
    const isRequired = schema.required?.includes(property) === true && own.default === undefined;
    if (isRequired) minSize += Buffer.byteLength(property) + field.minSize + 4;
  }
  const type: Type = { kind: 'struct', name, parameters: [], fields: named };
  return { type, maxElements: 0, minSize, fields };
}

function textType({ format, enum: values, validation }: Schema): RuleType {
  const { maxLength } = validation ?? {};
  const unbounded = MAX_REQUEST - QUOTES;
  switch (format) {
    case 'byte':
      return {
        type: BYTES,
        maxElements: maxLength === undefined ? unbounded : Math.max(maxLength, 0),
        minSize: QUOTES,
      };
    case 'duration':
      return { type: DURATION, maxElements: 32, minSize: 3 };
    case 'date':
      return { type: TIMESTAMP, maxElements: 12, minSize: 12 };
    case 'date-time':
      return { type: TIMESTAMP, maxElements: 32, minSize: 21 };
    default: {
      const longest = (values ?? []).map((value) =>
        Buffer.byteLength(typeof value === 'string' ? value : ''),
      );
      const byValues = longest.length > 0 ? Math.max(...longest) : unbounded;
      // A character can take four bytes.
      const maxElements = maxLength === undefined ? byValues : Math.max(maxLength, 0) * 4;
      return { type: STRING, maxElements, minSize: QUOTES };
    }
  }
}

const TEXT: Schema = { type: 'string' };

/** Adds what every resource has. */
export function withMetadata(schema: Schema): Schema {
  const properties = new Map(schema.properties ?? []);
  const names = new Map([
    ['name', { schema: TEXT }],
    ['generateName', { schema: TEXT }],
  ]);
  const metadata = properties.get('metadata')?.schema.properties;
  const isComplete =
    properties.get('kind')?.schema.type === 'string' &&
    properties.get('apiVersion')?.schema.type === 'string' &&
    metadata?.get('name')?.schema.type === 'string' &&
    metadata.get('generateName')?.schema.type === 'string';
  if (isComplete) return schema;
  properties.set('kind', { schema: TEXT });
  properties.set('apiVersion', { schema: TEXT });
  properties.set('metadata', { schema: { type: 'object', properties: names } });
  return { ...schema, properties };
}

/** How large a value can be, by its path in an expression. */
export function sizesOf(root: RuleType): (path: readonly string[]) => Range | undefined {
  return ([, ...path]) => {
    let node: RuleType | undefined = root;
    for (const step of path) {
      const isElement = step === '@items' || step === '@values';
      if (step === '@keys') return node.type.kind === 'map' ? { min: 0n, max: 0n } : undefined;
      node = isElement ? node.element : node.fields?.get(step);
      if (node === undefined) return undefined;
    }
    return { min: 0n, max: BigInt(node.maxElements) };
  };
}

/** The most values of a type that fit into a request. */
export function maxCardinality({ minSize }: RuleType): bigint {
  return BigInt(Math.floor(MAX_REQUEST / (minSize + 1)));
}

const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);

/** Returns the names of a property in expressions: a reserved word can be escaped or not. */
export function namesOf(property: string): readonly string[] {
  const escaped = escapeName(property);
  if (escaped === undefined) return [];
  return RESERVED.has(property) ? [escaped, property] : [escaped];
}

/** Returns the name of a property in expressions; undefined if it can have none. */
export function escapeName(property: string): string | undefined {
  if (RESERVED.has(property)) return `__${property}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  return property.replace(/__|[.\-/]/g, (part) => ESCAPES.get(part) ?? part);
}
