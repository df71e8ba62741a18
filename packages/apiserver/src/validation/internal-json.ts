import { getKey, isJsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { inOrder } from './loose.ts';
import { internalShapes } from './internal-shapes.ts';

interface Field {
  /** Empty for the fields of another type, which stand in the same structure. */
  readonly name: string;
  readonly key: string;
  readonly type: string;
}

const parsed = new Map<string, readonly Field[]>();

/**
 * An object as the server's unversioned types hold it: fields under their Go names, all of them,
 * empty ones with their zero value. Fields that have moved in the API are where they came from.
 */
export function internalJson(type: string, value: object): JsonValue {
  return print(type, value);
}

function fieldsHeld(type: string, value: unknown): object {
  const fields = isJsonObject(value) ? value : {};
  return type === 'PodSpec' ? withHostFields(fields) : fields;
}

/** The host's namespaces belong to the security context inside the server. */
function withHostFields(spec: object): object {
  const names = [
    'hostNetwork',
    'hostPID',
    'hostIPC',
    'shareProcessNamespace',
    'hostUsers',
  ] as const;
  const { securityContext } = spec as { securityContext?: object };
  const moved = inOrder(spec as Partial<Record<(typeof names)[number], boolean>>, names);
  return { ...spec, securityContext: { ...moved, ...securityContext } };
}

function print(type: string, value: unknown): JsonValue {
  switch (type[0]) {
    case '*':
      return value === undefined ? null : print(type.slice(1), value);
    case '[':
      return Array.isArray(value) ? value.map((item) => print(type.slice(1), item)) : null;
    case '{':
      return isJsonObject(value) ? (sorted(value) as JsonValue) : null;
    default:
      return Object.hasOwn(internalShapes, type)
        ? printStruct(type, fieldsHeld(type, value))
        : ((value ?? zeroOf(type)) as JsonValue);
  }
}

function printStruct(type: string, value: object): JsonValue {
  const result: Record<string, JsonValue> = {};
  for (const { name, key, type: fieldType } of fieldsOf(type)) {
    if (name !== '') setKey(result, name, print(fieldType, Reflect.get(value, key)));
    else if (fieldType === 'meta') Object.assign(result, Reflect.get(value, 'metadata'));
    else Object.assign(result, print(fieldType, value));
  }
  return result;
}

function zeroOf(type: string): JsonValue {
  switch (type) {
    case 'bool':
      return false;
    case 'int':
    case 'number':
      return 0;
    case 'quantity':
      return '0';
    case 'string':
      return '';
    default:
      return null;
  }
}

function fieldsOf(type: string): readonly Field[] {
  let fields = parsed.get(type);
  if (fields === undefined) {
    fields = (getKey(internalShapes, type) ?? '').split(' ').map(parseField);
    parsed.set(type, fields);
  }
  return fields;
}

function parseField(text: string): Field {
  if (text.startsWith('+')) return { name: '', key: '', type: text.slice(1) };
  const [, name = '', key, type = ''] = /^(\w+)(?:=(\w+))?:(.*)$/.exec(text) ?? [];
  return { name, key: key ?? apiName(name), type };
}

/** `DNSPolicy` is `dnsPolicy`, `UID` is `uid`. */
function apiName(name: string): string {
  return name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z]+$|[A-Z]+(?=[0-9])|[A-Z])/, (start) =>
    start.toLowerCase(),
  );
}

function sorted(map: object): object {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
