import { QuantityError, QuantityValue } from 'client-ts/meta';
import { ONE, reads } from '../costs.ts';
import { type Overload, overload, parseType } from '../declarations.ts';
import { Failure, Opaque, type Value } from '../values.ts';

const TYPE = parseType('kubernetes.Quantity');

class Quantity extends Opaque {
  readonly type = TYPE;
  readonly value: QuantityValue;
  /** The power of ten that a genuine server counts in; undefined for one with a binary fraction. */
  readonly scale: number | undefined;

  constructor(value: QuantityValue, scale: number | undefined) {
    super();
    this.value = value;
    this.scale = scale;
  }

  equals(other: Opaque): boolean {
    return other instanceof Quantity && this.value.equals(other.value);
  }
}

function parse(text: string): Failure | Quantity {
  try {
    return new Quantity(QuantityValue.parse(text), scaleOf(text));
  } catch (error) {
    if (error instanceof QuantityError) return new Failure(error.message);
    throw error;
  }
}

const SUFFIXES: ReadonlyMap<string, number> = new Map(
  ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((suffix, index) => [suffix, index * 3 - 9]),
);

function scaleOf(text: string): number | undefined {
  const [, fraction = '', suffix = ''] = /^[+-]?\d*(?:\.(\d*))?(.*)$/.exec(text) ?? [];
  if (suffix.endsWith('i')) return fraction === '' ? 0 : undefined;
  const exponent = SUFFIXES.get(suffix) ?? Number(suffix.slice(1));
  return exponent - fraction.length;
}

/** The amount in whole units; undefined if it is counted in fractions, or does not fit. */
function integerOf({ value, scale }: Quantity): bigint | undefined {
  if (scale === undefined || scale < 0) return undefined;
  const whole = value.value();
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function combine(left: Quantity, right: Quantity, value: QuantityValue): Quantity {
  if (left.value.isZero) return new Quantity(value, right.scale);
  if (right.value.isZero) return new Quantity(value, left.scale);
  const [one, other] = [left.scale, right.scale];
  const isKnown = one !== undefined && other !== undefined;
  return new Quantity(value, isKnown ? Math.min(one, other) : undefined);
}

const add = (left: Quantity, right: Quantity): Quantity =>
  combine(left, right, left.value.add(right.value));
const sub = (left: Quantity, right: Quantity): Quantity =>
  combine(left, right, left.value.sub(right.value));
const ofInteger = (amount: bigint): Quantity =>
  new Quantity(QuantityValue.parse(String(amount)), 0);
const order = (left: Quantity, right: Quantity): number =>
  Math.sign(left.value.compare(right.value));
const Q = 'kubernetes.Quantity';

/** Amounts such as `200Mi`. */
export const QUANTITIES: readonly Overload[] = [
  overload(`quantity(string) -> ${Q}`, parse, reads()),
  overload(
    'isQuantity(string) -> bool',
    (text: string) => parse(text) instanceof Quantity,
    reads(),
  ),
  overload(`sign(${Q}) -> int`, ({ value }: Quantity) => BigInt(value.sign), ONE),
  overload(
    `<${Q}>.isGreaterThan(${Q}) -> bool`,
    (a: Quantity, b: Quantity) => order(a, b) > 0,
    ONE,
  ),
  overload(`<${Q}>.isLessThan(${Q}) -> bool`, (a: Quantity, b: Quantity) => order(a, b) < 0, ONE),
  overload(`<${Q}>.compareTo(${Q}) -> int`, (a: Quantity, b: Quantity) => BigInt(order(a, b)), ONE),
  overload(`<${Q}>.asApproximateFloat() -> double`, ({ value }: Quantity) => value.toNumber(), ONE),
  overload(
    `<${Q}>.asInteger() -> int`,
    (quantity: Quantity): Value =>
      integerOf(quantity) ?? new Failure('cannot convert value to integer'),
    ONE,
  ),
  overload(
    `<${Q}>.isInteger() -> bool`,
    (quantity: Quantity) => integerOf(quantity) !== undefined,
    ONE,
  ),
  overload(`<${Q}>.add(${Q}) -> ${Q}`, add, ONE),
  overload(`<${Q}>.add(int) -> ${Q}`, (a: Quantity, b: bigint) => add(a, ofInteger(b)), ONE),
  overload(`<${Q}>.sub(${Q}) -> ${Q}`, sub, ONE),
  overload(`<${Q}>.sub(int) -> ${Q}`, (a: Quantity, b: bigint) => sub(a, ofInteger(b)), ONE),
];
