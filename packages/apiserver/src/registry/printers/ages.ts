import { humanDuration, parseMicroTime, parseTime } from 'client-ts/meta';

/** The cell for an unknown time. */
export const UNKNOWN = '<unknown>';

/** Go's zero time, which the server writes for required times that are not set. */
export const NO_TIME = '0001-01-01T00:00:00Z';

/** Returns the time since a `Time`. */
export function since(time: string | null | undefined, now: number): string {
  return isNoTime(time) ? UNKNOWN : humanDuration(now - parseTime(time));
}

/** Returns the time since a `MicroTime`. */
export function sinceMicro(time: string | null | undefined, now: number): string {
  return isNoTime(time) ? UNKNOWN : humanDuration(now - parseMicroTime(time));
}

function isNoTime(time: string | null | undefined): time is '' | null | undefined {
  return time === undefined || time === null || time === '' || time === NO_TIME;
}
