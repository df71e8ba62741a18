import {
  binarySuffixes,
  decimalSuffixByExponent,
  nanoScale,
  type QuantityFormat,
  readQuantityText,
} from './quantity-text.ts';
import type { Quantity } from './types.ts';

const nanosPerUnit = 10n ** BigInt(-nanoScale);
const maxInt64 = 2n ** 63n - 1n;

/**
 * An exact amount with the notation it is to be written in. Immutable; arithmetic never loses a
 * digit, and nothing is finer than a nano. Written to JSON it is what a server would write.
 */
export class QuantityValue {
  readonly format: QuantityFormat;
  readonly #nanos: bigint;
  /** The text as it was read, if the server keeps it; otherwise the canonical form is used. */
  readonly #keptText: string | undefined;

  private constructor(nanos: bigint, format: QuantityFormat, keptText?: string) {
    this.#nanos = nanos;
    this.format = format;
    this.#keptText = keptText;
  }

  /** `units` × 10^`scale`, rounded up to whole nanos. `units` must be an integer. */
  static of(
    units: bigint | number,
    format: QuantityFormat = 'DecimalSI',
    scale = 0,
  ): QuantityValue {
    return new QuantityValue(shift(BigInt(units), scale - nanoScale), format);
  }

  /** Reads what {@link parseQuantity} documents. */
  static parse(text: string): QuantityValue {
    const { isNegative, digits, fractionLength, base, exponent, format, isKept } =
      readQuantityText(text);
    const scale = (base === 10 ? exponent : 0) - fractionLength;
    const unsigned = shift(base === 2 ? digits << BigInt(exponent) : digits, scale - nanoScale);
    const isBinary = format === 'BinarySI';
    const capped = isBinary ? min(unsigned, maxInt64 * nanosPerUnit) : unsigned;
    const isFraction = unsigned > 0n && unsigned < nanosPerUnit;
    return new QuantityValue(
      isNegative ? -capped : capped,
      isBinary && isFraction ? 'DecimalSI' : format,
      isKept ? text : undefined,
    );
  }

  get isZero(): boolean {
    return this.#nanos === 0n;
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return compareBigInts(this.#nanos, 0n);
  }

  /** Negative if this is less than `other`, positive if it is more. Notation does not matter. */
  compare(other: QuantityValue): number {
    return compareBigInts(this.#nanos, other.#nanos);
  }

  equals(other: QuantityValue): boolean {
    return this.#nanos === other.#nanos;
  }

  /** The sum, in this notation; a zero takes over the notation of `other`. */
  add(other: QuantityValue): QuantityValue {
    return new QuantityValue(this.#nanos + other.#nanos, this.#formatWith(other));
  }

  /** The difference, in this notation; a zero takes over the notation of `other`. */
  sub(other: QuantityValue): QuantityValue {
    return new QuantityValue(this.#nanos - other.#nanos, this.#formatWith(other));
  }

  mul(factor: bigint | number): QuantityValue {
    return new QuantityValue(this.#nanos * BigInt(factor), this.format);
  }

  negate(): QuantityValue {
    return new QuantityValue(-this.#nanos, this.format);
  }

  /** Rounds away from zero to a multiple of 10^`scale`: -3 for milli, 0 for whole units. */
  roundUp(scale: number): QuantityValue {
    const step = scale - nanoScale;
    const rounded = shift(shift(this.#nanos, -step), step);
    return rounded === this.#nanos ? this : new QuantityValue(rounded, this.format);
  }

  /** How many 10^`scale` it is, rounded away from zero. */
  scaledValue(scale: number): bigint {
    return shift(this.#nanos, nanoScale - scale);
  }

  /** In whole units, rounded away from zero. */
  value(): bigint {
    return this.scaledValue(0);
  }

  /** In thousandths, rounded away from zero. */
  milliValue(): bigint {
    return this.scaledValue(-3);
  }

  /** The nearest number; exact only as far as a double reaches. */
  toNumber(): number {
    return Number(`${this.#nanos}e${nanoScale}`);
  }

  /** As a server writes it: the text that was read if it can stay, or the canonical form. */
  toString(): string {
    return this.#keptText ?? this.toCanonicalString();
  }

  toJSON(): string {
    return this.toString();
  }

  /** No fraction, the largest suffix that allows it, no sign but a minus. */
  toCanonicalString(): string {
    if (this.isZero) return '0';
    return this.#isWrittenBinary() ? this.#binaryText() : this.#decimalText();
  }

  #formatWith(other: QuantityValue): QuantityFormat {
    return this.isZero ? other.format : this.format;
  }

  /**
   * What is not a multiple of 1024 is written in decimals whatever the notation: without a suffix it
   * would be read back as decimal, and then be written in another way.
   */
  #isWrittenBinary(): boolean {
    return this.format === 'BinarySI' && this.#nanos % (1024n * nanosPerUnit) === 0n;
  }

  #binaryText(): string {
    let amount = this.#nanos / nanosPerUnit;
    let power = 0;
    while (power < binarySuffixes.length - 1 && amount % 1024n === 0n) {
      amount /= 1024n;
      power += 1;
    }
    return `${amount}${binarySuffixes[power]}`;
  }

  #decimalText(): string {
    const digits = `${this.#nanos}`;
    let end = digits.length;
    while (digits.charAt(end - 1) === '0') end -= 1;
    const significant = digits.slice(0, end);
    const zeros = digits.length - significant.length + nanoScale;
    const exponent = Math.floor(zeros / 3) * 3;
    return significant + '0'.repeat(zeros - exponent) + this.#decimalSuffix(exponent);
  }

  #decimalSuffix(exponent: number): string {
    if (exponent === 0) return '';
    const suffix =
      this.format === 'DecimalExponent' ? undefined : decimalSuffixByExponent.get(exponent);
    // Past exa there is no suffix. Servers then write none at all, which is another amount.
    return suffix ?? `e${exponent}`;
  }
}

/**
 * Reads a quantity: an optional sign, digits with an optional fraction, and a suffix of
 * `n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei` or an exponent. As a server does, it rounds up to whole
 * nanos, cuts binary amounts at 2^63-1, and keeps the text where it is near enough to canonical.
 * Throws `QuantityError` with the server's message.
 */
export function parseQuantity(quantity: Quantity): QuantityValue {
  return QuantityValue.parse(typeof quantity === 'number' ? `${quantity}` : quantity);
}

/** What a server writes for a quantity that it reads; null is zero. */
export function normalizeQuantity(quantity: Quantity | null): string {
  return quantity === null ? '0' : parseQuantity(toText(quantity)).toString();
}

function toText(quantity: Quantity): Quantity {
  return typeof quantity === 'string' ? quantity.trim() : quantity;
}

/** Orders quantities by amount; throws `QuantityError`. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  return parseQuantity(left).compare(parseQuantity(right));
}

/** `value` × 10^`power`, rounded away from zero. */
function shift(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  const quotient = value / divisor;
  if (quotient * divisor === value) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function compareBigInts(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
