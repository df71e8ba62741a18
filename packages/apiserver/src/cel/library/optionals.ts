import { type Overload, overload } from '../declarations.ts';
import {
  ArrayList,
  areEqual,
  type CelList,
  type CelMap,
  Duration,
  EntryMap,
  Failure,
  NO_SUCH_OVERLOAD,
  Optional,
  printValue,
  sizeOf,
  Struct,
  Timestamp,
  type Value,
} from '../values.ts';
import { Uint } from '../uint.ts';

/** Whether a value is what its type starts with: 0, an empty text or list. */
function isZero(value: Value): boolean {
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return false;
  if (value instanceof Struct) return value.fields.size === 0;
  const size = sizeOf(value);
  return size === undefined ? value === null || value === false || areEqual(value, 0n) : size === 0;
}

function unwrap(list: CelList): Value {
  const values: Value[] = [];
  for (const one of list) {
    if (!(one instanceof Optional)) return new Failure(`value ${printValue(one)} is not optional`);
    if (one.value !== undefined) values.push(one.value);
  }
  return new ArrayList(values);
}

const never = (): Value => NO_SUCH_OVERLOAD;

/** Optional values. `or` and `orValue` are evaluated by the planner, which may skip an argument. */
export const OPTIONALS: readonly Overload[] = [
  overload('optional.of(A) -> optional(A)', (value: Value) => new Optional(value)),
  overload('optional.ofNonZeroValue(A) -> optional(A)', (value: Value) =>
    isZero(value) ? Optional.NONE : new Optional(value),
  ),
  overload('optional.none() -> optional(A)', () => Optional.NONE),
  overload('optional.unwrap(list(optional(A))) -> list(A)', unwrap),
  overload('<list(optional(A))>.unwrapOpt() -> list(A)', unwrap),
  overload('<optional(A)>.value() -> A', ({ value }: Optional): Value =>
    value === undefined ? new Failure('optional.none() dereference') : value,
  ),
  overload('<optional(A)>.hasValue() -> bool', ({ value }: Optional) => value !== undefined),
  overload('<optional(A)>.or(optional(A)) -> optional(A)', never),
  overload('<optional(A)>.orValue(A) -> A', never),
  overload('_?._(dyn, string) -> optional(A)', never),
  overload('_[?_](list(A), int) -> optional(A)', never),
  overload('_[?_](optional(list(A)), int) -> optional(A)', never),
  overload('_[?_](map(A, B), A) -> optional(B)', never),
  overload('_[?_](optional(map(A, B)), A) -> optional(B)', never),
  overload('_[_](optional(list(A)), int) -> optional(A)', never),
  overload('_[_](optional(map(A, B)), A) -> optional(B)', never),
  overload('<list(A)>.first() -> optional(A)', (list: CelList) =>
    list.size === 0 ? Optional.NONE : new Optional(list.at(0)),
  ),
  overload('<list(A)>.last() -> optional(A)', (list: CelList) =>
    list.size === 0 ? Optional.NONE : new Optional(list.at(list.size - 1)),
  ),
];

/** What the macros with two variables build maps with. */
export const MAP_INSERTS: readonly Overload[] = [
  overload(
    'cel.@mapInsert(map(A, B), A, B) -> map(A, B)',
    (map: CelMap, key: Value, value: Value) => insert(map, [[key, value]]),
  ),
  overload('cel.@mapInsert(map(A, B), map(A, B)) -> map(A, B)', (map: CelMap, more: CelMap) =>
    insert(
      map,
      Array.from(more.keys(), (key) => [key, more.get(key) ?? null] as const),
    ),
  ),
];

function insert(map: CelMap, entries: readonly (readonly [Value, Value])[]): Value {
  const twice = entries.find(([key]) => map.get(key) !== undefined);
  if (twice !== undefined)
    return new Failure(`insert failed: key ${printValue(twice[0])} already exists`);
  const known = Array.from(map.keys(), (key) => [key, map.get(key) ?? null] as const);
  return new EntryMap([...known, ...entries]);
}
