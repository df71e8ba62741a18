import type { JsonValue } from 'client-ts/internal';
import type { Property, Schema } from '../schema/schema.ts';

/** The type of a scalar; `untyped` is anything but a map or list. */
export type ScalarKind = 'boolean' | 'numeric' | 'string' | 'untyped';

/**
 * How values of a schema are owned and merged. A type allows one form of value, or several where
 * the schema leaves it open.
 */
export interface FieldType {
  readonly scalar?: ScalarKind;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** How a list is owned. */
export interface ListType {
  /** Owned as a whole. Otherwise each item has its own owners. */
  readonly atomic: boolean;
  /** The fields that identify items; empty for scalars, which identify themselves. */
  readonly keys: readonly string[];
  readonly item: FieldType;
}

/** The fields of a struct, the keys of a map, or both. */
export interface MapType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, StructField>;
  /** The fields that every value has, written or not. */
  readonly implied: readonly string[];
  /** The type of everything else; undefined if only named fields are allowed. */
  readonly element: FieldType | undefined;
}

/** A named field. */
export interface StructField {
  readonly type: FieldType;
  /** Completes the key of a list item that omits this field. */
  readonly default?: JsonValue;
  /** The value of an absent field, for fields that Go structs always have. */
  readonly zero?: JsonValue;
}

/** The type of values without a schema that are owned as a whole. */
const untypedAtomic: FieldType = {
  scalar: 'untyped',
  list: {
    atomic: true,
    keys: [],
    get item() {
      return untypedAtomic;
    },
  },
  map: {
    atomic: true,
    fields: new Map(),
    implied: [],
    get element() {
      return untypedAtomic;
    },
  },
};

/** The type of values without a schema: maps are owned key by key, lists as a whole. */
export const deduced: FieldType = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], item: untypedAtomic },
  map: {
    atomic: false,
    fields: new Map(),
    implied: [],
    get element() {
      return deduced;
    },
  },
};

/** Returns the type of a field or key; unknown fields have the deduced type. */
export function typeOfField(map: MapType, name: string): FieldType {
  return map.fields.get(name)?.type ?? map.element ?? deduced;
}

/** The forms in which a value can be handled. */
export type Form = 'list' | 'map' | 'scalar';

/** Returns the form of a value. For null or a value that does not fit, the type decides. */
export function formOf(value: JsonValue | undefined, type: FieldType): Form {
  if (Array.isArray(value) && type.list !== undefined) return 'list';
  const isScalar = !['object', 'undefined'].includes(typeof value);
  if (isScalar && type.scalar !== undefined) return 'scalar';
  if (type.map !== undefined) return 'map';
  return type.scalar === undefined ? 'list' : 'scalar';
}

const types = new WeakMap<Schema, FieldType>();

/**
 * Returns the type of a schema. Types are linked lazily, because schemas can be recursive, and
 * cached per schema.
 */
export function fieldTypeOf(schema: Schema): FieldType {
  let type = types.get(schema);
  if (type === undefined) {
    type = makeType({ schema }, false);
    types.set(schema, type);
  }
  return type;
}

/** `open`: an outer CRD schema preserves unknown fields, which applies to everything below. */
function typeOf(place: Property, open: boolean): FieldType {
  const { schema } = place;
  const ownRules = place.listType ?? place.mapType;
  // A type of the model does not depend on its context.
  const inherits = open && schema.id === undefined;
  return ownRules === undefined && !inherits ? fieldTypeOf(schema) : makeType(place, inherits);
}

function makeType(place: Property, inherited: boolean): FieldType {
  const { schema } = place;
  switch (schema.special) {
    case 'quantity':
    case 'time':
    case 'micro-time':
      return { scalar: 'untyped' };
    case 'raw':
      return untypedAtomic;
    case 'bytes':
      return { scalar: 'string' };
    case 'fields-v1':
    case 'int-or-string':
    case 'schema-or-bool':
    case 'schema-or-list':
    case 'schema-or-names':
      return deduced;
    case undefined:
      break;
  }
  const open = inherited || schema.preserveUnknownFields === true;
  switch (schema.type) {
    case 'object':
      return { map: new SchemaMap(place, open) };
    case 'array':
      return { list: new SchemaList(place, open) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string': {
      const isText = ['', 'byte'].includes(schema.format ?? '');
      return { scalar: isText ? 'string' : 'untyped' };
    }
    default:
      return {
        scalar: 'untyped',
        list: new SchemaList(place, open),
        map: new SchemaMap(place, open),
      };
  }
}

class SchemaList implements ListType {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly #items: Schema | undefined;
  readonly #open: boolean;
  #item: FieldType | undefined;

  constructor(place: Property, open: boolean) {
    const keys = keysOf(place);
    this.atomic = keys === undefined;
    this.keys = keys ?? [];
    this.#items = place.schema.items;
    this.#open = open;
  }

  get item(): FieldType {
    this.#item ??=
      this.#items === undefined ? untypedAtomic : typeOf({ schema: this.#items }, this.#open);
    return this.#item;
  }
}

/** Returns the key fields of a list, empty for a set; undefined if the list is atomic. */
function keysOf(place: Property): readonly string[] | undefined {
  const { schema } = place;
  switch (place.listType ?? schema.listType) {
    case 'map':
      return place.listMapKeys ?? schema.listMapKeys ?? [];
    case 'set':
      return [];
    default:
      return undefined;
  }
}

class SchemaMap implements MapType {
  readonly atomic: boolean;
  readonly #schema: Schema;
  readonly #open: boolean;
  #fields: ReadonlyMap<string, StructField> | undefined;
  #implied: readonly string[] | undefined;
  #element: FieldType | undefined;

  constructor(place: Property, open: boolean) {
    this.atomic = (place.mapType ?? place.schema.mapType) === 'atomic';
    this.#schema = place.schema;
    this.#open = open;
  }

  get fields(): ReadonlyMap<string, StructField> {
    this.#fields ??= new Map(
      Array.from(this.#schema.properties ?? [], ([name, property]) => [
        name,
        fieldOf(property, this.#open),
      ]),
    );
    return this.#fields;
  }

  get implied(): readonly string[] {
    this.#implied ??= Array.from(this.fields)
      .filter(([, field]) => field.zero !== undefined)
      .map(([name]) => name);
    return this.#implied;
  }

  get element(): FieldType | undefined {
    const { additionalProperties, properties } = this.#schema;
    if (additionalProperties !== undefined) {
      this.#element ??= typeOf({ schema: additionalProperties }, this.#open);
      return this.#element;
    }
    return this.#open || (properties?.size ?? 0) === 0 ? deduced : undefined;
  }
}

function fieldOf(property: Property, open: boolean): StructField {
  const preset = property.default ?? property.schema.default;
  return {
    type: typeOf(property, open),
    ...(preset === undefined ? {} : { default: preset }),
    ...(property.always === true ? { zero: zeroOf(property.schema) } : {}),
  };
}

/**
 * Returns the zero value of a field that is always present. Lists and maps are null, like nil in
 * Go.
 */
function zeroOf({ special, type, additionalProperties }: Schema): JsonValue {
  if (special === 'quantity') return '0';
  if (special === 'int-or-string') return 0;
  if (special !== undefined) return null;
  switch (type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'object':
      return additionalProperties === undefined ? {} : null;
    default:
      return null;
  }
}
