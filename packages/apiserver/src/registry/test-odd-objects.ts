import { type JsonObject, type JsonValue, type Random, setKey } from 'client-ts/internal';
import type { Property, Schema } from '../schema/schema.ts';

/** Names of inherited object members, sorted by bytes. All are valid ConfigMap keys. */
export const inheritedNames: readonly string[] = [
  '__defineGetter__',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'valueOf',
];

/** Returns a map with each of the {@link inheritedNames} as an own key. */
export function withInheritedNames(value: string): Record<string, string> {
  return Object.fromEntries(inheritedNames.map((name) => [name, value]));
}

/** Texts that some validator treats specially, and arbitrary ones. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  'a',
  'A b',
  '-',
  '/',
  '..',
  '*',
  '0',
  '-1',
  '100%',
  '1/2',
  '10.0.0.1',
  '::1',
  '10.0.0.0/8',
  '::ffff:1.2.3.4/0',
  'true',
  'None',
  'Always',
  'ClusterIP',
  'TCP',
  'Exists',
  'cpu',
  'example.com/a',
  'kubernetes.io/x',
  '$(A)',
  '1h',
  '* * * * *',
  'TZ=Mars * * * * *',
  '2026-01-01T00:00:00Z',
  'a'.repeat(300),
  '\u0000\u2028\ufffd',
  ...inheritedNames,
];

const NUMBERS: readonly number[] = [0, 1, -1, 2, 80, 65_536, 2 ** 31 - 1, -(2 ** 31)];

const OF_ANOTHER_TYPE: readonly JsonValue[] = ['a', 1, 1.5, true, null, [], {}, [null], [[]]];

/** How often a generated object deviates from its schema. */
export interface Oddity {
  /** Share of fields that are set. Default 0.3. */
  readonly density?: number;
  /** Share of values that are null. Default 0.03. */
  readonly nulls?: number;
  /** Share of values of a wrong type. Default 0.01. */
  readonly wrongTypes?: number;
}

/**
 * Returns a random object of a kind: fields of its schema with empty, oversized or arbitrary
 * values, some null or of a wrong type. Name and kind are as given, unless they deviate too.
 */
export function oddObject(
  schema: Schema,
  identity: JsonObject,
  random: Random,
  oddity: Oddity = {},
): JsonObject {
  const maker = new OddValues(random, oddity);
  const made = maker.value(schema, {}, 0);
  const object = isObject(made) ? made : {};
  const { metadata } = object;
  return {
    ...object,
    ...identity,
    metadata: { ...(isObject(metadata) ? metadata : {}), ...(identity['metadata'] as JsonObject) },
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const DEEPEST = 12;

class OddValues {
  readonly #random: Random;
  readonly #oddity: Required<Oddity>;

  constructor(random: Random, { density = 0.3, nulls = 0.03, wrongTypes = 0.01 }: Oddity) {
    this.#random = random;
    this.#oddity = { density, nulls, wrongTypes };
  }

  value(schema: Schema, property: Partial<Property>, depth: number): JsonValue {
    if (depth > 0 && this.#happens(this.#oddity.nulls)) return null;
    if (depth > 0 && this.#happens(this.#oddity.wrongTypes)) return this.#pick(OF_ANOTHER_TYPE);
    switch (schema.special) {
      case 'quantity':
        return this.#pick(['1', '-1', '0', '1.5', '500m', '9Ei', '1e3', 'x']);
      case 'time':
      case 'micro-time':
        return this.#pick(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z', 'x']);
      case 'int-or-string':
        return this.#pick([...NUMBERS.slice(0, 5), ...TEXTS]);
      case 'bytes':
        return this.#pick(['', 'YQ==', 'e30=', '!']);
      case undefined:
        break;
      default:
        return this.#pick([true, {}, { type: 'object' }, [], ['a']]);
    }
    switch (schema.type) {
      case 'string': {
        const choices = property.enum ?? schema.enum ?? [];
        return this.#happens(0.5) && choices.length > 0 ? this.#pick(choices) : this.#pick(TEXTS);
      }
      case 'integer':
      case 'number':
        return this.#pick(NUMBERS);
      case 'boolean':
        return this.#happens(0.5);
      case 'array':
        return this.#list(schema.items ?? {}, depth);
      case 'object':
        return schema.properties === undefined
          ? this.#map(schema.additionalProperties ?? { type: 'string' }, depth)
          : this.#struct(schema.properties, depth);
      default:
        return this.#pick(OF_ANOTHER_TYPE);
    }
  }

  #list(items: Schema, depth: number): JsonValue[] {
    if (depth > DEEPEST) return [];
    const length = this.#pick([0, 1, 1, 2, 3]);
    return Array.from({ length }, () => this.value(items, {}, depth + 1));
  }

  #map(values: Schema, depth: number): JsonObject {
    const map: JsonObject = {};
    if (depth > DEEPEST) return map;
    for (let left = this.#pick([0, 1, 2, 3]); left > 0; left--) {
      setKey(map, this.#pick(TEXTS), this.value(values, {}, depth + 1));
    }
    return map;
  }

  #struct(properties: ReadonlyMap<string, Property>, depth: number): JsonObject {
    const struct: JsonObject = {};
    if (depth > DEEPEST) return struct;
    for (const [name, property] of properties) {
      const isWanted = depth === 0 || this.#happens(this.#oddity.density);
      if (isWanted) setKey(struct, name, this.value(property.schema, property, depth + 1));
    }
    return struct;
  }

  #happens(share: number): boolean {
    return this.#random.next() < share;
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.next() * values.length)] as T;
  }
}
