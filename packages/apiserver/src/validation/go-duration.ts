import { quoteGo } from 'client-ts/internal';

/** Nanoseconds per unit. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** Go's durations are 64-bit nanoseconds, at most 292 years. */
const TOO_LONG = 2n ** 63n;
/** More digits are more than 292 years in every unit, and slow to read. */
const MOST_DIGITS = 19;

/** Returns the error that Go's `time.ParseDuration` reports; undefined for a valid duration. */
export function durationProblem(text: string): string | undefined {
  const read = readDuration(text);
  return typeof read === 'bigint' ? undefined : read;
}

/** Returns the nanoseconds of a duration as Go's `time.ParseDuration` does; undefined if it is none. */
export function parseGoDuration(text: string): bigint | undefined {
  const read = readDuration(text);
  return typeof read === 'bigint' ? read : undefined;
}

function readDuration(text: string): bigint | string {
  const invalid = `time: invalid duration ${quoteGo(text)}`;
  const start = /^[+-]/.test(text) ? 1 : 0;
  if (text.slice(start) === '0') return 0n;
  if (text.length === start) return invalid;
  const part = /(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))([^0-9.]*)/y;
  part.lastIndex = start;
  let total = 0n;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (found === null) return invalid;
    const [, whole = '', afterWhole = '', alone = '', unit = ''] = found;
    if (unit === '') return `time: missing unit in duration ${quoteGo(text)}`;
    const nanoseconds = UNITS.get(unit);
    if (nanoseconds === undefined) {
      return `time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}`;
    }
    const digits = whole.replace(/^0+/, '');
    const fraction = `${afterWhole}${alone}`.slice(0, MOST_DIGITS);
    if (digits.length > MOST_DIGITS) return invalid;
    total += BigInt(digits) * nanoseconds;
    total += (BigInt(fraction) * nanoseconds) / 10n ** BigInt(fraction.length);
    if (total > TOO_LONG || (total === TOO_LONG && !text.startsWith('-'))) return invalid;
  }
  return text.startsWith('-') ? -total : total;
}

const MOST = '9223372036854775807';

/**
 * Returns true if unsigned decimal digits fit into an int64. Takes constant time for long texts,
 * unlike `BigInt`.
 */
export function fitsInt64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  if (significant.length !== MOST.length) return significant.length < MOST.length;
  return significant <= MOST;
}
