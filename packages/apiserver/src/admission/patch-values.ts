import { type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import type { JsonPatchOperation } from 'client-ts/meta';
import { PatchStruct } from '../cel/library/patches.ts';
import { formatDuration, formatTime } from '../cel/library/time.ts';
import { Uint } from '../cel/uint.ts';
import {
  ArrayList,
  CelList,
  CelMap,
  Duration,
  EntryMap,
  Failure,
  Optional,
  Timestamp,
  typeOf,
  TypeValue,
  type Value,
} from '../cel/values.ts';
import type { FieldType } from '../fieldmanager/field-type.ts';
import { fieldElement, formatElement } from '../fieldmanager/path-element.ts';

/** Returns the names of types in a value that do not fit the fields they are in, in words. */
export function misnamedTypes(value: Value, path: readonly string[]): string[] {
  if (value instanceof PatchStruct) {
    const expected = path.join('.');
    const { name } = value.type;
    const own =
      name === expected
        ? []
        : [
            `unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`,
          ];
    return [
      ...own,
      ...Array.from(value.fields).flatMap(([field, part]) => misnamedTypes(part, [...path, field])),
    ];
  }
  if (value instanceof CelList) return [...value].flatMap((part) => misnamedTypes(part, path));
  if (value instanceof CelMap) {
    return [...value.keys()].flatMap((key) => misnamedTypes(value.get(key) ?? null, path));
  }
  return [];
}

/** Returns an apply configuration as JSON. Returns a failure for a value that its type refuses. */
export function configurationOf(object: PatchStruct, type: FieldType): Failure | JsonObject {
  const result = new Configuration().convert(object, type, '');
  return result instanceof Failure ? result : (result as JsonObject);
}

/** What Go prints for a value that JSON does not have. */
interface GoValue {
  readonly type: string;
  readonly plain: string;
  readonly syntax: string;
}

class Configuration {
  /** Converts a value; `type` is undefined where the schema knows no field. */
  convert(value: Value, type: FieldType | undefined, path: string): Failure | JsonValue {
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return Number(value);
    if (value instanceof PatchStruct) return this.#fields(value.fields, type, path);
    if (value instanceof CelMap) return this.#map(value, type, path);
    if (value instanceof CelList) return this.#list(value, type, path);
    if (value instanceof Optional && value.value !== undefined) {
      return this.convert(value.value, type, path);
    }
    if (value instanceof TypeValue) return value.type.name;
    return refused(goValue(value), type, path);
  }

  #map(map: CelMap, type: FieldType | undefined, path: string): Failure | JsonValue {
    const fields = new Map<string, Value>();
    for (const key of map.keys()) {
      if (typeof key !== 'string') return new Failure('invalid return type: *dynamic.ObjectVal');
      fields.set(key, map.get(key) ?? null);
    }
    return this.#fields(fields, type, path, map);
  }

  #fields(
    fields: ReadonlyMap<string, Value>,
    type: FieldType | undefined,
    path: string,
    within?: CelMap,
  ): Failure | JsonValue {
    const result: JsonObject = {};
    for (const [name, value] of fields) {
      const own = type?.map?.fields.get(name)?.type ?? type?.map?.element;
      const step = path + formatElement(fieldElement(name));
      const converted = this.#element(value, own, step, within);
      if (converted instanceof Failure) return converted;
      setKey(result, name, converted);
    }
    return result;
  }

  /** A list or map that stands in one, both written out, is no JSON on a real server. */
  #element(
    value: Value,
    type: FieldType | undefined,
    path: string,
    within: CelList | CelMap | undefined,
  ): Failure | JsonValue {
    const isNested = within !== undefined && isWritten(within) && isWritten(value);
    return isNested ? refused(goValue(value), type, path) : this.convert(value, type, path);
  }

  #list(list: CelList, type: FieldType | undefined, path: string): Failure | JsonValue {
    const result: JsonValue[] = [];
    for (const [index, value] of [...list].entries()) {
      const converted = this.#element(value, type?.list?.item, `${path}[${index}]`, list);
      if (converted instanceof Failure) return converted;
      result.push(converted);
    }
    return result;
  }
}

function refused(
  { type: found, plain, syntax }: GoValue,
  type: FieldType = {},
  path: string,
): Failure {
  const expected = (): string => {
    if (type.scalar === 'string') return `string, got &value.valueUnstructured{Value:${syntax}}`;
    if (type.scalar === 'numeric') return `numeric (int or float), got ${found}`;
    if (type.scalar === 'boolean') return `boolean, got &{${plain}}`;
    if (type.map !== undefined) return `map, got &{${plain}}`;
    return type.list === undefined ? `any scalar, got &{${plain}}` : `list, got &{${plain}}`;
  };
  return new Failure(
    `error applying patch: failed to convert patch object to typed object: ${path}: expected ${expected()}`,
  );
}

/** Whether an expression made a list or map, instead of reading it from an object. */
function isWritten(value: Value): boolean {
  return value instanceof ArrayList || value instanceof EntryMap;
}

function goValue(value: Value): GoValue {
  if (value instanceof CelList) {
    const items = Array.from(value, (item) => goValue(item));
    return {
      type: '[]ref.Val',
      plain: `[${items.map(({ plain }) => plain).join(' ')}]`,
      syntax: `[]ref.Val{${items.map(({ syntax }) => syntax).join(', ')}}`,
    };
  }
  if (value instanceof CelMap) {
    const items = Array.from(value.keys(), (key) => [
      goValue(key).plain,
      goValue(value.get(key) ?? null).plain,
    ]);
    const plain = `map[${items.map((item) => item.join(':')).join(' ')}]`;
    return { type: 'map[ref.Val]ref.Val', plain, syntax: plain };
  }
  if (typeof value !== 'object') {
    return { type: typeOf(value).name, plain: String(value), syntax: String(value) };
  }
  if (value === null) return { type: 'structpb.NullValue', plain: 'NULL_VALUE', syntax: '0' };
  if (value instanceof Uint) {
    const plain = String(value.value);
    return { type: 'uint64', plain, syntax: `0x${value.value.toString(16)}` };
  }
  if (value instanceof Uint8Array) {
    const bytes = Array.from(value, (byte) => `0x${byte.toString(16)}`);
    return {
      type: '[]uint8',
      plain: `[${value.join(' ')}]`,
      syntax: `[]uint8{${bytes.join(', ')}}`,
    };
  }
  if (value instanceof Duration) {
    const plain = formatDuration(value);
    return { type: 'time.Duration', plain, syntax: String(value.nanos) };
  }
  if (value instanceof Timestamp) {
    const plain = formatTime(value);
    return { type: 'time.Time', plain, syntax: goDate(plain) };
  }
  const { name } = typeOf(value);
  return { type: name, plain: name, syntax: name };
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Returns a time as Go writes it in code. */
function goDate(text: string): string {
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  const nanos = Number(fraction.padEnd(9, '0'));
  const rest = [day, hour, minute, second].map((part) => Number(part));
  const name = MONTHS[Number(month) - 1] ?? '';
  return `time.Date(${Number(year)}, time.${name}, ${rest.join(', ')}, ${nanos}, time.UTC)`;
}

/** Returns the operations of a list of `JSONPatch`. Returns a failure if a value has no JSON. */
export function operationsOf(list: CelList): Failure | JsonPatchOperation[] {
  const operations: JsonObject[] = [];
  for (const item of list) {
    if (!(item instanceof PatchStruct)) continue;
    const { fields } = item;
    const value = fields.get('value');
    const from = textOf(fields.get('from'));
    const operation: JsonObject = {
      op: textOf(fields.get('op')),
      path: textOf(fields.get('path')),
      ...(from !== '' && { from }),
    };
    if (value !== undefined) {
      const names = value instanceof PatchStruct ? misnamedTypes(value, [value.type.name]) : [];
      if (names.length > 0) return new Failure(`type mismatch: ${names.join('\n')}`);
      const json = jsonOf(value);
      if (json instanceof Failure) {
        return new Failure(
          `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${json.message}`,
        );
      }
      operation['value'] = json;
    }
    operations.push(operation);
  }
  return operations as unknown as JsonPatchOperation[];
}

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a value as protobuf writes it in JSON. */
function jsonOf(value: Value): Failure | JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return integerJson(value);
  if (value instanceof Uint) return integerJson(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Timestamp) return formatTime(value);
  if (value instanceof Optional) return value.value === undefined ? null : jsonOf(value.value);
  if (value instanceof CelList) return listJson(value);
  if (value instanceof PatchStruct && value.type.isOpen === true) return fieldsJson(value.fields);
  if (value instanceof CelMap) return mapJson(value);
  if (value instanceof TypeValue) return new Failure("type conversion not supported for 'type'");
  if (value instanceof PatchStruct) {
    return new Failure('cannot convert to native type: *structpb.Value');
  }
  const { name } = typeOf(value);
  const type = name.slice(name.lastIndexOf('.') + 1);
  return new Failure(`type conversion error from '${type}' to '*structpb.Value'`);
}

/** Integers that a double cannot hold are texts. */
function integerJson(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function listJson(list: CelList): Failure | JsonValue {
  const result: JsonValue[] = [];
  for (const item of list) {
    const json = jsonOf(item);
    if (json instanceof Failure) return json;
    result.push(json);
  }
  return result;
}

function mapJson(map: CelMap): Failure | JsonValue {
  const fields = new Map<string, Value>();
  for (const key of map.keys()) {
    if (typeof key !== 'string') {
      return new Failure(`unsupported type conversion from '${typeOf(key).name}' to string`);
    }
    fields.set(key, map.get(key) ?? null);
  }
  return fieldsJson(fields);
}

function fieldsJson(fields: ReadonlyMap<string, Value>): Failure | JsonValue {
  const result: JsonObject = {};
  for (const [name, value] of fields) {
    const json = jsonOf(value);
    if (json instanceof Failure) return json;
    setKey(result, name, json);
  }
  return result;
}
