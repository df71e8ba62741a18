import { newBadRequest } from 'client-ts/meta';

/** A boolean parameter is true for anything but `false` and `0`, including an empty value. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** Parses an integer parameter, if present; throws a 400 with Go's message if invalid. */
export function parseInteger(text: string | null): number | undefined {
  if (text === null) return undefined;
  const problem = integerProblem(text);
  if (problem !== undefined) throw newBadRequest(`strconv.ParseInt: ${problem}`);
  return Number(text);
}

function integerProblem(text: string): string | undefined {
  const quoted = `parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/.test(text)) return `${quoted}: invalid syntax`;
  const value = BigInt(text.replace('+', ''));
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? `${quoted}: value out of range` : undefined;
}

/** Returns what is wrong with a resourceVersion; undefined if valid. */
export function versionProblem(text: string): string | undefined {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) <= MAX_UINT64) return undefined;
  const reason = isNumber ? 'value out of range' : 'invalid syntax';
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${reason}`;
}
