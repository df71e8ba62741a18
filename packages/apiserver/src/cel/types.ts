/** What a type is. */
export type TypeKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint';

/** A field of a struct. */
export interface Field {
  readonly type: Type;
  /** The name in the object, which differs from that in expressions if it is no identifier. */
  readonly property: string;
}

/** A type of CEL. Values of a struct are objects of a schema; its fields are known. */
export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly Type[];
  readonly fields?: ReadonlyMap<string, Field> | undefined;
  /** Whether values can have fields of any name, and of any type. */
  readonly isOpen?: boolean | undefined;
}

const simple = (kind: TypeKind, name: string = kind): Type => ({ kind, name, parameters: [] });

export const BOOL: Type = simple('bool');
export const BYTES: Type = simple('bytes');
export const DOUBLE: Type = simple('double');
export const DURATION: Type = simple('duration', 'google.protobuf.Duration');
export const DYN: Type = simple('dyn');
export const ERROR: Type = simple('error');
export const INT: Type = simple('int');
export const NULL: Type = simple('null', 'null_type');
export const STRING: Type = simple('string');
export const TIMESTAMP: Type = simple('timestamp', 'google.protobuf.Timestamp');
export const UINT: Type = simple('uint');
export const TYPE: Type = simple('type');

/** `list(element)` */
export function listOf(element: Type): Type {
  return { kind: 'list', name: 'list', parameters: [element] };
}

/** `map(key, value)` */
export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

/** `type(of)`: the type of a type. */
export function typeOfType(of: Type): Type {
  return { kind: 'type', name: 'type', parameters: [of] };
}

/** `optional_type(value)` */
export function optionalOf(value: Type): Type {
  return opaque('optional_type', value);
}

/** A type of a library, such as `kubernetes.URL`. */
export function opaque(name: string, ...parameters: readonly Type[]): Type {
  return { kind: 'opaque', name, parameters };
}

/** A type that each use of a function chooses. */
export function parameter(name: string): Type {
  return simple('param', name);
}

export function isDyn({ kind }: Type): boolean {
  return kind === 'dyn';
}

export function isOptional({ kind, name }: Type): boolean {
  return kind === 'opaque' && name === 'optional_type';
}

/** Returns the type in an optional, and any other as it is. */
export function unwrapOptional(type: Type): Type {
  return isOptional(type) ? (type.parameters[0] ?? DYN) : type;
}

/** Returns a type as messages print it. */
export function formatType(type: Type): string {
  if (type.kind === 'error') return '!error!';
  if (type.kind === 'null') return 'null';
  if (type.kind === 'duration' || type.kind === 'timestamp') return type.kind;
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map((part) => formatType(part)).join(', ')})`;
}

/** Returns whether two types are the same. */
export function isSameType(left: Type, right: Type): boolean {
  return (
    left === right ||
    (left.kind === right.kind &&
      left.name === right.name &&
      left.parameters.length === right.parameters.length &&
      left.parameters.every((part, index) => isSameType(part, right.parameters[index] ?? ERROR)))
  );
}

/** The message about a value of another type than the one before it. */
export function typeMismatch(expected: Type, found: Type): string {
  return `expected type '${formatType(expected)}' but found '${formatType(found)}'`;
}
