import { getKey, isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { kindTable, messageTable } from './tables.ts';
import { WIRE_TYPE } from './wire/wire-reader.ts';

/** A message whose JSON is not an object of its fields, but the one field that is set. */
export interface Union {
  /** What may stand in JSON, for error messages. */
  readonly expects: string;
  toJson(fields: JsonObject): JsonValue;
  /** Undefined if the value cannot be one of this type. */
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

/** How the value of a field is written. Everything but `message` has its own JSON form. */
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
 * The JSON name of a field, from the tables: never one that every object inherits, so that objects
 * can be read and written by it without a check.
 */
export type FieldName = string & { readonly [isFieldName]: true };

/** One field of a message, and how JSON and protobuf differ in showing that it is empty. */
export class Field {
  /** Name in JSON; empty for an inlined structure, whose fields stand beside the others. */
  readonly name: FieldName;
  readonly number: number;
  readonly code: FieldCode;
  readonly repeated: boolean;
  /** A map from strings; `code` is that of its values. */
  readonly map: boolean;
  /** None differs from zero: absent from the wire, unless it is set. */
  readonly pointer: boolean;
  /** In JSON even when it is empty. */
  readonly always: boolean;
  /** Where a list is in JSON even when it is empty: as `[]` rather than as `null`. */
  readonly emptyList: boolean;
  /** Set where the objects have a kind in JSON only: that of their message, and this apiVersion. */
  readonly apiVersion: string | undefined;
  /** Number and wire type, as they stand before the value. */
  readonly tag: number;
  readonly #reference: string;
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
    this.#reference = type.lastIndexOf('.') === 0 ? `${packageName}${type}` : type.slice(1);
  }

  /** The message that the field holds. Linked at first use, so that a kind loads what it needs. */
  get type(): MessageType {
    return (this.#type ??= messageType(this.#reference));
  }
}

/** Fixed by the code of the field; lists of numbers may also come packed into bytes. */
export function wireTypeOf(code: FieldCode): number {
  if (code === FIELD_CODE.int32 || code === FIELD_CODE.int64 || code === FIELD_CODE.bool) {
    return WIRE_TYPE.varint;
  }
  return code === FIELD_CODE.double ? WIRE_TYPE.fixed64 : WIRE_TYPE.bytes;
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
  /** In the order of their numbers, which is the order on the wire. */
  readonly fields: readonly Field[];
  /** Index is the field number. */
  readonly byNumber: readonly (Field | undefined)[];
  /** The kind of a body: JSON adds `apiVersion` and `kind`. */
  readonly isKind: boolean;
  /** Set where JSON shows one of the fields instead of an object of them. */
  readonly union: Union | undefined;
  /** Makes an empty object for the fields of this message; see {@link plainObjectMaker}. */
  readonly newObject: () => JsonObject = plainObjectMaker();
  #always: readonly Field[] | undefined;
  #byName: ReadonlyMap<string, Field> | undefined;
  #names: ReadonlySet<string> | undefined;

  constructor(line: string, packageName: string) {
    const [name = '', ...words] = line.split(' ');
    this.isKind = name.endsWith('+');
    this.name = this.isKind ? name.slice(0, -1) : name;
    this.union = unions.get(this.name);
    this.fields = words.map((word) => new Field(word, packageName));
    const byNumber: (Field | undefined)[] = [];
    const largest = this.fields.at(-1)?.number ?? 0;
    for (let number = 0; number <= largest; number++) byNumber.push(undefined);
    for (const field of this.fields) byNumber[field.number] = field;
    this.byNumber = byNumber;
  }

  /** Fields that JSON has even when they are empty, those of inlined structures included. */
  get always(): readonly Field[] {
    return (this.#always ??= this.fields.flatMap((field) => {
      if (field.name === '') return field.type.always;
      return field.always ? [field] : [];
    }));
  }

  /** Index is the name in JSON; fields of inlined structures have theirs elsewhere. */
  get byName(): ReadonlyMap<string, Field> {
    return (this.#byName ??= new Map(this.fields.map((field) => [field.name, field])));
  }

  /** Every name that the JSON of this message may have, those of inlined structures included. */
  get names(): ReadonlySet<string> {
    return (this.#names ??= new Set([
      ...this.fields.flatMap((field) => (field.name === '' ? [...field.type.names] : field.name)),
      ...(this.isKind ? ['apiVersion', 'kind'] : []),
    ]));
  }
}

/**
 * Makes plain objects that will all have about the same fields. V8 watches what becomes of the first
 * few objects of a constructor, and gives the others exactly the room they need, where `{}` has room
 * for four fields and grows three at a time. It is a plain object all the same: its prototype is that
 * of all objects.
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

/** The message with a name such as `core.v1.Pod`. */
export function messageType(name: string): MessageType {
  const known = types.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  const packageName = name.slice(0, dot);
  const line = linesOf(packageName).get(name.slice(dot + 1));
  if (line === undefined) throw new Error(`The tables have no message ${name}.`);
  const type = new MessageType(line, packageName);
  types.set(name, type);
  return type;
}

/** The message that bodies of a kind are, or undefined where there is no protobuf for it. */
export function messageTypeOfKind(apiVersion: string, kind: string): MessageType | undefined {
  if (lastKind.apiVersion === apiVersion && lastKind.kind === kind) return lastKind.type;
  const name = kindsOf(apiVersion).get(kind);
  if (name === undefined) return undefined;
  lastKind = { apiVersion, kind, type: messageType(name) };
  return lastKind.type;
}

/** One watch brings many objects of one kind. */
let lastKind: {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly type?: MessageType;
} = {};

/** Kind → name of its message; empty for an apiVersion without protobuf. */
export function kindsOf(apiVersion: string): ReadonlyMap<string, string> {
  return remember(kinds, apiVersion, (found) => {
    for (const line of tableLines(kindTable, apiVersion)) {
      const [packageName, ...names] = line.split(' ');
      for (const name of names) found.set(name, `${packageName}.${name}`);
    }
  });
}

/** Name of a message → its line. */
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

/** Unknown keys are not remembered: they come from outside, and could fill the memory. */
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

/** What JSON has for a field that is not on the wire and may not be missing. */
export function emptyField(field: Field): JsonValue {
  if (field.emptyList) return [];
  if (field.repeated || field.map || field.pointer) return null;
  const nullable = field.code === FIELD_CODE.bytes || field.code === FIELD_CODE.stringList;
  return nullable ? null : emptyValue(field);
}

/** The zero value of a field's type, as an element of a list or map would show it. */
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
