import { ClientError, defineErrors } from '../lib/errors.ts';
import type { Quantity } from './types.ts';

/** How a quantity is written: `12Mi`, `12e6` or `12M`. */
export type QuantityFormat = 'BinarySI' | 'DecimalExponent' | 'DecimalSI';

/** A quantity that cannot be read; the message is the server's. */
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

/** Nothing finer than this power of ten is kept: quantities are rounded up to whole nanos. */
export const nanoScale = -9;

/**
 * Exponents and texts beyond these would make every sum a number of thousands of digits. Servers
 * have no such limits, nor any resource that comes near them. The first limit applies to amounts,
 * not to a notation, so that the canonical form of an accepted amount is accepted too.
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

/** The suffix for a power of ten, where there is one. */
export const decimalSuffixByExponent: ReadonlyMap<number, string> = new Map(
  [...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]),
);

/** The position is the power of 1024. */
export const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** A text taken apart: the amount is `digits` × `base`^`exponent` × 10^-`fractionLength`. */
export interface QuantityText {
  readonly isNegative: boolean;
  readonly digits: bigint;
  readonly fractionLength: number;
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** True if a server hands the text back as it is instead of its canonical form. */
  readonly isKept: boolean;
}

/** Takes a quantity apart; throws {@link QuantityError}. */
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
  // More lenient than the expression in the message, as the server is: digits may be missing. Each
  // text matches in one way only, so that matching takes linear time.
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
