import { quoteGo } from 'client-ts/internal';

/** Nanoseconds per unit. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** Go's durations are 64-bit nanoseconds, at most 292 years. */
const TOO_LONG = 2 ** 63;

/** Returns the error that Go's `time.ParseDuration` reports; undefined for a valid duration. */
export function durationProblem(text: string): string | undefined {
  const invalid = `time: invalid duration ${quoteGo(text)}`;
  const start = /^[+-]/.test(text) ? 1 : 0;
  if (text.slice(start) === '0') return undefined;
  if (text.length === start) return invalid;
  const part = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([^0-9.]*)/y;
  part.lastIndex = start;
  let total = 0;
  while (part.lastIndex < text.length) {
    const [, number = '', unit = ''] = part.exec(text) ?? [];
    if (number === '') return invalid;
    if (unit === '') return `time: missing unit in duration ${quoteGo(text)}`;
    const nanoseconds = UNITS.get(unit);
    if (nanoseconds === undefined) {
      return `time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}`;
    }
    total += Number(number) * nanoseconds;
    if (total >= TOO_LONG) return invalid;
  }
  return undefined;
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
