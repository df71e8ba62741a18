/** The longest wait that a server can ask for; after it the request is made again. */
export const LONGEST_REQUESTED_DELAY_MS: number = 5 * 60_000;

/**
 * Returns how long to wait if a server asks for `milliseconds`: at most
 * {@link LONGEST_REQUESTED_DELAY_MS}, and 0 for anything that is not a positive number. A server
 * chooses the value: `NaN` or a negative delay would make a retry loop spin, and an endless one
 * would end it in silence.
 */
export function requestedDelayMs(milliseconds: unknown): number {
  if (typeof milliseconds !== 'number' || !(milliseconds > 0)) return 0;
  return Math.min(milliseconds, LONGEST_REQUESTED_DELAY_MS);
}
