/** The maximum delay that a server can request. */
export const LONGEST_REQUESTED_DELAY_MS: number = 5 * 60_000;

/**
 * Returns the delay if a server requests `milliseconds`: at most {@link
 * LONGEST_REQUESTED_DELAY_MS}, and 0 for anything that is not a positive number. The value is
 * untrusted: `NaN` or a negative delay would make a retry loop spin, and an endless one would stall
 * it.
 */
export function requestedDelayMs(milliseconds: unknown): number {
  if (typeof milliseconds !== 'number' || !(milliseconds > 0)) return 0;
  return Math.min(milliseconds, LONGEST_REQUESTED_DELAY_MS);
}
