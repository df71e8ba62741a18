import { ClientError, defineErrors } from '../lib/errors.ts';
import type { Quantity } from './types.ts';

/** The notation of a quantity: `12Mi`, `12e6` or `12M`. */
export type QuantityFormat = 'BinarySI' | 'DecimalExponent' | 'DecimalSI';

/** A quantity is invalid. The message is the server's. */
export class QuantityError extends ClientError {
  constructor(message: string, text: string) {
    const shown = text.length <= 100 ? text : `${text.slice(0, 100)}…`;
    super('META_QUANTITY_INVALID', message, {
      hint: `${JSON.stringify(shown)} is not a quantity; write it as 2, 1.5, 500m, 128Mi or 1e3.`,
    });
  }

  static {
    defineErrors(this, 'QuantityError', 'META', { META_QUANTITY_INVALID: { retry: 'never' } });
  }
}

/** The power of ten of the smallest unit: quantities are rounded up to whole nanos. */
export const nanoScale = -9;

/**
 * Limits on input, because larger exponents and longer texts would make every sum a number of
 * thousands of digits. Servers have no such limits, but no resource comes near them. `maxExponent`
 * limits the amount, not the notation, so that the canonical form of an accepted amount is accepted.
 */
const maxExponent = 1000;
const maxLength = 4096;

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

/** Suffixes by power of ten. */
export const decimalSuffixByExponent: ReadonlyMap<number, string> = new Map(
  [...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]),
);

/** Suffixes; the index is the power of 1024. */
export const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** A parsed quantity: the amount is `digits` × `base`^`exponent` × 10^-`fractionLength`. */
export interface QuantityText {
  readonly isNegative: boolean;
  readonly digits: bigint;
  readonly fractionLength: number;
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** True if a server returns the text unchanged instead of its canonical form. */
  readonly isKept: boolean;
}

/** Parses the parts of a quantity; throws {@link QuantityError}. */
export function readQuantityText(text: string): QuantityText {
  const parts = splitText(text);
  const magnitude = readSuffix(parts.suffix, text);
  if (magnitude.base === 10 && parts.whole.length + magnitude.exponent > maxExponent + 1) {
    throw new QuantityError("unable to parse quantity's suffix", text);
  }
  const isRead = isShort(parts, magnitude);
  if (!isRead && !parts.hasDigits) {
    throw new QuantityError('unable to parse numeric part of quantity', text);
  }
  return {
    isNegative: parts.isNegative,
    digits: BigInt(parts.whole + parts.fraction),
    fractionLength: parts.fraction.length,
    ...magnitude,
    isKept: isRead && looksCanonical(parts, magnitude),
  };
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
  if (text.length > maxLength) {
    throw new QuantityError(`quantities must have at most ${maxLength} characters`, text);
  }
  // Like the server's parser, this accepts more than the expression in the message: digits may be
  // missing. It is unambiguous, so matching takes linear time.
  const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?)$/.exec(
    text,
  );
  if (parts === null || text === '') {
    throw new QuantityError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      text,
    );
  }
  const [, sign, number = '', fraction = '', suffix = ''] = parts;
  return {
    isNegative: sign === '-',
    whole: number.replace(/^0+/, '') || '0',
    fraction,
    suffix,
    hasDigits: number + fraction !== '',
  };
}

type Magnitude = Pick<QuantityText, 'base' | 'exponent' | 'format'>;

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

/** True if a server parses it on its fast path, into 64 bits; the slow path differs in details. */
function isShort({ whole, fraction }: TextParts, { base, exponent }: Magnitude): boolean {
  return base === 2
    ? fraction === '' && whole.length + Math.trunc((exponent * 3) / 10) <= 14
    : whole.length + fraction.length <= 18 && exponent - fraction.length >= nanoScale;
}

/**
 * Servers keep the text of a quantity that was parsed on the fast path and passes a quick test for
 * the canonical form, so `1.500`, `+1` and `0100` are returned unchanged. This is that test.
 */
function looksCanonical({ whole, fraction }: TextParts, { base, exponent }: Magnitude): boolean {
  if (base === 2) return BigInt(whole) % 8n !== 0n;
  const digits = whole + fraction;
  const isMultipleOf3 = (exponent - fraction.length) % 3 === 0;
  return isMultipleOf3 && !digits.endsWith('000') && !digits.startsWith('0');
}

const nanosPerUnit = 10n ** BigInt(-nanoScale);
const maxInt64 = 2n ** 63n - 1n;

/**
 * An exact amount and its notation. Immutable. Arithmetic is exact; the smallest unit is a nano. In
 * JSON it is the text that a server would write.
 */
export class QuantityValue {
  readonly format: QuantityFormat;
  readonly #nanos: bigint;
  /** The parsed text, if a server keeps it; otherwise the canonical form is used. */
  readonly #keptText: string | undefined;

  private constructor(nanos: bigint, format: QuantityFormat, keptText?: string) {
    this.#nanos = nanos;
    this.format = format;
    this.#keptText = keptText;
  }

  /** Returns `units` × 10^`scale`, rounded up to whole nanos. `units` must be an integer. */
  static of(
    units: bigint | number,
    format: QuantityFormat = 'DecimalSI',
    scale = 0,
  ): QuantityValue {
    return new QuantityValue(shift(BigInt(units), scale - nanoScale), format);
  }

  /** Parses a quantity as {@link parseQuantity} does. */
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

  /** Returns a negative number if this is less than `other`, a positive one if it is more. */
  compare(other: QuantityValue): number {
    return compareBigInts(this.#nanos, other.#nanos);
  }

  equals(other: QuantityValue): boolean {
    return this.#nanos === other.#nanos;
  }

  /** Returns the sum in the notation of this quantity, or in that of `other` if this is zero. */
  add(other: QuantityValue): QuantityValue {
    return new QuantityValue(this.#nanos + other.#nanos, this.#formatWith(other));
  }

  /** Returns the difference in the notation of this quantity, or in that of `other` if this is zero. */
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

  /** Returns the amount in units of 10^`scale`, rounded away from zero. */
  scaledValue(scale: number): bigint {
    return shift(this.#nanos, nanoScale - scale);
  }

  /** Returns the amount in whole units, rounded away from zero. */
  value(): bigint {
    return this.scaledValue(0);
  }

  /** Returns the amount in thousandths, rounded away from zero. */
  milliValue(): bigint {
    return this.scaledValue(-3);
  }

  /** Returns the nearest double, which may lose precision. */
  toNumber(): number {
    return Number(`${this.#nanos}e${nanoScale}`);
  }

  /** Returns what a server writes: the parsed text if servers keep it, else the canonical form. */
  toString(): string {
    return this.#keptText ?? this.toCanonicalString();
  }

  toJSON(): string {
    return this.toString();
  }

  /** Returns the canonical form: no fraction, the largest suffix possible, no plus sign. */
  toCanonicalString(): string {
    if (this.isZero) return '0';
    return this.#isWrittenBinary() ? this.#binaryText() : this.#decimalText();
  }

  #formatWith(other: QuantityValue): QuantityFormat {
    return this.isZero ? other.format : this.format;
  }

  /**
   * Amounts that are not multiples of 1024 have no binary suffix. They are written as decimals, because
   * without a suffix they would be parsed as decimals.
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
    // There is no suffix above exa. Servers then omit it, which changes the amount; this does not.
    return suffix ?? `e${exponent}`;
  }
}

/**
 * Parses a quantity: an optional sign, digits with an optional fraction, and a suffix of
 * `n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei` or an exponent. Like a server, it rounds up to whole
 * nanos, limits binary amounts to 2^63-1, and keeps texts that are almost canonical. Throws
 * `QuantityError` with the server's message.
 */
export function parseQuantity(quantity: Quantity): QuantityValue {
  return QuantityValue.parse(typeof quantity === 'number' ? `${quantity}` : quantity);
}

/** Returns a quantity as a server writes it; null is zero. */
export function normalizeQuantity(quantity: Quantity | null): string {
  return quantity === null ? '0' : parseQuantity(toText(quantity)).toString();
}

function toText(quantity: Quantity): Quantity {
  return typeof quantity === 'string' ? quantity.trim() : quantity;
}

/** Compares quantities by amount, for sorting; throws `QuantityError`. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  return parseQuantity(left).compare(parseQuantity(right));
}

/** Returns `value` × 10^`power`, rounded away from zero. */
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
