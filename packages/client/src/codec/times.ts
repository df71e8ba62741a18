/** A point in time as protobuf has it. */
export interface Timestamp {
  /** Whole seconds since 1970, rounded towards the past. */
  readonly seconds: number;
  /** The rest, 0 to 999,999,999. */
  readonly nanos: number;
}

/** Seconds of 0001-01-01T00:00:00Z, which Go takes for "no time". */
export const ZERO_TIME_SECONDS = -62_135_596_800;
const FIRST_SECONDS = -62_167_219_200; // 0000-01-01T00:00:00Z
const LAST_SECONDS = 253_402_300_799; // 9999-12-31T23:59:59Z

const rfc3339 = /^(\d{4}-(\d\d)-(\d\d)T\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Reads an RFC 3339 time; undefined if it is not one, or no such day or hour exists. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, dateAndTime = '', , day = '', fraction = '', zone = ''] = match;
  const local = Date.parse(`${dateAndTime}Z`);
  const seconds = Date.parse(`${dateAndTime}${zone}`) / 1000;
  // Date.parse takes February 30th for March 2nd, and 24:00 for the next day.
  if (Number.isNaN(local) || Number.isNaN(seconds)) return undefined;
  if (new Date(local).getUTCDate() !== Number(day)) return undefined;
  return { seconds, nanos: Number(fraction.slice(0, 9).padEnd(9, '0')) };
}

/** `2026-01-31T09:00:00Z`; undefined for a year that has no four digits. */
export function formatTime(seconds: number): string | undefined {
  if (!(seconds >= FIRST_SECONDS && seconds <= LAST_SECONDS)) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** `2026-01-31T09:00:00.000000Z`, as the server writes the times of Leases and Events. */
export function formatMicroTime(seconds: number, nanos: number): string | undefined {
  const micros = Math.trunc(nanos / 1000);
  const whole = formatTime(seconds + Math.floor(micros / 1e6));
  if (whole === undefined) return undefined;
  const fraction = String(micros - Math.floor(micros / 1e6) * 1e6).padStart(6, '0');
  return `${whole.slice(0, 19)}.${fraction}Z`;
}
