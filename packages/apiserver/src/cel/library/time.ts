import { parseGoDuration } from '../../validation/go-duration.ts';
import { Duration, Failure, Timestamp, type Value } from '../values.ts';

const SECOND = 1_000_000_000n;
/** 0001-01-01T00:00:00Z and the end of 9999-12-31, the times of CEL. */
const FIRST_TIME = -62_135_596_800n * SECOND;
const LAST_TIME = 253_402_300_800n * SECOND - 1n;

/** Returns a duration, or a failure if it does not fit into 64 bits. */
export function checkedDuration(nanos: bigint): Value {
  return BigInt.asIntN(64, nanos) === nanos ? new Duration(nanos) : new Failure('integer overflow');
}

/** Returns a time, or a failure if it is before the year 1 or after the year 9999. */
export function checkedTimestamp(nanos: bigint, offset = 0): Value {
  return nanos >= FIRST_TIME && nanos <= LAST_TIME
    ? new Timestamp(nanos, offset)
    : new Failure('timestamp overflow');
}

/** Reads a duration as Go's `time.ParseDuration` does; undefined if it is none. */
export function parseDuration(text: string): Duration | undefined {
  const nanos = parseGoDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/** Reads a time of RFC 3339; undefined if it is none. */
export function parseTime(text: string): Timestamp | undefined {
  const [, date = '', time = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (date === '') return undefined;
  const epochMs = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(epochMs) || !new Date(epochMs).toISOString().startsWith(date)) return undefined;
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (Number(hours) > 24 || Number(minutes) > 60) return undefined;
  const offset = (Number(hours) * 3600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  const value = (BigInt(epochMs) / 1000n - BigInt(offset)) * SECOND + nanos;
  const isInRange = value >= FIRST_TIME && value <= LAST_TIME;
  return isInRange ? new Timestamp(value, offset) : undefined;
}

/** Formats a time as RFC 3339, in its zone and with as many digits as it needs. */
export function formatTime({ nanos, offset }: Timestamp): string {
  const seconds = floorDivide(nanos, SECOND);
  const fraction = String(nanos - seconds * SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const local = new Date((Number(seconds) + offset) * 1000).toISOString().slice(0, 19);
  return `${local}${fraction === '' ? '' : `.${fraction}`}${formatZone(offset)}`;
}

function formatZone(offset: number): string {
  if (offset === 0) return 'Z';
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 3600), (Math.abs(offset) / 60) % 60];
  const digits = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  return `${offset < 0 ? '-' : '+'}${digits}`;
}

/** Formats a duration in seconds, as CEL does: `90.5s`. */
export function formatDuration({ nanos }: Duration): string {
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const exact = `${sign}${size / SECOND}${fraction === '' ? '' : `.${fraction}`}`;
  // It counts in floating point: beyond its precision the last digits are gone.
  const rounded = String(Number(exact));
  return `${rounded.includes('e') ? exact : rounded}s`;
}

export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** A part of a time in a zone. */
export type TimePart =
  | 'date'
  | 'day'
  | 'dayOfMonth'
  | 'dayOfYear'
  | 'hours'
  | 'milliseconds'
  | 'minutes'
  | 'month'
  | 'seconds'
  | 'year';

/** Returns a part of a time in UTC or in a zone such as `Europe/Berlin` or `+02:00`. */
export function timePart({ nanos }: Timestamp, part: TimePart, zone = 'UTC'): Value {
  const offset = zoneOffset(zone, Number(floorDivide(nanos, SECOND)));
  if (offset instanceof Failure) return offset;
  const local = new Date((Number(floorDivide(nanos, SECOND)) + offset) * 1000);
  switch (part) {
    case 'year':
      return BigInt(local.getUTCFullYear());
    case 'month':
      return BigInt(local.getUTCMonth());
    case 'date':
      return BigInt(local.getUTCDate());
    case 'dayOfMonth':
      return BigInt(local.getUTCDate() - 1);
    case 'day':
      return BigInt(local.getUTCDay());
    case 'dayOfYear': {
      const start = Date.UTC(local.getUTCFullYear(), 0, 1);
      return BigInt(Math.floor((local.getTime() - start) / 86_400_000));
    }
    case 'hours':
      return BigInt(local.getUTCHours());
    case 'minutes':
      return BigInt(local.getUTCMinutes());
    case 'seconds':
      return BigInt(local.getUTCSeconds());
    case 'milliseconds':
      return (nanos - floorDivide(nanos, SECOND) * SECOND) / 1_000_000n;
  }
}

/** Seconds east of UTC. */
function zoneOffset(zone: string, seconds: number): Failure | number {
  if (zone === 'UTC' || zone === '') return 0;
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed !== null) {
    const [, sign, hours = '', minutes = ''] = fixed;
    return (Number(hours) * 3600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName');
    const [, sign, hours = '0', minutes = '0', more = '0'] =
      /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name?.value ?? '') ?? [];
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(more);
    return sign === '-' ? -size : size;
  } catch {
    return new Failure(`unknown time zone ${zone}`);
  }
}
