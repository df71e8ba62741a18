import {
  type CostRule,
  type EstimatedCall,
  exactly,
  plus,
  type Range,
  rule,
  scaled,
  times,
  TRAVERSAL,
  UNBOUNDED,
} from '../costs.ts';
import { type Overload, overload } from '../declarations.ts';
import {
  areEqual,
  ArrayList,
  CelList,
  CelMap,
  compareValues,
  Duration,
  Failure,
  NO_SUCH_OVERLOAD,
  typeOf,
  type Value,
} from '../values.ts';
import { Uint } from '../uint.ts';
import { checkedDuration } from './time.ts';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const LIST_COST = 10;

/** The cost of going through a value and all that is in it. */
function traversal(value: Value): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.trunc(value.length * TRAVERSAL);
  let cost = 0;
  if (value instanceof CelList) {
    for (const one of value) cost += traversal(one);
    return cost;
  }
  if (!(value instanceof CelMap)) return 1;
  for (const key of value.keys()) cost += traversal(key) + traversal(value.get(key) ?? null);
  return cost;
}

/** One pass over a list, or over a text. */
export const ONE_PASS: CostRule = rule(
  ([list]) => traversal(list ?? null),
  ({ args, size }) => {
    const [list] = args;
    const elements = list?.elementSize();
    if (list === undefined || elements === undefined) return { cost: scaled(size(0), TRAVERSAL) };
    const kind = list.type.parameters[0]?.kind;
    const isText = kind === 'string' || kind === 'bytes';
    const each = isText ? plus(exactly(1), scaled(elements, TRAVERSAL)) : exactly(1);
    return { cost: times(size(0), each) };
  },
);

function sum(list: CelList): Value {
  let total: Value | undefined;
  for (const one of list) {
    total = total === undefined ? one : add(total, one);
    if (total instanceof Failure) return total;
  }
  return total ?? null;
}

function add(left: Value, right: Value): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    const total = left + right;
    return BigInt.asIntN(64, total) === total ? total : new Failure('integer overflow');
  }
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (left instanceof Uint && right instanceof Uint) {
    const total = left.value + right.value;
    const isIn = BigInt.asUintN(64, total) === total;
    return isIn ? new Uint(total) : new Failure('unsigned integer overflow');
  }
  if (left instanceof Duration && right instanceof Duration) {
    return checkedDuration(left.nanos + right.nanos);
  }
  return NO_SUCH_OVERLOAD;
}

const ZEROS: readonly (readonly [string, Value])[] = [
  ['int', 0n],
  ['uint', new Uint(0n)],
  ['double', 0],
  ['duration', new Duration(0n)],
];

/** The element that comes first in an order of values. */
function extreme(name: string, isBetter: (order: number) => boolean): (list: CelList) => Value {
  return (list) => {
    let best: Value | undefined;
    for (const one of list) {
      const order = best === undefined ? 0 : compareValues(best, one);
      if (order === undefined) return NO_SUCH_OVERLOAD;
      if (best === undefined || isBetter(order)) best = one;
    }
    return best ?? new Failure(`${name} called on empty list`);
  };
}

function isSorted(list: CelList): Value {
  for (let index = 1; index < list.size; index++) {
    const order = compareValues(list.at(index - 1), list.at(index));
    if (order === undefined) return NO_SUCH_OVERLOAD;
    if (order > 0) return false;
  }
  return true;
}

function indexOf(list: CelList, element: Value): bigint {
  for (let index = 0; index < list.size; index++) {
    if (areEqual(list.at(index), element)) return BigInt(index);
  }
  return -1n;
}

function lastIndexOf(list: CelList, element: Value): bigint {
  for (let index = list.size - 1; index >= 0; index--) {
    if (areEqual(list.at(index), element)) return BigInt(index);
  }
  return -1n;
}

/** Lists of Kubernetes. */
export const LISTS: readonly Overload[] = [
  ...COMPARABLE.flatMap((type) => [
    overload(`<list(${type})>.isSorted() -> bool`, isSorted, ONE_PASS),
    overload(
      `<list(${type})>.max() -> ${type}`,
      extreme('max', (order) => order < 0),
      ONE_PASS,
    ),
    overload(
      `<list(${type})>.min() -> ${type}`,
      extreme('min', (order) => order > 0),
      ONE_PASS,
    ),
  ]),
  ...ZEROS.map(([type, zero]) =>
    overload(
      `<list(${type})>.sum() -> ${type}`,
      (list: CelList) => (list.size === 0 ? zero : sum(list)),
      ONE_PASS,
    ),
  ),
  overload('<list(A)>.indexOf(A) -> int', indexOf, ONE_PASS),
  overload('<list(A)>.lastIndexOf(A) -> int', lastIndexOf, ONE_PASS),
];

/** A new list: one step for the call, ten for the list, and what its elements take. */
function allocates(
  count: (args: readonly Value[], result: Value) => number,
  estimate: (call: EstimatedCall) => { readonly size: Range; readonly factor: number },
): CostRule {
  return {
    count: (args, result) => Math.trunc(count(args, result)) + 1 + LIST_COST,
    estimate(call) {
      const { size, factor } = estimate(call);
      return { cost: plus(scaled(size, factor), exactly(1 + LIST_COST)), resultSize: size };
    },
  };
}

const sizeOfList = (value: Value | undefined): number =>
  value instanceof CelList ? value.size : 1;

const copies = allocates(
  (_args, result) => sizeOfList(result),
  ({ size }) => ({ size: size(0), factor: 1 }),
);

/** The number that an argument is; `unless` if it is no literal. */
function literal({ args }: EstimatedCall, index: number, unless: bigint): bigint {
  const expression = args[index]?.expression;
  if (expression?.kind !== 'literal' || typeof expression.value !== 'bigint') return unless;
  return expression.value < 0n ? 0n : expression.value;
}

const slices = allocates(
  (_args, result) => sizeOfList(result),
  (call) => {
    const length = literal(call, 2, call.size(0).max) - literal(call, 1, 0n);
    return { size: exactly(BigInt.asUintN(64, length)), factor: 1 };
  },
);

const ranges = allocates(
  (_args, result) => sizeOfList(result),
  (call) => ({ size: exactly(literal(call, 0, UNBOUNDED)), factor: 1 }),
);

const flattens = allocates(
  ([list, depth]) => sizeOfList(list) * (typeof depth === 'bigint' ? Number(depth) : 1),
  (call) => ({
    size: call.size(0),
    factor: call.args.length === 1 ? 1 : Number(literal(call, 1, UNBOUNDED)),
  }),
);

const isText = (value: Value): boolean => typeof value === 'string' || value instanceof Uint8Array;

/** Each element with each other one. */
function compares(index: number, type?: string): CostRule {
  return allocates(
    (args) => {
      const list = args[index];
      if (!(list instanceof CelList) || list.size === 0) return 0;
      return list.size ** 2 * (isText(list.at(0)) ? 2 + TRAVERSAL : 2);
    },
    ({ size }) => ({
      size: times(size(index), size(index)),
      factor: type === 'string' || type === 'bytes' ? 2 + TRAVERSAL : 2,
    }),
  );
}

function slice(list: CelList, start: bigint, end: bigint): Value {
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new Failure(`${what}, negative indexes not supported`);
  if (start > end) {
    return new Failure(`${what}, start index must be less than or equal to end index`);
  }
  if (end > list.size) return new Failure(`${what}, list is length ${list.size}`);
  return new ArrayList([...list].slice(Number(start), Number(end)));
}

function flatten(list: CelList, depth: bigint): Value[] {
  return [...list].flatMap((one) =>
    one instanceof CelList && depth > 0n ? flatten(one, depth - 1n) : [one],
  );
}

function sortByKeys(list: CelList, keys: CelList): Value {
  if (list.size !== keys.size) {
    return new Failure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  const first = typeOf(keys.at(0)).name;
  if (compareValues(keys.at(0), keys.at(0)) === undefined) {
    return new Failure('list elements must be comparable');
  }
  const pairs = Array.from(list, (value, index) => ({ value, key: keys.at(index) }));
  if (pairs.some(({ key }) => typeOf(key).name !== first)) {
    return new Failure('list elements must have the same type');
  }
  pairs.sort((left, right) => compareValues(left.key, right.key) ?? 0);
  return new ArrayList(pairs.map(({ value }) => value));
}

function distinct(list: CelList): Value {
  const seen: Value[] = [];
  for (const one of list) if (!seen.some((other) => areEqual(one, other))) seen.push(one);
  return new ArrayList(seen);
}

function range(count: bigint): Value {
  // More than this costs more than any expression may.
  if (count > 1_000_000n) return new Failure('operation cancelled: actual cost limit exceeded');
  return new ArrayList(
    Array.from({ length: Math.max(Number(count), 0) }, (_, index) => BigInt(index)),
  );
}

/** Lists of CEL's extensions. */
export const EXTENDED_LISTS: readonly Overload[] = [
  overload('<list(A)>.slice(int, int) -> list(A)', slice, slices),
  overload(
    '<list(list(A))>.flatten() -> list(A)',
    (list: CelList) => new ArrayList(flatten(list, 1n)),
    flattens,
  ),
  overload(
    '<list(dyn)>.flatten(int) -> list(dyn)',
    (list: CelList, depth: bigint) =>
      depth < 0n ? new Failure('level must be non-negative') : new ArrayList(flatten(list, depth)),
    flattens,
  ),
  ...COMPARABLE.map((type) =>
    overload(
      `<list(${type})>.sort() -> list(${type})`,
      (list: CelList) => sortByKeys(list, list),
      compares(0, type),
    ),
  ),
  ...COMPARABLE.map((type) =>
    overload(
      `<list(A)>.@sortByAssociatedKeys(list(${type})) -> list(A)`,
      sortByKeys,
      compares(1, type),
    ),
  ),
  overload('lists.range(int) -> list(int)', range, ranges),
  overload(
    '<list(A)>.reverse() -> list(A)',
    (list: CelList) => new ArrayList([...list].toReversed()),
    copies,
  ),
  overload('<list(A)>.distinct() -> list(A)', distinct, compares(0)),
];

/** Compares each element of one list with each of another. */
function pairs(factor: number): CostRule {
  return {
    count: ([left, right]) => 1 + Math.trunc(sizeOfList(left) * sizeOfList(right) * factor),
    estimate: ({ size }) => ({ cost: plus(scaled(times(size(0), size(1)), factor), exactly(1)) }),
  };
}

const has = (list: CelList, one: Value): boolean => indexOf(list, one) !== -1n;
const containsAll = (list: CelList, part: CelList): boolean =>
  [...part].every((one) => has(list, one));

/** Lists as sets. */
export const SETS: readonly Overload[] = [
  overload('sets.contains(list(A), list(A)) -> bool', containsAll, pairs(1)),
  overload(
    'sets.equivalent(list(A), list(A)) -> bool',
    (left: CelList, right: CelList) => containsAll(left, right) && containsAll(right, left),
    pairs(2),
  ),
  overload(
    'sets.intersects(list(A), list(A)) -> bool',
    (left: CelList, right: CelList) => [...left].some((one) => has(right, one)),
    pairs(1),
  ),
];
