import { getKey, isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { kindTable, messageTable } from './tables.ts';
import { WIRE_TYPE } from './wire/wire-reader.ts';

/** A message whose JSON is the one field that is set, not an object of its fields. */
export interface Union {
  /** The expected JSON, for error messages. */
  readonly expects: string;
  toJson(fields: JsonObject): JsonValue;
  /** Undefined if the value does not have this type. */
  toFields(value: JsonValue): JsonObject | undefined;
}

/** The unions of CRD schemas, by the name of their message. */
export const unions: ReadonlyMap<string, Union> = new Map<string, Union>([
  [
    'JSONSchemaPropsOrArray',
    {
      expects: 'a schema or a list of schemas',
      toJson: ({ jSONSchemas, schema }) => jSONSchemas ?? schema ?? null,
      toFields: (value) => {
        if (Array.isArray(value)) return { jSONSchemas: value };
        return isJsonObject(value) ? { schema: value } : undefined;
      },
    },
  ],
  [
    'JSONSchemaPropsOrBool',
    {
      expects: 'a schema or a boolean',
      toJson: ({ allows, schema }) => schema ?? allows ?? false,
      toFields: (value) => {
        if (typeof value === 'boolean') return { allows: value };
        return isJsonObject(value) ? { allows: true, schema: value } : undefined;
      },
    },
  ],
  [
    'JSONSchemaPropsOrStringArray',
    {
      expects: 'a schema or a list of strings',
      toJson: ({ property, schema }) => property ?? schema ?? null,
      toFields: (value) => {
        if (Array.isArray(value)) return { property: value };
        return isJsonObject(value) ? { schema: value } : undefined;
      },
    },
  ],
]);

/** The encodings of field values. All but `message` have their own JSON form. */
export const FIELD_CODE = {
  string: 0,
  int32: 1,
  int64: 2,
  bool: 3,
  bytes: 4,
  double: 5,
  message: 6,
  time: 7,
  microTime: 8,
  quantity: 9,
  intOrString: 10,
  rawExtension: 11,
  fieldsV1: 12,
  json: 13,
  stringList: 14,
} as const;

/** A value of {@link FIELD_CODE}. */
export type FieldCode = (typeof FIELD_CODE)[keyof typeof FIELD_CODE];

const codeOfLetter: Readonly<Record<string, FieldCode>> = {
  s: FIELD_CODE.string,
  i: FIELD_CODE.int32,
  l: FIELD_CODE.int64,
  b: FIELD_CODE.bool,
  y: FIELD_CODE.bytes,
  d: FIELD_CODE.double,
  T: FIELD_CODE.time,
  M: FIELD_CODE.microTime,
  Q: FIELD_CODE.quantity,
  I: FIELD_CODE.intOrString,
  R: FIELD_CODE.rawExtension,
  F: FIELD_CODE.fieldsV1,
  J: FIELD_CODE.json,
  L: FIELD_CODE.stringList,
};

declare const isFieldName: unique symbol;

/**
 * The JSON name of a field. Names come from the tables and never equal an inherited property, so
 * that objects can be accessed by them without a check.
 */
export type FieldName = string & { readonly [isFieldName]: true };

/** A field of a message, and how JSON and protobuf differ in showing that it is empty. */
export class Field {
  /** The name in JSON; empty for an inlined structure, whose fields are beside the others. */
  readonly name: FieldName;
  readonly number: number;
  readonly code: FieldCode;
  readonly repeated: boolean;
  /** A map from strings; `code` is that of its values. */
  readonly map: boolean;
  /** A pointer: absent from the wire unless it is set. */
  readonly pointer: boolean;
  /** Present in JSON even if it is empty. */
  readonly always: boolean;
  /** A list that JSON shows as `[]` rather than `null` when it is empty. */
  readonly emptyList: boolean;
  /** Set if the objects have a kind in JSON only: that of their message, with this apiVersion. */
  readonly apiVersion: string | undefined;
  /** Field number and wire type, as written before the value. */
  readonly tag: number;
  /** As {@link tag}, of the values in the entries of a map. */
  readonly valueTag: number;
  /** True for a single string, which most fields are. */
  readonly isString: boolean;
  readonly #reference: string;
  readonly #word: string;
  #type: MessageType | undefined;

  constructor(word: string, packageName: string) {
    const colon = word.indexOf(':');
    const match = /^(\d+)([!@?%*]*)([^=]*)(?:=(.*))?$/.exec(word.slice(colon + 1));
    const [, number = '', flags = '', type = '', apiVersion] = match ?? [];
    this.name = word.slice(0, colon) as FieldName;
    this.number = Number(number);
    this.code = getKey(codeOfLetter, type) ?? FIELD_CODE.message;
    this.repeated = flags.includes('*');
    this.map = flags.includes('%');
    this.pointer = flags.includes('?');
    this.emptyList = flags.includes('@');
    this.always = this.emptyList || flags.includes('!');
    this.apiVersion = apiVersion;
    this.tag = ((this.number << 3) | (this.map ? WIRE_TYPE.bytes : wireTypeOf(this.code))) >>> 0;
    this.valueTag = (2 << 3) | wireTypeOf(this.code);
    this.isString = this.code === FIELD_CODE.string && !this.repeated && !this.map;
    this.#reference = type.lastIndexOf('.') === 0 ? `${packageName}${type}` : type.slice(1);
    this.#word = word;
  }

  /** Returns the same field with a message type that has fewer fields. */
  withType(type: MessageType): Field {
    const field = new Field(this.#word, '');
    field.#type = type;
    return field;
  }

  /**
   * The message type of the field. Linked on first use, so that a kind loads only what it needs.
   */
  get type(): MessageType {
    return (this.#type ??= messageType(this.#reference));
  }
}

/** The wire type; lists of numbers may also be packed. */
export function wireTypeOf(code: FieldCode): number {
  if (code === FIELD_CODE.int32 || code === FIELD_CODE.int64 || code === FIELD_CODE.bool) {
    return WIRE_TYPE.varint;
  }
  return code === FIELD_CODE.double ? WIRE_TYPE.fixed64 : WIRE_TYPE.bytes;
}

/** A field that an object has, in the order of writing: from the last to the first. */
export interface EncodeStep {
  readonly field: Field;
  /** The bytes of the absent fields between this one and the one written before it. */
  readonly absent: Uint8Array;
}

/**
 * How objects of one message type with the same keys are written. Objects of one kind mostly have the same
 * keys, and most of the fields that the tables know are absent: a plan names those that are there, and has
 * the bytes of all others ready.
 */
export interface EncodePlan {
  /** The keys of the objects, in their order. */
  readonly keys: readonly string[];
  /** The keys that are not fields of the message. */
  readonly unknown: readonly string[];
  readonly steps: readonly EncodeStep[];
  /** The bytes of the absent fields before the first one that is there. */
  readonly absent: Uint8Array;
}

/**
 * A message as the tables describe it. One line is one message:
 *
 * ```
 * Pod+ metadata:1!.meta.v1.ObjectMeta spec:2!.PodSpec status:3!.PodStatus
 * ```
 *
 * `+` marks a kind, which has `apiVersion` and `kind` in JSON only. A field is its JSON name, its
 * number, flags and a type. Flags: `?` pointer, `!` always in JSON, `@` always and `[]` when empty,
 * `*` list, `%` map. A type is a letter (see `codeOfLetter`) or a message, of the same package or
 * with its own. `=` and an apiVersion mean that JSON shows the kind of the message. No name means
 * that the structure is inlined.
 */
export class MessageType {
  readonly name: string;
  /** In the order of their numbers, as on the wire. */
  readonly fields: readonly Field[];
  /** Index is the field number. */
  readonly byNumber: readonly (Field | undefined)[];
  /** True for a kind: JSON adds `apiVersion` and `kind`. */
  readonly isKind: boolean;
  /** Set if JSON shows one of the fields instead of an object of them. */
  readonly union: Union | undefined;
  /** Creates an empty object for the fields of this message; see {@link plainObjectMaker}. */
  readonly newObject: () => JsonObject = plainObjectMaker();
  /** How its objects are encoded, by their keys. */
  readonly plans: EncodePlan[] = [];
  #always: readonly Field[] | undefined;
  #byName: ReadonlyMap<string, Field> | undefined;
  #names: ReadonlySet<string> | undefined;

  /** `name` ends with `+` for a kind. */
  constructor(name: string, fields: readonly Field[]) {
    this.isKind = name.endsWith('+');
    this.name = this.isKind ? name.slice(0, -1) : name;
    this.union = unions.get(this.name);
    this.fields = fields;
    const byNumber: (Field | undefined)[] = [];
    const largest = this.fields.at(-1)?.number ?? 0;
    for (let number = 0; number <= largest; number++) byNumber.push(undefined);
    for (const field of this.fields) byNumber[field.number] = field;
    this.byNumber = byNumber;
  }

  /** Fields that JSON has even if they are empty, including those of inlined structures. */
  get always(): readonly Field[] {
    return (this.#always ??= this.fields.flatMap((field) => {
      if (field.name === '') return field.type.always;
      return field.always ? [field] : [];
    }));
  }

  /** By name in JSON, without the fields of inlined structures. */
  get byName(): ReadonlyMap<string, Field> {
    return (this.#byName ??= new Map(this.fields.map((field) => [field.name, field])));
  }

  /** Every name that the JSON of this message may have, including those of inlined structures. */
  get names(): ReadonlySet<string> {
    return (this.#names ??= new Set([
      ...this.fields.flatMap((field) => (field.name === '' ? [...field.type.names] : field.name)),
      ...(this.isKind ? ['apiVersion', 'kind'] : []),
    ]));
  }
}

/**
 * Creates plain objects that have about the same fields. V8 sizes the objects of a constructor by
 * the first few instances, while `{}` has space for four fields and grows by three. The prototype
 * is `Object.prototype`.
 */
function plainObjectMaker(): () => JsonObject {
  function Fields(): void {}
  Fields.prototype = Object.prototype;
  const constructor = Fields as unknown as new () => JsonObject;
  return () => new constructor();
}

const types = new Map<string, MessageType>();
const packages = new Map<string, ReadonlyMap<string, string>>();
const kinds = new Map<string, ReadonlyMap<string, string>>();

/** Returns the message type with a name such as `core.v1.Pod`. */
export function messageType(name: string): MessageType {
  const known = types.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  const packageName = name.slice(0, dot);
  const line = linesOf(packageName).get(name.slice(dot + 1));
  if (line === undefined) throw new Error(`The tables have no message ${name}.`);
  const [word = '', ...words] = line.split(' ');
  const fields = words.map((field) => new Field(field, packageName));
  const type = new MessageType(word, fields);
  types.set(name, type);
  return type;
}

/** Returns the message type of a kind, or undefined if it has no protobuf encoding. */
export function messageTypeOfKind(apiVersion: string, kind: string): MessageType | undefined {
  if (lastKind.apiVersion === apiVersion && lastKind.kind === kind) return lastKind.type;
  const name = kindsOf(apiVersion).get(kind);
  if (name === undefined) return undefined;
  lastKind = { apiVersion, kind, type: messageType(name) };
  return lastKind.type;
}

/** Cached, because a watch decodes many objects of one kind. */
let lastKind: {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly type?: MessageType;
} = {};

/** Returns the message names by kind; empty for an apiVersion without protobuf. */
export function kindsOf(apiVersion: string): ReadonlyMap<string, string> {
  return remember(kinds, apiVersion, (found) => {
    for (const line of tableLines(kindTable, apiVersion)) {
      const [packageName, ...names] = line.split(' ');
      for (const name of names) found.set(name, `${packageName}.${name}`);
    }
  });
}

/** The lines of the tables, by message name. */
function linesOf(packageName: string): ReadonlyMap<string, string> {
  return remember(packages, packageName, (found) => {
    for (const line of tableLines(messageTable, packageName)) {
      const end = line.search(/[+ ]|$/);
      found.set(line.slice(0, end), line);
    }
  });
}

function tableLines(table: Readonly<Record<string, string>>, key: string): string[] {
  return getKey(table, key)?.trim().split('\n') ?? [];
}

/** Unknown keys are not cached: they come from outside and could exhaust memory. */
function remember(
  cache: Map<string, ReadonlyMap<string, string>>,
  key: string,
  fill: (found: Map<string, string>) => void,
): ReadonlyMap<string, string> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const found = new Map<string, string>();
  fill(found);
  if (found.size > 0) cache.set(key, found);
  return found;
}

/** Returns the JSON value of a field that is not on the wire but always present in JSON. */
export function emptyField(field: Field): JsonValue {
  if (field.emptyList) return [];
  if (field.repeated || field.map || field.pointer) return null;
  const nullable = field.code === FIELD_CODE.bytes || field.code === FIELD_CODE.stringList;
  return nullable ? null : emptyValue(field);
}

/** Returns the zero value of a field's type, as an element of a list or map has it. */
export function emptyValue(field: Field): JsonValue {
  switch (field.code) {
    case FIELD_CODE.string:
    case FIELD_CODE.bytes:
      return '';
    case FIELD_CODE.int32:
    case FIELD_CODE.int64:
    case FIELD_CODE.double:
    case FIELD_CODE.intOrString:
      return 0;
    case FIELD_CODE.bool:
      return false;
    case FIELD_CODE.quantity:
      return '0';
    case FIELD_CODE.stringList:
      return [];
    case FIELD_CODE.message:
      return emptyMessage(field.type);
    default:
      return null;
  }
}

function emptyMessage(type: MessageType): JsonValue {
  const target: JsonObject = {};
  for (const field of type.always) target[field.name] = emptyField(field);
  return type.union?.toJson(target) ?? target;
}
