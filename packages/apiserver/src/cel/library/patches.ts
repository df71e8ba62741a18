import { reads } from '../costs.ts';
import { type Overload, overload } from '../declarations.ts';
import type { FindStruct } from '../structs.ts';
import { DYN, type Field, listOf, STRING, type Type } from '../types.ts';
import { areEqual, Failure, Struct, typeOf, type Value } from '../values.ts';

/** A type whose values can have any field. */
function openType(name: string): Type {
  return { kind: 'struct', name, parameters: [], isOpen: true };
}

const PATCH_FIELDS: ReadonlyMap<string, Field> = new Map(
  Object.entries({ op: STRING, path: STRING, from: STRING, value: DYN }).map(([property, type]) => [
    property,
    { property, type },
  ]),
);
const PATCH: Type = { kind: 'struct', name: 'JSONPatch', parameters: [], fields: PATCH_FIELDS };

/** The type of an apply configuration. */
export const CONFIGURATION: Type = openType('Object');
/** The type of a list of operations on JSON. */
export const PATCH_LIST: Type = listOf(PATCH);

/** A value of `Object{…}` or `JSONPatch{…}`. */
export class PatchStruct extends Struct {
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  equals(other: Struct): boolean {
    if (!(other instanceof PatchStruct) || other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name);
      if (theirs === undefined || !areEqual(value, theirs)) return false;
    }
    return true;
  }
}

/** How Go names the values of fields that should be texts. */
const GO_TYPES: ReadonlyMap<string, string> = new Map([
  ['bool', 'bool'],
  ['double', 'float64'],
  ['int', 'int64'],
  ['uint', 'uint64'],
]);

function createPatch(fields: ReadonlyMap<string, Value>): Value {
  for (const [name, value] of fields) {
    if (name === 'value' || typeof value === 'string') continue;
    const type = typeOf(value).kind;
    return new Failure(
      `unexpected type ${GO_TYPES.get(type) ?? type} for JSONPatchType '${name}' field`,
    );
  }
  return new PatchStruct(PATCH, fields);
}

/** Finds the types that mutations make: `JSONPatch`, and `Object` with those of its fields. */
export const findPatchStruct: FindStruct = (name) => {
  if (name === 'JSONPatch') {
    const unknown: Type = { kind: 'struct', name: '', parameters: [] };
    return {
      type: PATCH,
      fieldType: (field) => PATCH_FIELDS.get(field)?.type ?? unknown,
      create: createPatch,
    };
  }
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  const type = openType(name);
  return { type, fieldType: () => DYN, create: (fields) => new PatchStruct(type, fields) };
};

/** The functions of mutations. */
export const PATCHES: readonly Overload[] = [
  overload(
    'jsonpatch.escapeKey(string) -> string',
    (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
    reads(0, { isResult: true }),
  ),
];
