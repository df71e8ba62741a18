import { ClientError } from '../lib/errors.ts';
import type { Quantity } from './types.ts';

/** How a quantity is written: `12Mi`, `12e6` or `12M`. */
export type QuantityFormat = 'BinarySI' | 'DecimalExponent' | 'DecimalSI';

/** A quantity that cannot be read; the message is the server's. */
export class QuantityError extends ClientError {
  override readonly name: string = 'QuantityError';

  constructor(message: string, text: string) {
    super('QUANTITY_INVALID', message, {
      hint: `${JSON.stringify(text)} is no quantity; write it as 2, 1.5, 500m, 128Mi or 1e3.`,
    });
  }
}

/** Nothing finer than this is kept: quantities are rounded up to whole nanos. */
const nanoScale = -9;
const nanosPerUnit = 10n ** 9n;
const maxInt64 = 2n ** 63n - 1n;

/**
 * Exponents beyond this would make every sum a number of thousands of digits. Servers have no such
 * limit, nor any resource that comes near it.
 */
const maxExponent = 1000;

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalSuffixByExponent: ReadonlyMap<number, string> = new Map(
  [...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]),
);
/** The position is the power of 1024. */
const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

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
    const parts = splitText(text);
    const magnitude = readSuffix(parts.suffix, text);
    const short = isShort(parts, magnitude);
    if (!short && !parts.hasDigits) {
      throw new QuantityError('unable to parse numeric part of quantity', text);
    }
    const { base, exponent, format } = magnitude;
    const digits = BigInt(parts.whole + parts.fraction);
    const scale = (base === 10 ? exponent : 0) - parts.fraction.length;
    const unsigned = shift(base === 2 ? digits << BigInt(exponent) : digits, scale - nanoScale);
    const isSub = format === 'BinarySI' && unsigned > 0n && unsigned < nanosPerUnit;
    const capped = format === 'BinarySI' ? min(unsigned, maxInt64 * nanosPerUnit) : unsigned;
    return new QuantityValue(
      parts.isNegative ? -capped : capped,
      isSub ? 'DecimalSI' : format,
      short && looksCanonical(parts, magnitude) ? text : undefined,
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

  /** Small amounts and fractions of a unit are written in decimals whatever the notation. */
  #isWrittenBinary(): boolean {
    return (
      this.format === 'BinarySI' &&
      absolute(this.#nanos) >= 1024n * nanosPerUnit &&
      this.#nanos % nanosPerUnit === 0n
    );
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
    const significant = digits.replace(/0+$/, '');
    const zeros = digits.length - significant.length + nanoScale;
    const exponent = Math.floor(zeros / 3) * 3;
    return significant + '0'.repeat(zeros - exponent) + this.#decimalSuffix(exponent);
  }

  #decimalSuffix(exponent: number): string {
    if (exponent === 0) return '';
    const suffix =
      this.format === 'DecimalExponent' ? undefined : decimalSuffixByExponent.get(exponent);
    // Past exa there is no suffix. Servers then write none at all and so another number; the
    // exponent keeps the amount right.
    return suffix ?? `e${exponent}`;
  }
}

/**
 * Reads a quantity: an optional sign, digits with an optional fraction, and a suffix of
 * `n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei` or an exponent. As a server does, it rounds up to whole
 * nanos, cuts binary amounts at 2^63-1, and keeps the text where it is near enough to canonical.
 * Throws {@link QuantityError} with the server's message.
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

/** Orders quantities by amount; throws {@link QuantityError}. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  return parseQuantity(left).compare(parseQuantity(right));
}

interface TextParts {
  readonly isNegative: boolean;
  /** Without leading zeros, but at least one digit. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
  readonly hasDigits: boolean;
}

function splitText(text: string): TextParts {
  // More lenient than the expression in the message, as the server is: digits may be missing.
  const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (parts === null || text === '') {
    throw new QuantityError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      text,
    );
  }
  const [, sign, number = '', fraction = '', suffix = ''] = parts;
  const whole = number.replace(/^0+(?=.)/, '');
  return {
    isNegative: sign === '-',
    whole: whole === '' ? '0' : whole,
    fraction,
    suffix,
    hasDigits: number + fraction !== '',
  };
}

interface Magnitude {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function readSuffix(suffix: string, text: string): Magnitude {
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const power = binarySuffixes.indexOf(suffix);
  if (power !== -1) return { base: 2, exponent: power * 10, format: 'BinarySI' };
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  if (exponent === undefined || Math.abs(Number(exponent)) > maxExponent) {
    throw new QuantityError("unable to parse quantity's suffix", text);
  }
  return { base: 10, exponent: Number(exponent), format: 'DecimalExponent' };
}

/** True if a server reads it by its short way, into 64 bits; the two ways differ in small things. */
function isShort({ whole, fraction }: TextParts, { base, exponent }: Magnitude): boolean {
  return base === 2
    ? fraction === '' && whole.length + Math.trunc((exponent * 3) / 10) <= 14
    : whole.length + fraction.length <= 18 && exponent - fraction.length >= nanoScale;
}

/**
 * Servers keep the text of a quantity that they read the short way and that looks canonical at a
 * glance, so `1.500`, `+1` and `0100` come back as they were sent. The glance is reproduced here.
 */
function looksCanonical({ whole, fraction }: TextParts, { base, exponent }: Magnitude): boolean {
  if (base === 2) return BigInt(whole) % 8n !== 0n;
  const digits = whole + fraction;
  const isMultipleOf3 = (exponent - fraction.length) % 3 === 0;
  return isMultipleOf3 && !digits.endsWith('000') && !digits.startsWith('0');
}

/** `value` × 10^`power`, rounded away from zero. */
function shift(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  const quotient = value / divisor;
  if (quotient * divisor === value) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function compareBigInts(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
