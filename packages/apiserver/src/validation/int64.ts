const MOST = '9223372036854775807';

/**
 * Returns true for decimal digits, without a sign, that a signed number of 64 bits can hold. The time
 * does not depend on what the number would be, as it would with `BigInt`.
 */
export function fitsInt64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  if (significant.length !== MOST.length) return significant.length < MOST.length;
  return significant <= MOST;
}
