import { type CostRule, countedSize, exactly, plus, scaled, TRAVERSAL } from '../costs.ts';
import { type Implementation, type Overload, overload } from '../declarations.ts';
import {
  areEqual,
  type CelList,
  type CelMap,
  compareValues,
  type Duration,
  Failure,
  keyOf,
  NO_SUCH_OVERLOAD,
  type Timestamp,
  type Value,
} from '../values.ts';
import { isSameType } from '../types.ts';
import { Uint } from '../uint.ts';
import { checkedDuration, checkedTimestamp } from './time.ts';

/** Compares as far as the shorter one goes. */
const shorter: CostRule = {
  count: ([left, right]) => Math.ceil(Math.min(countedSize(left), countedSize(right)) * TRAVERSAL),
  estimate({ size }) {
    const max = size(0).max < size(1).max ? size(0).max : size(1).max;
    return { cost: scaled({ min: max > 0n ? 1n : 0n, max }, TRAVERSAL) };
  },
};

/** A named format is counted as a text of this length. */
const LONGEST_FORMAT = 64;

/** Values of the libraries of Kubernetes that have no size. */
const isCompact = (name: string): boolean =>
  /^net\.(?:IP|CIDR)$|^kubernetes\.(?:Quantity|Semver|NamedFormat$|authorization\.)/.test(name);

/** Compares values of the libraries whatever their size; a real server does not do so for `!=`. */
const equality: CostRule = {
  count: shorter.count,
  estimate(call) {
    const [left, right] = call.args;
    if (left === undefined || right === undefined) return shorter.estimate(call);
    if (!isCompact(left.type.name) || !isSameType(left.type, right.type)) {
      return shorter.estimate(call);
    }
    const max = left.type.name.endsWith('NamedFormat') ? BigInt(LONGEST_FORMAT) : 1n;
    return { cost: scaled({ min: 1n, max }, TRAVERSAL) };
  },
};

/** Copies both. */
const copies: CostRule = {
  count: ([left, right]) => Math.ceil((countedSize(left) + countedSize(right)) * TRAVERSAL),
  estimate({ size }) {
    const resultSize = plus(size(0), size(1));
    return { cost: scaled(resultSize, TRAVERSAL), resultSize };
  },
};

const joins: CostRule = {
  count: () => 1,
  estimate: ({ size }) => ({ cost: exactly(1), resultSize: plus(size(0), size(1)) }),
};

const searches: CostRule = {
  count: ([, list]) => countedSize(list),
  estimate: ({ size }) => ({ cost: size(1) }),
};

function int(value: bigint): Value {
  return BigInt.asIntN(64, value) === value ? value : new Failure('integer overflow');
}

function uint(value: bigint): Value {
  return BigInt.asUintN(64, value) === value
    ? new Uint(value)
    : new Failure('unsigned integer overflow');
}

const bytes = (left: Uint8Array, right: Uint8Array): Value => Buffer.concat([left, right]);
const sum = (left: { nanos: bigint }, right: { nanos: bigint }): bigint => left.nanos + right.nanos;
const difference = (left: { nanos: bigint }, right: { nanos: bigint }): bigint =>
  left.nanos - right.nanos;

const ARITHMETIC: readonly Overload[] = [
  overload('_+_(bytes, bytes) -> bytes', bytes, copies),
  overload('_+_(double, double) -> double', (a: number, b: number) => a + b),
  overload('_+_(duration, duration) -> duration', (a: Duration, b: Duration) =>
    checkedDuration(sum(a, b)),
  ),
  overload('_+_(duration, timestamp) -> timestamp', (a: Duration, b: Timestamp) =>
    checkedTimestamp(sum(a, b), b.offset),
  ),
  overload('_+_(timestamp, duration) -> timestamp', (a: Timestamp, b: Duration) =>
    checkedTimestamp(sum(a, b), a.offset),
  ),
  overload('_+_(int, int) -> int', (a: bigint, b: bigint) => int(a + b)),
  overload('_+_(list(A), list(A)) -> list(A)', (a: CelList, b: CelList) => a.concat(b), joins),
  overload('_+_(string, string) -> string', (a: string, b: string) => a + b, copies),
  overload('_+_(uint, uint) -> uint', (a: Uint, b: Uint) => uint(a.value + b.value)),
  overload('_/_(double, double) -> double', (a: number, b: number) => a / b),
  overload('_/_(int, int) -> int', (a: bigint, b: bigint) =>
    b === 0n ? new Failure('division by zero') : int(a / b),
  ),
  overload('_/_(uint, uint) -> uint', (a: Uint, b: Uint) =>
    b.value === 0n ? new Failure('division by zero') : uint(a.value / b.value),
  ),
  overload('_%_(int, int) -> int', (a: bigint, b: bigint) =>
    b === 0n ? new Failure('modulus by zero') : int(a % b),
  ),
  overload('_%_(uint, uint) -> uint', (a: Uint, b: Uint) =>
    b.value === 0n ? new Failure('modulus by zero') : uint(a.value % b.value),
  ),
  overload('_*_(double, double) -> double', (a: number, b: number) => a * b),
  overload('_*_(int, int) -> int', (a: bigint, b: bigint) => int(a * b)),
  overload('_*_(uint, uint) -> uint', (a: Uint, b: Uint) => uint(a.value * b.value)),
  overload('-_(double) -> double', (a: number) => -a),
  overload('-_(int) -> int', (a: bigint) => int(-a)),
  overload('_-_(double, double) -> double', (a: number, b: number) => a - b),
  overload('_-_(duration, duration) -> duration', (a: Duration, b: Duration) =>
    checkedDuration(difference(a, b)),
  ),
  overload('_-_(int, int) -> int', (a: bigint, b: bigint) => int(a - b)),
  overload('_-_(timestamp, duration) -> timestamp', (a: Timestamp, b: Duration) =>
    checkedTimestamp(difference(a, b), a.offset),
  ),
  overload('_-_(timestamp, timestamp) -> duration', (a: Timestamp, b: Timestamp) =>
    checkedDuration(difference(a, b)),
  ),
  overload('_-_(uint, uint) -> uint', (a: Uint, b: Uint) => uint(a.value - b.value)),
];

/** The pairs of types that have an order. */
const ORDERED = [
  'bool, bool', 'int, int', 'int, double', 'int, uint', 'uint, uint', 'uint, double', 'uint, int',
  'double, double', 'double, int', 'double, uint', 'string, string', 'bytes, bytes',
  'timestamp, timestamp', 'duration, duration',
]; // prettier-ignore

function comparison(name: string, holds: (order: number) => boolean): readonly Overload[] {
  const run: Implementation = (left: Value, right: Value) => {
    const order = compareValues(left, right);
    if (order === undefined) return NO_SUCH_OVERLOAD;
    return Number.isNaN(order) ? false : holds(order);
  };
  return ORDERED.map((types) =>
    overload(`${name}(${types}) -> bool`, run, /string|bytes/.test(types) ? shorter : undefined),
  );
}

const never: Implementation = () => NO_SUCH_OVERLOAD;

/** The operators. Those that the planner evaluates itself have no implementation. */
export const OPERATORS: readonly Overload[] = [
  ...ARITHMETIC,
  ...comparison('_<_', (order) => order < 0),
  ...comparison('_<=_', (order) => order <= 0),
  ...comparison('_>_', (order) => order > 0),
  ...comparison('_>=_', (order) => order >= 0),
  overload('_==_(A, A) -> bool', (a: Value, b: Value) => areEqual(a, b), equality),
  overload('_!=_(A, A) -> bool', (a: Value, b: Value) => !areEqual(a, b), shorter),
  overload('!_(bool) -> bool', (a: boolean) => !a),
  overload('@not_strictly_false(bool) -> bool', never),
  overload('_&&_(bool, bool) -> bool', never),
  overload('_||_(bool, bool) -> bool', never),
  overload('_?_:_(bool, A, A) -> A', never),
  overload('_[_](list(A), int) -> A', never),
  overload('_[_](map(A, B), A) -> B', never),
  overload('@in(A, list(A)) -> bool', (a: Value, list: CelList) => contains(list, a), searches),
  overload(
    '@in(A, map(A, B)) -> bool',
    (a: Value, map: CelMap) => keyOf(a) !== undefined && map.get(a) !== undefined,
  ),
];

function contains(list: CelList, element: Value): boolean {
  for (const one of list) if (areEqual(one, element)) return true;
  return false;
}
