import { ClientError, defineErrors } from '../lib/errors.ts';

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
