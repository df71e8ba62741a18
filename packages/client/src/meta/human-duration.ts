/** Go's durations are 64-bit nanoseconds, at most 292 years. */
const LONGEST_SECONDS = 9_223_372_036;

/**
 * Formats a duration as kubectl prints ages, with two or three significant digits: `59s`, `3m12s`,
 * `7h`, `2d4h`, `3y11d`. Tolerates clock skew: up to two seconds below zero are `0s`.
 *
 * ```ts
 * humanDuration(Date.now() - parseTime(pod.metadata.creationTimestamp));
 * ```
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.min(Math.trunc(milliseconds / 1000), LONGEST_SECONDS);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(seconds, 0)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return twoParts(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return twoParts(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return twoParts(days, 'd', hours % 24, 'h');
  if (days < 2 * 365) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? twoParts(years, 'y', days % 365, 'd') : `${years}y`;
}

function twoParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
